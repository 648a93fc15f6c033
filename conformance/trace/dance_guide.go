package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/follow"
	"github.com/spindle-go/spindle/spec/sched"
)

// A DanceProgram is d's machine restricted to a program: the first G makes so many others runnable, one after
// another, and then runs for ever; each of these ends. It is for counterexamples, which are then schedules
// of that program.
type DanceProgram struct {
	d      *Dance
	spawns int
}

// DanceState is a state of a program: that of the machine, and how many Gs were made runnable.
type DanceState = spot

// Program returns the program with so many spawns.
func (d *Dance) Program(spawns int) *DanceProgram { return &DanceProgram{d, spawns} }

var _ explore.Machine[DanceState] = (*DanceProgram)(nil)

// Actions implements [explore.Machine].
func (p *DanceProgram) Actions() []string { return p.d.m.Actions() }

// Actors implements [explore.Machine].
func (p *DanceProgram) Actors() []string { return p.d.m.Actors() }

// Init implements [explore.Machine].
func (p *DanceProgram) Init(out *explore.Successors[DanceState]) {
	out.Add(0, 0, &DanceState{s: p.d.start})
}

// Next implements [explore.Machine].
func (p *DanceProgram) Next(s *DanceState, out *explore.Successors[DanceState]) {
	var all explore.Successors[sched.State]
	p.d.m.Next(&s.s, &all)
	for _, e := range all.Edges() {
		first := e.Step.Actor == 0 && s.s.At(1) == "run" // the first G stays where it began
		ready := e.Step.Action+1 == p.d.actions["Ready"]
		switch {
		case ready && (!first || int(s.spawns) == p.spawns), first && !ready, !p.d.inOrder(&s.s, &e.To):
			continue
		}
		to := out.Add(e.Step.Action, e.Step.Actor, s)
		to.s = e.To
		if ready {
			to.spawns++
		}
	}
}

// Vars implements [explore.Machine].
func (p *DanceProgram) Vars(s *DanceState) []explore.Var { return p.d.m.Vars(&s.s) }

// Holds is an invariant of the machine for the program.
func (p *DanceProgram) Holds(name string) (explore.Invariant[DanceState], error) {
	i := slices.IndexFunc(p.d.checks, func(c explore.Invariant[sched.State]) bool { return c.Name == name })
	if i < 0 {
		return explore.Invariant[DanceState]{}, fmt.Errorf("trace: no invariant %q", name)
	}
	c := p.d.checks[i]
	return explore.Invariant[DanceState]{Name: c.Name, Requirement: c.Requirement, Holds: func(s *DanceState) bool { return c.Holds(&s.s) }}, nil
}

// A DanceRun is the execution of a schedule.
type DanceRun struct {
	Steps   []harness.Step
	Objects DanceObjects
}

// Guide turns a behaviour of the program into the schedule by which the code does the same: it lets the thread of
// the M that takes the next step go on until the machine may be where the behaviour is then. Run
// executes a schedule; letters are those of the threads of M 1, M 2 and so on.
func (p *DanceProgram) Guide(trace []explore.TraceState, letters []string, run func(schedule string) (DanceRun, error)) (string, error) {
	var turns []string
	last, at := -1, 0
	for k := 1; k < len(trace); k++ {
		m := int(trace[k].Step.Actor)
		if m >= len(letters) {
			return "", fmt.Errorf("trace: step %d is of M %d, of %d", k, m+1, len(letters))
		}
		state, ok := trace[k].State.(DanceState)
		if !ok {
			return "", fmt.Errorf("trace: state %d is of another machine: %T", k, trace[k].State)
		}
		trial := turns
		if m != last {
			trial = append(slices.Clone(turns), fmt.Sprintf("%d%s", at, letters[m]))
		}
		r, err := run(strings.Join(trial, "."))
		if err != nil {
			return "", err
		}
		to, err := p.reach(&r, at, m, &state.s)
		if err != nil {
			return "", fmt.Errorf("trace: step %d of the behaviour, %s of M%d, by the schedule %s from operation %d on: %w", k, p.d.m.Actions()[trace[k].Step.Action], m+1, strings.Join(trial, "."), at, err)
		}
		if to > at { // else nobody sees the step
			turns, last, at = trial, m, to
		}
	}
	return strings.Join(turns, "."), nil
}

// reach returns after how many operations the machine may be in a state, if M m's thread goes on after the first
// at.
func (p *DanceProgram) reach(r *DanceRun, at, m int, state *sched.State) (int, error) {
	d := p.d
	begin, divergence := d.prologue(r.Steps, r.Objects)
	if divergence != nil {
		return 0, divergence
	}
	now := d.first()
	thread, found := -1, -1
	for n := begin; ; n++ {
		if n >= at {
			var silent observation
			silent.mode = ended
			_, tried, _, err := follow.Advance(d.rules, now, &silent)
			if err != nil {
				return 0, err
			}
			there := slices.ContainsFunc(tried, func(e stand) bool { return e.s == *state })
			if there {
				found = n
			}
			// What was begun under the lock may still be to come, even if the machine could have done it; and the
			// machine gives the lock back with the last of its steps.
			undecided := thread >= 0 && d.observer.holder == thread && state.Locked() == 0 || slices.ContainsFunc(now, func(e stand) bool { return thread >= 0 && e.pending[thread] != 0 })
			if found >= 0 && !(there && undecided) {
				return found, nil
			}
		}
		if n == len(r.Steps) && found >= 0 {
			return found, nil
		}
		if n == len(r.Steps) {
			return 0, fmt.Errorf("expected the code to come there, saw that it ends")
		}
		s := &r.Steps[n]
		if n >= at {
			if thread < 0 {
				thread = s.Thread
			}
			if s.Thread != thread {
				return 0, fmt.Errorf("expected the code to come there, saw %s after %d operations", d.site(s.Site).shown(s), n)
			}
		}
		o, divergence := d.observer.observe(s)
		if divergence != nil {
			return 0, divergence
		}
		after, tried, _, err := follow.Advance(d.rules, now, &o)
		if err == nil && len(after) == 0 {
			err = fmt.Errorf("expected %s, saw %s", d.expected(tried, s.Thread), d.site(s.Site).shown(s))
		}
		if err != nil {
			return 0, err
		}
		now = after
	}
}
