package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A smoke run says in ten seconds what is wrong with a child that is a scheduler: whether it keeps to the protocol, step by step, and whether the suite can see
// what it must see. It judges no scheduler.

// smokeGraph is a graph that shows one thing of a child.
type smokeGraph struct {
	what    string
	needs   func(scheduler.Capabilities, spec.SchedulerContract) bool // nil: every child runs it
	workers int
	outside string // threads, with | between them
	tasks   string // tasks, with | between them
}

func offers(has func(scheduler.Capabilities) bool) func(scheduler.Capabilities, spec.SchedulerContract) bool {
	return func(c scheduler.Capabilities, _ spec.SchedulerContract) bool { return has(c) }
}

var smokeGraphs = []smokeGraph{
	{"a task is submitted, runs, and ends (s)", nil, 1, "s0", ""},
	{"20 tasks, and threads that wait for their end (s j)", nil, 1, "s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 j9|s10 s11 s12 s13 s14 s15 s16 s17 s18 s19 j10", strings.Repeat("|", 19)},
	{"events from outside, and of tasks (a w)", nil, 1, "s0 a0 w1", "w0 a1"},
	{"two tasks meet (m)", nil, 2, "s0 s1", "m0|m0"},
	{"a task waits for another one (j)", nil, 2, "s0 s1", "j1|"},
	{"a script closes (c)", nil, 1, "s0 c", ""},
	{"tasks submit tasks (s)", offers(func(c scheduler.Capabilities) bool { return c.Spawn }), 1, "s0", "s1|s2|"},
	{"a task parks, and another makes it ready (p)", offers(func(c scheduler.Capabilities) bool { return c.Park }), 1, "s0 s1", "p0|a0"},
	{"a thread makes a parked task ready (p)", offers(func(c scheduler.Capabilities) bool { return c.Ready }), 1, "s0 s1 j1 a0", "p0|"},
	{"tasks yield (y l)", offers(func(c scheduler.Capabilities) bool { return c.Yield }), 2, "s0 s1", "y y l0|y a0"},
	{"a task looks until an event (h)", func(_ scheduler.Capabilities, c spec.SchedulerContract) bool { return c["tasks"] != "cooperative" }, 2, "s0 s1", "h0|a0"},
	{"tasks sleep (z k)", offers(func(c scheduler.Capabilities) bool { return c.Sleep }), 2, "s0 s1 z1000", "z2000 a0|k0"},
	{"a task blocks (b)", offers(func(c scheduler.Capabilities) bool { return c.Block }), 1, "s0 s1", "b0|a0"},
	{"a task forks another, and joins it (f n)", offers(func(c scheduler.Capabilities) bool { return c.Join }), 1, "s0", "f1 n1|"},
	{"a thread waits for all tasks (v)", offers(func(c scheduler.Capabilities) bool { return c.Wait }), 1, "s0 v", ""},
	{"the number of workers changes (r)", offers(func(c scheduler.Capabilities) bool { return c.Resize }), 1, "r2 s0 s1", "m0|m0"},
	{"a task changes the number of workers (r)", offers(func(c scheduler.Capabilities) bool { return c.ResizeInside }), 1, "s0 j0 s1 s2", "r2|m0|m0"},
	{"a task panics, and others run (x)", func(_ scheduler.Capabilities, c spec.SchedulerContract) bool { return c.Is("panics", spec.Isolated) }, 1, "s0 j0 s1", "x|"},
}

// smoke runs a child, and writes what it finds. The child that is no scheduler, or has no sound hello, is an error.
func smoke(ctx context.Context, w io.Writer, command string) (int, error) {
	argv := strings.Fields(command)
	q, s, err := child.Open(ctx, func() *exec.Cmd { return exec.Command(argv[0], argv[1:]...) }, child.Options{Timeout: scenarioTimeout})
	if err != nil {
		return exit.Error, err
	}
	if q != nil {
		q.Close()
		return exit.Usage, errors.New("-smoke: expected a child that is a scheduler, saw a queue; queues are soon over: spindle check -run '^sequence/order$' 'exec:...'")
	}
	defer s.Close()
	h := s.Hello()
	profile, err := claimedScheduler(h)
	if err != nil {
		return exit.Error, fmt.Errorf("the hello: %w", err)
	}
	contract, err := spec.ParseSchedulerContract(string(profile))
	if err != nil {
		return exit.Error, fmt.Errorf("the hello: %w", err)
	}
	fmt.Fprintf(w, "%s %s\n  contract: %s\n", h.Name, h.Version, profile)
	if words := s.Capabilities().Words(); len(words) > 0 {
		fmt.Fprintf(w, "  besides submit and close it offers to %s\n", strings.Join(words, ", "))
	} else {
		fmt.Fprintln(w, "  it offers nothing besides submit and close; see capabilities in SCHEDULERS.md")
	}
	m := &smoker{s: s, w: w, o: drive.Options{Bound: 100 * time.Millisecond, Last: !contract.Is("closed", spec.Refused), Crowd: contract.Is("workers", spec.Exact)}}
	if list := s.Unknown(); len(list) > 0 {
		m.says("the capabilities", "", fmt.Errorf("expected some of %s, saw %q", strings.Join(child.SchedulerCapabilities, ", "), list))
	}
	for _, g := range smokeGraphs {
		if ctx.Err() != nil {
			return exit.Inconclusive, ctx.Err()
		}
		if g.needs == nil || g.needs(s.Capabilities(), contract) {
			m.graph(ctx, &g)
		}
	}
	m.stops(ctx)
	m.rests(ctx)
	m.together(ctx)
	m.rate(ctx)
	if m.wrong > 0 {
		return exit.Error, fmt.Errorf("%d of %d steps of the smoke run found something wrong, in the driver, the adapter, the contract or the scheduler", m.wrong, m.steps)
	}
	fmt.Fprintf(w, "the child keeps to the protocol in %d of %d steps; now judge it: spindle check %s\n", m.steps, m.steps, record.Quote(execPrefix+command))
	return exit.Pass, nil
}

// A smoker carries a smoke run out.
type smoker struct {
	s            *child.Scheduler
	w            io.Writer
	o            drive.Options
	steps, wrong int
}

// says notes how a step went: a problem, or a note behind what.
func (m *smoker) says(what, note string, problem error) {
	m.steps++
	mark := "ok   "
	if problem != nil {
		m.wrong++
		mark, note = "WRONG", problem.Error()
	}
	if note != "" {
		what += ": " + note
	}
	fmt.Fprintf(m.w, "  %s %s\n", mark, what)
}

func programOf(g *smokeGraph) (*record.TaskProgram, error) {
	graph := record.TaskGraph{Name: g.what, Workers: g.workers, Outside: strings.Split(g.outside, "|"), Tasks: strings.Split(g.tasks, "|")}
	return graph.Program()
}

// can reports whether the child can have as many workers.
func (m *smoker) can(workers int) bool {
	list := m.s.Workers()
	for _, n := range list {
		if n == workers {
			return true
		}
	}
	return len(list) == 0
}

// graph runs a graph that ends by itself.
func (m *smoker) graph(ctx context.Context, g *smokeGraph) {
	p, err := programOf(g)
	if err != nil || !m.can(p.Most) || !m.can(p.Workers) {
		return
	}
	run, err := m.s.Run(ctx, p, m.o)
	if err == nil {
		for _, e := range run.Events {
			if e.What == record.AtRest || e.What == record.Stalled {
				err = fmt.Errorf("the run came to a stop (%s); the log: %s", e.Text, strings.Join(run.Lines(), "; "))
				break
			}
		}
	}
	m.says(g.what, "", err)
}

// stops runs a graph that does not end: the client must see that, and the child must let it go on.
func (m *smoker) stops(ctx context.Context) {
	const never = "w0" // no thread says so
	p, err := programOf(&smokeGraph{what: "waits", workers: 1, outside: "s0", tasks: never})
	if err != nil || !m.can(1) {
		return
	}
	begin := time.Now()
	run, err := m.s.Run(ctx, p, m.o)
	note := ""
	if err == nil {
		err = errors.New("the log has no stop, and no release")
		for _, e := range run.Events {
			if e.What == record.AtRest {
				err, note = nil, fmt.Sprintf("seen after %v", time.Since(begin).Round(10*time.Millisecond))
			} else if e.What == record.Stalled {
				err = fmt.Errorf("the process never came to rest: %s", e.Text)
			}
		}
	}
	m.says("a run that waits for ever is seen at rest, and let go on (look, release)", note, err)
}

// rests looks which threads run while nothing is to be done.
func (m *smoker) rests(ctx context.Context) {
	workers := 2
	if !m.can(workers) {
		workers = m.s.Workers()[0]
	}
	p, err := programOf(&smokeGraph{what: "waits", workers: workers, outside: "s0 j0 w0"})
	if err != nil {
		return
	}
	there := func(events []record.TaskEvent) bool {
		for _, e := range events {
			if e.What == record.Does && e.Step == "w0" {
				return true
			}
		}
		return false
	}
	var names []string
	var known bool
	err = m.s.Hold(ctx, p, m.o, there, func(child.Used) {
		names, known = m.s.Runs(ctx, 500*time.Millisecond)
		// What has begun before may end late, where others want the processors. A thread that does not rest runs each time.
		for range 2 {
			if known && len(names) > 0 {
				var again []string
				again, known = m.s.Runs(ctx, 500*time.Millisecond)
				names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(again, name) })
			}
		}
	})
	switch {
	case err != nil:
	case !known:
		m.says("the process rests while nothing is to be done", "this system does not show that", nil)
		return
	case len(names) > 0:
		err = fmt.Errorf("these threads ran within 500 ms: %s. A thread of the language's runtime belongs into housekeeping; a worker should wait", strings.Join(names, ", "))
	}
	m.says("the process rests while nothing is to be done", "", err)
}

// together looks whether threads outside run at the same time.
func (m *smoker) together(ctx context.Context) {
	if !m.can(1) {
		return
	}
	p, err := programOf(&smokeGraph{what: "submits", workers: 1, outside: "s0 s1 s2 s3 s4 s5 s6 s7|s8 s9 s10 s11 s12 s13 s14 s15", tasks: strings.Repeat("|", 15)})
	const most = 1000 // where others want the processors
	runs, n := 0, 0
	for ; runs < most && (runs < 100 || n == 0) && err == nil; runs++ {
		var run *record.TaskRun
		if run, err = m.s.Run(ctx, p, m.o); err == nil && overlap(run.Events) {
			n++
		}
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("in none of %d runs did their submissions overlap: keep the threads from run to run, and let each spin until all are there", runs)
	}
	m.says("threads outside run at the same time", fmt.Sprintf("in %d of %d runs", n, runs), err)
}

// overlap reports whether two threads outside were both at their submissions.
func overlap(events []record.TaskEvent) bool {
	var first, last [2]int
	for i, e := range events {
		if t := ^e.Who; e.Who < 0 && t < 2 && e.Step != "" && e.Step[0] == byte(record.Submit) {
			if first[t] == 0 {
				first[t] = i + 1
			}
			last[t] = i + 1
		}
	}
	return first[0] < last[1] && first[1] < last[0]
}

// rate says how many graphs the child runs in a second.
func (m *smoker) rate(ctx context.Context) {
	var notes []string
	var err error
	for _, g := range []smokeGraph{{what: "without tasks to wait for", workers: 1, outside: "s0"}, {what: "with two that meet", workers: 2, outside: "s0 s1", tasks: "m0|m0"}} {
		p, bad := programOf(&g)
		if bad != nil || !m.can(g.workers) {
			continue
		}
		begin, n := time.Now(), 0
		for ; err == nil && time.Since(begin) < 700*time.Millisecond; n++ {
			_, err = m.s.Run(ctx, p, m.o)
		}
		notes = append(notes, fmt.Sprintf("%.0f graphs a second %s", float64(n)/time.Since(begin).Seconds(), g.what))
	}
	m.says("the rate", strings.Join(notes, ", "), err)
}
