package features

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/sched"
)

// Alive is after how many states a search for a circle ends at the latest: it keeps whole
// states.
const Alive = 1_000_000

// Limits end a search. The zero value has none, and one worker.
type Limits struct {
	Workers  int
	States   int           // of each search
	Live     int           // states of each search for a circle, which needs more memory for each
	Memory   int           // bytes, of each search
	Timeout  time.Duration // of each search
	Progress func(explore.Progress)
}

// interrupted is what package explore says of a search whose context was done.
const interrupted = "interrupted"

// A Judged is what a search says of a property.
type Judged struct {
	Property string
	Falls    int // states of the shortest way to its violation, 0: none was seen
	Ended    bool
	Distinct int // states that were visited
	// Lacks says that in some states an M waits for another one that never becomes free by
	// itself, where the runtime would make one. These are not judged.
	Lacks bool
}

// String is "holds", only if all states were visited; or that it falls, and how soon; or
// after how many states nobody knows.
func (j Judged) String() string {
	switch {
	case j.Falls > 0:
		return fmt.Sprintf("falls, %d", j.Falls)
	case j.Ended:
		return held(j.Lacks)
	}
	return fmt.Sprintf("not ended, %d", j.Distinct)
}

func held(lacks bool) string {
	if lacks {
		return "holds but for lack of Ms"
	}
	return "holds"
}

// An Answer is what the searches of a configuration say.
type Answer struct {
	Config   sched.Config
	Ended    bool   // all states were visited
	Stopped  string // else why not
	Distinct int
	Judged   []Judged
	Lacks    int // states of the shortest way to one in which an M waits for another; 0: there is none
	// Taken are the actions that were taken; Together is how many states there were, of
	// an ended search, in which one takes a step of the one feature and another of the other.
	Taken    map[string]bool
	Together int
	Elapsed  time.Duration
}

// Whole reports whether every property is answered: also those about time, whose searches end
// by themselves.
func (a *Answer) Whole() bool {
	return a.Ended && !slices.ContainsFunc(a.Judged, func(j Judged) bool { return !j.Ended })
}

// Fell are the properties that fell.
func (a *Answer) Fell() (list []Judged) {
	for _, j := range a.Judged {
		if j.Falls > 0 {
			list = append(list, j)
		}
	}
	return list
}

// Properties are the names of what is asked, in the order of the tables: what every state
// must be, what every step must be, and what must happen some time.
func Properties() (list []string) {
	m, err := sched.New(Config(nil, nil, Size{Ps: 1, Gs: 1}))
	if err != nil {
		panic("features: " + err.Error())
	}
	for _, i := range asked(m) {
		list = append(list, i.Name)
	}
	for _, r := range m.Refinements() {
		list = append(list, r.Name)
	}
	for _, l := range m.Liveness() {
		list = append(list, l.Name)
	}
	return list
}

// Unpromised are the properties that Go does not promise.
var Unpromised = []string{"PollPrompt", "SyscallQuiet"}

// asked are the invariants, and of the probes what is a property.
func asked(m *sched.Machine) []explore.Invariant[sched.State] {
	list := m.Invariants()
	for _, p := range m.Probes() {
		if slices.Contains(Unpromised, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// judging are the invariants of asked, each of the states alone in which no M waits for
// another one, and whether there are others.
func judging(m *sched.Machine) []explore.Invariant[sched.State] {
	list := asked(m)
	for i := range list {
		holds := list[i].Holds
		list[i].Holds = func(s *sched.State) bool { return holds(s) || m.Waits(s) }
	}
	return append(list, m.EnoughMs())
}

// ask explores a configuration. With live the properties about time are asked, too; with
// two features it is counted where both act.
func ask(ctx context.Context, c sched.Config, live bool, both *both, l Limits) (*Answer, error) {
	begin := time.Now()
	m, err := sched.New(c)
	if err != nil {
		return nil, err
	}
	a := &Answer{Config: c, Taken: make(map[string]bool)}
	o := explore.Options[sched.State]{Invariants: judging(m), Refines: m.Refinements(), Workers: l.Workers, MaxStates: l.States, MaxMemory: l.Memory, Progress: l.Progress}
	watched := &watcher{Machine: m.Symmetric(), both: both}
	within := func(search func(context.Context) (explore.Result, error)) (explore.Result, error) {
		if l.Timeout <= 0 {
			return search(ctx)
		}
		ctx, stop := context.WithTimeout(ctx, l.Timeout)
		defer stop()
		r, err := search(ctx)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && r.Stopped == interrupted {
			r.Stopped = "timeout"
		}
		return r, err
	}
	r, err := within(func(ctx context.Context) (explore.Result, error) { return explore.Survey(ctx, watched, o) })
	if err != nil {
		return nil, err
	}
	a.Ended, a.Stopped, a.Distinct, a.Together = r.Complete, r.Stopped, r.Distinct, int(watched.together.Load())
	for _, n := range r.Actions {
		a.Taken[n.Name] = n.Taken > 0
	}
	if at := slices.IndexFunc(r.Fallen, func(v *explore.Violation) bool { return v.Invariant == m.EnoughMs().Name }); at >= 0 {
		a.Lacks = len(r.Fallen[at].Trace)
	}
	judge := func(name string, r *explore.Result, v *explore.Violation) {
		j := Judged{Property: name, Ended: r.Complete || v != nil, Distinct: r.Distinct, Lacks: a.Lacks > 0}
		if v != nil {
			j.Falls = len(v.Trace)
		}
		a.Judged = append(a.Judged, j)
	}
	first := func(name string) {
		at := slices.IndexFunc(r.Fallen, func(v *explore.Violation) bool { return v.Invariant == name })
		if at < 0 {
			judge(name, &r, nil)
		} else {
			judge(name, &r, r.Fallen[at])
		}
	}
	for _, i := range asked(m) {
		first(i.Name)
	}
	for _, i := range o.Refines {
		first(i.Name)
	}
	if live {
		o.MaxStates = l.Live
		for _, p := range m.Liveness() {
			bad := p.Bad
			p.Bad = func(s *sched.State) bool { return bad(s) && !m.Waits(s) }
			r, err := within(func(ctx context.Context) (explore.Result, error) { return explore.Lively(ctx, m, p, o) })
			if err != nil {
				return nil, err
			}
			judge(p.Name, &r, r.Violation)
		}
	}
	a.Elapsed = time.Since(begin)
	return a, ctx.Err()
}

// A watcher is a machine of which it is counted in how many states both of two features
// can act.
type watcher struct {
	explore.Machine[sched.State]
	both     *both
	together atomic.Int64
}

// Canonical implements [explore.Symmetric].
func (w *watcher) Canonical(s *sched.State) {
	w.Machine.(explore.Symmetric[sched.State]).Canonical(s)
}

// Next implements [explore.Machine].
func (w *watcher) Next(s *sched.State, out *explore.Successors[sched.State]) {
	n := len(out.Edges())
	w.Machine.Next(s, out)
	if w.both != nil && w.both.act(s, out.Edges()[n:]) {
		w.together.Add(1)
	}
}
