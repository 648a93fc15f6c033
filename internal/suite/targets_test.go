package suite_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec/record"
)

// TestNames holds that two targets are never one in the stream.
func TestNames(t *testing.T) {
	if err := suite.Run(t.Context(), suite.Options{}, tiny().Source(), tiny().Source()); !errors.Is(err, suite.ErrSelect) {
		t.Errorf("named twice: expected %v, saw %v", suite.ErrSelect, err)
	}
	for _, name := range []string{"other", "tiny"} { // the name of a source to come, and of a target opened
		first, second := tiny(), tiny()
		first.Name, second.Name = "tiny", "other"
		a, b := first.Source(), second.Source()
		if name == "tiny" {
			second.Name = "tiny"
		} else {
			first.Name = "other"
		}
		var list []suite.Event
		if err := suite.Run(t.Context(), suite.Options{Sink: suitetest.Collect(&list)}, a, b); err != nil {
			t.Fatal(err)
		}
		if _, err := suitetest.Decode(suitetest.Encode(list)); err != nil {
			t.Errorf("the stream: %v", err)
		}
		refused := slices.IndexFunc(list, func(e suite.Event) bool { return e.Event == suite.TargetEvent && e.Ended == suite.Error })
		if refused < 0 || !strings.Contains(list[refused].Text, "expected a name of its own") {
			t.Errorf("a target takes the name %q, and nobody says so", name)
		}
	}
}

// TestNameOfItsOwn holds that a target may have another name than its source, if no other has it.
func TestNameOfItsOwn(t *testing.T) {
	target := tiny()
	source := target.Source()
	target.Name = "opened"
	var list []suite.Event
	if err := suite.Run(t.Context(), suite.Options{Sink: suitetest.Collect(&list)}, source); err != nil {
		t.Fatal(err)
	}
	if e := list[at(list, suite.TargetEvent, 0)]; e.Target != "opened" || e.Description == nil {
		t.Errorf("expected the target's own name and description, saw %+v", e)
	}
}

// TestDoneElsewhere holds that what another process found without coming to a result
// is an error, not a pass.
func TestDoneElsewhere(t *testing.T) {
	found := suite.Event{Event: suite.FindingEvent, Check: "stress/y", Finding: &record.Finding{Requirement: "RQ-TWICE", Fingerprint: "RQ-TWICE/get"}}
	result := suite.Event{Event: suite.CheckEvent, Check: "stress/y", Result: &suite.Result{
		Witness: "stress", Requirements: []string{"RQ-TWICE"}, Outcome: suite.Outcome{Ended: suite.Completed, Judged: map[string]int64{"RQ-TWICE": 3}},
	}}
	for _, c := range []struct {
		done []suite.Event
		err  error
		want suite.Ended
	}{
		{nil, nil, suite.Error},
		{nil, errors.New("it cannot be read"), suite.Error},
		{[]suite.Event{found}, nil, suite.Error},
		{[]suite.Event{found, result}, nil, suite.Completed},
		{[]suite.Event{found, {Event: suite.CheckEvent, Check: "stress/y"}}, nil, suite.Error}, // it says no result
	} {
		asked := 0
		o := suite.Options{Elsewhere: &suite.Elsewhere{Checks: []string{"stress/y"}, Events: func() ([]suite.Event, error) {
			asked++
			return c.done, c.err
		}}}
		events := suitetest.Run(t.Context(), t, o, tiny())
		if asked != 1 {
			t.Errorf("expected that it is asked for once, saw %d", asked)
		}
		if saw := events[at(events, suite.CheckEvent, 1)].Result.Ended; saw != c.want {
			t.Errorf("expected %q, saw %q", c.want, saw)
		}
		if _, err := suitetest.Decode(suitetest.Encode(events)); err != nil {
			t.Error(err)
		}
	}
}

// TestElsewhereIsWaitedFor: what comes before a check that another process carries out is told
// before that is waited for, and the wait takes nothing of the budget of what comes behind.
func TestElsewhereIsWaitedFor(t *testing.T) {
	const budget = 200 * time.Millisecond
	target, told := tiny(), 0
	target.Checks = append(target.Checks, suitetest.Done("stress/z", 7, "RQ-TWICE"))
	var events []suite.Event
	o := suite.Options{Budget: budget, Sink: func(e suite.Event) { events = append(events, e) }, Elsewhere: &suite.Elsewhere{
		Checks: []string{"stress/y"}, Events: func() ([]suite.Event, error) {
			told = len(events)
			time.Sleep(4 * budget)
			return []suite.Event{{Event: suite.CheckEvent, Check: "stress/y", Result: &suite.Result{Outcome: suite.Outcome{Ended: suite.Completed}}}}, nil
		},
	}}
	if err := suite.Run(t.Context(), o, target.Source()); err != nil {
		t.Fatal(err)
	}
	if first := at(events, suite.CheckEvent, 0); first >= told {
		t.Errorf("expected the first check's result before the wait, saw %d events told, and the result at %d", told, first)
	}
	if last := events[at(events, suite.CheckEvent, 2)]; last.Check != "stress/z" || last.Result.Ended != suite.Completed {
		t.Errorf("expected that the last check is carried out, saw %s %+v", last.Check, last.Result.Outcome)
	}
}

// TestProgressNamesTheCheck holds that a check is named before it is carried out,
// with its plan, though it tells no progress itself.
func TestProgressNamesTheCheck(t *testing.T) {
	var said []string
	sink := func(e suite.Event) {
		if e.Event == suite.ProgressEvent || e.Event == suite.CheckEvent {
			said = append(said, string(e.Event)+" "+e.Check+" "+e.Text)
		}
	}
	if err := suite.Run(t.Context(), suite.Options{Sink: sink}, tiny().Source()); err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(said); i += 2 {
		if name, ok := strings.CutSuffix(said[i], " the plan"); !ok || said[i+1] != strings.Replace(name, "progress", "check", 1)+" " {
			t.Errorf("expected the check's plan before its end, saw %q and %q", said[i], said[i+1])
		}
	}
	if len(said) < 2 || len(said)%2 != 0 {
		t.Errorf("expected two events of each check, saw %q", said)
	}
}
