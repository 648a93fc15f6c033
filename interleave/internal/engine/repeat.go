package engine

import (
	"math"
	"runtime"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// Repetitions, where loops are not known.
//
// Code that is not instrumented has no hooks at its loops. There a thread that has
// gone twice through the same operations, at the same places, with the same values
// read and nothing changed, and that is about to begin a third time, is held back
// for good, as loop.go says it.
//
// Not every repetition is a loop that waits: three steals that fail alike look the
// same. So when no other thread can go on, those that were held back are let go, after
// everything that has happened, and may look twice again. What is lost are the
// executions in which others act later than the third look, and with them those in which
// the thread does what comes behind the loop before others act. The state of the loop,
// which would say whether there is anything to lose, is not known: this is a doubt. A
// few executions more then have each thread look a thousand times, and so go on before
// the others (see onward).

// longestLoop is how many operations an iteration may have.
const longestLoop = 8

// DefaultPatience is how often threads are let go with nothing changed before
// that is called a livelock.
const DefaultPatience = 1000

type repetition struct {
	seen   [2 * longestLoop]uint64 // operations since the last that changed something, a ring
	n      int
	known  uint64                  // of seen, and of what was there before: a bit for each, by hash
	match  [longestLoop + 1]uint16 // for each period: how many operations equal the one a period before
	repeat int                     // the period, when two iterations are complete
	pc     uintptr                 // where the site is unknown: of the last repetition
	held   bool                    // the thread was held back
	free   bool                    // it is not held back any more
}

// How often a thread may look in vain before it is held back. The searches that
// reduce, or try everything, need it to be few; those by chance need it only so
// that all executions end, and find what happens when a thread gives up after a
// number of looks.
const (
	fewLooks  = 2
	someLooks = 5   // of code of which it is known that its state is another one each time: most often it does the same a few times
	ownLooks  = 100 // of such code that is explored itself: most loops end before
	manyLooks = 32
	longLooks = 1000
)

func (l *repetition) reset() {
	l.n, l.repeat, l.known = 0, 0, 0
	l.match = [longestLoop + 1]uint16{}
}

func (l *repetition) note(ev *order.Event, looks int) {
	if ev.Kind == object.Store || ev.Write && changes(ev) { // also a store into a buffer
		if l.n != 0 {
			l.reset()
		}
		return
	}
	h := lookHash(ev.Kind, ev.Loc, ev.Site)
	v := (h ^ ev.Read) * 0x9e3779b97f4a7c15
	l.repeat = 0
	bit := uint64(1) << (v >> 58)
	if l.known&bit == 0 { // most often: it is new
		l.known |= bit
		l.match = [longestLoop + 1]uint16{}
		l.seen[l.n%len(l.seen)] = v
		l.n++
		return
	}
	for p := 1; p <= longestLoop && p <= l.n; p++ {
		if l.seen[(l.n-p)%len(l.seen)] == v {
			if l.match[p] < math.MaxUint16 {
				l.match[p]++
			}
			if int(l.match[p]) >= p*(looks-1) && l.repeat == 0 {
				l.repeat = p
			}
		} else {
			l.match[p] = 0
		}
	}
	l.seen[l.n%len(l.seen)] = v
	l.n++
}

// changes reports whether what wrote changed anything that a loop could make
// progress by. A lock that was taken and given back has not, if what was done in
// between is known: it is where plain accesses are reported.
func changes(ev *order.Event) bool {
	switch {
	case ev.Kind >= object.Lock && ev.Kind <= object.WUnlock:
		return !PlainAccesses
	case ev.On != nil && ev.Kind != object.Look: // one that waits has a partner by now
		return !ev.On.Default || ev.Read != 0
	}
	return ev.Kind.Queues() || ev.Read != ev.Wrote
}

func lookHash(k object.Kind, loc int32, site Site) uint64 {
	return (uint64(k)<<56 ^ uint64(uint32(loc))<<24 ^ uint64(site)) * 0xd6e8feb86659fd93
}

// holdBack holds t back if the operation that it has announced begins a third
// iteration.
func (s *scheduler) holdBack(t *thread) {
	n := &t.Next
	p := t.repetition.repeat
	t.repetition.repeat = 0
	if t.repetition.free || t.loop.known && s.live&^t.Bit() == 0 && len(s.Events) == int(t.Count) { // or nobody else does anything, in any order
		return
	}
	first := s.nthLast(t, p)
	if first == nil || first.Kind != n.Kind || first.Loc != n.Loc || first.Site != n.Site {
		return
	}
	if n.Site == 0 {
		// Code that is not instrumented: three equal calls one after another are
		// no loop.
		if pc := callerPC(); pc != t.repetition.pc {
			t.repetition.pc = pc
			return
		}
	}
	s.hold(t, repeated)
	t.repetition.held = true
}

// looksOf is how often t may look in vain: many times only until it was held back, so
// that it stays below the bound of steps.
func (s *scheduler) looksOf(t *thread) int {
	if s.looks == longLooks && t.repetition.held {
		return fewLooks
	}
	if s.looks == fewLooks && t.loop.known {
		if place.OfExplored(t.Next.Site) {
			return ownLooks
		}
		return someLooks
	}
	return s.looks
}

// nthLast returns the nth event of t, counted from its last, 1 being the last.
func (s *scheduler) nthLast(t *thread, n int) *order.Event {
	i := t.Last
	for ; n > 1 && i >= 0; n-- {
		i = s.Events[i].Prev
	}
	if i < 0 {
		return nil
	}
	return &s.Events[i]
}

// all returns what comes after all that threads have done.
func (s *scheduler) all() (all order.Clock) {
	for _, t := range s.threads {
		all.Join(&t.Clock, s.Width)
	}
	return all
}

// release lets those go who were held back, and returns them. What they do from
// now on comes after everything that has happened. Those of which it is known that their state is another one each time go on until they come to an end, or to
// the bound of steps: what they do is no livelock.
func (s *scheduler) release() (set order.ThreadSet) {
	all := s.all()
	for _, t := range s.threads {
		if t.loop.held && t.loop.why == repeated && t.loop.known && !t.repetition.free {
			t.repetition.free, s.changed = true, true
		}
	}
	if s.changed {
		s.idle = 0
	}
	s.changed = false
	looks := s.looks
	if looks == longLooks {
		looks = fewLooks // from the first time on
	}
	if s.idle++; s.idle > max(1, s.patience*fewLooks/looks) {
		s.livelock()
		return 0
	}
	s.noteWaiters()
	for _, t := range s.threads {
		t.Clock, t.Past = all, int32(len(s.Events)-1)
		if t.loop.held && !t.frozen && t.loop.why != exhausted {
			s.letGo(t)
			t.repetition.reset()
		}
	}
	set, _ = s.enabled()
	return set
}

// callerPC returns where the drop-in was called.
func callerPC() uintptr {
	var pcs [16]uintptr
	n := runtime.Callers(3, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		if !place.Ours(f.Function) {
			return f.PC + 1 // as CallersFrames wants it
		}
		if !more {
			return 0
		}
	}
}

func callerOf(site Site) uintptr {
	if site != 0 {
		return 0
	}
	return callerPC()
}
