// Package follow finds what a machine may have done by what was seen of it.
//
// Who watches code sees some of what a machine's steps do, and not all: which of several idle Ps
// was taken, or when exactly within a section under a lock. So a follower keeps the set of all
// states that agree with what was seen so far. When nothing is left of it, the last thing
// that was seen is none that the machine does.
//
// What stands in the set is up to the caller: a state of the machine, and what must be
// remembered beside it. The field calls this trace validation with a partial trace (etcd-io/raft and
// CCF do it by TLC, Traceraft.tla).
//
//interleave:off
package follow

import (
	"errors"
	"fmt"
)

// Most bounds the set.
const Most = 4096

// ErrMany is wrapped by the error about a set that has become too large.
var ErrMany = errors.New("follow: too many states agree with what was seen")

// Rules say how what stands in the set goes on. E is what stands there, and O is what is seen.
type Rules[E comparable, O any] interface {
	// Silent adds what e may become by a step that is not seen, before o is.
	Silent(e *E, o *O, next *Next[E])
	// Seen adds what e may become by what was seen: nothing if they do not agree.
	Seen(e *E, o *O, next *Next[E])
}

// A Move leads from one that stood in the set to one that stands there now.
type Move[E comparable] struct {
	From, To E
	// Steps says whether the machine took a step, and Label which: as it was given to
	// Next.Add.
	Steps bool
	Label uint16
	// Seen says whether it was by what was seen, and not silent.
	Seen bool
}

// Next collects what the rules add.
type Next[E comparable] struct {
	list []Move[E]
	from *E
	seen bool
}

// Add adds one by a step of the machine.
func (n *Next[E]) Add(to *E, label uint16) {
	n.list = append(n.list, Move[E]{*n.from, *to, true, label, n.seen})
}

// Stay adds one without a step of the machine's.
func (n *Next[E]) Stay(to *E) { n.list = append(n.list, Move[E]{From: *n.from, To: *to, Seen: n.seen}) }

// A Set are those that agree with what was seen, each once.
type Set[E comparable] []E

// Add adds one, and reports whether it was not there.
func (s *Set[E]) Add(e *E) bool {
	for i := range *s {
		if (*s)[i] == *e {
			return false
		}
	}
	*s = append(*s, *e)
	return true
}

// Advance returns what stands in the set after o was seen, which is nothing if o is none that
// the machine does, and what led there. Tried is the set before, with what silent steps make of
// it. Errors wrap ErrMany.
func Advance[E comparable, O any](r Rules[E, O], now Set[E], o *O) (after, tried Set[E], moves []Move[E], err error) {
	tried = append(tried, now...)
	var next Next[E]
	for i := 0; i < len(tried); i++ {
		from := tried[i]
		at := len(next.list)
		next.from = &from
		r.Silent(&from, o, &next)
		for k := at; k < len(next.list); k++ {
			tried.Add(&next.list[k].To)
		}
		if len(tried) > Most {
			return nil, tried, nil, fmt.Errorf("%w: expected at most %d, saw %d", ErrMany, Most, len(tried))
		}
	}
	at := len(next.list)
	next.seen = true
	for i := range tried {
		next.from = &tried[i]
		r.Seen(&tried[i], o, &next)
	}
	for k := at; k < len(next.list); k++ {
		after.Add(&next.list[k].To)
	}
	return after, tried, next.list, nil
}

// A Follower goes along with what is seen, and can go back.
type Follower[E comparable, O any] struct {
	rules  Rules[E, O]
	layers []layer[E]
	// Largest is how large the set has ever been.
	Largest int
}

type layer[E comparable] struct {
	set   Set[E]
	moves []Move[E]
}

// New returns a follower that stands at the start.
func New[E comparable, O any](r Rules[E, O], start ...E) *Follower[E, O] {
	return &Follower[E, O]{rules: r, layers: []layer[E]{{set: start}}}
}

// Now returns the set.
func (f *Follower[E, O]) Now() Set[E] { return f.layers[len(f.layers)-1].set }

// First returns the set at the start.
func (f *Follower[E, O]) First() Set[E] { return f.layers[0].set }

// Len returns how much was seen.
func (f *Follower[E, O]) Len() int { return len(f.layers) - 1 }

// Moves returns what led to the set from that before, with what led nowhere.
func (f *Follower[E, O]) Moves() []Move[E] { return f.layers[len(f.layers)-1].moves }

// Back forgets what was seen after the first n.
func (f *Follower[E, O]) Back(n int) { f.layers = f.layers[:n+1] }

// See goes on by what was seen. It reports whether that is something that the machine does: if not,
// nothing has changed, and tried is what stood in the set. Errors wrap ErrMany.
func (f *Follower[E, O]) See(o *O) (ok bool, tried Set[E], err error) {
	after, tried, moves, err := Advance(f.rules, f.Now(), o)
	f.Largest = max(f.Largest, len(tried))
	if err != nil || len(after) == 0 {
		return false, tried, err
	}
	f.layers = append(f.layers, layer[E]{after, moves})
	return true, tried, nil
}
