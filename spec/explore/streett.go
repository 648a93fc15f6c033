package explore

import (
	"context"
	"slices"
)

// A cycle is a way from a state of the whole graph back to it, or, without
// steps, the state for ever.
type cycle struct {
	start int
	steps []cycleStep
}

type cycleStep struct {
	state  int
	groups uint64
}

// counterexample finds a fair cycle of the region, or nil. Every state of the
// region may be repeated for ever, if fairness allows it. The error is ctx's.
//
// A set of states that a behaviour visits for ever is strongly connected, so it
// lies in a component. A component in which every group that is enabled
// somewhere takes a step somewhere has a fair cycle: through all of it. If a
// strongly fair group takes none, a fair behaviour must avoid the states that
// enable it: what is left of the component is taken apart again. A weakly fair
// group that is enabled everywhere and takes no step rules the component out.
func (r *region) counterexample(ctx context.Context) (*cycle, error) {
	for s, groups := range r.enabled {
		if groups == 0 {
			return &cycle{start: int(r.states[s])}, nil
		}
	}
	c := newComponents(r)
	all := make([]uint32, len(r.states))
	for i := range all {
		all[i] = uint32(i)
	}
	var best []uint32 // the one that is entered first, its states ascending
	for todo := [][]uint32{all}; len(todo) > 0; {
		states := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := c.of(ctx, states, func(component []uint32) {
			rest, fair := r.judge(component)
			if len(rest) > 0 {
				todo = append(todo, rest)
			}
			if fair && (best == nil || slices.Min(component) < best[0]) {
				best = slices.Sorted(slices.Values(component))
			}
		}); err != nil {
			return nil, err
		}
	}
	if best == nil {
		return nil, nil
	}
	return r.around(best), nil
}

// judge says whether a component has a fair cycle through all of it; if it has
// none, rest is what must be taken apart.
func (r *region) judge(component []uint32) (rest []uint32, fair bool) {
	somewhere, everywhere, taken := r.sum(component)
	if everywhere&^taken&r.weak != 0 {
		return nil, false
	}
	unfair := somewhere &^ taken &^ r.weak
	if unfair == 0 {
		return nil, true
	}
	for _, s := range component {
		if r.enabled[s]&unfair == 0 {
			rest = append(rest, s)
		}
	}
	return rest, false
}

// sum says which groups are enabled in some and in all states of a component,
// and which take a step inside it. It leaves the component marked.
func (r *region) sum(component []uint32) (somewhere, everywhere, taken uint64) {
	r.highlight(component)
	everywhere = ^uint64(0)
	for _, s := range component {
		somewhere |= r.enabled[s]
		everywhere &= r.enabled[s]
		for _, a := range r.from(s) {
			if r.in(a.to) {
				taken |= a.groups
			}
		}
	}
	return somewhere, everywhere, taken
}
