package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec/record"
)

// What a test says at its end. One fault breaks several requirements, mostly, and is seen by several checks. So the smallest
// failure is shown in full, and each other requirement that one of the same checks saw broken is a line.

// report makes a subtest of each requirement, and holds the test to the verdict of
// the gate: it passes if and only if the run does.
func report(t *testing.T, r *gate.Result) {
	t.Helper()
	told := make(map[string]string) // by the reason why something is not decided: the first requirement
	not := (*testing.T).Errorf      // decided
	if slices.ContainsFunc(r.Decisions, func(d gate.Decision) bool { return d.Row.Standing == suite.Broken }) {
		not = (*testing.T).Skipf // the test fails by what is broken
	}
	for _, f := range folded(r.Decisions) {
		d := f.Decision
		t.Run(d.Row.ID, func(t *testing.T) {
			t.Helper()
			t.Attr("req", d.Row.ID)
			switch d.Row.Standing {
			case suite.NotOffered, suite.NotRun:
				t.Skipf("%s: %s", d.Row.Standing, d.Row.Reason)
			case suite.Unknown:
				undecided(t, d, r.Decisions, told, not)
			case suite.Broken:
				switch {
				case len(d.Findings) == 0:
				case f.as == "" || testing.Verbose():
					text, _ := show.Finding(d.Findings[0].Finding, false, "")
					t.Errorf("%s, seen by %s\n%s%s", d.Row.ID, d.Findings[0].Check, text, otherWays(d.Findings, testing.Verbose()))
				default:
					t.Error(inShort(t, d, f.as))
				}
			}
		})
	}
	t.Log(share(r))
	switch {
	case r.Exit != 0 && !t.Failed():
		t.Errorf("conformance: %s: %s", r.Verdict, strings.Join(r.Reasons, "; "))
	case r.Exit == 0 && t.Failed():
		t.Error("conformance: the gate passes what a requirement does not: this is an error of the suite")
	}
}

// share says how many of the requirements were judged, and what was not explored: a target of which little can be judged passes as well.
func share(r *gate.Result) string {
	judged, unexplored := 0, ""
	for i := range r.Decisions {
		row := r.Decisions[i].Row
		switch row.Standing {
		case suite.Kept, suite.Broken:
			judged++
		}
		for _, why := range []string{"the interleavings were not explored: ", "its interleavings cannot be explored: "} {
			if _, reason, ok := strings.Cut(row.Reason, why); ok && unexplored == "" {
				unexplored = reason
			}
		}
	}
	text := fmt.Sprintf("judged %d of %d requirements", judged, len(r.Decisions))
	if unexplored != "" {
		text += "; interleavings were not explored: " + unexplored
	}
	return text
}

// A fold is a decision as it is told. As names the requirement whose failure is shown in full in its place, "" if it is shown itself.
type fold struct {
	*gate.Decision
	as string
}

// folded returns decisions in the order in which they are told: those that are broken first, the smallest failure before
// all others; then those that are not decided; then the rest. The findings of each are in order of size.
func folded(decisions []gate.Decision) []fold {
	list := make([]fold, len(decisions))
	for i := range decisions {
		d := decisions[i]
		d.Findings = smallestFirst(d.Findings)
		list[i].Decision = &d
	}
	rank := func(d *gate.Decision) int {
		switch d.Row.Standing {
		case suite.Broken:
			return 0
		case suite.Unknown:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b fold) int {
		if n := cmp.Compare(rank(a.Decision), rank(b.Decision)); n != 0 || rank(a.Decision) > 0 || len(a.Findings) == 0 || len(b.Findings) == 0 {
			return n
		}
		return compareSizes(a.Findings[0].Finding, b.Findings[0].Finding)
	})
	seen := make(map[string]string) // by check: the requirement that is shown in full
	for i := range list {
		d := list[i].Decision
		if d.Row.Standing != suite.Broken {
			continue
		}
		for _, e := range d.Findings {
			list[i].as = cmp.Or(list[i].as, seen[e.Check])
		}
		for _, e := range d.Findings {
			seen[e.Check] = cmp.Or(seen[e.Check], list[i].as, d.Row.ID)
		}
	}
	return list
}

// inShort says in a line or two what breaks a requirement, and how it is seen in full.
func inShort(t *testing.T, d *gate.Decision, as string) string {
	t.Helper()
	e := d.Findings[0]
	again := record.Again{Command: strings.Replace(harness.Again(t), " -run ", " -v -run ", 1)}
	for _, a := range e.Finding.Again {
		if a.Kind == record.RunAgain {
			again.Environ = a.Environ
		}
	}
	return fmt.Sprintf("also %s, seen by %s: %s; maybe of the same fault as %s\n  in full      %s",
		d.Row.ID, e.Check, printable.Line(e.Finding.Observed, mostTold), as, again)
}

// undecided ends a test whose requirement is not decided, as not does: it says why once for all requirements of the same reason, and names them.
func undecided(t *testing.T, d *gate.Decision, all []gate.Decision, told map[string]string, not func(t *testing.T, format string, args ...any)) {
	t.Helper()
	if first := told[d.Row.Reason]; first != "" {
		not(t, "not decided: as %s", first)
		return
	}
	told[d.Row.Reason] = d.Row.ID
	var ids []string
	for i := range all {
		if row := all[i].Row; row.Standing == suite.Unknown && row.Reason == d.Row.Reason {
			ids = append(ids, row.ID)
		}
	}
	if len(ids) == 1 {
		ids = nil
	} else {
		ids[0] = " (" + ids[0]
		ids[len(ids)-1] += ")"
	}
	not(t, "not decided%s, which is no failure that was seen: %s", strings.Join(ids, ", "), d.Row.Reason)
}

// smallestFirst orders the findings of a requirement.
func smallestFirst(list []suite.Event) []suite.Event {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b suite.Event) int { return compareSizes(a.Finding, b.Finding) })
	return list
}

// mostCalls is how many calls in a fixed order a reader follows.
const mostCalls = 24

// compareSizes compares how much a reader has to look at: a few calls in a fixed order are less than an execution of
// which each step is known, that is less than many calls in a fixed order, and those are less than calls of free threads.
func compareSizes(a, b *record.Finding) int {
	size := func(f *record.Finding) (class, n int) {
		ordered := false
		for _, e := range f.Evidence {
			n += len(e.Lines)
			ordered = ordered || e.Kind == record.Asked && slices.ContainsFunc(e.Lines, func(line string) bool { return strings.HasPrefix(line, "order: ") })
		}
		x := f.Execution()
		switch {
		case ordered && n <= mostCalls:
			return 0, n
		case x != nil:
			return 1, len(x.Steps)
		case ordered:
			return 2, n
		}
		return 3, n
	}
	classA, nA := size(a)
	classB, nB := size(b)
	return cmp.Or(cmp.Compare(classA, classB), cmp.Compare(nA, nB))
}
