package explore

// around finds a short fair cycle in a fair component, whose states are
// ascending: from the first one, always to the nearest step or state that some
// group still lacks, and back.
func (r *region) around(component []uint32) *cycle {
	somewhere, _, _ := r.sum(component)
	lacks := somewhere // each group takes a step, or, if it is weakly fair, is disabled once
	idle := func(s uint32) uint64 { return r.weak &^ r.enabled[s] }
	start := component[0]
	c := &cycle{start: int(r.states[start])}
	at := start
	lacks &^= idle(at)
	for lacks != 0 {
		way := r.nearest(at, func(a arc) bool { return (a.groups|idle(a.to))&lacks != 0 })
		for _, a := range way {
			c.steps = append(c.steps, cycleStep{int(r.states[a.to]), a.groups})
			lacks &^= a.groups | idle(a.to)
			at = a.to
		}
	}
	if at != start {
		for _, a := range r.nearest(at, func(a arc) bool { return a.to == start }) {
			c.steps = append(c.steps, cycleStep{int(r.states[a.to]), a.groups})
		}
	}
	return c
}

// nearest returns the shortest way from a state, through marked ones, whose last
// arc is wanted. There must be one.
func (r *region) nearest(from uint32, wanted func(arc) bool) []arc {
	type came struct {
		from uint32
		arc  arc
	}
	back := map[uint32]came{from: {}}
	for todo := []uint32{from}; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		for _, a := range r.from(s) {
			if !r.in(a.to) {
				continue
			}
			if wanted(a) {
				way := []arc{a}
				for s != from {
					way = append(way, back[s].arc)
					s = back[s].from
				}
				for i, j := 0, len(way)-1; i < j; i, j = i+1, j-1 {
					way[i], way[j] = way[j], way[i]
				}
				return way
			}
			if _, seen := back[a.to]; !seen {
				back[a.to] = came{s, a}
				todo = append(todo, a.to)
			}
		}
	}
	panic("explore: a component is not connected")
}
