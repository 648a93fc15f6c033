package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestExplained: the table of an execution has the scheduler's own steps, and what tasks and threads have come to. All steps stay in the finding.
func TestExplained(t *testing.T) {
	t.Attr("req", "SC-STEAL")
	x := exploring{t: instrumented(t, newClosingPool("wakes no worker while a task runs")), g: record.TaskGraph{Name: "x", Workers: 2, Outside: []string{"s0"}, Tasks: []string{"s1 j1", ""}}}
	r, err := x.run(200)
	if err != nil || r.Failure == nil {
		t.Fatalf("expected a failure, saw %v %v", r.Failure, err)
	}
	list := x.findings(r)
	if len(list) != 1 || list[0].Requirement != "SC-STEAL" {
		t.Fatalf("expected SC-STEAL, saw %+v", list)
	}
	e := list[0].Execution()
	if len(e.Steps) != len(r.Execution.Steps) || e.Schedule != r.Execution.Schedule {
		t.Errorf("expected all %d steps, saw %d", len(r.Execution.Steps), len(e.Steps))
	}
	own := 0
	for _, s := range e.Steps {
		if s.Suite != strings.Contains(s.File, "scheduler/drive/") {
			t.Errorf("%s:%d: expected that it is known whose step it is, saw %v", s.File, s.Line, s.Suite)
		}
		if s.Suite {
			own++
		}
	}
	if own < 3 || own == len(e.Steps) {
		t.Errorf("expected steps of the suite and others, saw %d of %d", own, len(e.Steps))
	}
	var notes []string
	for _, n := range e.Notes {
		notes = append(notes, e.Threads[n.Thread]+": "+n.Text)
	}
	begins := slices.IndexFunc(notes, func(s string) bool { return strings.HasPrefix(s, "T0.") && strings.HasSuffix(s, ": task 0 begins") })
	if len(notes) != 4 || notes[0] != "T0: submits task 0" || begins < 1 || !strings.HasSuffix(notes[begins+1], ": task 0 submits task 1") || !strings.HasSuffix(notes[begins+2], ": task 0 waits for the end of task 1") {
		t.Errorf("saw notes %q", notes)
	}
	text, _ := show.Finding(&list[0], false, "")
	for part, want := range map[string]bool{"task 0 begins\n": true, "cause_test.go:": true, "steps of the suite itself are left out": true, "program.go:": false, "event.go:": false, "T0 submits": false} {
		if strings.Contains(text, part) != want {
			t.Errorf("expected %q in the text: %v, saw\n%s", part, want, text)
		}
	}
	t.Setenv("SPINDLE_STEPS", "all")
	if whole, _ := show.Finding(&list[0], false, ""); !strings.Contains(whole, "program.go:") || strings.Contains(whole, "left out") {
		t.Errorf("expected all steps, saw\n%s", whole)
	}
}

func instrumented(t *testing.T, f scheduler.Factory) *inProcess {
	t.Helper()
	target, err := Instrumented("x", spec.Pool, f, harness.Part{Of: 1})
	if err != nil {
		t.Fatal(err)
	}
	return target.(*inProcess)
}
