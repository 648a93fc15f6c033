package trace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/follow"
	"github.com/spindle-go/spindle/spec/sched"
)

// A DanceScope says which programs the machine is restricted to, by what the program and the world do: how
// often each of these actions is taken, at most, by whoever it may be. The first is Ready, where it is
// among them: before another G is runnable nothing is done. Of what the scheduler itself does it may bound a few as
// well, as Tick. The machine looks at Ps in the order of the
// code, and ExitTry at npidle, as the code does, not at the list of idle Ps. Ms are made in their order.
type DanceScope struct {
	Most map[string]int // at most 8 actions
	// Stays says that the first G does nothing but make others runnable, and stays where it began. Its M is
	// then M 1 throughout.
	Stays bool
}

// choices is how often each action of a scope was taken.
type choices [8]uint8

// spot is a state, with what was chosen before.
type spot struct {
	s      sched.State
	chosen choices
}

// A DanceProgram is d's machine restricted to a scope.
type DanceProgram struct {
	d     *Dance
	most  choices
	stays bool
}

// DanceState is a state of a program.
type DanceState = spot

// Program returns d's machine in a scope. From now on d counts what is chosen in it.
func (d *Dance) Program(scope DanceScope) (*DanceProgram, error) {
	p := &DanceProgram{d: d, stays: scope.Stays}
	names := slices.Sorted(maps.Keys(scope.Most))
	if len(names) > len(p.most) {
		return nil, fmt.Errorf("trace: expected at most %d actions in a scope, saw %d", len(p.most), len(names))
	}
	d.counted = make(map[uint8]int)
	for i, name := range names {
		action := d.actions[name]
		if action == 0 {
			return nil, fmt.Errorf("trace: expected an action, saw %q", name)
		}
		d.counted[action] = i
		p.most[i] = uint8(scope.Most[name])
	}
	return p, nil
}

// count counts what is chosen. Action is from 1.
func (d *Dance) count(chosen *choices, action uint8) {
	if i, ok := d.counted[action]; ok {
		chosen[i]++
	}
}

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
		if !p.allows(s, &e) {
			continue
		}
		to := out.Add(e.Step.Action, e.Step.Actor, s)
		to.s = e.To
		p.d.count(&to.chosen, e.Step.Action+1)
	}
}

// allows reports whether the scope has a step.
func (p *DanceProgram) allows(s *DanceState, e *explore.Edge[sched.State]) bool {
	d, action, m := p.d, e.Step.Action+1, int(e.Step.Actor)+1
	if !d.inOrder(&s.s, &e.To) || p.stays && m == 1 && s.s.At(1) == "run" && action != d.ready {
		return false
	}
	switch action {
	case d.recheck, d.recheckTimer:
		return d.inTurn(&s.s, &e.To, m)
	case d.exitTry: // the model, and the runtime, look at the list; the code at its length
		return e.To.At(m) == "ExitGet" == (s.s.Words().Npidle > 0)
	}
	i, ok := d.counted[action]
	if !ok && !sched.Chosen(e.Step.Action) {
		return true
	}
	if !ok || s.chosen[i] == p.most[i] || p.stays && action == d.ready && m != 1 {
		return false
	}
	first, ok := d.counted[d.ready]
	return action == d.ready || !ok || s.chosen[first] > 0
}

// inTurn reports whether an M that goes through the Ps looks at the one with the least number.
func (d *Dance) inTurn(from, to *sched.State, m int) bool {
	for p := 1; p <= d.config.Ps; p++ {
		if todo, _ := from.Looks(m, p); todo {
			left, _ := to.Looks(m, p)
			w := from.Words()
			full := from.At(m) == "Recheck" && (w.Ring[p-1] > 0 || w.Next[p-1])
			return !left && full == (to.At(m) == "RecheckGet")
		}
	}
	return false
}

// Vars implements [explore.Machine].
func (p *DanceProgram) Vars(s *DanceState) []explore.Var { return p.d.m.Vars(&s.s) }

// Holds is an invariant or a probe of the machine for the program.
func (p *DanceProgram) Holds(name string) (explore.Invariant[DanceState], error) {
	checks := slices.Concat(p.d.checks, p.d.m.Probes())
	i := slices.IndexFunc(checks, func(c explore.Invariant[sched.State]) bool { return c.Name == name })
	if i < 0 {
		return explore.Invariant[DanceState]{}, fmt.Errorf("trace: no invariant %q", name)
	}
	c := checks[i]
	return explore.Invariant[DanceState]{Name: c.Name, Requirement: c.Requirement, Holds: func(s *DanceState) bool { return c.Holds(&s.s) }}, nil
}

// A DanceRun is the execution of a schedule.
type DanceRun struct {
	Steps   []harness.Step
	Objects DanceObjects
}

// Choices are what the Gs of each M, sysmon and the world choose in a behaviour, in their order, by actor: M 1 is 0, and the
// world comes after all Ms.
func (p *DanceProgram) Choices(trace []explore.TraceState) map[int][]string {
	list := make(map[int][]string)
	for k := 1; k < len(trace); k++ {
		step := trace[k].Step
		if name := p.d.m.Actions()[step.Action]; sched.Chosen(step.Action) || name == "Goyield" { // it follows from Ready
			list[int(step.Actor)] = append(list[int(step.Actor)], name)
		}
	}
	return list
}

// Guide turns a behaviour of the program into the schedule by which the code does the same: it lets the thread of
// the M that takes the next step go on until the machine may be where the behaviour is then. Run
// executes a schedule; letters are those of the threads that are there from the start, by actor: see Choices.
func (p *DanceProgram) Guide(trace []explore.TraceState, letters map[int]string, run func(schedule string) (DanceRun, error)) (string, error) {
	var turns []string
	letters, started := maps.Clone(letters), make(map[int]int)
	last, at := -1, 0
	for k := 1; k < len(trace); k++ {
		m := int(trace[k].Step.Actor)
		state, ok := trace[k].State.(DanceState)
		before, _ := trace[k-1].State.(DanceState)
		if !ok {
			return "", fmt.Errorf("trace: state %d is of another machine: %T", k, trace[k].State)
		}
		if letters[m] == "" {
			return "", fmt.Errorf("trace: step %d is of actor %d, which is not there yet", k, m)
		}
		for i := range p.d.config.Ms { // the thread of an M is named after the one that makes it
			if letters[i] == "" && before.s.At(i+1) == "unborn" && state.s.At(i+1) != "unborn" {
				started[m]++
				letters[i] = fmt.Sprint(letters[m], started[m])
				if strings.ContainsAny(letters[m], "0123456789") {
					letters[i] = fmt.Sprintf("%s-%d", letters[m], started[m])
				}
			}
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
	thread, found, held := -1, -1, false
	for n := begin; ; n++ {
		if n >= at {
			silent := observation{mode: ended}
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
			// The world holds a lock of the scene meanwhile.
			undecided := held || thread >= 0 && d.observer.holder == thread && state.Locked() == 0 || slices.ContainsFunc(now, func(e stand) bool { return thread >= 0 && e.pending[thread] != 0 })
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
		if held = held && s.Kind != "Unlock"; n >= at && m == d.config.Ms && s.Kind == "Lock" {
			held = true
		}
		o, divergence := d.observer.observe(s, d.site(s.Site))
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
