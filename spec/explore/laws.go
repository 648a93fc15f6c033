package explore

import "slices"

// A breach is that a state violates a law, or a step from it.
type breach struct {
	what  int // which of laws, or -1
	state int // its number; in a batch, its place
	step  int // which of the state's steps violates it, or -1
}

// laws are the names of what a state or a step may violate, with their requirements.
func (e *exploration[S]) laws(i int) (name, requirement string) {
	if i--; i < 0 {
		return Deadlock, ""
	}
	if i < len(e.Invariants) {
		return e.Invariants[i].Name, e.Invariants[i].Requirement
	}
	r := &e.Refines[i-len(e.Invariants)]
	return r.Name, r.Requirement
}

// violated notes which invariants state i of b violates: the first, or for a survey each
// that no state of b did before.
func (e *exploration[S]) violated(b *batch[S], i int) {
	for j := range e.Invariants {
		if !e.Invariants[j].Holds(&b.states[i]) && e.notes(b, breach{1 + j, i, -1}) {
			return
		}
	}
}

// refused does the same with the refinements, and the steps from state i.
func (e *exploration[S]) refused(b *batch[S], i int, steps []Edge[S]) {
	for j := range e.Refines {
		for k := range steps {
			if !e.Refines[j].Allows(&b.states[i], &steps[k].To) {
				if e.notes(b, breach{1 + len(e.Invariants) + j, i, k}) {
					return
				}
				break
			}
		}
	}
}

// notes notes a breach in b, and reports whether it is the only one that is wanted.
func (e *exploration[S]) notes(b *batch[S], bad breach) bool {
	if !slices.ContainsFunc(b.bad, func(o breach) bool { return o.what == bad.what }) {
		b.bad = append(b.bad, bad)
	}
	return !e.survey
}

// falls notes that a law is broken: the first of all, or in a survey the first time.
func (e *exploration[S]) falls(bad breach) {
	switch {
	case !e.survey && e.bad.what < 0:
		e.bad = bad
	case e.survey && !slices.ContainsFunc(e.fallen, func(o breach) bool { return o.what == bad.what }):
		e.fallen = append(e.fallen, bad)
	}
}

// deeper notes that the state of number n is the next one.
func (e *exploration[S]) deeper(n int) {
	if n == e.levelEnd {
		e.depth++
		e.levelEnd = e.distinct
	}
}
