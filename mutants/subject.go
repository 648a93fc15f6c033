package mutants

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/procgroup"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
)

// A subject is the checkout seen through an overlay.
type subject struct {
	root, dir, overlay string
	command            string   // the package of the spindle command
	binary             string   // built when first asked for
	env                []string // of go test, besides
	// How much longer tests may take since they build what they explore: the first time that compiles the standard library.
	builds time.Duration
}

// result is one run of one witness.
type result struct {
	fell         []string      // requirement ids, in the order in which they fell
	first        time.Duration // from the start to the first finding
	inconclusive bool
	exhausted    Scope // by the explorer, if it saw nothing
}

func (r *result) add(id string, after time.Duration) {
	if len(r.fell) == 0 {
		r.first = after
	}
	if !slices.Contains(r.fell, id) {
		r.fell = append(r.fell, id)
	}
}

// buildTimeout bounds a build; rebuilds is what an exploration may take beyond its budget to
// build what it explores; slack is what a child may take beyond its own, which
// does not count the time in which other processes have the processors.
const (
	buildTimeout = 5 * time.Minute
	rebuilds     = time.Minute
	slack        = 5 * time.Minute
)

// probe has one witness look at the subject. It ends when the first of named
// has fallen, since nothing more is to be learned.
func (s *subject) probe(ctx context.Context, w spec.Witness, seed uint64, budget time.Duration, named []string) (result, error) {
	switch w {
	case spec.Interleave:
		return s.explore(ctx, budget)
	case spec.Property:
		return s.tests(ctx, budget, "Property", "./impl/runq", "./conformance/property")
	case spec.Fuzz:
		return s.tests(ctx, budget, "^Fuzz", "./fuzz")
	}
	return s.check(ctx, w, seed, budget, named)
}

// check runs "spindle check" on the reference ring, whose source is what the
// overlay changes.
func (s *subject) check(ctx context.Context, w spec.Witness, seed uint64, budget time.Duration, named []string) (result, error) {
	if err := s.build(ctx); err != nil {
		return result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, budget+slack)
	defer cancel()
	cmd := child(ctx, s.dir, s.binary, "check", "-run", "^"+string(w)+"/", "-seed", fmt.Sprint(seed), "-budget", budget.String(),
		"-out", filepath.Join(s.dir, "histories"), "-json", "-", "ref")
	cmd.Env = append(cmd.Env, s.env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return result{}, fmt.Errorf("mutants: %w", err)
	}
	var errs tail
	cmd.Stderr = &errs
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return result{}, fmt.Errorf("mutants: %w", err)
	}
	var res result
	var g gate.Gate
	enough := false
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var e suite.Event
		if err := json.Unmarshal(line, &e); err != nil {
			continue // a mutant may have brought the suite to say anything
		}
		g.Event(e)
		switch {
		case e.Event == suite.FindingEvent && e.Finding != nil:
			res.add(e.Finding.Requirement, time.Since(begin))
			if enough = len(named) > 0 && e.Finding.Requirement == named[0]; enough {
				cancel()
			}
		case e.Event == suite.CheckEvent && e.Result != nil:
			res.inconclusive = res.inconclusive || e.Result.Ended == suite.Inconclusive
		}
	}
	io.Copy(io.Discard, out)
	err = finish(cmd)
	if enough || len(res.fell) > 0 {
		return res, nil
	}
	switch r := g.Result(); {
	case r.Footer == nil:
		return res, fmt.Errorf("mutants: spindle check ended without a footer after %v: %v: %s", time.Since(begin).Round(time.Millisecond), err, errs.String())
	case r.Verdict == gate.Error:
		return res, fmt.Errorf("mutants: spindle check: %s", strings.Join(r.Reasons, "; "))
	}
	return res, nil
}

// build builds the command, once.
func (s *subject) build(ctx context.Context) error {
	if s.binary != "" {
		return nil
	}
	at := filepath.Join(s.dir, "spindle")
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	cmd := child(ctx, s.root, "go", "build", "-overlay", s.overlay, "-o", at, s.command)
	var errs tail
	cmd.Stdout, cmd.Stderr = &errs, &errs
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("mutants: go build: %w", err)
	}
	if err := finish(cmd); err != nil {
		return fmt.Errorf("mutants: go build: %w: %s", err, errs.String())
	}
	s.binary = at
	return nil
}

// tail keeps the end of what is written to it.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > 1<<16 {
		t.b = append(t.b[:0], t.b[len(t.b)-1<<12:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return lastLines(string(t.b)) }

// lastLines returns the last lines of a child's output.
func lastLines(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return "no output"
	}
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// child returns a command that leads a process group of its own. When ctx ends
// the group is interrupted, and killed if that does not end it.
func child(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	// Not what the caller has set for tests: mutants are judged the same everywhere.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SPINDLE_") || strings.HasPrefix(v, "RAPID_") })
	// A test of rapid that fails writes a file beside itself, into the checkout.
	cmd.Env = append(cmd.Env, "RAPID_NOFAILFILE=1")
	cmd.WaitDelay = 3 * time.Second
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Interrupt(cmd) }
	return cmd
}

// finish waits for a child and ends what it left behind.
func finish(cmd *exec.Cmd) error {
	err := cmd.Wait()
	_ = procgroup.Kill(cmd)
	return err
}
