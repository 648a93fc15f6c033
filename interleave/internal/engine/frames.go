//go:build spindle_runtime

package engine

// What is known of stacks, by where their frames return to: the same frames are met again and again.

// byFrames is a table of that. It is no map: to make one, or to clear it, draws a random number, which asks here.
type byFrames[V any] struct {
	recent [1 << 9]*ofFrames[V]
	all    []*ofFrames[V] // by the sums, or behind
	count  int
}

// ofFrames is what is known of a stack, of which something was asked.
type ofFrames[V any] struct {
	asked   uint64
	returns []uintptr
	is      V
}

// sizeByFrames is how many entries such a table has. It is emptied when three of four are used.
const sizeByFrames = 1 << 16

// framesAdded says that something was added: the stack below was used further than it is else.
var framesAdded bool

func sumOfFrames(asked uint64, returns []uintptr) uint64 {
	for _, pc := range returns {
		asked = (asked ^ uint64(pc)) * 0x9e3779b97f4a7c15
		asked ^= asked >> 29
	}
	return asked
}

// find returns what is known of a stack, of which something is asked; nil if nothing is.
func (t *byFrames[V]) find(asked uint64, returns []uintptr) *ofFrames[V] {
	few := asked
	for _, pc := range returns {
		few = few<<5 ^ few>>59 ^ uint64(pc)
	}
	few *= 0x9e3779b97f4a7c15
	r := &t.recent[few>>(64-9)]
	if o := *r; o != nil && o.of(asked, returns) {
		return o
	}
	if t.count > 0 {
		for i := sumOfFrames(asked, returns); ; i++ {
			switch o := t.all[i%sizeByFrames]; {
			case o == nil:
				return nil
			case o.of(asked, returns):
				*r = o
				return o
			}
		}
	}
	return nil
}

// add notes what is known of a stack that was not found.
func (t *byFrames[V]) add(asked uint64, returns []uintptr, is V) {
	if t.all == nil || t.count > sizeByFrames/4*3 {
		t.all, t.count = make([]*ofFrames[V], sizeByFrames), 0
	}
	i := sumOfFrames(asked, returns)
	for t.all[i%sizeByFrames] != nil {
		i++
	}
	t.all[i%sizeByFrames] = &ofFrames[V]{asked, append([]uintptr(nil), returns...), is}
	t.count++
	framesAdded = true
}

func (o *ofFrames[V]) of(asked uint64, returns []uintptr) bool {
	if o.asked != asked || len(o.returns) != len(returns) {
		return false
	}
	for i, pc := range o.returns {
		if pc != returns[i] {
			return false
		}
	}
	return true
}
