package conformance

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The positive controls: queues that are wrong on purpose, in ordinary code,
// judged in the same process by the same checks in every run. A witness that
// does not see what is wrong with its control has shown nothing by finding
// nothing else.

// control is one wrong queue and the requirements of which one must fall.
type control struct {
	witness spec.Witness
	check   string
	what    string
	queue   queue.Factory
	falls   []string
}

var controls = []control{
	{spec.Sequence, "sequence/random", "a ring whose full test is off by one", wrong(offByOne), []string{"RQ-LOST", "RQ-FIFO", "RQ-TWICE", "RQ-INVENTED", "RQ-GET-NONE"}},
	{spec.Stress, "stress/steal", "a ring whose get stores head instead of swapping it", wrong(getWithoutCAS), []string{"RQ-TWICE", "RQ-LOST", "RQ-INVENTED", "RQ-CRASH"}},
	{spec.Linearizability, "linearizability/empty", "a ring that says it is empty when it holds one", wrong(emptyLies), []string{"RQ-EMPTY-TRUE"}},
	{spec.Interleave, "interleave/steal", "a ring whose get stores head instead of swapping it", wrongControlled(), []string{"RQ-TWICE", "RQ-LOST", "RQ-INVENTED"}},
}

// WrongRing is the factory of the first control, a ring whose full test is off
// by one, for whoever wants to see what a failure looks like. Its profile is
// spec.FIFO.
func WrongRing() queue.Factory { return wrong(offByOne) }

func wrong(b bug) queue.Factory {
	return queue.Single(func() queue.Queue { return &badRing{bug: b} })
}

// controlBudget bounds one control.
const controlBudget = 10 * time.Second

// controls judges the control of each witness that took part in the run.
func (r *runner) controls(ctx context.Context) {
	for _, k := range controls {
		if ctx.Err() != nil {
			return // the run is inconclusive already
		}
		if r.judged[k.witness] {
			found, err := k.run(ctx, r.Seed)
			r.controlled(ctx, k.check, k.what, found, err)
		}
	}
	for _, c := range r.extra {
		if ctx.Err() != nil {
			return
		}
		found, err := c.falls(ctx)
		r.controlled(ctx, c.Name, c.Doc, found, err)
	}
}

// controlled says whether a control was found at fault, as it must be.
func (r *runner) controlled(ctx context.Context, check, what string, found *record.Finding, err error) {
	if found == nil {
		v := Inconclusive
		if err != nil && ctx.Err() == nil {
			v = Error
		}
		r.verdict = Merge(r.verdict, v)
		r.because("positive control: %s saw nothing wrong with %s", check, what)
		if err != nil {
			r.because("positive control: %v", err)
		}
	}
	r.Sink(Event{Event: ControlEvent, Check: check, Finding: found, Text: what})
}

// falls carries out a control that brings its own Judge, and returns the first
// finding of those that must come.
func (c *Check) falls(ctx context.Context) (*record.Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, controlBudget)
	defer cancel()
	e := c.Judge(ctx, func(string) {})
	for i := range e.Findings {
		if slices.Contains(c.Requirements, e.Findings[i].Requirement) {
			return &e.Findings[i], nil
		}
	}
	return nil, fmt.Errorf("%s: %v %s", c.Name, e.Result.Verdict, e.Result.Reason)
}

// run judges the control and returns the first finding of those that must come.
func (k *control) run(ctx context.Context, seed uint64) (*record.Finding, error) {
	at := slices.IndexFunc(Checks, func(c Check) bool { return c.Name == k.check })
	if at < 0 {
		panic("conformance: control of unknown check " + k.check)
	}
	t, err := InProcess("control", spec.FIFO, k.queue)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, controlBudget)
	defer cancel()
	if k.witness == spec.Interleave {
		in := t.(*inProcess)
		in.take(explore(ctx, in.desc, in.factory, Checks[at:at+1]))
	}
	var first *record.Finding
	r := &runner{Options: Options{Seed: seed, Budget: controlBudget, Again: again}, counts: make(map[string]int)}
	r.Sink = func(e Event) {
		if e.Event == FindingEvent && first == nil && slices.Contains(k.falls, e.Finding.Requirement) {
			first = e.Finding
		}
	}
	j := &judging{runner: r, target: t, desc: t.Describe(), results: make(map[string]CheckResult)}
	c := Checks[at]
	if !c.Complete {
		c.Scenarios *= 3
	}
	j.check(ctx, &c)
	if first == nil {
		return nil, fmt.Errorf("%s: %v %s", k.check, j.results[k.check].Verdict, j.results[k.check].Reason)
	}
	return first, nil
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
