package linearizability

import (
	"cmp"
	"math"
	"slices"
)

// Most small histories are right, and some order of their effects that fits is near at
// hand: what returned first came first, but for a few. A search that gives up soon finds
// it in microseconds, where porcupine takes a hundred to begin. What it finds is an
// order, and so a proof; if it finds none, nothing follows.

// The bounds of the search: effects, and steps of it.
const (
	searchEffects = 128
	searchSteps   = 2000
)

// searcher looks for an order of acts.
type searcher struct {
	o     *object
	acts  []moment // by call
	done  []bool
	steps int
}

// A moment is an act with the interval in which it takes effect.
type moment struct {
	act
	call, ret int64
}

// moments turns the effects into acts, some into two.
func (o *object) moments() []moment {
	list := make([]moment, 0, len(o.effects))
	for i := range o.effects {
		p := &o.effects[i]
		if p.guard&guardBatch != 0 {
			list = append(list, moment{act{p, int32(i), readLength}, p.call, p.ret})
		}
		list = append(list, moment{act{p, int32(i), p.action}, p.call, p.ret})
	}
	return list
}

// ordered reports whether an order was found that fits.
func (o *object) ordered() bool {
	if len(o.effects) > searchEffects || o.pending() {
		return false
	}
	s := searcher{o: o, acts: o.moments(), steps: searchSteps}
	slices.SortStableFunc(s.acts, func(a, b moment) int { return cmp.Compare(a.call, b.call) })
	s.done = make([]bool, len(s.acts))
	return s.from(0, contents{}, len(s.acts))
}

// from looks for an order of what is not done, of which there are left; all before first
// are done.
func (s *searcher) from(first int, c contents, left int) bool {
	if left == 0 {
		return true
	}
	for s.done[first] {
		first++
	}
	// Whoever was called after another had returned comes after it.
	until := int64(math.MaxInt64)
	var next []int
	for i := first; i < len(s.acts) && s.acts[i].call <= until; i++ {
		if !s.done[i] {
			next = append(next, i)
			until = min(until, s.acts[i].ret)
		}
	}
	next = slices.DeleteFunc(next, func(i int) bool { return s.acts[i].call > until })
	slices.SortStableFunc(next, func(a, b int) int { return cmp.Compare(s.acts[a].ret, s.acts[b].ret) })
	for _, i := range next {
		if s.steps--; s.steps < 0 {
			return false
		}
		after, ok := s.o.step(c, s.acts[i].act)
		if !ok {
			continue
		}
		s.done[i] = true
		if s.from(first, after, left-1) {
			return true
		}
		s.done[i] = false
	}
	return false
}
