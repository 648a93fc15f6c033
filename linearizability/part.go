package linearizability

import (
	"math"

	"github.com/spindle-go/spindle/spec/record"
)

// A deed is what a part does to its object, or what it sees there.
type deed uint8

const (
	put        deed = iota // append ids
	take                   // remove ids
	swap                   // runnext: put ids[0] and take old, at one moment
	seeEmpty               // there was nothing
	seeFilled              // there was something
	seeFull                // the ring held its capacity: takes had reached position at
	seeInTurn              // of a P: the ring was empty, and later runnext was
	seeNeither             // of a P: ring and runnext were empty at one moment
	seeEither              // of a P: ring or runnext was filled
	readLength             // only inside the porcupine model: a thief reads the length
)

// A rule is what a take must obey besides the order.
type rule uint8

const (
	ruleHalf   rule = 1 << iota // it takes k = n - n/2 of a length n read earlier in the call, with no take since
	ruleAll                     // it takes all that there is
	ruleFull                    // it takes from a full ring
	ruleShare                   // it takes the share of a batch get of the global queue
	ruleNewest                  // it takes from the young end
	ruleAnyway                  // its ids may be named in any order
	ruleMaybe                   // the call did not return: it took effect, or not, and took whatever it took
	ruleAfter                   // only after the observer at index after saw what it waits for
)

// never is the return stamp of a call that did not return.
const never = math.MaxInt64

// final is the op index of the parts made of record.History.Final.
const final = -1

// A part is what one call does to one object.
type part struct {
	op     int32 // index in History.Ops, or final
	thread int32
	deed   deed
	rule   rule
	lane   uint8 // 0 the ring (or the only lane), 1 runnext; matters in composites only
	arg    int32 // ruleShare: how many were asked for
	at     int32 // seeFull: how many must have been taken by then
	after  int32 // ruleAfter: index of the observer
	ids    []record.ID
	old    record.ID // swap: what was taken
	call   int64
	ret    int64
}

func (p *part) puts() bool  { return p.deed == put || p.deed == swap }
func (p *part) takes() bool { return p.deed == take || p.deed == swap }
func (p *part) sees() bool  { return p.deed >= seeEmpty && p.deed <= seeEither }

// An object is one place with the parts that touch it, by call stamp.
type object struct {
	name     string // "P0.ring", "global", or "P0" for ring and runnext together
	place    record.Place
	parts    []part
	capacity int // in Gs, 0 not judged
	procs    int // number of Ps, for ruleShare
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

func (o *object) add(p part) { o.parts = append(o.parts, p) }

// pending reports whether a part may or may not have taken effect.
func (o *object) pending() bool {
	for i := range o.parts {
		if o.parts[i].rule&ruleMaybe != 0 {
			return true
		}
	}
	return false
}
