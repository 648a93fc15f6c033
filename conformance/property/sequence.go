// Package property holds calls that are made one at a time, and what lies where
// after each, against the machine of package sequential. It is the part that the property
// tests and the fuzz targets share: they choose each call by what came of the last,
// drive.Caller makes it, and this says what it broke. It makes about a million calls
// a second.
//
//interleave:off
package property

import (
	"fmt"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// Queue is what a target's queues must offer to be driven: all that the gort
// profile judges.
type Queue interface {
	queue.Queue
	queue.RunNext
	queue.BatchStealer
	queue.BatchPutter
	queue.Drainer
	queue.Sized
	queue.Bounded
	queue.Shower
}

// Set is what a target's set must offer.
type Set interface {
	queue.Set
	queue.GlobalQueue
}

// A Sequence is a set of queues and the machine that says what they must do.
// After a call that broke something it is of no more use.
type Sequence struct {
	factory queue.Factory
	set     Set
	ps      []Queue
	callers []*drive.Caller // of each P
	log     *recorder.Log   // of all of them: one call is made at a time
	model   *sequential.Machine
	options queue.Options
	ops     []record.Op
	next    record.ID // to be put
	ticks   int64     // 1 and 2 are the stamps of the first call, and so on
}

// New makes a set and the machine of the gort profile. Errors: those of f, and
// a set that does not offer what Queue and Set ask for. It does not go through
// drive.Make, whose watch over hanging factories costs more than a short program.
func New(f queue.Factory, o queue.Options) (*Sequence, error) {
	made, err := f(o)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", drive.ErrFactory, err)
	}
	set, ok := made.(Set)
	if !ok {
		return nil, fmt.Errorf("property: a %T has no global queue", made)
	}
	s := &Sequence{factory: f, set: set, options: o, ops: make([]record.Op, 0, 64), next: 1}
	s.log = recorder.NewLog(recorder.ClockOf(func() int64 { s.ticks++; return s.ticks }), 0, 32, 64)
	for i := range o.Ps {
		q, ok := set.P(i).(Queue)
		if !ok {
			return nil, fmt.Errorf("property: a %T lacks a method of property.Queue", set.P(i))
		}
		s.ps = append(s.ps, q)
		s.callers = append(s.callers, drive.NewCaller(set, o.Ps, i, s.log, &s.next))
	}
	s.options.Capacity = s.ps[0].Cap()
	s.model = sequential.NewMachine(o.Ps, sequential.RulesOf(spec.GoRT, s.options.Capacity))
	return s, nil
}

// Cap returns the length of each ring in Gs.
func (s *Sequence) Cap() int { return s.options.Capacity }

// Put returns how many Gs were put so far.
func (s *Sequence) Put() int { return int(s.next) - 1 }

// Ops returns the calls so far.
func (s *Sequence) Ops() []record.Op { return s.ops }

// Legal reports whether P p's owner may make the call now. A steal and a batch
// get need room for the loot in the caller's ring: findRunnable makes them only
// when its ring is empty.
func (s *Sequence) Legal(p int, in record.Instr) bool {
	loot := 0
	switch in.Kind {
	case record.Steal, record.StealNext:
		v := in.Victim(p, len(s.ps))
		if v == p {
			return false
		}
		n := len(s.model.Ps[v].Ring)
		loot = n - n/2
		if n == 0 && in.Kind == record.StealNext && s.model.Ps[v].Runnext != 0 {
			loot = 1 // it passes through a slot of the thief's ring
		}
	case record.GlobalGet:
		loot = sequential.Share(max(1, in.Arg), s.Cap(), len(s.model.Global), len(s.ps)) - 1
	}
	return len(s.model.Ps[p].Ring)+loot <= s.Cap()
}

// Do makes the call in as the owner of P p and judges it. The error is a
// *Failure. The call must be legal; the Gs that it puts are new ones.
func (s *Sequence) Do(p int, in record.Instr) error {
	crash := recovered(func() { s.callers[p].Call(in) })
	s.ops = append(s.ops, s.log.Op(len(s.ops)))
	op := &s.ops[len(s.ops)-1]
	op.Thread = p
	if crash != "" {
		return s.failure([]sequential.Violation{{Requirement: "RQ-CRASH", Expected: "the call to return", Observed: crash}})
	}
	if vs := s.model.Apply(op); len(vs) > 0 {
		return s.failure(vs)
	}
	after := s.contents()
	if s.model.Holds(&after) {
		return nil
	}
	op.After = &after
	h := s.History()
	h.Final = record.Contents{} // nothing was taken out yet
	vs, _ := sequential.Replay(h, s.model.Rules)
	return s.failure(vs)
}

// Finish takes everything out, each P by Get and then the global queue, and
// judges what came. The error is a *Failure.
func (s *Sequence) Finish() error {
	var final record.Contents
	if crash := recovered(func() { drive.Drain(s.set, len(s.ps), s.Put(), 0, &final) }); crash != "" {
		return s.failure([]sequential.Violation{{Requirement: "RQ-CRASH", Expected: "the final gets to return", Observed: crash}})
	}
	if vs := s.model.Finish(&final); len(vs) > 0 {
		return s.failure(vs)
	}
	return nil
}

func (s *Sequence) contents() record.Contents {
	c := record.Contents{Ps: make([]record.PContents, 0, len(s.ps)), Global: s.set.GlobalContents()}
	for _, q := range s.ps {
		c.Ps = append(c.Ps, q.Contents())
	}
	return c
}

// recovered makes calls and returns the panic that ended them, or "".
func recovered(calls func()) (crash string) {
	defer func() {
		if v := recover(); v != nil {
			crash = fmt.Sprintf("panic: %v", v)
		}
	}()
	calls()
	return ""
}
