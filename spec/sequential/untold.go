package sequential

import (
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Where a steal may take any number of Gs (batch=some), and the target does not say what it moved, what comes later says it: from which queue a G
// comes next, how long a queue is, what is left at the end. Until then every number that fits is held possible.

// fork has each machine that the target may be hold what it may after op, a steal that does not tell what it moved: one for each number that op
// may have taken. It reports whether these are few enough to go on.
func (r *replay) fork(i int) bool {
	op := &r.h.Ops[i]
	var all []*Machine
	var ops []*record.Op
	for _, m := range r.may {
		if m.Rules.Order == spec.AnyOrder {
			told, few := r.tookAny(m, i)
			if !few {
				return false
			}
			for k, op := range told {
				c := m
				if k < len(told)-1 {
					c = m.Clone()
				}
				all, ops = append(all, c), append(ops, op)
			}
			if len(all) > maxGuesses {
				return false
			}
			continue
		}
		least, most := r.took(m, i)
		r.guessed = r.guessed || len(m.Ps[op.P].Ring) > 1 && m.Rules.Returns == spec.Oldest
		for k := least; k <= most; k++ {
			c := m
			if k < most {
				c = m.Clone()
			}
			all, ops = append(all, c), append(ops, m.telling(op, k))
		}
		if len(all) > maxGuesses {
			return false
		}
	}
	r.may, r.told = all, ops
	return true
}

// untold reports whether op is a steal that does not tell what it moved, and may have taken several.
func (r *replay) untold(op *record.Op) bool {
	m := r.may[0]
	return !r.h.Moves && len(op.Moved) == 0 && op.OK && m.batches(op) && (m.Rules.Batch == spec.Some || m.Rules.Order == spec.AnyOrder)
}

// telling returns op as it would be if it told that it has taken k Gs from m.
func (m *Machine) telling(op *record.Op, k int) *record.Op {
	ring := m.Ps[op.P].Ring
	if k < 2 || k > len(ring) {
		return op
	}
	rest := ring[:k-1]
	if m.Rules.Returns == spec.Oldest {
		rest = ring[1:k]
	}
	return m.moving(op, rest)
}

// took returns how many Gs call i, a steal, has taken from m, at least and at most: so many as fit what it gave, the room that there was, and
// where each G is seen next.
func (r *replay) took(m *Machine, i int) (least, most int) {
	op := &r.h.Ops[i]
	ring := m.Ps[op.P].Ring
	least, most = 1, max(1, len(ring))
	if len(ring) == 0 {
		return 1, 1
	}
	if m.Rules.Returns == spec.Newest { // it gave the last one of them
		at := max(0, slices.Index(ring, op.Out[0]))
		return at + 1, at + 1
	}
	if m.restTo() == record.Global {
		return least, most
	}
	if m.Rules.Bounded() {
		most = max(1, min(most, 1+m.Rules.Capacity-len(m.Ps[op.Thief].Ring)))
	}
	for k := 1; k < most; k++ {
		at, p := r.next(ring[k], i)
		switch {
		case p == record.None:
		case p != op.P && !r.movesFrom(op.P, i, at): // it has left the queue by this call
			least = max(least, k+1)
		case p != op.Thief && !r.movesFrom(op.Thief, i, at): // it has not come to the thief
			most = k
		}
	}
	if least > most {
		return 1, 1 // no number fits: what comes says so
	}
	return least, most
}

// tookAny returns call i, a steal from a queue without order, as it would be if it told what it has taken from m: once for each set of Gs that fits
// how many it may take, the room that there was, and where each G is seen next. It reports whether these are few enough to go on.
func (r *replay) tookAny(m *Machine, i int) (told []*record.Op, few bool) {
	op := &r.h.Ops[i]
	ring := m.Ps[op.P].Ring
	var sure, open []record.ID
	for _, id := range ring {
		at, p := r.next(id, i)
		switch {
		case id == op.Out[0]:
		case p == record.None: // it is lost, by this call or another
			open = append(open, id)
		case p != op.P && !r.movesFrom(op.P, i, at): // it has left the queue by this call
			sure = append(sure, id)
		case p == op.Thief || r.movesFrom(op.Thief, i, at):
			open = append(open, id)
		}
	}
	most := len(sure) + len(open)
	if m.Rules.Bounded() {
		most = min(most, max(0, m.Rules.Capacity-len(m.Ps[op.Thief].Ring)))
	}
	if len(open) > 6 { // of which there are 64 sets
		return nil, false
	}
	for set := range 1 << len(open) {
		rest := slices.Clone(sure)
		for k, id := range open {
			if set>>k&1 != 0 {
				rest = append(rest, id)
			}
		}
		if len(rest) <= most && m.Rules.BatchFits(1+len(rest), len(ring)) {
			told = append(told, m.moving(op, rest))
		}
	}
	if len(told) == 0 { // no set fits: what comes says so
		told = append(told, m.moving(op, sure))
	}
	return told, true
}

// moving returns op, a steal, as it would be if it told that it has moved rest.
func (m *Machine) moving(op *record.Op, rest []record.ID) *record.Op {
	if len(rest) == 0 {
		return op
	}
	to := record.Place{Object: m.restTo(), P: op.Thief}
	if to.Object == record.Global {
		to.P = record.None
	}
	told := *op
	told.Moved = []record.Move{{From: record.Place{Object: record.Ring, P: op.P}, To: to, IDs: slices.Clone(rest)}}
	return &told
}

// next returns the call behind call i that gave id, and from which queue: the number of calls, if it was left there at the end, and no queue if it is
// seen nowhere.
func (r *replay) next(id record.ID, i int) (at, p int) {
	if r.places == nil {
		r.places = make(map[record.ID][][2]int)
		for n := range r.h.Ops {
			if op := &r.h.Ops[n]; op.P >= 0 {
				for _, id := range op.Out {
					r.places[id] = append(r.places[id], [2]int{n, op.P})
				}
			}
		}
		for p, c := range r.h.Final.Ps {
			for _, id := range c.Ring {
				r.places[id] = append(r.places[id], [2]int{len(r.h.Ops), p})
			}
		}
	}
	for _, x := range r.places[id] {
		if x[0] > i {
			return x[0], x[1]
		}
	}
	return 0, record.None
}

// movesFrom reports whether a call between two, from queue p, may have moved Gs that it did not give.
func (r *replay) movesFrom(p, from, to int) bool {
	return slices.ContainsFunc(r.h.Ops[from+1:to], func(op record.Op) bool { return op.P == p && r.untold(&op) })
}
