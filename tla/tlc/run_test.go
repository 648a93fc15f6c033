package tlc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

func lock(t *testing.T, old, new string) tlc.Job {
	t.Helper()
	text, err := os.ReadFile("testdata/model/cfg/lock.cfg")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("lock.cfg has no %q", old)
	}
	return tlc.Job{Files: os.DirFS("testdata/model"), Module: "Lock", Config: strings.Replace(string(text), old, new, 1), Short: true}
}

// big is a module of (n+1)^5 states.
func big(n int) tlc.Job {
	const text = `---- MODULE Big ----
EXTENDS Integers
CONSTANT N
VARIABLE c
Init ==
  c = [i \in 1..5 |-> 0]
Inc(i) ==
  /\ c[i] < N
  /\ c' = [c EXCEPT ![i] = @ + 1]
Next ==
  \E i \in 1..5 : Inc(i)
Spec ==
  Init /\ [][Next]_c
====
`
	return tlc.Job{
		Files: fstest.MapFS{"Big.tla": {Data: []byte(text)}}, Module: "Big",
		Config: fmt.Sprintf("CONSTANT N = %d\nSPECIFICATION Spec\n", n), HeapMB: 512, Short: true,
	}
}

// empty requires that runs leave nothing in the temporary folder.
func empty(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("expected nothing left in the temporary folder, saw %v", left)
		}
	})
}

func TestRun(t *testing.T) {
	tool := tlctest.Find(t)
	empty(t)
	job := lock(t, "", "")
	job.Coverage, job.Dump = true, filepath.Join(t.TempDir(), "lock.dot")
	r, err := tool.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != tlc.Holds || r.Generated != 53 || r.Distinct != 28 || r.Depth != 9 || strings.Join(r.Dead(), " ") != "GiveUp" {
		t.Errorf("saw %+v", *r)
	}
	f, err := os.Open(job.Dump)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := tlc.ReadGraph(f)
	if err != nil || len(g.Nodes) != 28 || len(g.Edges) != 52 || len(g.Initial) != 1 {
		t.Errorf("expected 28 nodes and 52 edges, saw %d and %d, %v", len(g.Nodes), len(g.Edges), err)
	}
}

func TestRunFindsWhatIsWrong(t *testing.T) {
	tool := tlctest.Find(t)
	empty(t)
	for _, c := range tier.Some(t, []struct {
		old, new, property string
		states             int
	}{
		{"Bugs = {}", `Bugs = {"no_lock"}`, "Exclusive", 5},
		{"Bugs = {}", `Bugs = {"overrun"}`, "Short", 7},
		{"Bugs = {}", `Bugs = {"no_leave"}`, "Free", 4},
		{"\n  Free", "\n  Served", "Served", 9},
	}, 1) {
		r, err := tool.Run(t.Context(), lock(t, c.old, c.new))
		if err != nil || r.Outcome != tlc.Violated || r.Property != c.property || len(r.Trace) != c.states {
			t.Errorf("%s: expected %s after %d states, saw %v, %v", c.new, c.property, c.states, r, err)
		}
	}
	job := lock(t, "Bugs = {}", `Bugs = {"no_lock"}`)
	job.Simulate, job.Depth, job.Seed = 100, 20, 1
	if r, err := tool.Run(t.Context(), job); err != nil || r.Property != "Exclusive" {
		t.Errorf("simulation: saw %v, %v", r, err)
	}
}

func TestRunOfWhatDoesNotParse(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	empty(t)
	bad := fstest.MapFS{"Bad.tla": {Data: []byte("---- MODULE Bad ----\nVARIABLE x\nInit == x = y\nNext == x' = x\n====\n")}}
	_, err := tool.Run(t.Context(), tlc.Job{Files: bad, Module: "Bad", Config: "INIT Init\nNEXT Next\n"})
	if !errors.Is(err, tlc.ErrParse) || !strings.Contains(err.Error(), "Unknown operator: `y'") {
		t.Errorf("saw %v", err)
	}
	if err := tool.Parse(t.Context(), bad, "Bad"); !errors.Is(err, tlc.ErrParse) || !strings.Contains(err.Error(), "Unknown operator: `y'") {
		t.Errorf("saw %v", err)
	}
	if err := tool.Parse(t.Context(), os.DirFS("testdata/model"), "Lock"); err != nil {
		t.Error(err)
	}
	if _, err := tool.Run(t.Context(), lock(t, "Ms = {1, 2}", "")); !errors.Is(err, tlc.ErrConfig) {
		t.Errorf("saw %v", err)
	}
}

// An interrupt ends Java, and what was found until then is returned.
func TestRunInterrupted(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	empty(t)
	ctx, cancel := context.WithCancel(t.Context())
	job := big(60)
	job.Progress = func(p tlc.Progress) {
		if p.Distinct > 1 {
			cancel()
		}
	}
	begin := time.Now()
	r, err := tool.Run(ctx, job)
	if err != nil || r.Outcome != tlc.Interrupted || r.Distinct < 2 {
		t.Errorf("saw %+v, %v", r, err)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	job.Progress, job.Timeout = nil, 2*time.Second
	if r, err = tool.Run(t.Context(), job); err != nil || r.Outcome != tlc.TimedOut {
		t.Errorf("expected that the time was up, saw %v, %v", r, err)
	}
}

// The disk is full: a file system of 4 MB in a namespace of the test's own.
func TestRunOnAFullDisk(t *testing.T) {
	const inside = "SPINDLE_INTERNAL_FULL"
	if dir := os.Getenv(inside); dir != "" {
		t.Setenv("TMPDIR", dir)
		_, err := tlctest.Find(t).Run(t.Context(), big(40))
		if !errors.Is(err, tlc.ErrDisk) || !strings.Contains(err.Error(), "No space left on device") {
			t.Errorf("expected that the disk is full, saw %v", err)
		}
		return
	}
	tier.OnlyFull(t)
	tlctest.Find(t)
	dir := t.TempDir()
	own := []string{"unshare", "--user", "--map-root-user", "--mount", "sh", "-c", `mount -t tmpfs -o size=4m none "$0" && exec "$@"`, dir}
	if out, err := exec.Command(own[0], append(own[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here, so no disk is full: %v: %s", err, out)
	}
	cmd := exec.Command(own[0], append(own[1:], os.Args[0], "-test.run=^TestRunOnAFullDisk$", "-test.v")...)
	cmd.Env = append(os.Environ(), inside+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestDistributed compares what a server with two workers on the loopback counts
// with what one process counts.
func TestDistributed(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.FindServer(t)
	empty(t)
	job := big(5)
	one, err := tool.Run(t.Context(), job)
	if err != nil || one.Distinct != 6*6*6*6*6 {
		t.Fatalf("saw %+v, %v", one, err)
	}
	r, sent, err := distributed(t, tool, job, 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != tlc.Holds || r.Distinct != one.Distinct {
		t.Errorf("expected %d distinct states, saw %d, %s", one.Distinct, r.Distinct, r.Outcome)
	}
	if got := sent + 1; got != one.Generated { // the server generates the initial state
		t.Errorf("expected the workers to generate %d states, saw %d", one.Generated, got)
	}
	t.Logf("one process: %d distinct in %v; server and 2 workers: %v", one.Distinct, one.Wall, r.Wall)

	bad := lock(t, "Bugs = {}", `Bugs = {"no_lock"}`)
	if _, _, err = distributed(t, tool, bad, 1); !errors.Is(err, tlc.ErrConfig) {
		t.Errorf("expected that a PROPERTY is refused, saw %v", err)
	}
	bad.Config, _, _ = strings.Cut(bad.Config, "PROPERTIES")
	if r, _, err = distributed(t, tool, bad, 1); err != nil || r.Outcome != tlc.Violated || len(r.Candidates) != 2 || len(r.Trace) < 2 {
		t.Errorf("expected an invariant to fall, saw %v, %v", r, err)
	}
}

// distributed runs job with workers of one thread each.
func distributed(t *testing.T, tool *tlc.Tool, job tlc.Job, workers int) (*tlc.Result, int64, error) {
	t.Helper()
	s := tlc.Server{Port: freePort(t)}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex
	sent := int64(0)
	var once sync.Once
	r, err := tool.Serve(ctx, job, s, func(string) {
		once.Do(func() {
			for range workers {
				wg.Go(func() {
					n, err := tool.Work(ctx, s, 1, 256)
					mu.Lock()
					defer mu.Unlock()
					sent += n
					if err != nil && ctx.Err() == nil && job.Module == "Big" {
						t.Errorf("a worker: %v", err)
					}
				})
			}
		})
	})
	if err != nil {
		cancel()
	}
	wg.Wait()
	return r, sent, err
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
