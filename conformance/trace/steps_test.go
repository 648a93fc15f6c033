package trace

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// A damage is done to one step of a right execution. It returns the steps, nil if it is
// not for that step.
type damage struct {
	name string
	do   func(t *replayer, steps []harness.Step, n int) []harness.Step
}

// These are noticed when the step that should be there does not come.
const place, leftOut = "the place", "left out"

// changed is a copy of an execution in which one step is changed.
func changed(steps []harness.Step, n int, f func(s *harness.Step)) []harness.Step {
	bad := slices.Clone(steps)
	f(&bad[n])
	return bad
}

// damages go through the fields of a step, and its place. What a read or write of a
// number may be is known at once; of a reference it is known later, at the latest from
// what calls returned.
var damages = []damage{
	{"read", func(_ *replayer, steps []harness.Step, n int) []harness.Step {
		if k := steps[n].Kind; k != "Load" && !(k == "CompareAndSwap" && steps[n].Changed) {
			return nil
		}
		return changed(steps, n, func(s *harness.Step) { s.Read++ })
	}},
	{"written", func(t *replayer, steps []harness.Step, n int) []harness.Step {
		s := &steps[n]
		w := t.words[s.Object]
		switch {
		case !s.Changed || w.Object != runqueue.Head && w.Object != runqueue.Tail && t.gs[s.Wrote] == 0:
			return nil // a lock, or no reference
		case w.Object == runqueue.Head || w.Object == runqueue.Tail:
			return changed(steps, n, func(s *harness.Step) { s.Wrote++ })
		}
		for _, other := range steps[:n] { // one that is known is of another G
			if other.Changed && other.Wrote != s.Wrote && t.gs[other.Wrote] != 0 && t.words[other.Object].Object == w.Object {
				return changed(steps, n, func(s *harness.Step) { s.Wrote = other.Wrote })
			}
		}
		return nil
	}},
	{"whether a swap succeeded", func(_ *replayer, steps []harness.Step, n int) []harness.Step {
		if steps[n].Kind != "CompareAndSwap" {
			return nil
		}
		return changed(steps, n, func(s *harness.Step) { s.Changed = !s.Changed })
	}},
	{"the object", func(_ *replayer, steps []harness.Step, n int) []harness.Step {
		first := slices.IndexFunc(steps, func(s harness.Step) bool { return s.Object == steps[n].Object })
		if first == n {
			return nil // it may be any word
		}
		for _, other := range steps[:n] {
			if other.Object != steps[n].Object {
				return changed(steps, n, func(s *harness.Step) { s.Object = other.Object })
			}
		}
		return nil
	}},
	{"the kind", func(_ *replayer, steps []harness.Step, n int) []harness.Step {
		other := slices.IndexFunc(steps, func(s harness.Step) bool { return s.Kind != steps[n].Kind })
		return changed(steps, n, func(s *harness.Step) { s.Kind = steps[other].Kind })
	}},
	{place, func(t *replayer, steps []harness.Step, n int) []harness.Step {
		own := t.sites.of(steps[n].Site)
		other := slices.IndexFunc(steps, func(s harness.Step) bool { return t.sites.of(s.Site).action != own.action })
		return changed(steps, n, func(s *harness.Step) { s.Site = steps[other].Site })
	}},
	{"a thread that there is not", func(_ *replayer, steps []harness.Step, n int) []harness.Step {
		return changed(steps, n, func(s *harness.Step) { s.Thread = 7 })
	}},
	{leftOut, func(t *replayer, steps []harness.Step, n int) []harness.Step {
		if t.sites.of(steps[n].Site).with {
			return nil // the machine has a step without it, too
		}
		return slices.Delete(slices.Clone(steps), n, n+1)
	}},
	{"rides along too early", func(t *replayer, steps []harness.Step, n int) []harness.Step {
		if !t.sites.of(steps[n].Site).with {
			return nil
		}
		// Two steps of its thread earlier, where nothing has its name.
		own := t.sites.of(steps[n].Site).action
		at, passed := n, 0
		for i := n - 1; i >= 0 && passed < 3; i-- {
			if s := t.sites.of(steps[i].Site); steps[i].Thread == steps[n].Thread && !s.with {
				if passed++; passed > 1 && (s.action == own || s.action == grabCASNext) {
					return nil
				}
				if passed == 2 {
					at = i
				}
			}
		}
		if passed < 3 {
			return nil
		}
		bad := slices.Delete(slices.Clone(steps), n, n+1)
		return slices.Insert(bad, at, steps[n])
	}},
}

// TestDamagedSteps damages the steps of right executions, one at a time: each time the
// machine must lack a step.
func TestDamagedSteps(t *testing.T) {
	tier.OnlyFull(t)
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var all []string
		for _, s := range []record.Scenario{
			{Name: "steals", Ps: 2, Capacity: 2, Threads: []record.Thread{{P: 0, Script: "ppgpg"}, {P: 1, Script: "s0s0"}}},
			{Name: "overflows", Ps: 2, Capacity: 2, Threads: []record.Thread{{P: 0, Script: "pppg"}, {P: 1, Script: "s0"}}},
			{Name: "runs next", Ps: 2, Capacity: 4, Threads: []record.Thread{{P: 0, Script: "nng"}, {P: 1, Script: "r0e0"}}},
		} {
			missed, err := damageAll(s)
			if err != nil {
				return nil, err
			}
			all = append(all, missed...)
		}
		return json.Marshal(all)
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if payload == nil {
		return
	}
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	for _, text := range all[:min(len(all), 40)] {
		t.Error(text)
	}
}

// damageAll says what was not seen of the damages to executions of a scenario.
func damageAll(s record.Scenario) (missed []string, err error) {
	r, err := newReplayer(&s)
	if err != nil {
		return nil, err
	}
	tried := make(map[string]int)
	p := &program{f: ref.New, s: &s, end: func(x *interleave.Exec, h *record.History) {
		steps := harness.Taken(x)
		if d := r.replay(steps, h); d != nil {
			missed = append(missed, fmt.Sprintf("%s, as it is: %v", s.Name, d))
			return
		}
		type trial struct {
			damage string
			n      int
			steps  []harness.Step
		}
		var trials []trial
		for n := range steps { // while r knows what is what in the right execution
			for _, damage := range damages {
				if bad := damage.do(r, steps, n); bad != nil {
					trials = append(trials, trial{damage.name, n, bad})
				}
			}
		}
		for _, c := range trials {
			tried[c.damage]++
			at := r.sites.of(steps[c.n].Site)
			atOnce := !at.with && at.action != grabCopySlot && c.damage != place && c.damage != leftOut
			switch d := r.replay(c.steps, h); {
			case atOnce && d != nil && d.Step != c.n:
				missed = append(missed, fmt.Sprintf("%s: %s of step %d, %s: expected a divergence there; observed %v", s.Name, c.damage, c.n, at.shown(&steps[c.n]), d))
			case d == nil:
				missed = append(missed, fmt.Sprintf("%s: %s of step %d, %s: expected a divergence; observed none", s.Name, c.damage, c.n, at.shown(&steps[c.n])))
			}
		}
	}}
	_, err = p.explore(interleave.Exhaustive(), interleave.Executions(20))
	for _, damage := range damages {
		if tried[damage.name] < 5 && s.Name == "steals" {
			missed = append(missed, fmt.Sprintf("%s: %d steps were damaged so", damage.name, tried[damage.name]))
		}
	}
	return missed, err
}
