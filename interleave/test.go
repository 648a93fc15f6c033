package interleave

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/rerun"
)

// DefaultBudget bounds an exploration for which no other bound was given. If it
// is not complete by then, the test fails: a bound that is wanted is to be given.
const DefaultBudget = time.Minute

// ScheduleVar is the environment variable that a failure's command sets: the
// test then runs that one schedule and shows it.
const ScheduleVar = "SPINDLE_SCHEDULE"

// Test explores body, which makes what is tested and starts threads on it, and
// fails t with the shortest execution that is wrong.
//
// The code that the threads run need not know of it. The first call in a test
// binary builds a second one in which the packages of the main module are
// instrumented, and runs this very test in it.
func Test(t testing.TB, body func(*Exec), opts ...Option) {
	t.Helper()
	if engine.Controlled() {
		panic("interleave: Test called by a thread of an exploration")
	}
	o := newOptions(opts)
	if o.Options.Time == 0 && o.Options.Executions == 0 && (o.Strategy == engine.Portfolio || o.Strategy == engine.Exhaustive || o.Strategy == engine.DFS) {
		o.Options.Time = DefaultBudget
		o.unasked = true
	}
	asked, schedule := scheduleAsked()
	if schedule != "" {
		o.Strategy, o.Options.Schedule = engine.Replay, schedule
	}
	var out outcome
	payload, err := remote(t, o, func(ordinal int) ([]byte, error) {
		out.Ordinal = ordinal
		if schedule != "" && ordinal != asked {
			out.Other = true
			return json.Marshal(out)
		}
		r, err := explore(body, o)
		out.Report = r
		switch {
		case err != nil:
			out.Error = err.Error()
		case t.Failed():
			out.Error = "interleave: the body or a thread called Error or Fail of t: call Errorf of the Exec instead, so that the schedule is shown"
		case r.Certificate.Threads == 0 && r.Failure == nil:
			out.Error = "interleave: the body started no thread"
		}
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
	out.show(t, &o)
}

// Remote runs f in an instrumented binary of the test t, and returns what it
// returned. In that binary f is called, and t ends with it; other calls of Remote
// and Test in it return nil. For those who build something else than Test on
// Explore.
func Remote(t testing.TB, f func() ([]byte, error), opts ...Option) ([]byte, error) {
	t.Helper()
	return remote(t, newOptions(opts), func(int) ([]byte, error) { return f() })
}

func remote(t testing.TB, o options, f func(ordinal int) ([]byte, error)) ([]byte, error) {
	t.Helper()
	if !rerun.Instrumented() {
		_, file, _, _ := runtime.Caller(2 + o.skip)
		return rerun.Run(t, rerun.Request{File: file, Plain: !o.noRaces})
	}
	call, err := rerun.Child(t)
	if err != nil {
		return nil, err
	}
	if !call.Asked() {
		return nil, nil
	}
	engine.PlainAccesses = !o.noRaces
	payload, err := f(call.Ordinal)
	if err != nil || call.Whole {
		return payload, err
	}
	if err := call.Send(payload); err != nil {
		return nil, err
	}
	t.SkipNow() // the rest is the parent's
	return nil, nil
}

// outcome is what a child sends.
type outcome struct {
	Report Report
	Error  string `json:",omitempty"`
	// Ordinal counts the calls of Test within the test, from 0. Other says that
	// the schedule that is to be run is another call's.
	Ordinal int
	Other   bool `json:",omitempty"`
}

// scheduleAsked returns the schedule of ScheduleVar and the ordinal of the call
// that it is for: "1:0a.9b" is for the second call of a test, "0a.9b" for the
// first.
func scheduleAsked() (ordinal int, schedule string) {
	schedule = os.Getenv(ScheduleVar)
	if n, rest, ok := strings.Cut(schedule, ":"); ok {
		if k, err := strconv.Atoi(n); err == nil {
			return k, rest
		}
	}
	return 0, schedule
}

// show tells t.
func (out *outcome) show(t testing.TB, o *options) {
	t.Helper()
	c := &out.Report.Certificate
	switch {
	case out.Error != "":
		t.Fatal(out.Error)
	case out.Other:
		t.Logf("not run: %s is for another call of this test", ScheduleVar)
	case out.Report.Failure != nil && o.must != nil:
		t.Log(out.Report.Failure.Message)
		o.must(out.Report)
	case o.must != nil:
		t.Fatalf("interleave: %v, where something wrong must be found", c)
	case out.Report.Failure != nil:
		schedule := out.Report.Failure.Schedule
		if out.Ordinal > 0 {
			schedule = fmt.Sprintf("%d:%s", out.Ordinal, schedule)
		}
		t.Fatal(out.Report.Text(Reproduce(t, schedule)))
	case o.Strategy == engine.Replay:
		t.Logf("the schedule %s is right here", o.Options.Schedule)
	case o.unasked && (c.Ended != engine.ByExhaustion || c.Cuts.Threads > 0):
		t.Fatalf("interleave: %v; give Budget, Executions or Preemptions if less than everything is enough", c)
	case c.Executions == 0:
		t.Fatal("interleave: nothing was run")
	default:
		t.Log(c)
		if advice := c.Advice(); advice != "" {
			t.Log(advice)
		}
	}
}

// Reproduce returns the command that runs one schedule of t.
func Reproduce(t testing.TB, schedule string) string {
	var parts []string
	for _, p := range strings.Split(t.Name(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(p)+"$")
	}
	return fmt.Sprintf("%s=%s go test -count=1 -run '%s' .", ScheduleVar, schedule, strings.Join(parts, "/"))
}
