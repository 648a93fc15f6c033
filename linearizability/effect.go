package linearizability

import (
	"math"

	"github.com/spindle-go/spindle/spec/record"
)

// An action is what an effect does to its object, or what it observes there.
type action uint8

const (
	put        action = iota // append ids
	take                     // remove ids
	swap                     // runnext: put ids[0] and take old, at one moment
	seeEmpty                 // there was nothing
	seeFilled                // there was something
	seeFull                  // the ring held its capacity: takes had reached position at
	seeInTurn                // of a P: the ring was empty, and later runnext was
	seeNeither               // of a P: ring and runnext were empty at one moment
	seeEither                // of a P: ring or runnext was filled
	readLength               // only inside the porcupine model: a thief reads the length
)

// A guard is what a take must obey besides the order.
type guard uint8

const (
	guardHalf   guard = 1 << iota // it takes k = n - n/2 of a length n read earlier in the call, with no take since
	guardAll                      // it takes all that there is
	guardFull                     // it takes from a full ring
	guardShare                    // it takes the share of a batch get of the global queue
	guardNewest                   // it takes from the young end
	guardAnyway                   // its ids may be named in any order
	guardMaybe                    // the call did not return: it took effect, or not, and took whatever it took
	guardAfter                    // only after what the observer at index after waits for was true
)

// never is the return stamp of a call that did not return.
const never = math.MaxInt64

// final is the op index of the effects made of record.History.Final.
const final = -1

// An effect is what one call does to one object.
type effect struct {
	op     int32 // index in History.Ops, or final
	thread int32
	action action
	guard  guard
	lane   uint8 // 0 the ring (or the only lane), 1 runnext; matters in composites only
	waited bool  // an observer: a take waits for it
	arg    int32 // guardShare: how many were asked for
	at     int32 // seeFull: how many must have been taken by then
	after  int32 // guardAfter: index of the observer
	ids    []record.ID
	old    record.ID // swap: what was taken
	call   int64
	ret    int64
}

func (p *effect) puts() bool  { return p.action == put || p.action == swap }
func (p *effect) takes() bool { return p.action == take || p.action == swap }
func (p *effect) sees() bool  { return p.action >= seeEmpty && p.action <= seeEither }

// taken returns what p takes.
func (p *effect) taken() []record.ID {
	switch p.action {
	case swap:
		return []record.ID{p.old}
	case take:
		return p.ids
	}
	return nil
}

// An object is one place with the effects on it, by call stamp.
type object struct {
	name     string // "P0.ring", "global", or "P0" for ring and runnext together
	place    record.Place
	effects  []effect
	capacity int // in Gs, 0 not judged
	procs    int // number of Ps, for guardShare
	order    order
	lanes    int   // 2 for a composite
	err      error // why the history does not tell what happened here
	broken   *Explanation
	ops      []record.Op
}

// An order says which G a take must take.
type order uint8

const (
	fifo order = iota
	lifo
	bag
)

func (o *object) add(p effect) { o.effects = append(o.effects, p) }

// pending reports whether an effect may or may not have happened.
func (o *object) pending() bool {
	for i := range o.effects {
		if o.effects[i].guard&guardMaybe != 0 {
			return true
		}
	}
	return false
}
