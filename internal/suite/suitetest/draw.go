package suitetest

import (
	"errors"
	"fmt"

	"pgregory.net/rapid"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// ids are requirements of profile Core, of both levels.
var ids = []string{"RQ-LOST", "RQ-TWICE", "RQ-LEN", "RQ-CRASH"}

// Draw draws a target: any number of checks up to six, of which most do no harm. Small
// numbers are drawn more often than others, and are the ones to shrink to.
func Draw(t *rapid.T, name string) *Target {
	target := &Target{Name: name, Controls: make(map[spec.Witness][]Control)}
	for i := range rapid.IntRange(1, 6).Draw(t, "checks") {
		witness := rapid.SampledFrom(spec.Witnesses()[:3]).Draw(t, "witness")
		judged := rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, 3, rapid.ID).Draw(t, "requirements")
		c := Done(fmt.Sprintf("%s/%d", witness, i), int64(9-rapid.IntRange(0, 9).Draw(t, "not judged")), judged...)
		c.Complete = rapid.Bool().Draw(t, "complete")
		if rapid.IntRange(0, 7).Draw(t, "finds") == 7 {
			for range rapid.IntRange(1, 3).Draw(t, "findings") {
				c.Findings = append(c.Findings, fingerprint(t))
			}
		}
		switch rapid.IntRange(0, 40).Draw(t, "ended") {
		case 37:
			c.Ended, c.Reason = suite.Inconclusive, "the budget ended"
		case 38:
			c.Ended, c.Reason = suite.Error, "it did not work"
		case 39:
			c.Lacks = "it has none"
		case 40:
			c.Cut = map[string]string{judged[0]: "it was too long"}
		}
		target.Checks = append(target.Checks, c)
		target.Controls[witness] = []Control{Caught}
		if rapid.IntRange(0, 31).Draw(t, "control") == 31 {
			target.Controls[witness] = append(target.Controls[witness], rapid.SampledFrom([]Control{Missed, Broken}).Draw(t, "how"))
		}
	}
	if rapid.IntRange(0, 7).Draw(t, "offers") == 7 {
		target.NotOffered = map[string]string{rapid.SampledFrom(ids).Draw(t, "not offered"): "it has no such thing"}
	}
	if rapid.IntRange(0, 31).Draw(t, "opens") == 31 {
		target.Err = errors.New("it is not there")
	}
	return target
}

// fingerprint draws one of a requirement that need not be the check's.
func fingerprint(t *rapid.T) string {
	return rapid.SampledFrom(ids).Draw(t, "id") + rapid.SampledFrom([]string{"", "/get", "/get/late", "/steal"}).Draw(t, "way")
}

// DrawKnown draws a list of known failures of the target of that name, or of none.
func DrawKnown(t *rapid.T, name string) []suite.Known {
	list := []suite.Known{}
	for range rapid.IntRange(0, 4).Draw(t, "known") {
		list = append(list, suite.Known{
			Fingerprint: fingerprint(t), Target: rapid.SampledFrom([]string{name, name, "nobody"}).Draw(t, "whose"),
			URL: "https://example.org/1", Reason: "it is so",
		})
	}
	return list
}
