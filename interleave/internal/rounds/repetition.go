package rounds

import (
	"math"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Repetitions, where rounds cannot be compared, or something is another one in each.
//
// A thread that has
// gone twice through the same operations, at the same places, with the same values
// read and nothing changed, and that is about to begin a third time, is held back
// for good, as a vain round does.
//
// Not every repetition is a loop that waits: three steals that fail alike look the
// same. So when no other thread can go on, those that were held back are let go, after
// everything that has happened, and may look twice again. What is lost are the
// executions in which others act later than the third look, and with them those in which
// the thread does what comes behind the loop before others act. The state of the loop,
// which would say whether there is anything to lose, is not known: this is a doubt. A
// few executions more then have each thread look a thousand times, and so go on before
// the others.

// Longest is how many operations an iteration may have.
const Longest = 8

// A Repetition is what is known of what a thread has done last.
type Repetition struct {
	Period int     // when the iterations are complete that it may make: how many operations one has; else 0
	PC     uintptr // where the site is unknown: of the last repetition
	Held   bool    // the thread was held back
	Free   bool    // it is not held back any more

	seen  [2 * Longest]uint64 // operations since the last that changed something, a ring
	n     int
	known uint64              // of seen, and of what was there before: a bit for each, by hash
	match [Longest + 1]uint16 // for each period: how many operations equal the one a period before
}

// Begin forgets all.
func (r *Repetition) Begin() {
	r.Reset()
	r.PC, r.Held, r.Free = 0, false, false
}

// Reset says that something has changed.
func (r *Repetition) Reset() {
	r.n, r.Period, r.known = 0, 0, 0
	r.match = [Longest + 1]uint16{}
}

// Note notes an operation of the thread. Looks is how many iterations it may make; writes says that plain writes are reported.
func (r *Repetition) Note(ev *order.Event, looks int, writes bool) {
	if ev.Kind == object.Store || ev.Write && changes(ev, writes) { // also a store into a buffer
		if r.n != 0 {
			r.Reset()
		}
		return
	}
	h := lookHash(ev.Kind, ev.Loc, ev.Site)
	v := (h ^ ev.Read) * 0x9e3779b97f4a7c15
	r.Period = 0
	bit := uint64(1) << (v >> 58)
	if r.known&bit == 0 { // most often: it is new
		r.known |= bit
		r.match = [Longest + 1]uint16{}
		r.seen[r.n%len(r.seen)] = v
		r.n++
		return
	}
	for p := 1; p <= Longest && p <= r.n; p++ {
		if r.seen[(r.n-p)%len(r.seen)] == v {
			if r.match[p] < math.MaxUint16 {
				r.match[p]++
			}
			if int(r.match[p]) >= p*(looks-1) && r.Period == 0 {
				r.Period = p
			}
		} else {
			r.match[p] = 0
		}
	}
	r.seen[r.n%len(r.seen)] = v
	r.n++
}

// changes reports whether what wrote changed anything that a loop could make
// progress by. A lock that was taken and given back has not, if what was done in
// between is known: it is where plain writes are reported.
func changes(ev *order.Event, writes bool) bool {
	switch {
	case ev.Kind >= object.Lock && ev.Kind <= object.WUnlock:
		return !writes
	case ev.On != nil && ev.Kind != object.Look: // one that waits has a partner by now
		return !ev.On.Default || ev.Read != 0
	}
	return ev.Kind.Queues() || ev.Read != ev.Wrote
}

func lookHash(k object.Kind, loc int32, site order.Site) uint64 {
	return (uint64(k)<<56 ^ uint64(uint32(loc))<<24 ^ uint64(site)) * 0xd6e8feb86659fd93
}
