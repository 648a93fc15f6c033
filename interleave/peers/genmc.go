package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/spindle-go/spindle/interleave/examples/published"
)

// A comparison is a program of the literature that GenMC's test suite has too.
type comparison struct {
	program string
	seconds float64  // of CPU, measured earlier; conditions says how
	args    []string // for GenMC, in a checkout of it
}

var compared = []comparison{
	{"lastzero 15", 8.06, []string{"--", "-DN=15", "tests/correct/synthetic/lastzero/variants/lastzero0.c"}},
	{"fib_bench 5", 1.16, []string{"--", "tests/correct/synthetic/fib_bench/variants/fib_bench0.c"}},
	{"indexer 15", 1.71, []string{"--", "-DN=15", "tests/correct/synthetic/indexer/variants/indexer0.c"}},
	{"big0", 0.31, []string{"--", "tests/correct/synthetic/big0/variants/big00.c"}},
	// As the test suite has them: without what would make fewer executions do.
	{"casw 5", 0.20, []string{"-disable-ipr", "-disable-sr", "--", "-DN=5", "tests/correct/synthetic/casw/variants/casw0.c"}},
	{"CoA 5", 0.24, []string{"-disable-ipr", "-disable-sr", "--", "-DN=5", "tests/correct/synthetic/CoA/variants/coa0.c"}},
}

const conditions = `GenMC was not run: its executions are what its test suite publishes (0.11.0, sequential consistency), its CPU
seconds were measured in November 2026 on another machine (0.10.3 with -sc, 0.07 s of clang in them). With the
option -genmc it is run here.`

// find returns what is known of a program before anything is run: the arguments
// and a row with what was published and measured earlier.
func find(t task) (comparison, row, error) {
	all := published.Exact()
	i := slices.IndexFunc(all, func(p published.Program) bool { return p.Name == t.Program })
	j := slices.IndexFunc(compared, func(c comparison) bool { return c.program == t.Program })
	if i < 0 || j < 0 {
		return comparison{}, row{}, fmt.Errorf("program %q: nothing was published or measured", t.Program)
	}
	r := newRow(t)
	r.Runs, r.Executions, r.Classes, r.CPU, r.Complete, r.Earlier = 1, all[i].Count, all[i].Count, compared[j].seconds, true, true
	return compared[j], r, nil
}

// earlier answers with what was published and measured earlier.
type earlier struct{}

func (earlier) run(_ context.Context, t task) (row, error) {
	_, r, err := find(t)
	return r, err
}

// A checkout is a folder with GenMC's source, built there.
type checkout string

var (
	complete = regexp.MustCompile(`Number of complete executions explored: (\d+)`)
	blocked  = regexp.MustCompile(`Number of blocked executions seen: (\d+)`)
)

// run explores the test suite's program in a process of its own, clang's part
// included, and holds the number of executions against what was published.
func (dir checkout) run(ctx context.Context, t task) (row, error) {
	c, r, err := find(t)
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.Limit+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(string(dir), "genmc"), append([]string{"-sc", "-disable-estimation"}, c.args...)...)
	cmd.Dir = string(dir)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	if errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("-genmc: expected a checkout of GenMC in which it was built: %w", err)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w\n%s", t.name(), err, out)
	}
	r.Seconds = time.Since(begin).Seconds()
	r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	want := r.Classes
	r.Classes, r.Earlier = number(complete, out), false
	r.Executions = r.Classes + number(blocked, out)
	if r.Classes != want {
		return r, fmt.Errorf("%s: expected %d executions; observed %d\n%s", t.name(), want, r.Classes, out)
	}
	return r, nil
}

// number returns what the pattern finds, or 0.
func number(pattern *regexp.Regexp, text []byte) int {
	n := 0
	if m := pattern.FindSubmatch(text); m != nil {
		n, _ = strconv.Atoi(string(m[1])) // digits, by the pattern
	}
	return n
}
