package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// The witnesses that are tests of the checkout, and what their events say.

// tests runs tests that write their findings as events. One whose stream has no end
// has crashed, or was ended at its time.
func (s *subject) tests(ctx context.Context, budget time.Duration, run string, pkgs ...string) (result, error) {
	dir, err := os.MkdirTemp(s.dir, "events-")
	if err != nil {
		return result{}, fmt.Errorf("mutants: %w", err)
	}
	out, err := s.goTest(ctx, budget, dir, append([]string{"-run", run}, pkgs...)...)
	if err != nil {
		return result{}, err
	}
	events, err := readEvents(dir)
	if err != nil {
		return result{}, fmt.Errorf("%w: %s", err, lastLines(out.text))
	}
	unfinished, err := filepath.Glob(filepath.Join(dir, suite.Unfinished))
	if err != nil {
		return result{}, fmt.Errorf("mutants: %w", err)
	}
	return fellIn(events, len(unfinished) > 0, out)
}

// fellIn says what fell in tests.
func fellIn(events []suite.Event, unfinished bool, out output) (res result, err error) {
	for _, e := range events {
		if e.Event == suite.FindingEvent {
			res.add(e.Finding.Requirement, out.took)
		}
	}
	if unfinished {
		res.add("RQ-CRASH", out.took)
	}
	switch {
	case out.failed && len(res.fell) == 0:
		return res, fmt.Errorf("mutants: the tests failed and named no requirement: %s", lastLines(out.text))
	case !out.failed && len(res.fell) > 0:
		return res, fmt.Errorf("mutants: the tests passed, though %v fell: %s", res.fell, lastLines(out.text))
	case len(events) == 0 && !unfinished:
		return res, fmt.Errorf("mutants: expected events of the tests, saw none: %s", lastLines(out.text))
	}
	return res, nil
}

// explore has the explorer try every interleaving of its scenarios. If it sees
// nothing it must have exhausted each check: one that it skipped, or ended at a
// bound, is an error, since its silence is worth nothing.
func (s *subject) explore(ctx context.Context, budget time.Duration) (result, error) {
	dir, err := os.MkdirTemp(s.dir, "events-")
	if err != nil {
		return result{}, fmt.Errorf("mutants: %w", err)
	}
	out, err := s.goTest(ctx, budget+rebuilds, dir, "-run", "^TestInterleavings$", "./conformance/target/ref")
	if err != nil {
		return result{}, err
	}
	events, err := readEvents(dir)
	if err != nil {
		return result{}, fmt.Errorf("%w: %s", err, lastLines(out.text))
	}
	return explored(events, out)
}

// readEvents returns the events that tests left in dir.
func readEvents(dir string) (events []suite.Event, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson"))
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("mutants: %w", err)
		}
		err = suite.ReadEvents(f, func(e suite.Event) { events = append(events, e) })
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("mutants: %w", err)
		}
	}
	return events, nil
}

// exhausts reports whether a check of the explorer must be complete of the reference: unless its plan lacks what the reference does not offer, or targets that
// explore tell its histories.
func exhausts(c *suite.Check) bool {
	return c.Witness == spec.Interleave && !c.Told && c.Fits(spec.GoRT) && !c.Sample && c.Plan(reference()).Lacks == ""
}

// reference is the code as it is.
var reference = sync.OnceValue(func() suite.Target {
	t, err := checks.InProcess("ref", spec.GoRT, ref.New)
	if err != nil {
		panic("mutants: the reference is no target: " + err.Error())
	}
	return t
})

// explored reads the events of an exploration.
func explored(events []suite.Event, out output) (res result, err error) {
	results := make(map[string]*suite.Result)
	for _, e := range events {
		switch {
		case e.Event == suite.FindingEvent && strings.HasPrefix(e.Check, string(spec.Interleave)+"/"):
			res.add(e.Finding.Requirement, out.took)
		case e.Event == suite.CheckEvent:
			results[e.Check] = e.Result
		}
	}
	if len(res.fell) > 0 {
		return res, nil
	}
	for _, c := range checks.Subject.Checks {
		if !exhausts(&c) {
			continue
		}
		r := results[c.Name]
		switch {
		case r == nil:
			return result{}, fmt.Errorf("mutants: %s: expected a result, saw none: %s", c.Name, lastLines(out.text))
		case r.Ended != suite.Completed || !r.Complete || r.Executions == 0:
			return result{}, fmt.Errorf("mutants: %s: expected it complete, saw it %s after %d executions: %s%s", c.Name, r.Ended, r.Executions, r.Reason, r.Note)
		}
		res.exhausted.Executions += r.Executions
		res.exhausted.Scenarios += r.Scenarios
	}
	if out.failed {
		return result{}, fmt.Errorf("mutants: the exploration failed and named no requirement: %s", lastLines(out.text))
	}
	if res.exhausted.Scenarios == 0 {
		return result{}, errors.New("mutants: there is nothing to explore")
	}
	return res, nil
}

var (
	// What tests quote of builds of their own is indented.
	nothingRun = regexp.MustCompile(`(?m)^(?:testing: warning: no tests to run|\?? *\S.*\[no test(?:s to run| files)\])$`)
	notBuilt   = regexp.MustCompile(`(?m)^FAIL\t\S+ \[(?:build|setup) failed\]$`)
	testTime   = regexp.MustCompile(`(?m)^FAIL\t\S+\t([0-9.]+s)$`)
)

// output is what go test printed.
type output struct {
	text   string
	failed bool
	took   time.Duration // until the first package failed, without the build
	tests  []*testRun
}

// goTest runs tests with args, which have to run and may fail. Their events go to
// the folder events, if one is named.
func (s *subject) goTest(ctx context.Context, budget time.Duration, events string, args ...string) (output, error) {
	budget += s.builds
	ctx, cancel := context.WithTimeout(ctx, buildTimeout+budget)
	defer cancel()
	cmd := child(ctx, s.root, "go", append([]string{"test", "-json", "-count=1", "-timeout", budget.String()}, args...)...)
	// Not by the flag: what the tests build themselves must see it too.
	cmd.Env = append(cmd.Env, s.env...)
	cmd.Env = append(cmd.Env, allCases)
	cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+s.overlay)
	if events != "" {
		// A scenario that one mutant failed must not be tried on the next.
		cmd.Env = append(cmd.Env, suite.EventsVar+"="+events, suite.KeptVar+"=off")
	}
	var b strings.Builder
	cmd.Stdout, cmd.Stderr = &b, &b
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return output{}, fmt.Errorf("mutants: go test: %w", err)
	}
	err := finish(cmd)
	out := output{failed: err != nil, took: time.Since(begin)}
	out.text, out.tests = testLog(b.String())
	var exit *exec.ExitError
	switch {
	case nothingRun.MatchString(out.text):
		return out, fmt.Errorf("mutants: go test %v: no tests to run", args)
	case err == nil:
		return out, nil
	case !errors.As(err, &exit), notBuilt.MatchString(out.text), !strings.Contains(out.text, "FAIL"):
		return out, fmt.Errorf("mutants: go test %v: %w: %s", args, err, lastLines(out.text))
	}
	if m := testTime.FindStringSubmatch(out.text); m != nil {
		if d, err := time.ParseDuration(m[1]); err == nil {
			out.took = d
		}
	}
	return out, nil
}
