package hunt

import (
	"context"
	"strings"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	queues "github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/conformance/scheduler"
	schedulers "github.com/spindle-go/spindle/conformance/scheduler/checks"
	others "github.com/spindle-go/spindle/conformance/scheduler/designs"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A Design is what can be hunted.
type Design struct {
	Name  string
	Dir   string   // of its package, as a slash path from the module's root
	Files []string // its files in it; none are all
	// Limits are what each mutant gets.
	Limits suite.Limits
	// Crash is the requirement that is broken if a process dies of a mutant, or an execution has no end.
	Crash string
	// open is called once, with the code as it was, and does what takes long. What it returns looks for the first fault of the
	// code as it is then. Each execution calls executes when it begins.
	open func(l suite.Limits, executes func()) (search, error)
}

type search func(context.Context, suite.Limits) (suite.Searched, error)

// Designs are those that can be hunted: the right queues, the reference, and the right schedulers.
func Designs() (list []Design) {
	for _, d := range designs.All {
		list = append(list, ofQueues(d, "conformance/designs"))
	}
	list = append(list, ofQueues(designs.Design{Name: "runq", Contract: spec.GoRT + ",sizes=powers-from-2", Factory: ref.New}, "impl/runq"))
	for _, d := range others.All {
		list = append(list, ofSchedulers(d))
	}
	return list
}

// unmade is the scenario of a mutant that comes to none.
const unmade = "none can be made"

// ofQueues makes a design of queues. A set that cannot be made is a fault, too.
func ofQueues(d designs.Design, dir string) Design {
	h := Design{Name: d.Name, Dir: dir, Crash: "RQ-CRASH", Limits: suite.Limits{Sequences: 1000, Scenarios: 2500, Each: 2000, Executions: 100_000, Outcomes: true}}
	if d.File != "" {
		h.Files = []string{d.File}
	}
	h.open = func(_ suite.Limits, executes func()) (search, error) {
		made := func(o queue.Options) (queue.Set, error) {
			executes()
			return d.Factory(o)
		}
		return func(ctx context.Context, l suite.Limits) (suite.Searched, error) {
			t, err := queues.Instrumented(d.Name, d.Contract, made)
			if err != nil {
				return crashed(h.Crash, unmade, strings.SplitN(err.Error(), "\n", 2)[0]), nil
			}
			return queues.Search(ctx, t, l)
		}, nil
	}
	return h
}

// ofSchedulers makes a design of schedulers. What it can do is asked once: that takes goroutines that nobody controls, and which
// a mutant could leave behind.
func ofSchedulers(d others.Design) Design {
	return Design{Name: d.Name, Dir: "conformance/scheduler/designs", Files: d.Files, Crash: "SC-CALLS",
		Limits: suite.Limits{Scenarios: 250, Each: 3000, Executions: 90_000},
		open: func(l suite.Limits, executes func()) (search, error) {
			t, err := schedulers.Instrumented(d.Name, d.Contract, func(workers int) scheduler.Scheduler {
				executes()
				return d.Factory(workers)
			}, harness.Part{Of: 1})
			if err != nil {
				return nil, err
			}
			schedulers.Enumerate(t, l)
			return func(ctx context.Context, l suite.Limits) (suite.Searched, error) { return schedulers.Search(ctx, t, l) }, nil
		},
	}
}
