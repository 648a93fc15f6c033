package checks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A queue may answer a thief at its owner's next call, or share what it has when a thief
// has asked (steal-miss=answered). In any one execution a steal may then find nothing. In
// all executions together it may not: a queue that never gives a thief anything is none.

// answers is what all executions of a scenario have to say of that.
type answers struct {
	asked int // executions in which a thief got nothing, though the owner could have answered
	given int // executions in which it got a G
}

// note notes an execution in which one thread beside the owner stole at least twice from
// queue 0. It passes over those with more threads, and with other queues.
func (a *answers) note(h *record.History) {
	held, least, got := 0, 0, 0
	steals := make(map[int]int) // by thread; of the owner 0
	begun, answering := false, false
	for i := range h.Ops {
		op := &h.Ops[i]
		quiet := quietly(op)
		switch {
		case quiet > 0:
			continue
		case op.P != 0 || op.Thief != record.None || op.Kind == record.PutNext:
			return
		case quiet == 0 && !begun:
			begun, least = true, held
		}
		held -= len(op.Out)
		if op.Kind.Puts() {
			held += op.Count
		}
		if quiet < 0 {
			continue
		}
		if op.Kind.Steals() {
			steals[op.Thread]++
			got += len(op.Out)
			continue
		}
		steals[op.Thread] += 0
		least = min(least, held)
		answering = answering || op.Kind.Puts() && op.Count > 0 || op.Kind == record.Get && op.OK
	}
	made := slices.Sorted(maps.Values(steals))
	switch {
	case len(made) != 2 || made[0] != 0 || made[1] < 2:
	case got > 0:
		a.given++
	case answering && least > 0:
		a.asked++
	}
}

// unanswered is the finding that no execution of the scenario gives the thief a G, nil if
// one does, if none need have, or if not all of them are known.
func (x *exploring) unanswered(c *interleave.Certificate) *record.Finding {
	a := x.answers
	if a == nil || !c.Complete() || c.Cuts.Iterations > 0 || a.asked+a.given == 0 {
		return nil
	}
	x.judged[unansweredID]++
	if a.given > 0 || x.past[unansweredID] {
		return nil
	}
	return &record.Finding{
		Requirement: unansweredID, Fingerprint: unansweredID, Witness: string(spec.Interleave),
		Expected: "in one of them a steal takes a G",
		Observed: fmt.Sprintf("in all %d executions both steals find nothing, though a G is left, and the owner puts or gets", a.asked),
		Evidence: []record.Evidence{asked(x.s)},
	}
}

// unansweredID is the requirement that speaks of all executions together.
const unansweredID = "RQ-STEAL-SOME"

// answered lists the scenarios of one call of the owner that puts or gets, beside a thief
// that steals twice.
func answered(f facts) ([]record.Scenario, string) {
	e := newEnumeration(f)
	thief := role{calls: []string{"s0"}}
	var list []record.Scenario
	for _, call := range e.owner.calls {
		if k := record.Kind(call[0]); k != record.Put && k != record.PutBatch && k != record.Get {
			continue
		}
		c := cast{owner: []string{call}, others: []part{{&thief, []string{"s0", "s0"}}}}
		for _, st := range e.states {
			list = append(list, e.scenario(&c, &st, fmt.Sprintf("answered-%d", len(list)+1)))
			// What was put after a steal is not shared yet, maybe.
			if st.before != "" {
				st.before += " T1:s0 T0:p"
				list = append(list, e.scenario(&c, &st, fmt.Sprintf("answered-%d", len(list)+1)))
			}
		}
	}
	return list, fmt.Sprintf("all %d scenarios of a put or get beside two steals, from %d states", len(list), len(e.states))
}
