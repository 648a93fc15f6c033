package explore

import "slices"

// A region is the bad states with the steps between them that are no user's,
// numbered anew, and for each state the groups that could take a step.
type region struct {
	states  []uint32 // their numbers in the whole graph, ascending
	ends    []int    // of each state's arcs
	arcs    []arc
	enabled []uint64
	weak    uint64 // the groups that are only weakly fair
	some    uint64 // all groups

	marks []uint32 // of each state: the set that it was marked with last
	mark  uint32   // the newest

	pending []arc // the steps of the state that is open
	user    []bool
}

// An arc says that the states are a step of each of these groups.
type arc struct {
	to     uint32
	groups uint64
}

// open begins state n.
func (r *region) open(n int) {
	r.states = append(r.states, uint32(n))
	r.enabled = append(r.enabled, 0)
	r.pending, r.user = r.pending[:0], r.user[:0]
}

// step adds a step to another state.
func (r *region) step(to int, groups uint64, user bool) {
	r.enabled[len(r.enabled)-1] |= groups
	r.some |= groups
	for i := range r.pending {
		if r.pending[i].to == uint32(to) {
			r.pending[i].groups |= groups
			r.user[i] = r.user[i] || user
			return
		}
	}
	r.pending = append(r.pending, arc{uint32(to), groups})
	r.user = append(r.user, user)
}

// close ends the state. What users do is left out.
func (r *region) close() {
	for i, a := range r.pending {
		if !r.user[i] {
			r.arcs = append(r.arcs, a)
		}
	}
	r.ends = append(r.ends, len(r.arcs))
}

// link leaves out the arcs that leave the region, and numbers the others.
func (r *region) link() {
	kept, begin := 0, 0
	for s, end := range r.ends {
		for _, a := range r.arcs[begin:end] {
			if to, ok := slices.BinarySearch(r.states, a.to); ok {
				a.to = uint32(to)
				r.arcs[kept] = a
				kept++
			}
		}
		begin, r.ends[s] = end, kept
	}
	r.arcs = r.arcs[:kept]
}

// from returns the arcs of a state.
func (r *region) from(s uint32) []arc {
	if s == 0 {
		return r.arcs[:r.ends[0]]
	}
	return r.arcs[r.ends[s-1]:r.ends[s]]
}

// highlight marks the states of a set, and no others.
func (r *region) highlight(states []uint32) {
	if r.marks == nil {
		r.marks = make([]uint32, len(r.states))
	}
	r.mark++
	for _, s := range states {
		r.marks[s] = r.mark
	}
}

// in reports whether s is in the set that was marked last.
func (r *region) in(s uint32) bool { return r.marks[s] == r.mark }
