package hunt_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/hunt"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/scheduler"
	schedulers "github.com/spindle-go/spindle/conformance/scheduler/designs"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants/operators/chosen"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestHunt carries out the job that the environment names. A process that dies has killed
// one mutant, and the next process goes on behind it.
func TestHunt(t *testing.T) {
	dir := os.Getenv(hunt.Var)
	if dir == "" {
		t.Skip(hunt.Var + " names no job")
	}
	carryOut(t, dir, hunt.Designs())
}

// carryOut carries out the job of a folder.
func carryOut(t *testing.T, dir string, list []hunt.Design) {
	t.Helper()
	job, err := hunt.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for {
		payload, err := harness.Remote(t, func() ([]byte, error) { return []byte("done"), job.Run(t.Context(), list) })
		if err != nil {
			if err := job.Died(list, err); err != nil {
				t.Fatal(err)
			}
		}
		if payload != nil {
			return
		}
		// In the instrumented binary: it was asked for a later call.
	}
}

// planted is a queue with mutants made by hand.
type planted struct {
	designs.Locked
	gets int
	hold [][]byte
}

var planting = hunt.OfQueues(designs.Design{Name: "planted", Contract: "fifo,steal-miss=anytime,bound=grows", Factory: queue.Single(func() *planted {
	if chosen.Number() == 8 {
		panic("no queue today")
	}
	return new(planted)
})}, "")

func (q *planted) Get() (record.ID, bool) {
	q.gets++
	switch n := chosen.Number(); {
	case n == 1 && !q.Locked.Empty(): // takes one and gives another
		q.Locked.Get()
		return 99, true
	case n == 2 && q.gets == 3:
		for i := 0; ; i++ { // without an operation
			q.gets = i
		}
	case n == 3:
		for !q.Locked.Empty() || q.gets > 0 { // with operations
			q.gets++
		}
	case n == 4 && q.gets == 2:
		os.Exit(1)
	case n == 5 && q.gets == 2:
		for {
			q.hold = append(q.hold, make([]byte, 1<<20))
		}
	case n == 6 && q.gets == 2:
		panic("a get that dies")
	}
	return q.Locked.Get()
}

func (q *planted) Steal() (record.ID, bool) {
	if chosen.Number() == 7 { // finds nothing, as it may
		return 0, false
	}
	return q.Locked.Steal()
}

// outcome is what a planted mutant must come to: "" is nothing found.
type outcome struct {
	requirement, observed string
	died                  bool
}

// huntPlanted hunts the planted mutants of a design, which are numbered from 0, and then none once more. It returns the results.
// The variable names the folder of the job to the instrumented binary.
func huntPlanted(t *testing.T, variable string, d hunt.Design, want []outcome) map[int]hunt.Line {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = t.TempDir()
		t.Setenv(variable, dir)
		job := hunt.Job{
			Design: d.Name,
			Limits: suite.Limits{Sequences: 30, Scenarios: 150, Each: 100, Executions: 5000, Outcomes: true},
			Alone:  hunt.Alone{Time: 500 * time.Millisecond, Memory: 64 << 20},
		}
		for n := range want {
			job.Numbers = append(job.Numbers, n)
		}
		job.Numbers = append(job.Numbers, 0)
		if err := job.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	carryOut(t, dir, []hunt.Design{d})
	lines, err := hunt.Lines(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[int]hunt.Line)
	for _, l := range lines {
		if !l.Begin {
			got[l.Number] = l
		}
	}
	for n, want := range want {
		l, ok := got[n]
		switch {
		case !ok:
			t.Errorf("mutant %d: expected a result, saw none", n)
		case want.requirement == "" && l.Hit != nil:
			t.Errorf("mutant %d: expected nothing found, saw %+v %+v", n, l, l.Hit)
		case want.requirement != "" && (l.Hit == nil || l.Hit.Requirement != want.requirement || !strings.Contains(l.Hit.Observed, want.observed) || l.Died != want.died):
			t.Errorf("mutant %d: expected %+v, saw %+v %+v", n, want, l, l.Hit)
		}
	}
	return got
}

// TestPlanted holds that what is planted is found by what it breaks, that a mutant that
// takes the process with it is noted and the next ones are hunted, too, and that one that
// keeps the contract is not killed.
func TestPlanted(t *testing.T) {
	tier.OnlyFull(t)
	got := huntPlanted(t, hunt.Var+"_PLANTED", planting, []outcome{
		0: {},
		1: {requirement: "RQ-INVENTED"},
		2: {"RQ-CRASH", "has no end within", true},
		3: {requirement: "RQ-CRASH", observed: "livelock"},
		4: {"RQ-CRASH", "the process died", true},
		5: {"RQ-CRASH", "MiB of memory", true},
		6: {requirement: "RQ-CRASH", observed: "a get that dies"},
		7: {},
		8: {requirement: "RQ-CRASH", observed: "no queue today"},
	})
	for _, n := range []int{0, 7} {
		if got[n].Digest == "" || got[n].Open != "" {
			t.Errorf("mutant %d: expected it tried to the end, saw %+v", n, got[n])
		}
	}
	if got[0].Digest == got[7].Digest {
		t.Errorf("expected other outcomes of a queue whose steals find nothing, saw the same: %s", got[0].Digest)
	}
}

// plantedPool is a right scheduler with mutants made by hand.
type plantedPool struct {
	*schedulers.EventCount
	submitted int
}

var plantingPool = hunt.OfSchedulers(schedulers.Design{Name: "planted pool", Contract: spec.Pool, Factory: func(workers int) scheduler.Scheduler {
	if chosen.Number() == 5 {
		panic("no pool today")
	}
	return &plantedPool{EventCount: schedulers.NewEventCount(workers)}
}})

func (p *plantedPool) Submit(task func(scheduler.Task)) error {
	switch chosen.Number() {
	case 1: // takes one and runs none
		return nil
	case 2:
		for i := 0; ; i++ { // without an operation
			p.submitted = i
		}
	case 3:
		os.Exit(1)
	case 4:
		panic("a submission that dies")
	case 6: // may be
		return p.EventCount.Submit(func(t scheduler.Task) { task(t) })
	}
	return p.EventCount.Submit(task)
}

// TestPlantedPool holds the same of a scheduler.
func TestPlantedPool(t *testing.T) {
	tier.OnlyFull(t)
	huntPlanted(t, hunt.Var+"_PLANTED_POOL", plantingPool, []outcome{
		0: {},
		1: {requirement: "SC-WORK"},
		2: {"SC-CALLS", "has no end within", true},
		3: {"SC-CALLS", "the process died", true},
		4: {requirement: "SC-CALLS", observed: "a submission that dies"},
		5: {requirement: "SC-CALLS", observed: "no pool today"},
		6: {},
	})
}

// TestDied holds that a process that ends while it is nobody's turn is an error.
func TestDied(t *testing.T) {
	dir := t.TempDir()
	if err := (&hunt.Job{Design: "deque", Numbers: []int{0}}).Save(dir); err != nil {
		t.Fatal(err)
	}
	job, err := hunt.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Died(hunt.Designs(), os.ErrClosed); err == nil || !strings.Contains(err.Error(), "expected a mutant whose turn it was") {
		t.Errorf("expected an error, saw %v", err)
	}
}
