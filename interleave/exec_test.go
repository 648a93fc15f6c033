package interleave_test

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// failed explores a thread, called only, that is wrong.
func failureOf(t *testing.T, f func(x *interleave.Exec)) *interleave.Failure {
	t.Helper()
	r, err := interleave.Explore(func(x *interleave.Exec) { x.Go("only", func() { f(x) }) }, interleave.Exhaustive(), interleave.Steps(100))
	if err != nil || r.Failure == nil {
		t.Fatalf("expected a failure; observed %v, %v", r.Certificate, err)
	}
	return r.Failure
}

// TestExec holds how far a thread goes on that has said that the execution is wrong.
func TestExec(t *testing.T) {
	for name, c := range map[string]struct {
		wrong   func(x *interleave.Exec)
		message string
		goesOn  bool
	}{
		"Errorf":  {func(x *interleave.Exec) { x.Errorf("it is %d", 1) }, "it is 1", true},
		"Fatalf":  {func(x *interleave.Exec) { x.Fatalf("it is %d", 1) }, "it is 1", false},
		"FailNow": {func(x *interleave.Exec) { x.FailNow() }, "FailNow was called", false},
	} {
		wentOn, reachedNext := false, false
		f := failureOf(t, func(x *interleave.Exec) {
			var n atomic.Int32
			n.Add(1)
			c.wrong(x)
			wentOn = true
			n.Add(1)
			reachedNext = true
		})
		want := interleave.Failure{Kind: interleave.Assertion, Thread: "only", Message: c.message, Schedule: "0a", Steps: 1}
		if *f != want || wentOn != c.goesOn || reachedNext {
			t.Errorf("%s: expected %+v, and that the thread goes on: %v; observed %+v, %v, past the next operation %v", name, want, c.goesOn, *f, wentOn, reachedNext)
		}
	}
}

// TestFailure holds the rest of what a failure says: the stack of a panic, and switches.
func TestFailure(t *testing.T) {
	f := failureOf(t, func(*interleave.Exec) { panic("here") })
	if f.Kind != interleave.Panic || !strings.Contains(f.Stack, "exec_test.go") || !strings.Contains(f.Message, "here") {
		t.Errorf("expected a panic with its stack; observed %+v", *f)
	}
	r, err := interleave.Explore(func(x *interleave.Exec) {
		var a atomic.Int32
		x.Go("looks", func() {
			if a.Load() == 1 {
				x.Fatalf("seen")
			}
		})
		x.Go("stores", func() { a.Store(1); a.Store(2) })
	}, interleave.Exhaustive())
	if err != nil || r.Failure == nil || r.Failure.Switches != 1 || r.Failure.Schedule != "0b.1a" || r.Failure.Steps != 2 {
		t.Errorf("expected a failure after one switch and two steps; observed %s, %v", r.Text(""), err)
	}
}

// TestFailureKinds holds that the kinds are the engine's, for which users have no other names.
func TestFailureKinds(t *testing.T) {
	for kind, engines := range map[interleave.FailureKind]engine.FailureKind{
		interleave.Assertion: engine.Assertion, interleave.Panic: engine.Panic, interleave.Deadlock: engine.Deadlock, interleave.Livelock: engine.Livelock,
		interleave.StepBound: engine.StepBound, interleave.DataRace: engine.DataRace,
	} {
		if string(kind) != string(engines) {
			t.Errorf("expected %q, the engine's; observed %q", engines, kind)
		}
	}
}
