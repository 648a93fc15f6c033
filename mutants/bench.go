package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/mutants/operators"
	"github.com/spindle-go/spindle/mutants/operators/chosen"
)

// A bench has all mutants of a run in one source, a switch in front of each function,
// and the test binaries that are built of it. Which mutant runs is in the environment
// of a test binary.
type bench struct {
	root, dir, overlay string
	test2json          string
	binaries           map[string]string // by package, "./internal/suite"
	sound              map[string]bool   // packages and tests that passed on the code as it was
}

// newBench puts the mutants of designs, whose numbers differ, into one overlay.
func newBench(ctx context.Context, root, dir string, designs []*operators.Design) (*bench, error) {
	at, err := overlaid(root, filepath.Join(dir, "overlay"), designs...)
	if err != nil {
		return nil, err
	}
	b := &bench{root: root, dir: dir, overlay: at, binaries: make(map[string]string), sound: make(map[string]bool)}
	out, err := b.goCommand(ctx, "tool", "-n", "test2json")
	b.test2json = strings.TrimSpace(out)
	return b, err
}

// overlaid writes an overlay of the checkout that has all mutants of designs into dir, and returns its file.
func overlaid(root, dir string, designs ...*operators.Design) (string, error) {
	set, err := overlay.New(root)
	if err != nil {
		return "", err
	}
	for _, d := range designs {
		for file, text := range d.Source() {
			if err := set.Put(file, text); err != nil {
				return "", err
			}
		}
	}
	return set.Write(dir)
}

// goCommand runs the go command in the checkout and returns what it printed.
func (b *bench) goCommand(ctx context.Context, args ...string) (string, error) {
	return b.command(ctx, "go", args...)
}

// command runs a command in the checkout and returns what it printed.
func (b *bench) command(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	cmd := child(ctx, b.root, name, args...)
	var out strings.Builder
	var errs tail
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("mutants: %s: %w", name, err)
	}
	if err := finish(cmd); err != nil {
		return "", fmt.Errorf("mutants: %s %s: %w: %s", name, args[0], err, errs.String())
	}
	return out.String(), nil
}

// build builds the test binary of a package with all mutants in it, once. Go vet is left
// out, and what a debugger wants.
func (b *bench) build(ctx context.Context, pkg string) error {
	if b.binaries[pkg] != "" {
		return nil
	}
	at := filepath.Join(b.dir, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "_")+".test")
	if _, err := b.goCommand(ctx, "test", "-c", "-vet=off", "-ldflags=-w", "-overlay="+b.overlay, "-o", at, pkg); err != nil {
		return err
	}
	b.binaries[pkg] = at
	return nil
}

// prepare builds the test binary of a package, and holds that the tests pass on the code as it was. It does so once.
func (b *bench) prepare(ctx context.Context, pkg, tests string, budget time.Duration, env ...string) error {
	if b.sound[pkg+" "+tests] {
		return nil
	}
	if err := b.build(ctx, pkg); err != nil {
		return err
	}
	out, err := b.run(ctx, pkg, 0, tests, budget, env...)
	if err == nil && out.failed && ctx.Err() == nil {
		err = fmt.Errorf("mutants: %s: its tests fail though nothing was changed: %s", pkg, lastLines(out.text))
	}
	b.sound[pkg+" "+tests] = err == nil
	return err
}

// run has tests of a package run one mutant; 0 is the code as it was. What they leave
// in the folder for temporary files is removed. An error is no failure of a test: no
// test was run, or there is no binary.
func (b *bench) run(ctx context.Context, pkg string, number int, tests string, budget time.Duration, env ...string) (output, error) {
	temp, err := os.MkdirTemp(b.dir, "run-")
	if err != nil {
		return output{}, fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(ctx, budget+slack)
	defer cancel()
	// The binary itself, and not test2json around it: that ends alike where there is no binary and where a test fails.
	cmd := child(ctx, filepath.Join(b.root, filepath.FromSlash(pkg)), b.binaries[pkg],
		"-test.v=test2json", "-test.paniconexit0", "-test.count=1", "-test.failfast", "-test.timeout="+budget.String(), "-test.run="+tests)
	cmd.Env = append(cmd.Env, "TMPDIR="+temp,
		fmt.Sprintf("%s=%d", chosen.Var, number),
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+b.overlay) // for what tests build themselves
	cmd.Env = append(cmd.Env, env...)
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return output{}, fmt.Errorf("mutants: %s: %w", pkg, err)
	}
	err = finish(cmd)
	out := output{failed: err != nil, took: time.Since(begin)}
	convert := child(context.WithoutCancel(ctx), b.root, b.test2json)
	convert.Stdin = strings.NewReader(text.String())
	log, failed := convert.Output()
	if failed != nil {
		return out, fmt.Errorf("mutants: test2json: %w", failed)
	}
	out.text, out.tests = testLog(string(log))
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && !out.failed:
		return out, ctx.Err()
	case strings.Contains(out.text, "testing: warning: no tests to run"):
		return out, fmt.Errorf("mutants: %s: -test.run=%s: expected tests, saw none", pkg, tests)
	case err != nil && !errors.As(err, &exit):
		return out, fmt.Errorf("mutants: %s: %w", pkg, err)
	}
	return out, nil
}

// each calls do for each of n, several at a time, until ctx ends: half as many again as
// there are processors, since the tests of a timeout wait.
func each(ctx context.Context, n int, do func(i int)) {
	var group sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range min(runtime.GOMAXPROCS(0)*3/2, n) {
		group.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	group.Wait()
}
