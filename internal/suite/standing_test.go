package suite_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec"
)

// rows runs a target and returns where its requirements stand.
func rows(t *testing.T, o suite.Options, target *suitetest.Target) map[string]suite.Row {
	t.Helper()
	list := make(map[string]suite.Row)
	for _, e := range suitetest.Run(t.Context(), t, o, target) {
		if e.Requirement != nil {
			list[e.Requirement.ID] = *e.Requirement
		}
	}
	return list
}

// TestStanding says where RQ-LOST stands after two checks of it, of which the first
// is complete and does what the row says.
func TestStanding(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	for _, c := range []struct {
		name   string
		change func(*suitetest.Check)
		want   string
	}{
		{"nothing", func(*suitetest.Check) {}, "kept 16 true "},
		{"samples", func(c *suitetest.Check) { c.Complete = false }, "kept 16 false "},
		{"found", func(c *suitetest.Check) { c.Findings = []string{"RQ-LOST/b", "RQ-LOST/a", "RQ-TWICE"} }, "broken 16 true  [RQ-LOST/a RQ-LOST/b]"},
		{"found by one that does not list it", func(c *suitetest.Check) { c.Requirements, c.Findings = []string{"RQ-TWICE"}, []string{"RQ-LOST"} }, "broken 7 true  [RQ-LOST]"},
		{"stopped", func(c *suitetest.Check) { c.Ended, c.Reason = suite.Inconclusive, "the budget ended" }, "unknown 16 false sequence/x: the budget ended"},
		{"stopped without a reason", func(c *suitetest.Check) { c.Ended = suite.Inconclusive }, "unknown 16 false sequence/x: no reason was given"},
		{"failed", func(c *suitetest.Check) { c.Ended, c.Reason = suite.Error, "it did not work" }, "unknown 16 false sequence/x: it did not work"},
		{"failed without a reason", func(c *suitetest.Check) { c.Ended = suite.Error }, "unknown 16 false sequence/x: no reason was given"},
		{"no outcome", func(c *suitetest.Check) { c.Ended = "passed" }, `unknown 7 false sequence/x: suite: check sequence/x: expected an outcome, saw "passed"`},
		{"found and stopped", func(c *suitetest.Check) {
			c.Findings, c.Ended, c.Reason = []string{"RQ-LOST"}, suite.Inconclusive, "the budget ended"
		}, "broken 16 false sequence/x: the budget ended [RQ-LOST]"},
		{"cut", func(c *suitetest.Check) { c.Cut = map[string]string{"RQ-LOST": "it was too long"} }, "unknown 16 false sequence/x: it was too long"},
		{"cut without a reason", func(c *suitetest.Check) { c.Cut = map[string]string{"RQ-LOST": ""} }, "unknown 16 false sequence/x: no reason was given"},
		{"another was cut", func(c *suitetest.Check) { c.Cut = map[string]string{"RQ-TWICE": "it was too long"} }, "kept 16 true "},
		{"nothing judged", func(c *suitetest.Check) { c.Judged = map[string]int64{"RQ-TWICE": 9} }, "unknown 7 false sequence/x: nothing was judged: what did not come about is a G that comes out again. Look what the target did instead: whether it refused, or accepted all, or waited, or had no time"},
		{"absent", func(c *suitetest.Check) {
			c.Judged, c.Absent = map[string]int64{"RQ-TWICE": 9}, map[string]string{"RQ-LOST": "it need not"}
		}, "kept 7 true "},
		{"absent, and judged", func(c *suitetest.Check) { c.Absent = map[string]string{"RQ-LOST": "it need not"} }, "kept 16 true "},
		{"another is absent", func(c *suitetest.Check) {
			c.Judged, c.Absent = map[string]int64{"RQ-TWICE": 9}, map[string]string{"RQ-TWICE": "it need not"}
		}, "unknown 7 false sequence/x: nothing was judged: what did not come about is a G that comes out again. Look what the target did instead: whether it refused, or accepted all, or waited, or had no time"},
		{"absent, and cut", func(c *suitetest.Check) {
			c.Judged, c.Absent, c.Cut = nil, map[string]string{"RQ-LOST": "it need not"}, map[string]string{"RQ-LOST": "it was too long"}
		}, "unknown 7 false sequence/x: it was too long"},
		{"absent, and stopped", func(c *suitetest.Check) {
			c.Judged, c.Absent, c.Ended, c.Reason = nil, map[string]string{"RQ-LOST": "it need not"}, suite.Inconclusive, "the budget ended"
		}, "unknown 7 false sequence/x: the budget ended"},
		{"absent, and found", func(c *suitetest.Check) {
			c.Judged, c.Absent, c.Findings = nil, map[string]string{"RQ-LOST": "it need not"}, []string{"RQ-LOST"}
		}, "broken 7 true  [RQ-LOST]"},
		{"skipped", func(c *suitetest.Check) { c.Lacks = "it has none" }, "kept 7 true "},
		{"tried again", func(c *suitetest.Check) { c.Again = true }, "kept 7 true "},
		{"tried again, and found", func(c *suitetest.Check) { c.Again, c.Findings = true, []string{"RQ-LOST"} }, "broken 7 true  [RQ-LOST]"},
		{"tried again, and stopped", func(c *suitetest.Check) { c.Again, c.Ended, c.Reason = true, suite.Inconclusive, "the budget ended" }, "unknown 16 false sequence/x: the budget ended"},
		{"tried again, and cut", func(c *suitetest.Check) { c.Again, c.Cut = true, map[string]string{"RQ-LOST": "it was too long"} }, "unknown 16 false sequence/x: it was too long"},
		{"skipped late", func(c *suitetest.Check) { c.Ended, c.Reason = suite.Skipped, "it has none" }, "kept 7 true "},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := suitetest.Done("sequence/x", 9, "RQ-LOST", "RQ-TWICE"), suitetest.Done("stress/y", 7, "RQ-LOST")
			x.Complete, y.Complete = true, true
			c.change(&x)
			row := rows(t, suite.Options{}, &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{x, y}})["RQ-LOST"]
			saw := fmt.Sprintf("%s %d %v %s", row.Standing, row.Judged, row.Complete, row.Reason)
			if row.Fingerprints != nil {
				saw += fmt.Sprint(" ", row.Fingerprints)
			}
			if saw != c.want {
				t.Errorf("expected %q, saw %q", c.want, saw)
			}
		})
	}
}

// TestStandingOfTheAbsent: a requirement that every check calls absent is not offered, with the reason; so it is if the part of each process does.
func TestStandingOfTheAbsent(t *testing.T) {
	x, y := suitetest.Done("sequence/x", 0, "RQ-LOST"), suitetest.Done("stress/y", 0, "RQ-LOST")
	x.Absent, y.Absent = map[string]string{"RQ-LOST": "it need not"}, map[string]string{"RQ-LOST": "nor here"}
	row := rows(t, suite.Options{}, &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{x, y}})["RQ-LOST"]
	if row.Standing != suite.NotOffered || row.Reason != "it need not" || row.Complete || row.Judged != 0 {
		t.Errorf("expected not offered, since it need not, saw %+v", row)
	}
}

// TestStandingWithoutCheck says where a requirement stands that no check judged.
func TestStandingWithoutCheck(t *testing.T) {
	y := suitetest.Done("stress/y", 7, "RQ-LOST")
	z := suitetest.Done("stress/z", 7, "RQ-LEN", "RQ-TWICE")
	z.Lacks = "it has no length"
	for _, c := range []struct {
		name   string
		o      suite.Options
		target suitetest.Target
		id     string
		want   string
	}{
		{"skipped", suite.Options{}, suitetest.Target{}, "RQ-LEN", "not offered: it has no length"},
		{"not offered", suite.Options{}, suitetest.Target{NotOffered: map[string]string{"RQ-LEN": "it cannot say"}}, "RQ-LEN", "not offered: it cannot say"},
		{"elsewhere", suite.Options{}, suitetest.Target{}, "RQ-RACE", "not run: checked by go test, not here"},
		{"not selected", suite.Options{Select: "y"}, suitetest.Target{}, "RQ-LEN", "not run: not selected"},
		{"another shard", suite.Options{Shard: suite.Shard{I: 1, N: 2}}, suitetest.Target{}, "RQ-LEN", "not run: not in shard 1/2"},
		{"another profile's", suite.Options{}, suitetest.Target{}, "RQ-LIFO", ": "},
	} {
		c.target.Name, c.target.Checks = "tiny", []suitetest.Check{y, z}
		row := rows(t, c.o, &c.target)[c.id]
		saw := fmt.Sprintf("%s: %s", row.Standing, row.Reason)
		if saw != c.want || row.Complete {
			t.Errorf("%s: expected %q, saw %q", c.name, c.want, saw)
		}
	}
}

// TestManyFindings holds that what is left out breaks its requirement all the same,
// and that no list of known failures covers it by chance.
func TestManyFindings(t *testing.T) {
	x := suitetest.Done("sequence/x", 9, "RQ-LOST", "RQ-TWICE")
	for i := range 40 {
		x.Findings = append(x.Findings, fmt.Sprint("RQ-LOST/", i))
	}
	x.Findings = append(x.Findings, "RQ-TWICE/get", "RQ-TWICE/steal")
	list := rows(t, suite.Options{}, &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{x}})
	if saw := list["RQ-TWICE"].Fingerprints; !slices.Equal(saw, []string{"RQ-TWICE/more"}) {
		t.Errorf("RQ-TWICE: %v", saw)
	}
	if saw := list["RQ-LOST"].Fingerprints; len(saw) != 33 || !slices.Contains(saw, "RQ-LOST/more") {
		t.Errorf("RQ-LOST: %v", saw)
	}
}

// TestAsked: a target that lacks what its contract does not ask for lacks nothing, and has
// no row for it, unless something was found all the same.
func TestAsked(t *testing.T) {
	lacks := map[string]string{"RQ-DRAIN": "it cannot drain", "RQ-PUT-BATCH": "it takes one at a time", "RQ-LEN": "it has no length"}
	for profile, want := range map[spec.Profile]string{
		spec.Core: "", spec.FIFO: "", spec.Tokio: "", spec.GoRT: string(suite.NotOffered), "fifo,batch=some,steal-miss=anytime": "",
	} {
		target := suitetest.Target{Name: "tiny", Profile: profile, NotOffered: lacks, Checks: []suitetest.Check{suitetest.Done("stress/y", 7, "RQ-LOST")}}
		list := rows(t, suite.Options{}, &target)
		for _, id := range []string{"RQ-DRAIN", "RQ-PUT-BATCH"} {
			if row, ok := list[id]; ok != (want != "") || string(row.Standing) != want {
				t.Errorf("%s of %s: expected it %q, saw %v, %+v", id, profile, want, ok, row)
			}
		}
		if list["RQ-LEN"].Standing != suite.NotOffered {
			t.Errorf("RQ-LEN of %s: expected it not offered, saw %+v", profile, list["RQ-LEN"])
		}
		target.NotOffered = nil
		if list := rows(t, suite.Options{}, &target); list["RQ-DRAIN"].Standing != suite.NotRun {
			t.Errorf("RQ-DRAIN of %s: expected a row of a target that offers it, saw %+v", profile, list["RQ-DRAIN"])
		}
		target.NotOffered = lacks
		found := suitetest.Done("stress/z", 7, "RQ-LOST")
		found.Findings = []string{"RQ-DRAIN/late"}
		target.Checks = append(target.Checks, found)
		if list := rows(t, suite.Options{}, &target); list["RQ-DRAIN"].Standing != suite.Broken {
			t.Errorf("RQ-DRAIN of %s: expected it broken, saw %+v", profile, list["RQ-DRAIN"])
		}
	}
}

// TestAbsentIsAsked: a check says nothing of the absence of what it was not asked to judge.
func TestAbsentIsAsked(t *testing.T) {
	x := suitetest.Done("sequence/x", 9, "RQ-LOST")
	x.Absent = map[string]string{"RQ-TWICE": "it need not", "RQ-LOST": "it need not"}
	var saw map[string]string
	for _, e := range suitetest.Run(t.Context(), t, suite.Options{}, &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{x}}) {
		if e.Event == suite.CheckEvent && e.Check == "sequence/x" {
			saw = e.Result.Absent
		}
	}
	if len(saw) != 1 || saw["RQ-LOST"] == "" {
		t.Errorf("expected RQ-LOST alone, saw %v", saw)
	}
}
