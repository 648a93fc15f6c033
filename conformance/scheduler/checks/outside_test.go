package checks

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// far is a scheduler of another process, as the suite sees it: a right pool here, whose use of processors is made up.
type far struct {
	workers []int
	light   bool
	used    []usage // with nothing to do, beside two tasks that wait, and after Close
	holds   int
	err     error // of a hold
}

func (*far) Capabilities() scheduler.Capabilities { return scheduler.Capabilities{} }
func (f *far) Workers() []int                     { return f.workers }
func (*far) IdleTimes() []time.Duration           { return nil }
func (f *far) LightWorkers() bool                 { return f.light }
func (*far) Close() error                         { return nil }

func (*far) Run(ctx context.Context, g *record.TaskProgram, o drive.Options) (*record.TaskRun, error) {
	return drive.Run(ctx, wrong(noBug), g, o)
}

func (f *far) Hold(_ context.Context, _ *record.TaskProgram, _ drive.Options, _ func([]record.TaskEvent) bool, held func(Used)) error {
	if f.err == nil {
		held(f.uses(f.holds))
		f.holds++
	}
	return f.err
}

func (f *far) uses(i int) Used {
	return func(context.Context, time.Duration) (ran, wanted float64, ok bool) {
		if i >= len(f.used) {
			return 0, 0, false
		}
		return f.used[i].ran, f.used[i].wanted, true
	}
}

func (f *far) Used(ctx context.Context, d time.Duration) (ran, wanted float64, ok bool) {
	return f.uses(2)(ctx, d)
}

// standingsOf runs a check on it, and returns how it ended, and where each requirement stands.
func (f *far) standingsOf(t *testing.T, sel string) (ended suite.Ended, list map[string]suite.Standing) {
	t.Helper()
	target, err := Outside(suite.Description{Name: "far", Kind: suite.Child, Profile: spec.Pool}, f)
	if err != nil {
		t.Fatal(err)
	}
	list = make(map[string]suite.Standing)
	o := suite.Options{Seed: 1, Budget: suite.DefaultBudget, Select: sel, Sink: func(e suite.Event) {
		switch e.Event {
		case suite.CheckEvent:
			ended = e.Result.Ended
		case suite.RequirementEvent:
			list[e.Requirement.ID] = e.Requirement.Standing
		}
	}}
	subject := &suite.Subject{Name: "scheduler", Checks: Subject.Checks, NotOffered: Subject.NotOffered}
	if err := suite.Run(t.Context(), o, suite.Opened(subject, target)); err != nil {
		t.Fatal(err)
	}
	return ended, list
}

// TestFarIdle: what a process used for sure accuses its scheduler, and what it used or waited for at most lets it pass. What is between does neither.
func TestFarIdle(t *testing.T) {
	t.Attr("req", "SC-IDLE")
	rests, works, waits := usage{0.01, 0.02}, usage{0.5, 0.9}, usage{0.01, 0.7}
	for _, c := range []struct {
		used       []usage
		err        error
		ended      suite.Ended
		idle, spin suite.Standing
	}{
		{[]usage{rests, rests}, nil, suite.Completed, suite.Kept, suite.Kept},
		{[]usage{works, works, rests}, nil, suite.Completed, suite.Broken, suite.Unknown},
		{[]usage{rests, works, rests}, nil, suite.Completed, suite.Kept, suite.Broken},
		{[]usage{waits, rests, rests}, nil, suite.Completed, suite.Unknown, suite.Unknown},
		{[]usage{rests, waits, rests}, nil, suite.Completed, suite.Kept, suite.Unknown},
		{[]usage{works, works, works}, nil, suite.Inconclusive, suite.Unknown, suite.Unknown}, // something else is at work
		{[]usage{rests, works, waits}, nil, suite.Inconclusive, suite.Unknown, suite.Unknown},
		{nil, nil, suite.Inconclusive, suite.Unknown, suite.Unknown}, // the system does not show it
		{nil, fmt.Errorf("%w: x", drive.ErrUnseen), suite.Inconclusive, suite.Unknown, suite.Unknown},
		{nil, &drive.DeathError{Text: "x"}, suite.Inconclusive, suite.Unknown, suite.Unknown},
		{nil, fmt.Errorf("a broken protocol"), suite.Error, suite.Unknown, suite.Unknown},
	} {
		ended, list := (&far{used: c.used, err: c.err}).standingsOf(t, "^stress/idle$")
		if ended != c.ended || list["SC-IDLE"] != c.idle || list["SC-SPIN"] != c.spin {
			t.Errorf("%v, %v: expected %s, SC-IDLE %s, SC-SPIN %s; saw %s, %s, %s", c.used, c.err, c.ended, c.idle, c.spin, ended, list["SC-IDLE"], list["SC-SPIN"])
		}
	}
}

// TestFarLeftOut: what no graph is left for does not pass, whatever other graphs show.
func TestFarLeftOut(t *testing.T) {
	t.Attr("req", "SC-TOGETHER")
	ended, list := (&far{workers: []int{1}}).standingsOf(t, "^stress/meet$")
	if ended != suite.Skipped || list["SC-TOGETHER"] != suite.NotOffered || list["SC-LOST"] == suite.Kept {
		t.Errorf("one worker: expected a check that is skipped, saw %s; SC-TOGETHER %s, SC-LOST %s", ended, list["SC-TOGETHER"], list["SC-LOST"])
	}
	if _, list = (&far{workers: []int{1}}).standingsOf(t, "^stress/(graphs|meet)$"); list["SC-TOGETHER"] != suite.NotOffered || list["SC-STEAL"] != suite.NotOffered || list["SC-LOST"] != suite.Kept {
		t.Errorf("one worker: SC-TOGETHER %s, SC-STEAL %s, SC-LOST %s", list["SC-TOGETHER"], list["SC-STEAL"], list["SC-LOST"])
	}
	if ended, list = (&far{workers: []int{2, 3, 4}}).standingsOf(t, "^stress/meet$"); ended != suite.Completed || list["SC-TOGETHER"] != suite.Kept {
		t.Errorf("two to four: saw %s, SC-TOGETHER %s", ended, list["SC-TOGETHER"])
	}
	if ended, _ = (&far{workers: []int{1, 2}}).standingsOf(t, "^stress/idle$"); ended != suite.Skipped {
		t.Errorf("two: expected that stress/idle is skipped, saw %s", ended)
	}
}

// TestFarLight: of workers that are no threads of the system, nothing is said of what is left of them.
func TestFarLight(t *testing.T) {
	t.Attr("req", "SC-CLOSE-WORKERS")
	for light, want := range map[bool]string{true: "no threads of the system", false: ""} {
		target, err := Outside(suite.Description{Name: "far", Kind: suite.Child, Profile: spec.Pool}, &far{light: light})
		if err != nil {
			t.Fatal(err)
		}
		if got := Subject.NotOffered(target, "SC-CLOSE-WORKERS"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("light workers: %v: saw %q", light, got)
		}
	}
}
