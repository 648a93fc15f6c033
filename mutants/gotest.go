package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/spec"
)

// The witnesses that are tests of the checkout, and what their output says.

// tests runs tests that name the requirement that fell in their output.
func (s *subject) tests(ctx context.Context, budget time.Duration, run string, pkgs ...string) (result, error) {
	out, err := s.goTest(ctx, budget, append([]string{"-run", run}, pkgs...)...)
	var res result
	if err != nil || !out.failed {
		return res, err
	}
	for _, id := range requirementID.FindAllString(out.text, -1) {
		if _, err := spec.Lookup(id); err == nil {
			res.add(id, out.took)
		}
	}
	if strings.Contains(out.text, "\npanic: ") || strings.Contains(out.text, "\nfatal error: ") {
		res.add("RQ-CRASH", out.took)
	}
	if len(res.fell) == 0 {
		return res, fmt.Errorf("mutants: go test %v failed and named no requirement: %s", pkgs, lastLines(out.text))
	}
	return res, nil
}

// explore has the explorer try every interleaving of its scenarios. If it sees
// nothing it must have exhausted each check: one that it skipped, or ended at a
// bound, is an error, since its silence is worth nothing.
func (s *subject) explore(ctx context.Context, budget time.Duration) (result, error) {
	out, err := s.goTest(ctx, budget, "-v", "-run", "^TestInterleavings$", "./conformance/target/ref")
	if err != nil {
		return result{}, err
	}
	return explored(out)
}

// explored reads the output of an exploration.
func explored(out output) (res result, err error) {
	for _, m := range seenLine.FindAllStringSubmatch(out.text, -1) {
		res.add(m[1], out.took)
	}
	if len(res.fell) > 0 {
		return res, nil
	}
	if out.failed {
		return res, fmt.Errorf("mutants: the exploration failed and named no requirement: %s", said(out.text))
	}
	certificates := make(map[string]string)
	for _, m := range certificateLine.FindAllStringSubmatch(out.text, -1) {
		certificates[m[1]] = m[2]
	}
	for _, c := range conformance.Checks {
		if c.Witness != spec.Interleave || c.Profiles != nil && !slices.Contains(c.Profiles, spec.GoRT) {
			continue
		}
		n := 0
		if m := completeText.FindStringSubmatch(certificates[c.Name]); m != nil {
			n, _ = strconv.Atoi(m[1])
		}
		if n == 0 {
			saw := certificates[c.Name]
			if saw == "" {
				saw = "no certificate: " + said(out.text)
			}
			return result{}, fmt.Errorf("mutants: %s: expected it complete; saw %s", c.Name, saw)
		}
		res.exhausted.Executions += n
		res.exhausted.Scenarios += c.Scenarios
	}
	if res.exhausted.Scenarios == 0 {
		return result{}, errors.New("mutants: there is nothing to explore")
	}
	return res, nil
}

// said returns what a test said, each thing once.
func said(text string) string {
	var lines []string
	for _, m := range saidLine.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(lines, m[1]) && !strings.HasPrefix(m[1], "interleave/") && !strings.HasPrefix(m[1], "not run: ") {
			lines = append(lines, m[1])
		}
	}
	if len(lines) == 0 {
		return lastLines(text)
	}
	return strings.Join(lines[:min(len(lines), 12)], "; ")
}

// The lines are those of conformance.TestSet. A certificate that is complete up
// to something is not complete.
var (
	requirementID = regexp.MustCompile(`\b[A-Z]{2}-[A-Z][A-Z-]*[A-Z]\b`)
	seenLine      = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (RQ-[A-Z-]+), seen by interleave/`)
	// What tests quote of builds of their own is indented.
	nothingRun      = regexp.MustCompile(`(?m)^(?:testing: warning: no tests to run|\?? *\S.*\[no test(?:s to run| files)\])$`)
	notBuilt        = regexp.MustCompile(`(?m)^FAIL\t\S+ \[(?:build|setup) failed\]$`)
	saidLine        = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (.*)$`)
	certificateLine = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (interleave/[a-z-]+): (.*)$`)
	completeText    = regexp.MustCompile(`^complete: (\d+) executions, no bound\b`)
	testTime        = regexp.MustCompile(`(?m)^FAIL\t\S+\t([0-9.]+s)$`)
)

// output is what go test printed.
type output struct {
	text   string
	failed bool
	took   time.Duration // until the first package failed, without the build
}

// goTest runs tests with args, which have to run and may fail.
func (s *subject) goTest(ctx context.Context, budget time.Duration, args ...string) (output, error) {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout+budget)
	defer cancel()
	cmd := child(ctx, s.root, "go", append([]string{"test", "-count=1", "-timeout", budget.String()}, args...)...)
	// Not by the flag: what the tests build themselves must see it too.
	cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+s.overlay)
	var b strings.Builder
	cmd.Stdout, cmd.Stderr = &b, &b
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return output{}, fmt.Errorf("mutants: go test: %w", err)
	}
	err := finish(cmd)
	out := output{text: b.String(), failed: err != nil, took: time.Since(begin)}
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
