package record

import (
	"fmt"
	"math"
	"slices"
)

// maxIDs bounds the ids of a history that is read: judges keep something for
// each.
const maxIDs = 1 << 22

// maxStamp bounds the stamps: judges count on from the last one, and the
// greatest number stands for "never".
const maxStamp = 1 << 62

// Check reports what of h is not as judges rely on it: what no target's answers
// can lead to, because whoever calls the target sees to it. What a call answered
// may be anything, and is judged. Errors wrap ErrFormat. Whether the calls are
// those that the scenario asks for is another question: Answers.
func (h *History) Check() error {
	s := &h.Scenario
	if err := s.Check(); err != nil {
		return err
	}
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	switch h.Clock {
	case ClockTime, ClockCounter, ClockOrder:
	default:
		return bad("unknown clock %q", h.Clock)
	}
	ids := 0
	for t := range s.Threads {
		if ids += s.Puts(t); ids > maxIDs {
			return bad("more than %d ids", maxIDs)
		}
	}
	if h.Capacity < 0 || h.Capacity > 1<<20 {
		return bad("capacity is %d", h.Capacity)
	}
	p := func(p int) bool { return p >= 0 && p < s.Ps }
	place := func(w Place) bool {
		return w.Object == Global || (w.Object == Ring || w.Object == Runnext) && p(w.P)
	}
	contents := func(c *Contents) bool { return c == nil || len(c.Ps) == s.Ps }
	kinds := Kinds()
	put := make([]bool, ids+1)
	free := make([]int64, len(s.Threads)) // when the thread's last call returned
	for i := range h.Ops {
		op := &h.Ops[i]
		switch {
		case op.Thread < 0 || op.Thread >= len(s.Threads):
			return bad("call %d is of thread %d of %d", i, op.Thread, len(s.Threads))
		case !slices.Contains(kinds, op.Kind):
			return bad("call %d has no kind", i)
		case !p(op.P) && (op.Kind != GlobalPut || op.P != None):
			return bad("call %d is about P%d of %d", i, op.P, s.Ps)
		case op.Thief != None && !p(op.Thief):
			return bad("call %d goes to P%d of %d", i, op.Thief, s.Ps)
		case op.Kind.Puts() && len(op.In) == 0, op.Kind != PutBatch && len(op.In) > 1:
			return bad("call %d, a %v, puts %d Gs", i, op.Kind, len(op.In))
		case op.Kind.Takes() && op.OK && len(op.Out) == 0, op.Kind != Drain && len(op.Out) > 1:
			return bad("call %d, a %v, took %d Gs", i, op.Kind, len(op.Out))
		case op.Return != 0 && op.Return < op.Call:
			return bad("call %d returned at %d, before it was called at %d", i, op.Return, op.Call)
		case i > 0 && op.Call < h.Ops[i-1].Call:
			return bad("call %d was called at %d, before the one above it", i, op.Call)
		case !contents(op.After):
			return bad("after call %d there are %d Ps of %d", i, len(op.After.Ps), s.Ps)
		}
		for _, id := range op.In {
			if id == 0 || id > ID(ids) {
				return bad("call %d: expected to put an id from 1 to %d, saw %d", i, ids, id)
			}
			if put[id] {
				return bad("call %d puts %d, which was put before", i, id)
			}
			put[id] = true
		}
		for _, m := range op.Moved {
			if !place(m.From) || !place(m.To) {
				return bad("call %d moves from %v to %v", i, m.From, m.To)
			}
			if len(m.IDs) == 0 {
				return bad("call %d moves nothing from %v to %v", i, m.From, m.To)
			}
		}
		switch own := s.Threads[op.Thread].P; {
		case op.Kind.Owner() && op.P != own:
			return bad("call %d, a %v, is about P%d, which thread %d does not own", i, op.Kind, op.P, op.Thread)
		case op.Kind.Steals() && (op.P == op.Thief || op.Thief != None && op.Thief != own):
			return bad("call %d, a %v of thread %d, goes from P%d to P%d", i, op.Kind, op.Thread, op.P, op.Thief)
		case op.Kind == GlobalGet && (op.Want < 1 || op.Want > 1<<16):
			return bad("call %d, a %v, asks for %d Gs", i, op.Kind, op.Want)
		case !op.Kind.Puts() && len(op.In) > 0:
			return bad("call %d, a %v, puts %d", i, op.Kind, op.In)
		case len(op.Out) > 0 && (!op.Kind.Takes() || !op.OK):
			return bad("call %d, a %v, took %d, and says that something came: %v", i, op.Kind, op.Out, op.OK)
		case op.Kind.Puts() && op.Return != 0 && op.OK != (op.Count == len(op.In)):
			return bad("call %d, a %v of %d Gs, put %d of them, and says that it put all: %v", i, op.Kind, len(op.In), op.Count, op.OK)
		case op.Kind == GlobalPut && op.Return != 0 && !op.OK:
			return bad("call %d, a %v, was refused: the global queue takes all", i, op.Kind)
		case op.Call < 1 || op.Call > maxStamp || op.Return < 0 || op.Return > maxStamp:
			return bad("call %d is stamped %d to %d", i, op.Call, op.Return)
		case op.Call < free[op.Thread]:
			return bad("call %d was called at %d, before thread %d returned from its last", i, op.Call, op.Thread)
		case op.Return == 0 && (op.OK || op.FromRunnext || op.Count != 0 || len(op.Moved) > 0 || op.After != nil):
			return bad("call %d did not return, but has results", i)
		}
		if free[op.Thread] = op.Return; op.Return == 0 {
			free[op.Thread] = math.MaxInt64
		}
	}
	if h.Ended() && !contents(&h.Final) || !h.Ended() && len(h.Final.Global) > 0 {
		return bad("at the end there are %d Ps of %d", len(h.Final.Ps), s.Ps)
	}
	return nil
}
