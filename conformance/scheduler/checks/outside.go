package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Used returns which part of a processor a process used within d, and which part it used or waited for. ok is false where that is not known.
type Used = func(ctx context.Context, d time.Duration) (ran, wanted float64, ok bool)

// A Runner runs graphs on schedulers of another process, such as a *child.Scheduler.
type Runner interface {
	Capabilities() scheduler.Capabilities
	// Workers returns the numbers of workers that its schedulers can have; nil: any.
	Workers() []int
	// IdleTimes returns after which times of idleness its schedulers do something.
	IdleTimes() []time.Duration
	// Run runs a graph. Its error is ctx's, a *drive.DeathError, drive.ErrFull, one that wraps drive.ErrUnseen, or the harness's.
	Run(ctx context.Context, g *record.TaskProgram, o drive.Options) (*record.TaskRun, error)
	// Hold runs a graph that does not end by itself. As soon as there says of the log that it has come to where it is to be looked at, held is called; then all
	// that waits goes on. Its error is Run's.
	Hold(ctx context.Context, g *record.TaskProgram, o drive.Options, there func([]record.TaskEvent) bool, held func(Used)) error
	Used(ctx context.Context, d time.Duration) (ran, wanted float64, ok bool)
	// LightWorkers reports whether its workers are no threads of the system.
	LightWorkers() bool
	Close() error
}

// Outside makes a target of schedulers of another process. Its error says that the profile is none of a scheduler.
func Outside(desc suite.Description, r Runner) (Target, error) {
	contract, err := spec.ParseSchedulerContract(string(desc.Profile))
	if err != nil {
		return nil, err
	}
	desc.Offers = r.Capabilities().Words()
	return &outside{Runner: r, desc: desc, options: optionsOf(contract)}, nil
}

// Under returns a target of another process under a contract in place of its own. The command line names it so.
func Under(t Target, p spec.Profile, command string) (Target, error) {
	o, ok := t.(*outside)
	if !ok {
		return nil, errors.New("checks: Under: expected a target of another process")
	}
	desc := o.desc
	desc.Profile, desc.Command = p, command
	return Outside(desc, o.Runner)
}

type outside struct {
	Runner
	desc      suite.Description
	options   drive.Options
	since     int          // the last run in which it was looked for threads that are left
	shrinking atomic.Int64 // so long, in nanoseconds, graphs were made smaller
}

func (t *outside) Describe() suite.Description { return t.desc }

func (t *outside) Run(ctx context.Context, g *record.TaskProgram) (*record.TaskRun, error) {
	o := t.options
	// Whether threads are left takes many runs to see: it is looked at in some.
	if t.since++; o.Leaves {
		if o.Leaves = t.since > eachLeaves && leavesSoon(g); o.Leaves {
			t.since = 0
		}
	}
	return t.Runner.Run(ctx, g, o)
}

// hidesThreads says why nobody sees which workers a target leaves behind, or "".
func hidesThreads(t suite.Target) string {
	if o, ok := t.(*outside); ok && o.LightWorkers() {
		return "its workers are no threads of the system, as it says (light_workers): what Close leaves of them is not seen from outside"
	}
	return ""
}

// oneWorker says why nobody sees tasks of a target that run beside each other, or "".
func oneWorker(t suite.Target) string {
	if o, ok := t.(*outside); ok && slices.Equal(o.Workers(), []int{1}) && !o.cooperative() && !o.Capabilities().Park {
		return "its schedulers have one worker, as it says (workers)"
	}
	return ""
}

// eachLeaves is how many runs there are from one in which it is looked whether threads are left, to the next.
const eachLeaves = 40

// looksForThreads has the next graph looked at that can be.
func (t *outside) looksForThreads() { t.since = eachLeaves }

// leavesSoon reports whether a graph is soon over, and its Close returns. Each check has such graphs: else it would judge no Close.
func leavesSoon(p *record.TaskProgram) bool {
	if len(p.Tasks) > mostTasksLeft {
		return false
	}
	for who, s := range p.Steps() {
		switch {
		case who < 0:
		case s.Op == record.Sleep && s.Arg > mostSleepLeft:
			return false
		case s.Op == record.Naps, s.Op == record.Turns, s.Op == record.Spin:
			return false
		}
	}
	return true
}

// The bounds of graphs that are soon over: tasks, and microseconds of a sleep.
const (
	mostTasksLeft = 1200
	mostSleepLeft = 10000
)

// runs reports whether the target can have as many workers as a graph has, and the protocol of children has its steps.
func (t *outside) runs(g *record.TaskGraph) bool {
	p, err := g.Program()
	if err != nil || g.Ring > 0 {
		return false
	}
	if list := t.Workers(); list != nil {
		if !slices.Contains(list, g.Workers) || p.Most != g.Workers {
			return false
		}
	}
	for _, s := range p.Steps() {
		switch s.Op {
		case record.Rally, record.Repeat, record.Lock, record.Unlock, record.Exit:
			return false
		}
	}
	return true
}

// fitting leaves graphs out that the child cannot be asked to run, and says how many.
func (t *outside) fitting(list []record.TaskGraph) ([]record.TaskGraph, string) {
	fit := slices.DeleteFunc(slices.Clone(list), func(g record.TaskGraph) bool { return !t.runs(&g) })
	if n := len(list) - len(fit); n > 0 {
		return fit, fmt.Sprintf("%d graphs are left out, for numbers of workers that the target cannot have or steps that children do not know", n)
	}
	return fit, ""
}

// A hold is a time at which a scheduler has nothing to do.
type hold struct {
	graph record.TaskGraph
	tasks int // that keep a worker each
}

// holds are the graphs of stress/idle: after 40 tasks nothing is to be done, and then two tasks wait on their workers.
func holds() [2]hold {
	idle := record.TaskGraph{Name: "40 tasks, and then none", Workers: 4, Outside: []string{submits(0, 40) + joins(0, 40) + "w0"}, Tasks: make([]string, 40)}
	kept := record.TaskGraph{Name: "40 tasks, and then two that wait on their workers", Workers: 4, Outside: []string{submits(0, 40) + joins(0, 40) + "s40 s41 w0"}, Tasks: append(make([]string, 40), "w0", "w0")}
	return [2]hold{{idle, 0}, {kept, 2}}
}

// there reports whether a run has come to where it is to be looked at: the thread waits, and the tasks do.
func (h hold) there(events []record.TaskEvent) bool {
	n := 0
	for i := range events {
		if e := &events[i]; e.What == record.Does && e.Step == "w0" {
			n++
		}
	}
	return n == 1+h.tasks
}

// A usage is how much of a processor a process used, and how much it used or waited for. Beside other programs a process that wakes for a moment waits for long,
// and one that wants a processor all the time has little of one: what is between is not sure.
type usage struct{ ran, wanted float64 }

func (u usage) works() bool { return u.ran > mostUsed }
func (u usage) rests() bool { return u.wanted <= mostUsed }

func (u usage) String() string {
	return fmt.Sprintf("the process used %.1f %% of a processor, and waited for %.1f %%", 100*u.ran, 100*(u.wanted-u.ran))
}

// manyLooks is how often a process is looked at that is not at rest: a virtual machine may compile for seconds what has just run.
const manyLooks = 12

// usageOf looks at a process; if it is not at rest, again after pauses.
func usageOf(ctx context.Context, look Used) (u usage, known bool) {
	for i := range manyLooks {
		if i > 0 && !passes(ctx, pause) {
			break
		}
		if u.ran, u.wanted, known = look(ctx, looks*time.Millisecond*8); u.rests() || !known {
			break
		}
	}
	return u, known
}

// idles looks whether a scheduler of another process is at rest that has nothing to do: at the processor time of the whole process.
func (t *outside) idles(ctx context.Context, k *suite.Task) suite.Outcome {
	open := func(reason string) suite.Outcome { return suite.Outcome{Ended: suite.Inconclusive, Reason: reason} }
	var seen [2]usage
	out := suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64), Cut: make(map[string]string)}
	list := holds()
	for i, id := range []string{"SC-IDLE", "SC-SPIN"} {
		if i == 1 && t.cooperative() {
			continue
		}
		if i == 1 && !seen[0].rests() {
			out.Cut[id] = "no two tasks were given a worker to wait on, since the process was not at rest before: see SC-IDLE"
			continue
		}
		if !t.runs(&list[i].graph) {
			return open("the target cannot have 4 workers, and is not looked at")
		}
		known := false
		p, err := list[i].graph.Program()
		if err == nil {
			err = t.Hold(ctx, p, t.options, list[i].there, func(look Used) { seen[i], known = usageOf(ctx, look) })
		}
		switch {
		case ctx.Err() != nil:
			return k.Stopped(ctx, "not all looks were taken")
		case errors.Is(err, drive.ErrUnseen), errors.Is(err, drive.ErrFull), errors.As(err, new(*drive.DeathError)): // other checks judge that
			return open(list[i].graph.Name + ": " + err.Error())
		case err != nil:
			return suite.Outcome{Ended: suite.Error, Reason: list[i].graph.Name + ": " + err.Error()}
		case !known:
			return open("the processor time of the child is not known on this system")
		case !seen[i].works() && !seen[i].rests():
			out.Cut[id] = fmt.Sprintf("the process was neither at work nor at rest for sure (%v): run it again, with less beside it", seen[i])
			continue
		}
		out.Judged[id] = 1
	}
	if seen[0].works() || seen[1].works() {
		after, known := usageOf(ctx, t.Used)
		switch {
		case ctx.Err() != nil:
			return k.Stopped(ctx, "not all looks were taken")
		case !known || !after.rests():
			return open(fmt.Sprintf("the process is not at rest after Close either: %v", after))
		case seen[0].works():
			k.Find(record.Finding{Requirement: "SC-IDLE", Expected: "all threads wait", Observed: seen[0].String() + "; after Close it was at rest"})
		default:
			k.Find(record.Finding{Requirement: "SC-SPIN", Expected: "all threads wait: two tasks wait on their workers, and there are no others", Observed: seen[1].String() + "; before these two tasks, and after Close, it was at rest"})
		}
	}
	out.Note = "with nothing to do " + seen[0].String()
	return out
}

// cooperative reports whether no task keeps its worker while it waits.
func (t *outside) cooperative() bool {
	c, _ := t.desc.Profile.Scheduler()
	return c.Is("tasks", spec.Leaving)
}

// died is the verdict on a run in which the process has ended.
func died(p *record.TaskProgram, death *drive.DeathError, t Target) verdict {
	f := record.Finding{Requirement: "SC-CALLS", Fingerprint: "SC-CALLS/died", Expected: "the process lives on", Observed: death.Text}
	contract, _ := t.Describe().Profile.Scheduler()
	for _, script := range p.Scripts {
		if n := len(script); n > 0 && script[n-1].Op == record.Panic && contract.Is("panics", spec.Isolated) {
			f.Requirement, f.Fingerprint, f.Expected = "SC-PANIC", "SC-PANIC/died", "a task that panics ends alone"
		}
	}
	if death.Stack != "" {
		f.Evidence = []record.Evidence{{Kind: record.Goroutines, Lines: strings.Split(death.Stack, "\n")}}
	}
	return verdict{cut: true, findings: []record.Finding{f}}
}
