package checks

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// check is a check of scenarios.
type check struct {
	name         string // "witness/what"
	doc          string // what is run, in one sentence
	witness      spec.Witness
	requirements []string
	when         []spec.Condition // the contracts that it is meant for; nil: all
	// kinds are the calls that a target must offer, as script letters. With a steal among
	// them the contract must allow steals.
	kinds string
	// start says that the target's indices must be able to start anywhere.
	start bool
	// loot says that its thieves take several at once, where the target can: checks of
	// the witnesses stress and interleave need them to, and to one of linearizability it
	// must be known what they moved.
	loot bool
	// counts says that it is for targets that do not say what their calls move: Gs are counted,
	// and no more.
	counts bool
	// holds says that its thieves hold something when they steal.
	holds bool
	// sized says that its scenarios are made for a ring of a known length.
	sized bool
	// quiet says that its scenarios have calls at quiescent moments, or several owners of one P.
	quiet bool
	// scenarios is the plan: how many are run.
	scenarios int
	// each is how many of them there are for each capacity, if not two.
	each int
	// observe is what must have been seen, summed over all scenarios, for the plan
	// to count as carried out; see observe.
	observe map[string]int
	// bound is how many executions of one scenario are explored; 0: the default.
	bound int
	// preemptions bounds the preemptions of the executions; 0: they are not bounded.
	preemptions int
	// complete says that the plan is all there is: a fixed list, not a sample.
	complete bool
	// enumerates makes the scenarios for a target, and says which they are: "all 12
	// scenarios of ...". It stands for scenarios and scenario.
	enumerates func(f facts) ([]record.Scenario, string)
	which      string
	// told says that the target explores its executions itself, and tells their histories.
	told bool
	// kept says that the scenarios are those that failed before: none is left out.
	kept bool
	// failed, if any, gets each scenario that something was found in.
	failed func(record.Scenario)

	scenario func(g *gen, i int) record.Scenario
}

// suite returns the check as the engine carries it out.
func (c check) suite() suite.Check {
	return suite.Check{
		Name: c.name, Doc: c.doc, Witness: c.witness, Requirements: c.requirements, When: c.when, Sample: !c.complete && !c.kept, Told: c.told,
		Plan: func(t suite.Target) suite.Plan {
			q := t.(Target)
			f := factsOf(q)
			_, can := explorable(q)
			_, some := c.partOf(q)
			elsewhere := c.witness == spec.Interleave && (!can || !some)
			if _, tells := explores(q); c.told {
				elsewhere = !tells
			} else if tells && (c.witness == spec.Stress || c.witness == spec.Linearizability) {
				return suite.Plan{Lacks: "the target explores its executions, and runs no threads freely"}
			}
			fitted := c.forTarget(f)
			return suite.Plan{Text: fitted.plan(), Lacks: fitted.lacks(f), Elsewhere: elsewhere}
		},
		Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
			q := t.(Target)
			fitted := c.forTarget(factsOf(q))
			if x, ok := explores(q); ok && c.told {
				return exploreTold(ctx, fitted, x, k)
			}
			if f, ok := explorable(q); ok && c.witness == spec.Interleave {
				return exploreAll(ctx, fitted, q, f, k)
			}
			return carryOut(ctx, fitted, q, k)
		},
	}
}

// forTarget returns the check as it is carried out on a target. Where each history
// comes through a pipe, at several microseconds a call, a sample is a third as
// large. Complete checks are never shortened, but if the target cannot change its
// capacity, each list is run once and not once for each capacity. Scenarios have as
// many thieves as the contract allows.
func (c check) forTarget(f facts) *check {
	if c.kept {
		return &c
	}
	f = c.depends(f)
	if c.enumerates != nil {
		var list []record.Scenario
		list, c.which = c.enumerates(f)
		c.scenarios = len(list)
		c.scenario = func(_ *gen, i int) record.Scenario { return list[i] }
		return &c
	}
	scenario := c.scenario
	c.scenario = func(g *gen, i int) record.Scenario { return f.asManyThieves(scenario(g, i)) }
	if c.complete && c.witness != spec.Interleave && !f.caps.Resize {
		c.scenarios = min(c.scenarios, max(2, c.each))
	}
	if f.kind != suite.InProcess && !c.complete {
		c.scenarios = (c.scenarios + 2) / 3
	}
	return &c
}

// depends returns what the check's scenarios depend on, of a target.
func (c *check) depends(f facts) facts {
	if (c.witness == spec.Linearizability || c.witness == spec.Interleave) && !c.counts {
		return f.beside()
	}
	return f
}

// drawn reports whether the check's scenarios are drawn: then there are more of them than its plan. A list has its length, and no more.
func (c *check) drawn() bool { return !c.complete && c.enumerates == nil }

// plan describes the check's plan in words.
func (c *check) plan() string {
	if c.which != "" && c.witness == spec.Interleave {
		return fmt.Sprintf("every interleaving of %s, or %d executions of each", c.which, c.executions())
	}
	if c.which != "" {
		return c.which
	}
	if c.witness == spec.Interleave {
		return fmt.Sprintf("every interleaving of %d scenarios, or %d executions of each", c.scenarios, c.executions())
	}
	s := fmt.Sprintf("%d scenarios", c.scenarios)
	if c.complete {
		s = "all " + s
	}
	for _, name := range slices.Sorted(maps.Keys(c.observe)) {
		s += fmt.Sprintf(", %d %s", c.observe[name], name)
	}
	return s
}

// lacks says why the check, as forTarget returns it, cannot run on a target, or "".
func (c *check) lacks(f facts) string {
	for _, k := range []byte(c.kinds) {
		if !f.caps.Supports(record.Kind(k)) {
			return fmt.Sprintf("the target does not offer %v", record.Kind(k))
		}
		switch kind := record.Kind(k); {
		case kind.Steals() && !f.allowed(record.Steal):
			return "by its contract no thread steals"
		case kind == record.StealNext && !f.allowed(kind):
			return "its contract does not say what a steal from queue to queue takes (batch), or the target does not offer one (BatchStealer)"
		}
	}
	switch {
	case c.loot && c.witness == spec.Stress && !(f.caps.Batch && (f.caps.Resize || c.holds)):
		return "the target does not offer steals from queue to queue (BatchStealer), or only of large rings"
	case c.loot && (c.witness == spec.Interleave || c.witness == spec.Sequence) && !f.caps.Batch:
		return "the target does not offer steals from queue to queue (BatchStealer)"
	case f.mustHeedMisses() && !f.caps.Misses:
		return "by its contract gets may miss (get-miss), and the target does not say that it tries once more where they do (misses)"
	case c.holds && !f.caps.Holds:
		return "the target does not say that its thieves hold what they have (holds)"
	case c.quiet && !f.caps.Quiet:
		return "the target does not offer calls at quiescent moments (quiet)"
	case c.sized && f.caps.Capacity == 0:
		return "the target does not say its capacity (Bounded)"
	}
	if c.counts && f.caps.Moves {
		return "the target says what its calls move (Mover), so that interleave/all checks all of these scenarios"
	}
	if (c.witness == spec.Linearizability || c.witness == spec.Interleave) && !c.counts && !f.caps.Moves && (f.contract.Full == spec.Overflows || c.loot && f.half()) {
		return "the target does not say what its calls move (Mover)"
	}
	if c.start && !f.caps.Start {
		return "the target's indices cannot be made to start near their end, or its contract does not say that they may go past it (indices=free-running)"
	}
	if c.which != "" && c.scenarios == 0 {
		return "none of its scenarios fits the target and its contract"
	}
	return ""
}

// mustHeedMisses reports whether who runs a scenario must ask again where a get finds nothing:
// when he looks for what is left, or makes room for what a steal or the global queue brings.
func (f facts) mustHeedMisses() bool {
	brings := f.caps.Batch || f.caps.Global
	return f.contract.GetMiss == spec.Anytime || brings && f.contract.GetMiss != spec.Never
}

// fails tells whoever wants to know that something was found in a scenario.
func (c *check) fails(s record.Scenario) {
	if c.failed != nil {
		c.failed(s)
	}
}
