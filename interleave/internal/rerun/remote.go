package rerun

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// ScheduleVar is the environment variable that has a test run one schedule.
const ScheduleVar = "SPINDLE_SCHEDULE"

// Remote calls f in an instrumented binary of the test t, with the ordinal of this
// call of Remote within the test, and returns what f returned there. In that binary t
// ends with the call that the parent asked for; other calls return nil at once, as
// calls that passed. Plain says whether plain accesses are looked at.
//
// It is to be called by what a package exports, not by a function below that.
func Remote(t testing.TB, plain bool, f func(ordinal int) ([]byte, error)) ([]byte, error) {
	t.Helper()
	if !Instrumented() {
		return Run(t, Request{File: testFile()})
	}
	return here(t, plain, func(c *ChildCall) ([]byte, error) { return f(c.Ordinal) })
}

// A Part is one of several binaries that share a call: the I-th of Of, from 0. Dir is a
// folder that all of them see, "" where there is but one.
type Part struct {
	I, Of int
	Dir   string
}

// Parts is Remote in n binaries side by side, each of which does a part of the work. The
// binary is built while the caller does something else: wait starts them, and returns what f
// returned in each. Meanwhile it gives heard what the parts say, as it comes. Where Remote
// returns nil, wait is nil. Built is closed when the binary is there, or will not be.
func Parts(t testing.TB, plain, later bool, n int, f func(Part) ([]byte, error)) (wait func(heard func([]byte)) ([][]byte, error), built <-chan struct{}) {
	t.Helper()
	if !Instrumented() {
		start, built := begin(t, Request{File: testFile(), Later: later})
		return func(heard func([]byte)) ([][]byte, error) {
			dir, err := os.MkdirTemp("", "spindle-parts-")
			if err != nil {
				return nil, &Error{Problem: Other, Err: err}
			}
			defer os.RemoveAll(dir)
			var args [][]byte
			for i := range n {
				text, err := json.Marshal(Part{i, n, dir})
				if err != nil {
					return nil, &Error{Problem: Other, Err: err}
				}
				args = append(args, text)
			}
			return hearing(dir, heard, func() ([][]byte, error) { return start(args) })
		}, built
	}
	payload, err := here(t, plain, func(c *ChildCall) ([]byte, error) {
		part := Part{0, 1, ""}
		if !c.Whole {
			if err := json.Unmarshal(c.Args, &part); err != nil {
				return nil, fmt.Errorf("rerun: the part of a call: %w", err)
			}
		}
		return f(part)
	})
	if err == nil && payload == nil {
		return nil, nil
	}
	done := make(chan struct{})
	close(done)
	return func(func([]byte)) ([][]byte, error) {
		if err != nil {
			return nil, err
		}
		return [][]byte{payload}, nil
	}, done
}

// saying begins the names of the files in Part.Dir that say something.
const saying = "say-"

var said atomic.Int64

// Say sends the parent something before the call has ended. What cannot be sent is lost.
func (p Part) Say(text []byte) {
	if p.Dir == "" {
		return
	}
	name := fmt.Sprintf("%d-%09d", p.I, said.Add(1))
	whole := filepath.Join(p.Dir, "part-"+name)
	if os.WriteFile(whole, text, 0o600) == nil {
		os.Rename(whole, filepath.Join(p.Dir, saying+name))
	}
}

// hearing gives heard what parts say in dir while f is at work.
func hearing(dir string, heard func([]byte), f func() ([][]byte, error)) (payloads [][]byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		payloads, err = f()
	}()
	look := func() {
		files, _ := filepath.Glob(filepath.Join(dir, saying+"*"))
		slices.Sort(files)
		for _, name := range files {
			if text, err := os.ReadFile(name); err == nil {
				heard(text)
			}
			os.Remove(name)
		}
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			look()
			return payloads, err
		case <-tick.C:
			look()
		}
	}
}

// here makes the call in an instrumented binary.
func here(t testing.TB, plain bool, f func(*ChildCall) ([]byte, error)) ([]byte, error) {
	t.Helper()
	call, err := Child(t)
	if err != nil {
		return nil, err
	}
	if !call.Asked() {
		return nil, nil
	}
	engine.PlainAccesses = plain
	payload, err := f(call)
	if err != nil || call.Whole {
		return payload, err
	}
	if err := call.Send(payload); err != nil {
		return nil, err
	}
	t.SkipNow() // the rest is the parent's
	return nil, nil
}

// ScheduleAsked returns the schedule of ScheduleVar, "" if there is none. A test that asks
// for it does not pass if there is one: it ran one execution at most, and a variable that
// was left over must not look like a test that passed.
func ScheduleAsked(t testing.TB) string {
	t.Helper()
	schedule := os.Getenv(ScheduleVar)
	if schedule == "" || at.call != "" && at.call != whole { // the parent fails
		return schedule
	}
	t.Cleanup(func() {
		if !t.Failed() && !t.Skipped() {
			t.Errorf("interleave: at most one execution was run, that of %s=%s, and nothing failed: unset the variable to explore", ScheduleVar, schedule)
		}
	})
	return schedule
}

// testFile returns the file of the test that called Remote. Test files are of the
// package under test alone, so the nearest one is it, however many helpers lie
// between. A goroutine may have none, such as a subtest that is a function of another
// package: then it is the file that called what called Remote.
func testFile() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs)]) // without Callers, testFile, Remote and its caller
	nearest := ""
	for {
		frame, more := frames.Next()
		if nearest == "" {
			nearest = frame.File
		}
		if strings.HasSuffix(frame.File, "_test.go") {
			return frame.File
		}
		if !more {
			return nearest
		}
	}
}

// Reproduce returns the command that has t run one schedule.
func Reproduce(t testing.TB, schedule string) string {
	return fmt.Sprintf("%s=%s %s", ScheduleVar, schedule, Again(t))
}

// Again returns the command that runs t again, and no other test.
func Again(t testing.TB) string {
	var parts []string
	for p := range strings.SplitSeq(t.Name(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(p)+"$")
	}
	names := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`) // a shell reads it
	return fmt.Sprintf("go test -count=1 -run '%s' .", names)
}
