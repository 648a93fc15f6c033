package harness

import (
	"errors"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/rerun"
	"github.com/spindle-go/spindle/interleave/internal/settings"
)

// ScheduleAsked returns the schedule of ScheduleVar, "" if there is none. With one t does
// not pass: one execution at most was run.
func ScheduleAsked(t testing.TB) string {
	t.Helper()
	return rerun.ScheduleAsked(t)
}

// ScheduleVar is the environment variable that Reproduce sets, SPINDLE_SCHEDULE. A harness
// whose test finds it set passes its value to interleave.Schedule.
const ScheduleVar = rerun.ScheduleVar

// Remote calls f in an instrumented binary of the test t and returns what f returned there,
// as it is: f words it, by encoding/json for example, and the caller of Remote reads it.
//
// The first call in a test binary builds the instrumented one, from the package under test
// and those packages of the main modules that it imports, and each call runs this very test
// in it. In that binary f is called once, for the call of Remote or interleave.Test that
// was asked for, and t ends there with it, skipped; other calls of Remote in it return nil
// and no error. Under go test -fuzz the whole run goes on in the instrumented binary, and
// Remote only calls f.
//
// Of the options interleave.NoRaces counts: plain accesses are then not looked at. An error
// is that of f, or says why there is no such binary, and what to do.
func Remote(t testing.TB, f func() ([]byte, error), opts ...interleave.Option) ([]byte, error) {
	t.Helper()
	return rerun.Remote(t, !settings.Of(opts).NoRaces, func(int) ([]byte, error) { return f() })
}

// A Part is one of several binaries that share a call of Parts: the I-th of Of, from 0. Dir
// is a folder that all of them see, "" where there is but one.
type Part struct {
	I, Of int
	Dir   string
}

// Say sends the caller of wait something before f returns.
func (p Part) Say(text []byte) { rerun.Part(p).Say(text) }

// Parts is Remote in n instrumented binaries side by side, each of which does a part of the
// work. The binary is built while the caller does something else, or if that may not be, later: by wait. Then wait starts them and
// returns what f returned in each of them, by part. Meanwhile it gives heard what they say
// (Part.Say), as it comes. Where Remote returns nil, wait is nil. Built is closed when the binary
// is there, or will not be: to build it takes memory of this process.
func Parts(t testing.TB, n int, later bool, f func(Part) ([]byte, error)) (wait func(heard func([]byte)) ([][]byte, error), built <-chan struct{}) {
	t.Helper()
	return rerun.Parts(t, true, later, n, func(p rerun.Part) ([]byte, error) { return f(Part(p)) })
}

// Refused reports whether an error of Remote or interleave.Explore is about code that
// cannot be explored by its nature, wherever it is run: it uses a channel, or nothing of
// its package can be explored, since it imports C for example.
func Refused(err error) bool {
	if e, ok := errors.AsType[*rerun.Error](err); ok && e.Problem == rerun.NotExplored {
		return true
	}
	return errors.Is(err, engine.ErrRefused)
}

// Strangers is an error for which Refused holds if an exploration had threads that code has
// started which is not explored: what they do between their operations was not seen.
func Strangers(c *interleave.Certificate) error {
	for _, d := range c.Doubts {
		if d.What == certificate.Strangers {
			return fmt.Errorf("%w: not seen: %s. A copy of it in a workspace can be explored: see interleave/README.md", engine.ErrRefused, d.What)
		}
	}
	return nil
}

// Stuck reports whether an error of interleave.Explore says that a call hangs. Nothing ends
// it, and while it runs, this process explores nothing more.
func Stuck(err error) bool { return errors.Is(err, engine.ErrStuck) }

// Reproduce returns the command that runs one schedule of t, in the folder of its package:
// "SPINDLE_SCHEDULE=0a.2b go test -count=1 -run '^TestX$' ."
func Reproduce(t testing.TB, schedule string) string { return rerun.Reproduce(t, schedule) }

// Again returns the command that runs t again, and no other test, in the folder of its
// package: "go test -count=1 -run '^TestX$' ."
func Again(t testing.TB) string { return rerun.Again(t) }
