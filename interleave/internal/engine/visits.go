//go:build spindle_runtime

package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

//go:linkname spindleArgumentOf runtime.spindleArgumentOf
func spindleArgumentOf() uint64

//go:linkname spindleClean runtime.spindleClean
func spindleClean(size uintptr)

//go:linkname spindleWipe runtime.spindleWipe
func spindleWipe()

// wipes clears what operations have left in the stack, where that counts.
func (s *scheduler) wipes() {
	if !s.house.cleans {
		return
	}
	if place.Added {
		place.Added = false
		spindleClean(16 << 10)
	} else {
		spindleClean(6 << 10)
	}
	spindleWipe()
}

// remembers keeps what the memory is like that the running thread reaches, without the explorer's own.
func (s *scheduler) remembers() {
	own := []unsafe.Pointer{unsafe.Pointer(s)}
	for _, o := range s.byID {
		own = append(own, unsafe.Pointer(o))
	}
	from, to := rounds.StackOfProgram()
	s.house.before.Reach(from, to, own...)
}

// remembersOtherwise reports whether that memory is different now.
func (s *scheduler) remembersOtherwise() bool { return s.house.before.Changed() }

// A walk is one over the stack of a thread that is about to make an operation.
type walk struct {
	rounds.Walk
	site Site // of the operation
}

// visits is called where a thread comes to an operation: see package rounds.
func (s *scheduler) visits(t *thread) {
	op := &t.Next
	w := s.house.walk
	s.house.walk.Shape = nil
	if !PlainAccesses || op.Site < place.First || t.loop.Marked() || s.races.InHidden(t.ID) {
		return
	}
	if t.loop.Known = true; !rounds.Headed(op.Kind, t.with.known) {
		return
	}
	if w.Shape == nil || w.site != op.Site { // that of another operation may be left, which ended in a panic, or is invisible
		w.Walk = rounds.Look()
	}
	if !w.OfProgram() {
		return
	}
	if rounds.LeftOvers && !s.house.cleans {
		s.house.cleans = true
		s.beginAnew() // what was left over before would count
	}
	w.Tally(op)
	o := rounds.Operation{A: t.with.a, B: t.with.b, Looks: s.mostDoubtful()}
	for _, b := range t.buffer { // what has not left it is the thread's, too
		o.Buffered = order.Mix(o.Buffered ^ uint64(uint32(b.loc)) ^ b.value<<32 ^ b.value>>32)
	}
	v := s.rounds.Visit(&t.loop, &t.Thread, w.Walk, o)
	if v.New {
		s.strayed(t, "comes to another place")
		s.coda.moved = s.coda.moved || v.Further
		return
	}
	s.judged(t, v.Verdict)
}
