package checks

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The positive controls: queues that are wrong on purpose, in ordinary code,
// judged in the same process by the same checks in every run. If a witness misses
// the bug planted in its control, its silence on the real target means nothing.

// controls are the wrong queues, each with the check that must see what is wrong.
func controls() []suite.Control {
	return []suite.Control{
		control("sequence/random", "a ring whose full test is off by one", InProcess, wrong(offByOne), "RQ-LOST", "RQ-FIFO", "RQ-TWICE", "RQ-INVENTED", "RQ-GET-NONE"),
		control("stress/steal", "a ring whose get stores head instead of swapping it", InProcess, wrong(getWithoutCAS), "RQ-TWICE", "RQ-LOST", "RQ-INVENTED", "RQ-CRASH"),
		control("linearizability/empty", "a ring that says it is empty when it holds one", InProcess, wrong(emptyLies), "RQ-EMPTY-TRUE"),
		ofTakes(control("sequence/waits", "a queue whose takes find nothing once it is closed, though there is something", InProcess, nil, takeNone), InProcess, closedFirst),
		ofTakes(control("stress/waits", "a queue whose close forgets what is there", InProcess, nil, "RQ-LOST"), InProcess, forgets),
		ofTakes(control("linearizability/waits", "a queue whose takes find nothing once it is closed, though there is something", InProcess, nil, takeNone), InProcess, closedFirst),
		ofTakes(control("interleave/waits", "a queue whose close wakes one take that waits, and not all", Instrumented, nil, closeWakes), Instrumented, wakesOne),
		told(control("interleave/explored", "a ring whose get stores head instead of swapping it", tellingOf, wrongControlled(), "RQ-TWICE", "RQ-LOST", "RQ-INVENTED")),
		control("interleave/steal", "a ring whose get stores head instead of swapping it", Instrumented, wrongControlled(), "RQ-TWICE", "RQ-LOST", "RQ-INVENTED"),
	}
}

func control(name, what string, target func(string, spec.Profile, queue.Factory) (Target, error), f queue.Factory, falls ...string) suite.Control {
	at := slices.IndexFunc(all, func(c check) bool { return c.name == name })
	if at < 0 {
		panic("checks: control of unknown check " + name)
	}
	c := all[at]
	if !c.complete {
		c.scenarios *= 3 // it ends at the first finding
	}
	return suite.Control{Check: c.suite(), What: what, Falls: falls, Open: func() (suite.Target, error) { return target("control", spec.FIFO, f) }}
}

// told makes it a control of a check that only a target has which explores itself.
func told(k suite.Control) suite.Control {
	k.With = true
	return k
}

// WrongRing is the factory of the first control, a ring whose full test is off by
// one, for whoever wants to see what a failure looks like. Its profile is spec.FIFO.
func WrongRing() queue.Factory { return wrong(offByOne) }

func wrong(b bug) queue.Factory {
	return queue.Single(func() queue.Queue { return &badRing{bug: b} })
}

type bug int

const (
	offByOne bug = iota
	getWithoutCAS
	emptyLies
)

// badRing is a ring of eight ids with one of the bugs above.
type badRing struct {
	bug        bug
	head, tail atomic.Uint32
	slots      [8]atomic.Uint64
}

func (q *badRing) slot(i uint32) *atomic.Uint64 { return &q.slots[i%uint32(len(q.slots))] }

func (q *badRing) Put(id record.ID) bool {
	h, t := q.head.Load(), q.tail.Load()
	room := uint32(len(q.slots))
	if q.bug == offByOne {
		room++ // wrong: the slot of the oldest is written over
	}
	if t-h >= room {
		return false
	}
	q.slot(t).Store(id)
	q.tail.Store(t + 1)
	return true
}

func (q *badRing) Get() (record.ID, bool) {
	for {
		h := q.head.Load()
		if h == q.tail.Load() {
			return 0, false
		}
		id := q.slot(h).Load()
		if q.bug == getWithoutCAS {
			// Now and then wait a little for a thief, so that the control does
			// not depend on how busy the machine is.
			for i := 0; h%32 == 0 && i < 200 && q.head.Load() == h; i++ {
				runtime.Gosched()
			}
			q.head.Store(h + 1) // wrong: a thief may have moved head meanwhile
			return id, true
		}
		if q.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (q *badRing) Steal() (record.ID, bool) {
	for {
		h := q.head.Load()
		if q.tail.Load()-h == 0 {
			return 0, false
		}
		id := q.slot(h).Load()
		if q.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (q *badRing) Empty() bool {
	n := q.tail.Load() - q.head.Load()
	return n == 0 || q.bug == emptyLies && n == 1 // wrong: one is not none
}
