package linearizability

import (
	"math"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// An action is what an effect does to its object, or what it observes there.
type action uint8

const (
	put        action = iota // append ids
	take                     // remove ids
	swap                     // runnext: put ids[0] and take old, at one moment
	seeEmpty                 // there was nothing
	seeFilled                // there was something
	seeFull                  // the ring held its capacity: with one producer, takes had reached position at
	seeLen                   // there were arg
	readLength               // a thief reads the length, of which arg Gs are its part; for a fifo queue only inside the porcupine model
	leftOut                  // an observation that was left out
)

// A guard is what a take must obey besides the order.
type guard uint8

const (
	guardBatch  guard = 1 << iota // it takes as many as the contract says of a length n read earlier in the call, with no take since
	guardAll                      // it takes all that there is
	guardFull                     // it takes from a full ring
	guardShare                    // it takes the share of a batch get of the global queue
	guardNewest                   // it takes from the young end
	guardAnyway                   // its ids may be named in any order
	guardMaybe                    // the call did not return: it took effect, or not, and took whatever it took
	guardAfter                    // only after the effect at index after, which nothing else waits for
)

// never is the return stamp of a call that did not return.
const never = math.MaxInt64

// final is the op index of the effects made of record.History.Final.
const final = -1

// both is the lane of what is observed of ring and runnext at one moment.
const both = 2

// An effect is what one call does to one object.
type effect struct {
	op     int32 // index in History.Ops, or final
	thread int32
	action action
	guard  guard
	lane   uint8 // 0 the ring (or the only lane), 1 runnext, or both; matters in composites only
	waited bool  // another effect waits for it
	arg    int32 // guardShare: how many were asked for. seeLen: the answer. readLength: how many were taken
	at     int32 // seeFull: how many must have been taken by then
	after  int32 // guardAfter: index of the effect that comes first
	ids    []record.ID
	old    record.ID // swap: what was taken
	call   int64
	ret    int64
}

func (p *effect) puts() bool  { return p.action == put || p.action == swap }
func (p *effect) takes() bool { return p.action == take || p.action == swap }
func (p *effect) sees() bool  { return p.action >= seeEmpty && p.action <= seeLen }

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
	lanes    int  // 2 for a composite
	many     bool // several threads put: no position says when the ring was full
	rules    *sequential.Rules
	err      error // why the history does not tell what happened here
	broken   *Explanation
	ops      []record.Op
	span     span  // of the ids in ops
	ringPuts int32 // how many were put in lane 0
}

// An order says which G a take must take.
type order uint8

const (
	fifo order = iota
	lifo
	bag
)

// capOf returns the capacity of a lane, 0 if it is not judged.
func (o *object) capOf(lane uint8) int {
	if lane == 1 {
		return 1
	}
	return o.capacity
}

func (o *object) add(p effect) {
	if p.puts() && p.lane == 0 {
		o.ringPuts += int32(len(p.ids))
	}
	if p.action == seeFull {
		p.at = o.ringPuts - int32(o.capacity)
	}
	o.effects = append(o.effects, p)
}

// pending reports whether an effect may or may not have happened.
func (o *object) pending() bool {
	for i := range o.effects {
		if o.effects[i].guard&guardMaybe != 0 {
			return true
		}
	}
	return false
}

// fullAt reports whether a seeFull is true when head Gs have left the ring and n are in it.
func (o *object) fullAt(p *effect, head, n int32) bool {
	if o.many {
		return n == int32(o.capacity)
	}
	return head == p.at
}
