package checks

import (
	"iter"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// all are the checks in the order in which they run: the cheap and exact ones
// first.
var all = func() []check {
	list := []check{indicesCheck}
	for _, d := range directedScenarios {
		list = append(list, directedCheck(d))
	}
	return slices.Concat(list, []check{sequenceRandom}, enumerations, []check{toldCheck}, interleavings, threadChecks, waitChecks)
}()

// Subject is the run queue.
var Subject = func() *suite.Subject {
	s := &suite.Subject{Name: "queue", Controls: controls(), NotOffered: notOffered, Notes: notes, Checks: []suite.Check{sizesCheck}}
	for _, c := range all {
		s.Checks = append(s.Checks, c.suite())
	}
	return s
}()

// notes says what a target offers that no check calls: its contract does not say what it
// does.
func notes(t suite.Target) []string {
	f := factsOf(t.(Target))
	var list []string
	if unused := newEnumeration(f).unused(); len(unused) > 0 {
		list = append(list, suite.Limit+"offered and not called, since the contract does not say what it does: "+strings.Join(unused, ", "))
	}
	if f.caps.Batch && !f.beside().caps.Batch {
		list = append(list, suite.Limit+"what steals from queue to queue take is checked in a fixed order; beside other calls the Gs are counted, and no more, since the target does not say what its calls move (Mover)")
	}
	if t.(Target).Capabilities().Start && !f.caps.Start {
		list = append(list, suite.Limit+"no indices start near their end, though they could: the contract does not say that they may go past it (indices=free-running)")
	}
	if f.contract.Empty == spec.AtQuiet {
		list = append(list, suite.Limit+"what Empty answers beside other calls is not checked, since the contract says nothing of it (empty=quiet)")
	}
	return list
}

// Explored are the scenarios that the checks of the witness interleave run on t, each
// with the name of its check, but for those with quiet calls.
func Explored(t Target) iter.Seq2[string, record.Scenario] {
	f := factsOf(t)
	return func(yield func(string, record.Scenario) bool) {
		for _, c := range all {
			s := c.suite()
			if c.witness != spec.Interleave || c.quiet || !s.Fits(f.profile) {
				continue
			}
			k := suite.Task{Check: &s}
			c := c.forTarget(f)
			if c.lacks(f) != "" {
				continue
			}
			for i := range c.scenarios {
				if !yield(c.name, c.scenario(&gen{k.Rand(i), c.depends(f)}, i)) {
					return
				}
			}
		}
	}
}
