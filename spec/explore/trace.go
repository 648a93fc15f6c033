package explore

import "fmt"

// violation computes the way to the state that violates, or whose step does.
func (e *exploration[S]) violation(bad breach) (*Violation, error) {
	v := new(Violation)
	v.Invariant, v.Requirement = e.laws(bad.what)
	init, ordinals := e.from.path(bad.state)
	if bad.step >= 0 {
		ordinals = append(ordinals, bad.step)
	}
	var err error
	v.Trace, err = e.behaviour(init, ordinals)
	return v, err
}

// behaviour takes the steps of a path again. With symmetry a path goes from
// representative to representative; what is shown is a behaviour of the machine
// itself, in which each state is a renaming of the path's.
func (e *exploration[S]) behaviour(init int, ordinals []int) ([]TraceState, error) {
	var out, real Successors[S]
	e.m.Init(&out)
	state := out.list[init].To // as it is
	shown := func(step Step) TraceState { return TraceState{step, e.m.Vars(&state), state} }
	trace := []TraceState{shown(Step{})}
	path := e.representative(state)
	for _, ordinal := range ordinals {
		out.Reset()
		e.m.Next(&path, &out)
		if ordinal >= len(out.list) {
			return nil, fmt.Errorf("explore: Next added %d steps where it had added at least %d before: it must depend on the state alone", len(out.list), ordinal+1)
		}
		step := out.list[ordinal].Step
		path = e.representative(out.list[ordinal].To)
		real.Reset()
		e.m.Next(&state, &real)
		at := -1
		for i := range real.list {
			if real.list[i].Step.Action == step.Action && e.representative(real.list[i].To) == path {
				at = i
				break
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("explore: after %d steps no %s leads to a renaming of the state that the search found: Canonical is no renaming, or Next does not depend on the state alone", len(trace)-1, e.m.Actions()[step.Action])
		}
		state = real.list[at].To
		trace = append(trace, shown(real.list[at].Step))
	}
	return trace, nil
}

// representative is s without symmetry.
func (e *exploration[S]) representative(s S) S {
	if e.canonical != nil {
		e.canonical(&s)
	}
	return s
}
