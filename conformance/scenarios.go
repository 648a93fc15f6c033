package conformance

import (
	"iter"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Explored are the scenarios that the checks of the witness interleave run on a target,
// each with the name of its check.
func Explored(d Description) iter.Seq2[string, record.Scenario] {
	return func(yield func(string, record.Scenario) bool) {
		for i := range Checks {
			c := Checks[i].forTarget(d)
			if !c.explores(d) {
				continue
			}
			for i := range c.Scenarios {
				if !yield(c.Name, c.scenario(newGen(0, c.Name, i, d), i)) {
					return
				}
			}
		}
	}
}

// explores reports whether the check is one of the explorer's that fits d.
func (c *Check) explores(d Description) bool {
	return c.Witness == spec.Interleave && c.fits(d.Profile) && len(c.of(d)) > 0 && c.lacks(d) == ""
}
