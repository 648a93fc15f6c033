package designs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// wrongs are wrong variants of the designs, as edits: what such schedulers have got wrong, or what their authors warn of.
var wrongs = []struct {
	name, design string
	req          string // that falls first
	file, fn     string
	old, new     string
}{
	// EventCount.h: "After calling Prewait, the thread must re-check the wait predicate".
	{"no second look", "eventcount", "SC-WORK", "eventcount_pool.go", "eventCountWorker.wait", `victim != nil {`, `victim != nil && false {`},
	// The same from the other side: the condition is made true behind Notify.
	{"notified before it is queued", "eventcount", "SC-WORK", "eventcount_pool.go", "EventCount.Submit", `	p.workers[p.turn].queue.pushOldest(t)
	p.turn = (p.turn + 1) % len(p.workers)
	p.mu.Unlock()
	p.ec.notify()`, `	turn := p.turn
	p.turn = (p.turn + 1) % len(p.workers)
	p.mu.Unlock()
	p.ec.notify()
	p.workers[turn].queue.pushOldest(t)`},
	// NonBlockingThreadPool.h, WaitForWork: "Almost done, but need to re-check queues".
	{"the last worker does not look again", "eventcount", "SC-CLOSE-WAITS", "eventcount_pool.go", "eventCountWorker.wait", `p.queued() == nil && `, ``},
	// A fault of the design as it was once: no enumerated graph shows it often enough, those by hand do.
	{"the last worker does not see who has the last task", "eventcount", "SC-STEAL", "eventcount_pool.go", "eventCountWorker.wait", ` && p.blocked.Load() == all`, ``},
	{"the last worker tells nobody", "eventcount", "SC-CLOSE-RETURNS", "eventcount_pool.go", "eventCountWorker.wait", `		p.ec.notifyAll()
		return nil, true`, `		return nil, true`},
	{"a spawn wakes nobody", "eventcount", "SC-STEAL", "eventcount_pool.go", "eventCountWorker.Spawn", `w.pool.ec.notify()`, ``},
	// rayon-core/src/sleep/README.md: without the jobs event counter a job is missed that came beside the last look.
	{"jobs are not counted", "sleepcounters", "SC-STEAL", "sleepcounters.go", "sleepCounters.newJob", `for word/oneJob&1 == 1 {`, `for false {`},
	{"who falls asleep does not look at the counter", "sleepcounters", "SC-STEAL", "sleepcounters.go", "sleepCounters.sleep", `if word/oneJob != w.jobs {`, `if false {`},
	// registry.rs, Registry.terminate: each worker whose latch was set is told.
	{"the end tells nobody", "sleepcounters", "SC-CLOSE-RETURNS", "sleepcounters_pool.go", "SleepCounters.countOut", `			p.sleep.wake(i)
`, ``},
	// sleep/mod.rs, work_found: "If we were the last idle thread and other threads are still sleeping, then we should wake up another thread".
	{"who finds work wakes nobody", "sleepcounters", "SC-TOGETHER", "sleepcounters.go", "sleepCounters.workFound", `s.wakeAny(min(now&sleepingMask, 2))`, `_ = now`},
	// ForkJoinPool.java, scan: an inactive worker that finds a queue with tasks releases (helpRelease).
	{"who lies down does not look again", "ctlstack", "SC-WORK", "ctlstack.go", "ctlWorker.find", `p.queued() {`, `p.queued() && false {`},
	{"a spawn signals nobody", "ctlstack", "SC-STEAL", "ctlstack.go", "ctlWorker.Spawn", `w.pool.signalWork()`, ``},
	// LockSupport.unpark: the permit stays for the next park.
	{"unpark before park is lost", "ctlstack", "SC-CLOSE-RETURNS", "ctlstack.go", "ctlWorker.park", `for !w.permit {`, `for w.permit = false; !w.permit; {`},
	// JDK-8330017: the count of released workers drifted, until nobody was signalled any more.
	{"a released worker is not counted", "ctlstack", "SC-CLOSE-RETURNS", "ctlstack.go", "CtlStack.release", `c&countsMask+activeInc|w.below.Load()`, `c&countsMask|w.below.Load()`},
	{"stopped while somebody is active", "ctlstack", "SC-CLOSE-WAITS", "ctlstack.go", "CtlStack.tryTerminate", `c/activeInc > 0 || p.queued()`, `p.queued()`},
}

// besideClose has a task spawn another one and wait for it while the scheduler is closed: that takes both workers.
var besideClose = record.TaskGraph{Name: "s0 c/s1 j1| on 2", Workers: 2, Outside: []string{"s0 c"}, Tasks: []string{"s1 j1", ""}}

// meetBesideClose has a task and two that it spawns meet while the scheduler is closed: that takes all three workers.
var meetBesideClose = record.TaskGraph{Name: "s0 c/s1 s2 m0|m0|m0 on 3", Workers: 3, Outside: []string{"s0 c"}, Tasks: []string{"s1 s2 m0", "m0", "m0"}}

// graphExecutions is how many executions a search of one graph has.
const graphExecutions = 20_000

// TestBesideClose holds that the right designs keep their contracts in besideClose.
func TestBesideClose(t *testing.T) {
	t.Attr("req", "SC-STEAL")
	tier.OnlyFull(t)
	for _, d := range All {
		t.Run(d.Name, func(t *testing.T) { keeps(t, d, &besideClose) })
	}
}

// TestMeetBesideClose holds that they keep them in meetBesideClose. An ordinary run searches one design.
func TestMeetBesideClose(t *testing.T) {
	t.Attr("req", "SC-STEAL")
	tier.OnlyFull(t)
	for _, d := range tier.Some(t, All, 1) {
		t.Run(d.Name, func(t *testing.T) { keeps(t, d, &meetBesideClose) })
	}
}

// keeps holds that nothing of a design falls in a graph, and that all executions were made.
func keeps(t *testing.T, d Design, g *record.TaskGraph) {
	switch got := searched(t, d, g); {
	case got.Hit != nil:
		t.Errorf("expected nothing to fall, saw %+v in execution %d", *got.Hit, got.Executions)
	case got.Open != "" && got.Executions < graphExecutions:
		t.Errorf("expected all interleavings or %d executions, saw %d: %s", graphExecutions, got.Executions, got.Open)
	default:
		t.Logf("%d executions; %s", got.Executions, got.Open)
	}
}

// wrongVar names the design that TestWrongSearched searches.
const wrongVar = "SPINDLE_INTERNAL_WRONG_DESIGN"

// TestWrong holds that each wrong variant falls to the requirement that it names, in what is enumerated from the contract.
func TestWrong(t *testing.T) {
	tier.OnlyFull(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tier.Some(t, wrongs, 1) {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("req", c.req)
			set, err := overlay.New(root)
			if err != nil {
				t.Fatal(err)
			}
			if err := set.Apply(overlay.Edit{File: "conformance/scheduler/designs/" + c.file, Func: c.fn, Old: c.old, New: c.new}); err != nil {
				t.Fatal(err)
			}
			at, err := set.Write(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "test", "-count=1", "-v", "-run=^TestWrongSearched$", ".")
			cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+at, wrongVar+"="+c.design)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "first "+c.req+",") {
				t.Errorf("%s: expected %s to fall first, saw %v\n%s", c.design, c.req, err, out)
			}
			t.Log(strings.TrimSpace(string(out)))
		})
	}
}

// TestWrongSearched says what falls first of the design that the environment names.
func TestWrongSearched(t *testing.T) {
	name := os.Getenv(wrongVar)
	at := slices.IndexFunc(All, func(d Design) bool { return d.Name == name })
	if at < 0 {
		t.Skip(wrongVar + " names no design")
	}
	got := searched(t, All[at], nil)
	if got.Hit == nil {
		t.Fatalf("nothing fell in %d executions", got.Executions)
	}
	t.Logf("first %s, in graph %s, execution %d: %s", got.Hit.Requirement, got.Hit.Scenario, got.Executions, got.Hit.Observed)
}

// searched looks for the first fault of a design in a graph, or in what is enumerated if g is nil.
func searched(t *testing.T, d Design, g *record.TaskGraph) (got suite.Searched) {
	text, err := harness.Remote(t, func() ([]byte, error) {
		target, err := checks.Instrumented(d.Name, d.Contract, d.Factory, harness.Part{Of: 1})
		if err != nil {
			return nil, err
		}
		var got suite.Searched
		if g != nil {
			got, err = checks.SearchGraph(target, *g, graphExecutions)
		} else {
			got, err = checks.Search(t.Context(), target, suite.Limits{Scenarios: 250, Each: 3000, Executions: 90_000})
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(got)
	})
	if err != nil || text == nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got
}
