package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// TestLaws draws runs and lists, and holds the gate to what must be so of all of
// them, said of the events alone.
func TestLaws(t *testing.T) {
	exits := make(map[int]int)
	rapid.Check(t, func(rt *rapid.T) {
		var targets []*suitetest.Target
		var known []suite.Known
		for i := range rapid.IntRange(1, 2).Draw(rt, "targets") {
			name := fmt.Sprint("tiny", i)
			targets = append(targets, suitetest.Draw(rt, name))
			known = append(known, suitetest.DrawKnown(rt, name)...)
		}
		if known == nil {
			known = []suite.Known{}
		}
		strict := rapid.Bool().Draw(rt, "strict")
		events := suitetest.Run(t.Context(), t, suite.Options{Strict: strict}, targets...)
		alone := judged(events, &Gate{Known: known})
		exits[alone.Exit]++
		law := func(so bool, format string, args ...any) {
			if !so {
				rt.Fatalf("exit %d, %v: %s", alone.Exit, alone.Reasons, fmt.Sprintf(format, args...))
			}
		}
		if alone.Exit == 0 {
			earned(law, events, known, strict)
		}
		for n := range known {
			without := slices.Delete(slices.Clone(known), n, n+1)
			r := judged(events, &Gate{Known: without})
			for i, d := range r.Decisions {
				law(d.Row.ID == requirement(known[n]) || d.Ruling == alone.Decisions[i].Ruling, "the entry %v changes the ruling on %s", known[n], d.Row.ID)
			}
		}
		against(law, events, known, alone)
	})
	t.Log(exits)
	for _, exit := range []int{0, 1, 3, 4} {
		if exits[exit] == 0 {
			t.Errorf("no run with exit %d among %v", exit, exits)
		}
	}
}

// earned holds an exit code 0 to what it says.
func earned(law func(bool, string, ...any), events []suite.Event, known []suite.Known, strict bool) {
	caught := make(map[string]bool)
	for _, e := range events {
		if e.Control != nil {
			law(e.Control.Finding != nil, "%s missed its fault", e.Check)
			caught[e.Target+"/"+string(e.Control.Witness)] = true
		}
	}
	subject, ran := "", make(map[string]bool)
	for _, e := range events {
		switch {
		case e.Event == suite.TargetEvent:
			law(e.Description != nil, "target %s is not open", e.Target)
			subject, ran[e.Target] = e.Description.Subject, false
			law(!strict || len(e.Description.NotOffered) == 0 || e.Description.NotOffered["RQ-LEN"] != "", "strict, and %s offers not all", e.Target)
		case e.Finding != nil && e.Control == nil:
			law(slices.ContainsFunc(known, func(k suite.Known) bool {
				return k.Target == e.Target && strings.HasPrefix(e.Finding.Fingerprint+"/", k.Fingerprint+"/")
			}), "nobody knows of %s", e.Finding.Fingerprint)
		case e.Result != nil && e.Result.Ended != suite.Skipped:
			law(e.Result.Ended == suite.Completed, "check %s is %s", e.Check, e.Result.Ended)
			law(caught[subject+"/"+string(e.Result.Witness)], "witness %s found no fault", e.Result.Witness)
			ran[e.Target] = true
		case e.Requirement != nil:
			law(e.Requirement.Standing != suite.Unknown, "%s is unknown", e.Requirement.ID)
			law(e.Requirement.Standing != suite.Kept || e.Requirement.Judged > 0, "%s is kept without a call", e.Requirement.ID)
		}
	}
	for target, ran := range ran {
		law(ran, "nothing ran of %s", target)
	}
}

// against holds the run against its own baseline: nothing differs, and nothing but
// what is broken is better for it.
func against(law func(bool, string, ...any), events []suite.Event, known []suite.Known, alone Result) {
	base, err := alone.Summary()
	law(err == nil || alone.Exit != 0, "it is no baseline: %v", err)
	if err != nil {
		return
	}
	law(base.says() == nil && base.Digest == base.digest(), "the baseline says nothing")
	r := judged(events, &Gate{Known: known, Base: base})
	law(len(r.Differences) == 0, "differs from itself: %v", r.Differences)
	law(r.Count(Broken) == 0, "newly broken, against itself: %v", r.Reasons)
	for i, d := range r.Decisions {
		was := alone.Decisions[i].Ruling
		law(d.Ruling == was || was == Broken && (d.Ruling == AsBefore || d.Ruling == Unexpected), "%s was %s, is %s", d.Row.ID, was, d.Ruling)
	}
	law(r.Exit != 0 || alone.Exit == 0 || alone.Verdict == Fail, "the baseline makes %s green", alone.Verdict)
}
