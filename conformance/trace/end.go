package trace

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// end holds what calls returned, and what was left, against the machine.
func (t *replayer) end(h *record.History) *Divergence {
	for i := range t.at {
		if e := t.at[i].early; len(e) > 0 {
			at := t.sites.of(e[0].Site)
			return &Divergence{Thread: i, Action: at.action, Expected: "the step " + at.action, Observed: "only " + at.shown(e[0])}
		}
	}
	contents, done := t.m.Contents(&t.state)
	if !done {
		return t.unfinished()
	}
	made := make([]int, t.threads)
	for i := range h.Ops {
		op := &h.Ops[i]
		answers := t.at[op.Thread].answers
		if made[op.Thread] == len(answers) {
			return &Divergence{Thread: op.Thread, Expected: fmt.Sprintf("%d calls", len(answers)), Observed: op.String()}
		}
		a := &answers[made[op.Thread]]
		made[op.Thread]++
		if !agrees(a, op) {
			return &Divergence{Thread: op.Thread, Expected: answerText(a), Observed: op.String()}
		}
	}
	for i, n := range made {
		if n < len(t.at[i].answers) {
			return &Divergence{Thread: i, Expected: answerText(&t.at[i].answers[n]), Observed: "no such call"}
		}
	}
	return differs(&contents, &h.Final, func(p int) int { return t.ps[p] })
}

// unfinished says which thread of the machine has steps left.
func (t *replayer) unfinished() *Divergence {
	for p := range t.threads {
		s := t.state
		if a, ok := t.m.Take(&s, p); ok {
			return &Divergence{Thread: p, Action: t.named(&a), Expected: t.phrase(&a), Observed: "no further step"}
		}
	}
	return nil // cannot be: a thread that has not made all its calls has a step
}

// kinds are the calls of the machine as records have them.
var kinds = map[runqueue.Op]record.Kind{
	runqueue.Put: record.Put, runqueue.PutNext: record.PutNext, runqueue.PutBatch: record.PutBatch, runqueue.Get: record.Get,
	runqueue.Steal: record.Steal, runqueue.StealNext: record.StealNext, runqueue.Drain: record.Drain,
	runqueue.Empty: record.Empty, runqueue.Len: record.Len, runqueue.GlobalPut: record.GlobalPut, runqueue.GlobalGet: record.GlobalGet,
}

func agrees(a *runqueue.Answer, op *record.Op) bool {
	if kinds[a.Op] != op.Kind {
		return false
	}
	switch op.Kind {
	case record.Put, record.PutNext, record.PutBatch, record.GlobalPut:
		return op.OK && op.Count == len(op.In)
	case record.Empty:
		return a.OK == op.OK
	case record.Len:
		return a.N == op.Count
	}
	return a.Next == op.FromRunnext && equalIDs(a.Gs, op.Out)
}

func equalIDs(gs []int, ids []record.ID) bool {
	return slices.EqualFunc(gs, ids, func(g int, id record.ID) bool { return record.ID(g) == id })
}

func answerText(a *runqueue.Answer) string {
	switch a.Op {
	case runqueue.Empty:
		return fmt.Sprintf("%v = %v", a.Op, a.OK)
	case runqueue.Len:
		return fmt.Sprintf("%v = %d", a.Op, a.N)
	}
	text := fmt.Sprintf("%v = %v", a.Op, a.Gs)
	if a.Next {
		text += " (runnext)"
	}
	return text
}

// differs says in what the contents that were found differ from the machine's, in which
// P p is of(p).
func differs(want, got *record.Contents, of func(p int) int) *Divergence {
	for p := range got.Ps {
		w := want.Ps[of(p)]
		if g := got.Ps[p]; w.Runnext != g.Runnext || !slices.Equal(w.Ring, g.Ring) {
			return &Divergence{Expected: fmt.Sprintf("P%d left with runnext %d and ring %v", p, w.Runnext, w.Ring),
				Observed: fmt.Sprintf("runnext %d and ring %v", g.Runnext, g.Ring)}
		}
	}
	if !slices.Equal(want.Global, got.Global) {
		return &Divergence{Expected: fmt.Sprintf("the global queue left with %v", want.Global), Observed: fmt.Sprint(got.Global)}
	}
	return nil
}
