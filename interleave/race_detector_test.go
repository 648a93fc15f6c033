package interleave_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/internal/racy"
	"github.com/spindle-go/spindle/interleave/internal/racy/program"
	"github.com/spindle-go/spindle/internal/tier"
)

// generated is how many programs the tests of this file make.
func generated(t *testing.T) int {
	if tier.Full(t) {
		return 2000
	}
	return 200
}

// start has the threads of a generated program started.
func start(x *interleave.Exec, p *racy.Program) *racy.Recorder {
	rec := &racy.Recorder{Threads: len(p.Threads)}
	s := program.New(p, rec)
	for t, ops := range p.Threads {
		x.Daemon(fmt.Sprint("t", t), func() { s.Run(t, ops) })
	}
	return rec
}

// compared is an execution that the explorer chose.
type compared struct {
	Run  racy.Run
	Maps bool
	Text string
}

// TestAgainstRaceDetector: one execution of each of many programs, chosen by chance,
// is run on real goroutines under the race detector of Go: what it reports, the
// explorer has reported. The other way round a map differs, of which the detector
// sees locks that the documentation does not promise. It leaves out others as well:
// it remembers four accesses to a word, so that bytes of one are forgotten; it does
// not see what assembly reads, or package internal/strconv writes; and it takes what
// package fmt puts into a pool and gets from it for an order, at times.
func TestAgainstRaceDetector(t *testing.T) {
	tier.OnlyFull(t)
	payload, err := harness.Remote(t, func() ([]byte, error) {
		all := make([]compared, generated(t))
		for i := range all {
			seed := uint64(i)
			p := racy.Make(seed, program.Groups())
			var last *racy.Recorder // of the failure's schedule, as it is shown
			r, err := interleave.Explore(func(x *interleave.Exec) {
				last = start(x, p)
			}, interleave.Random(), interleave.Executions(1), interleave.Seed(seed))
			if err != nil {
				return nil, fmt.Errorf("program %d: %w", i, err)
			}
			all[i] = compared{Run: last.Run(seed), Maps: p.Maps, Text: r.Text("")}
			if f := r.Failure; f != nil {
				all[i].Run.Race = f.Kind == interleave.DataRace
				if !all[i].Run.Race && f.Kind != interleave.Deadlock { // a child may wait for ever
					return nil, fmt.Errorf("program %d: %s", i, r.Text(""))
				}
			}
		}
		return json.Marshal(all)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var all []compared
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	verdicts := detect(t, all)
	races, departed, more, only := 0, 0, 0, 0
	for i, v := range verdicts {
		e := &all[i]
		switch {
		case v.Departed:
			departed++
			continue
		case v.Race && !e.Run.Race:
			t.Errorf("program %d: the race detector reports a race, the explorer does not: %s\n%+v\n%+v", i, e.Text, e.Run.Steps, *racy.Make(uint64(i), program.Groups()))
		case !v.Race && e.Run.Race && e.Maps:
			more++
		case !v.Race && e.Run.Race:
			only++
			said, _, _ := strings.Cut(e.Text, "\n")
			t.Logf("program %d: only the explorer reports it: %s", i, said)
		}
		if v.Race {
			races++
		}
	}
	t.Logf("%d programs, %d with a race that both saw, %d with one that only the explorer saw, %d with a map and such a one, %d not compared", len(all), races, only, more, departed)
	if only > len(all)/200 {
		t.Errorf("%d times only the explorer reports a race: more than what the detector leaves out", only)
	}
	if departed > len(all)/50 || races < len(all)/5 || races > 4*len(all)/5 {
		t.Errorf("%d of %d have a race, %d were not compared: the programs are no good", races, len(all), departed)
	}
}

// detect runs the executions under the race detector.
func detect(t *testing.T, all []compared) []racy.Verdict {
	t.Helper()
	env, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	if cc := strings.Fields(string(env)); len(cc) == 0 {
		t.Skip("the race detector needs a C compiler: go env CC names none")
	} else if _, err := exec.LookPath(cc[0]); err != nil {
		t.Skipf("the race detector needs a C compiler: %v", err)
	}
	binary := filepath.Join(t.TempDir(), "detect")
	build := exec.Command("go", "build", "-race", "-o", binary, "./internal/racy/detect")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	runs := make([]racy.Run, len(all))
	for i := range all {
		runs[i] = all[i].Run
	}
	input, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary)
	cmd.Stdin = bytes.NewReader(input)
	// Each race counts, however alike another was.
	cmd.Env = append(os.Environ(), "GORACE=history_size=7 suppress_equal_stacks=0 suppress_equal_addresses=0 exitcode=0 symbolize=0 log_path="+filepath.Join(t.TempDir(), "races"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var verdicts []racy.Verdict
	if err := json.Unmarshal(out, &verdicts); err != nil || len(verdicts) != len(runs) {
		t.Fatalf("%d verdicts of %d: %v", len(verdicts), len(runs), err)
	}
	return verdicts
}

// TestRightPrograms: in programs that are free of races by construction none is
// found.
func TestRightPrograms(t *testing.T) {
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var wrong []string
		complete, executions := 0, 0
		for i := range generated(t) {
			p := racy.MakeRight(uint64(i), program.Groups())
			r, err := interleave.Explore(func(x *interleave.Exec) { start(x, p) }, interleave.Exhaustive(), interleave.Executions(100))
			if err != nil {
				return nil, fmt.Errorf("program %d: %w", i, err)
			}
			if r.Failure != nil && r.Failure.Kind != interleave.Deadlock {
				wrong = append(wrong, fmt.Sprintf("program %d: %s", i, r.Text("")))
			}
			executions += r.Certificate.Executions
			if r.Certificate.Complete() {
				complete++
			}
		}
		if len(wrong) == 0 {
			wrong = []string{fmt.Sprintf("%d executions, %d complete", executions, complete)}
		}
		return json.Marshal(wrong)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var said []string
	if err := json.Unmarshal(payload, &said); err != nil {
		t.Fatal(err)
	}
	if len(said) == 1 && strings.HasSuffix(said[0], " complete") {
		t.Log(said[0])
		return
	}
	for _, s := range said[:min(20, len(said))] {
		t.Errorf("one of %d programs: %s", len(said), s)
	}
}
