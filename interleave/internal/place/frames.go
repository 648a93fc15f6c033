package place

// What is known of stacks, by where their frames return to: the same frames are met again and again.

// ByFrames is a table of that. It is no map: to make one, or to clear it, draws a random number, which asks here.
type ByFrames[V any] struct {
	recent [1 << 9]*OfFrames[V]
	all    []*OfFrames[V] // by the sums, or behind
	count  int
}

// OfFrames is what is known of a stack, of which something was asked.
type OfFrames[V any] struct {
	asked   uint64
	returns []uintptr
	Is      V
}

// sizeByFrames is how many entries such a table has. It is emptied when three of four are used.
const sizeByFrames = 1 << 16

// Added says that something was added: the stack below was used further than it is else.
var Added bool

func sumOfFrames(asked uint64, returns []uintptr) uint64 {
	for _, pc := range returns {
		asked = (asked ^ uint64(pc)) * 0x9e3779b97f4a7c15
		asked ^= asked >> 29
	}
	return asked
}

// Find returns what is known of a stack, of which something is asked; nil if nothing is.
func (t *ByFrames[V]) Find(asked uint64, returns []uintptr) *OfFrames[V] {
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

// Add notes what is known of a stack that was not found.
func (t *ByFrames[V]) Add(asked uint64, returns []uintptr, is V) {
	if t.all == nil || t.count > sizeByFrames/4*3 {
		t.all, t.count = make([]*OfFrames[V], sizeByFrames), 0
	}
	i := sumOfFrames(asked, returns)
	for t.all[i%sizeByFrames] != nil {
		i++
	}
	t.all[i%sizeByFrames] = &OfFrames[V]{asked, append([]uintptr(nil), returns...), is}
	t.count++
	Added = true
}

func (o *OfFrames[V]) of(asked uint64, returns []uintptr) bool {
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
