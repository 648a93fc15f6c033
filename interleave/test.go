package interleave

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/rerun"
	"github.com/spindle-go/spindle/interleave/internal/settings"
	"github.com/spindle-go/spindle/internal/awake"
)

// doubtVar says what a test is that passes in doubt: "fail" makes it one that fails.
const doubtVar = "SPINDLE_DOUBT"

// defaultBudget bounds an exploration for which no other bound was given. If it is not
// complete by then, the test fails: a bound that is wanted is to be given.
const defaultBudget = time.Minute

// Test explores body, which makes what is tested and starts threads on it, and fails t
// with the execution that is wrong, with as few switches as it finds. A passing test logs
// its Certificate. If no bound is given, an exploration that takes more than a minute, as
// Budget counts it, fails the test. So does one that is not over shortly before the deadline
// of the test, whatever bound is given.
//
// The code that the threads run need not know of it. The first call in a test binary builds
// a second one in which the packages of the main module are instrumented, and runs this very
// test in it.
func Test(t testing.TB, body func(*Exec), opts ...Option) {
	t.Helper()
	if engine.Controlled() {
		panic("interleave: Test called by a thread of an exploration")
	}
	o := settings.Of(opts)
	unasked := false // the bound is not the caller's
	if o.Time == 0 && o.Executions == 0 && (o.Strategy == engine.Portfolio || o.Strategy == engine.Exhaustive || o.Strategy == engine.DFS) {
		o.Time, unasked = defaultBudget, true
	}
	asked, schedule := scheduleAsked(t)
	if schedule != "" {
		o.Strategy, o.Schedule = engine.Replay, schedule
	}
	var out outcome
	payload, err := rerun.Remote(t, !o.NoRaces, func(ordinal int) ([]byte, error) {
		out.Ordinal = ordinal
		if schedule != "" && ordinal != asked {
			out.Other = true
			return json.Marshal(out)
		}
		out = explored(t, body, o)
		out.Ordinal = ordinal
		return json.Marshal(out)
	})
	switch {
	case err != nil:
		t.Fatal(err)
	case payload == nil:
		return // another call of this test was asked for
	}
	if err := json.Unmarshal(payload, &out); err != nil {
		t.Fatalf("interleave: what the instrumented binary sent cannot be read: %v", err)
	}
	out.show(t, &o, unasked)
}

// outcome is what a child sends.
type outcome struct {
	Report Report
	Error  string `json:",omitempty"`
	// Ordinal counts the calls of Test within the test, from 0. Other says that
	// the schedule that is to be run is another call's.
	Ordinal int
	Other   bool `json:",omitempty"`
	// Late says what ended the exploration before what was asked for was done.
	Late string `json:",omitempty"`
}

// explored explores body until shortly before the deadline of t.
func explored(t testing.TB, body func(*Exec), o settings.Settings) (out outcome) {
	ctx, cancel := awake.BeforeDeadline(context.Background(), t)
	defer cancel()
	o.Until = ctx
	r, err := explore(body, o)
	out.Report = r
	switch {
	case err != nil:
		out.Error = err.Error()
	case t.Failed() || t.Skipped():
		out.Error = "interleave: the body or a thread called Error, Fail or Skip of t: call Errorf of the Exec instead, so that the schedule is shown"
	case r.Certificate.Threads == 0 && r.Failure == nil:
		out.Error = "interleave: the body started no thread"
	case r.Certificate.Ended == certificate.ByCaller:
		out.Late = context.Cause(ctx).Error()
	}
	return out
}

// scheduleAsked returns the schedule of rerun.ScheduleVar and the ordinal of the call
// that it is for: "1:0a.9b" is for the second call of a test, "0a.9b" for the
// first.
func scheduleAsked(t testing.TB) (ordinal int, schedule string) {
	t.Helper()
	schedule = rerun.ScheduleAsked(t)
	if n, rest, ok := strings.Cut(schedule, ":"); ok {
		if k, err := strconv.Atoi(n); err == nil {
			return k, rest
		}
	}
	return 0, schedule
}

// show tells t.
func (out *outcome) show(t testing.TB, o *settings.Settings, unasked bool) {
	t.Helper()
	c := &out.Report.Certificate
	switch {
	case out.Error != "":
		t.Fatal(out.Error)
	case out.Other:
		t.Logf("not run: %s is for another call of this test", rerun.ScheduleVar)
	case out.Late != "":
		t.Fatalf("interleave: inconclusive: %s: %v", out.Late, c)
	case out.Report.Failure != nil && o.MustFail != nil:
		t.Log(out.Report.Failure.Message)
		o.MustFail(out.Report)
	case o.MustFail != nil:
		t.Fatalf("interleave: %v, where something wrong must be found", c)
	case out.Report.Failure != nil:
		schedule := out.Report.Failure.Schedule
		if out.Ordinal > 0 {
			schedule = fmt.Sprintf("%d:%s", out.Ordinal, schedule)
		}
		t.Fatal(out.Report.Text(rerun.Reproduce(t, schedule)))
	case o.Strategy == engine.Replay:
		t.Logf("the schedule %s is right here", o.Schedule)
	case unasked && (c.Ended != certificate.ByExhaustion || c.Cuts.Threads > 0 || c.Cuts.Bound > 0 && o.Steps == 0):
		t.Fatalf("interleave: %v; give Budget, Executions or Preemptions if less than everything is enough", c)
	case c.Executions == 0:
		t.Fatal("interleave: nothing was run")
	default:
		for _, d := range c.Doubts {
			t.Attr("doubt", strings.Join(strings.Fields(d.Kind+": "+d.What), " "))
		}
		if len(c.Doubts) > 0 && (c.Strict || os.Getenv(doubtVar) == "fail") {
			t.Fatalf("interleave: in doubt, and that is to fail: %v\n%s", c, c.Advice())
		}
		t.Log(c)
		if advice := c.Advice(); advice != "" {
			t.Log(advice)
		}
	}
}
