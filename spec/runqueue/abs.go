package runqueue

import (
	"math/bits"

	"github.com/spindle-go/spindle/spec/explore"
)

// Refinements are what the steps of the machine are to others, by their names in the
// modules.
func (m *Machine) Refinements() []explore.Refinement[State] {
	return []explore.Refinement[State]{{
		Name: "Refines", Requirement: "RQ-FIFO",
		Begins: func(s *State) bool { return m.effects(s) == effects{out: 1<<m.config.Gs - 1} },
		Allows: func(from, to *State) bool {
			a, b := m.effects(from), m.effects(to)
			return a == b || m.allows(&a, &b)
		},
	}}
}

// effects is a state of module RunQueueAbs, what a user of the run queue may assume:
// each P is a first-in-first-out queue with one G in front, behind all is a global
// queue, and what a call moves is in its hands in between, in order.
type effects struct {
	ring  [MaxPs]row
	hold  [MaxPs]row   // of each thread, what its call will put somewhere
	first [MaxPs]uint8 // runnext
	ret   [MaxPs]uint8 // of each thread, the G that its call will return
	glob  row
	out   uint16 // the set of Gs that are in no queue and in no call's hands
}

// A row is some Gs in order, four bits each, the first lowest, and none of them 0. One
// that runs in a circle, as a damaged list does, ends with as many as fit.
type row uint64

func (r row) len() int { return (bits.Len64(uint64(r)) + 3) / 4 }

func (r row) add(g uint8) row { return r.join(row(g)) }

func (r row) join(s row) row { return r | s<<(4*r.len()) }

// prefix and rest are the first n, and the others.
func (r row) prefix(n int) row { return r &^ (^row(0) << (4 * n)) }
func (r row) rest(n int) row   { return r >> (4 * n) }

func (r row) at(k int) uint8 { return uint8(r>>(4*k)) & 15 }

// set is the set of the row's Gs, and once reports whether each is in it once.
func (r row) set() (set uint16, once bool) {
	for once = true; r != 0; r >>= 4 {
		once = once && set&bit(r.at(0)) == 0
		set |= bit(r.at(0))
	}
	return set, once
}

// effects is what s is to the abstract queue. A ring that a thief without a P made for
// one steal is part of its hands.
func (m *Machine) effects(s *State) effects {
	e := effects{first: s.next, out: s.out}
	var glob tally
	for p := range m.ps {
		var ring, hold tally
		ring.slots(m, s, p, s.head[p], m.dist(s.head[p], s.tail[p]))
		m.held(s, p, &hold)
		e.ring[p], e.hold[p], e.ret[p] = ring.row, hold.row, s.th[p].ret
		if m.loner[p] {
			e.ring[p] = 0
			if pc := s.th[p].pc; pc != stealLoadHead && pc != stealStoreTail {
				e.hold[p] = hold.row.join(ring.row)
			}
		}
	}
	m.walk(s, glob.g)
	e.glob = glob.row
	return e
}

// allows reports whether an action of the module leads from a to b, which is another
// state.
func (m *Machine) allows(a, b *effects) bool {
	for p := range m.ps {
		if m.gives(a, b, p) || m.puts(a, b, p) || m.takes(a, b, p) || m.drains(a, b, p) {
			return true
		}
		for v := range m.ps {
			if v != p && m.steals(a, b, p, v) {
				return true
			}
		}
	}
	return false
}

// gives are Give, GiveBatch and GivePutGlobal.
func (m *Machine) gives(a, b *effects, p int) bool {
	e := *a
	if a.hold[p] == 0 {
		given, once := b.hold[p].set()
		e.hold[p] = b.hold[p]
		e.out &^= given
		if e == *b {
			return once && given&^a.out == 0
		}
	}
	if n := a.glob.len(); b.glob.len() == n+1 {
		e = *a
		g := b.glob.at(n)
		e.glob = e.glob.add(g)
		e.out &^= bit(g)
		return e == *b && a.out&bit(g) != 0
	}
	return false
}

// puts are Kick, PutRing, Overflow and PutGlobal.
func (m *Machine) puts(a, b *effects, p int) bool {
	hold := a.hold[p]
	if hold == 0 {
		return false
	}
	size := int(m.cap)
	if hold.len() == 1 {
		e := *a // Kick
		e.first[p], e.hold[p] = hold.at(0), row(a.first[p])
		if e == *b {
			return true
		}
		if a.ring[p].len() == size { // Overflow
			e = *a
			e.ring[p] = a.ring[p].rest(size / 2)
			e.hold[p] = a.ring[p].prefix(size / 2).join(hold)
			if e == *b {
				return true
			}
		}
	}
	for n := 1; n <= min(size, hold.len()) && a.ring[p].len()+n <= size; n++ { // PutRing
		e := *a
		e.ring[p] = a.ring[p].join(hold.prefix(n))
		e.hold[p] = hold.rest(n)
		if e.hold[p] == 0 {
			e.returns(p)
		}
		if e == *b {
			return true
		}
	}
	e := *a // PutGlobal
	e.glob = a.glob.join(hold)
	e.hold[p] = 0
	e.returns(p)
	return e == *b
}

// returns is the end of a call: what it returns is outside.
func (e *effects) returns(p int) {
	if e.ret[p] != 0 {
		e.out |= bit(e.ret[p])
		e.ret[p] = 0
	}
}

// takes are GetGlobal, TakeFirst, TakeOldest and Return.
func (m *Machine) takes(a, b *effects, p int) bool {
	if a.hold[p] == 0 {
		for n := 1; n <= min(a.glob.len(), int(m.cap/2)); n++ {
			e := *a
			e.glob = a.glob.rest(n)
			e.hold[p] = a.glob.prefix(n).rest(1)
			if n == 1 {
				e.out |= bit(a.glob.at(0))
			} else {
				e.ret[p] = a.glob.at(0)
			}
			if e == *b {
				return true
			}
		}
		if a.ret[p] != 0 {
			e := *a
			e.returns(p)
			if e == *b {
				return true
			}
		}
	}
	if a.first[p] != 0 {
		e := *a
		e.first[p] = 0
		e.out |= bit(a.first[p])
		if e == *b {
			return true
		}
	}
	if a.ring[p] == 0 {
		return false
	}
	e := *a
	e.ring[p] = a.ring[p].rest(1)
	e.out |= bit(a.ring[p].at(0))
	return e == *b
}

// steals are TakeHalf and HoldFirst: the older half, of what was there when the thief
// looked, the newest of it to return; or runnext, to a thief that has no P.
func (m *Machine) steals(a, b *effects, p, v int) bool {
	if a.ret[p] != 0 {
		return false
	}
	if a.first[v] != 0 {
		e := *a
		e.first[v], e.ret[p] = 0, a.first[v]
		if e == *b {
			return true
		}
	}
	if a.hold[p] != 0 {
		return false
	}
	for n := 1; n <= a.ring[v].len(); n++ {
		k := n - n/2
		e := *a
		e.ring[v] = a.ring[v].rest(k)
		e.hold[p] = a.ring[v].prefix(k - 1)
		g := a.ring[v].at(k - 1)
		if k == 1 {
			out := e
			out.out |= bit(g)
			if out == *b {
				return true
			}
		}
		e.ret[p] = g
		if e == *b {
			return true
		}
	}
	return false
}

// drains are DrainFirst, DrainRing and Drained.
func (m *Machine) drains(a, b *effects, p int) bool {
	if a.hold[p] == 0 && a.first[p] != 0 {
		e := *a
		e.first[p], e.hold[p] = 0, row(a.first[p])
		if e == *b {
			return true
		}
	}
	if a.ring[p] != 0 && a.hold[p].len() <= 1 {
		e := *a
		e.ring[p], e.hold[p] = 0, a.hold[p].join(a.ring[p])
		if e == *b {
			return true
		}
	}
	if a.hold[p] == 0 || a.ret[p] != 0 {
		return false
	}
	e := *a
	gone, _ := a.hold[p].set()
	e.hold[p] = 0
	e.out |= gone
	return e == *b
}
