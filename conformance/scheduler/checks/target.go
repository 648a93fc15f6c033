package checks

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/valve"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Target is schedulers: it runs task graphs. Both sides are data, so that a Go value and a child process look the same
// from here.
type Target interface {
	suite.Target
	Capabilities() scheduler.Capabilities
	// Run runs a graph on a fresh scheduler. Its error is ctx's, a *drive.PanicError, drive.ErrFull, or the harness's.
	Run(ctx context.Context, g *record.TaskProgram) (*record.TaskRun, error)
}

// InProcess makes a target of a factory. Its error says that the profile is none of a scheduler, or is a *drive.PanicError.
func InProcess(name string, profile spec.Profile, f scheduler.Factory) (Target, error) {
	return inProcessOf(name, profile, f, nil)
}

// Instrumented makes a target of a factory whose code the explorer controls, for one of several processes that share what is
// explored.
func Instrumented(name string, profile spec.Profile, f scheduler.Factory, part harness.Part) (Target, error) {
	return inProcessOf(name, profile, f, &part)
}

func inProcessOf(name string, profile spec.Profile, f scheduler.Factory, part *harness.Part) (Target, error) {
	contract, err := spec.ParseSchedulerContract(string(profile))
	if err != nil {
		return nil, err
	}
	probed, caps, err := drive.Probe(f)
	if err != nil {
		return nil, err
	}
	if contract.Is("tasks", spec.Leaving) && !caps.Park {
		return nil, fmt.Errorf("checks: contract tasks=cooperative: expected tasks that park (Parker), so that they leave their workers while they wait, saw %q of the first task", strings.Join(caps.Words(), ", "))
	}
	var valves []valve.Scene
	if s, ok := probed.(valved); ok {
		valves = s.Valves()
	}
	sizer, _ := probed.(scheduler.Sizer)
	var idleTimes []time.Duration
	if s, ok := probed.(scheduler.Idler); ok {
		idleTimes = s.IdleTimes()
	}
	options := optionsOf(contract)
	options.Threads = true
	return &inProcess{factory: f, idleTimes: idleTimes, sizer: sizer, caps: caps, contract: contract, part: part, valves: valves, options: options,
		desc: suite.Description{Name: name, Version: runtime.Version(), Kind: suite.InProcess, Profile: profile, Offers: caps.Words()},
	}, nil
}

// optionsOf are how graphs are run on schedulers of a contract.
func optionsOf(contract spec.SchedulerContract) drive.Options {
	return drive.Options{
		Bound: boundOf(contract), Crowd: contract.Is("workers", spec.Exact), Leaves: contract.Is("close", spec.Waits),
		Last: !contract.Is("closed", spec.Refused), Parks: contract.Is("tasks", spec.Leaving),
		Excused: func(run *record.TaskRun) bool { return judge(run, contract).doubt != "" },
	}
}

// boundOf is how long a task may wait beside an idle worker.
func boundOf(c spec.SchedulerContract) time.Duration {
	bound, err := time.ParseDuration(c.Of("bound").Name)
	if err != nil {
		panic("checks: the bound of a contract is no duration: " + err.Error())
	}
	return bound
}

type inProcess struct {
	factory   scheduler.Factory
	idleTimes []time.Duration // after which it does something
	sizer     scheduler.Sizer // nil: its queues have the size that they have
	desc      suite.Description
	caps      scheduler.Capabilities
	contract  spec.SchedulerContract
	options   drive.Options
	valves    []valve.Scene
	part      *harness.Part // of what is explored; nil: the code is not instrumented
	short     bool
	control   bool               // it is wrong on purpose
	searched  []record.TaskGraph // of the last search, which asked for so many at most
	most      int
	lost      atomic.Int32 // runs whose threads are lost in loops

	shrinking atomic.Int64 // so long, in nanoseconds, graphs were made smaller
}

func (t *inProcess) Describe() suite.Description          { return t.desc }
func (t *inProcess) Capabilities() scheduler.Capabilities { return t.caps }
func (t *inProcess) Close() error                         { return nil }

// mostLost bounds the runs that were given up while their threads ran: those take the processors.
const mostLost = 3

func (t *inProcess) Run(ctx context.Context, g *record.TaskProgram) (*record.TaskRun, error) {
	if t.lost.Load() >= mostLost {
		return nil, &undecided{"earlier runs go on in threads that nothing can end"}
	}
	run, err := drive.Run(ctx, t.factoryOf(&g.TaskGraph), g, t.options)
	if err == nil && run.Stalls() {
		t.lost.Add(1)
	}
	return run, err
}

// factoryOf returns what makes the schedulers for a graph.
func (t *inProcess) factoryOf(g *record.TaskGraph) scheduler.Factory {
	if g.Ring == 0 {
		return t.factory
	}
	return func(workers int) scheduler.Scheduler { return t.sizer.Sized(workers, g.Ring) }
}

// undecided is the error of a check that came to no verdict.
type undecided struct{ reason string }

func (e *undecided) Error() string { return e.reason }

// Short makes the plan for a target as small as go test -short does.
func Short(t Target) {
	if in, ok := t.(*inProcess); ok {
		in.short = true
	}
}

// facts is what a plan depends on of a target.
type facts struct {
	contract spec.SchedulerContract
	caps     scheduler.Capabilities
	short    bool
	outside  bool // it runs in another process
}

func factsOf(t suite.Target) facts {
	c, _ := t.Describe().Profile.Scheduler()
	in, _ := t.(*inProcess)
	_, out := t.(*outside)
	return facts{contract: c, caps: t.(Target).Capabilities(), short: in != nil && in.short, outside: out}
}

// Named returns t as a target that the command line names so: for the commands that show a finding again.
func Named(t Target, command string) Target {
	if in, ok := t.(*inProcess); ok {
		in.desc.Command = command
	}
	return t
}
