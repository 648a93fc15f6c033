package runqueue

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/spindle-go/spindle/spec/explore"
)

// Invariants are those of the module, by their names there. Those about what answers
// promise need Config.Calls.
func (m *Machine) Invariants() []explore.Invariant[State] {
	list := []explore.Invariant[State]{
		{Name: "Bounded", Requirement: "RQ-CAPACITY", Holds: m.bounded},
		{Name: "NoHole", Requirement: "RQ-INVENTED", Holds: m.noHole},
		{Name: "QueueIsFull", Requirement: "RQ-CRASH", Holds: m.queueIsFull},
		{Name: "RoomForLoot", Requirement: "RQ-CRASH", Holds: m.roomForLoot},
		{Name: "Linked", Requirement: "RQ-GLOBAL-FIFO", Holds: m.linked},
		{Name: "GlobalShare", Requirement: "RQ-GLOBAL-BATCH", Holds: m.globalShare},
		{Name: "Exact", Requirement: "RQ-LOST", Holds: m.exact},
	}
	if m.config.Calls {
		for p, name := range promiseNames {
			list = append(list, explore.Invariant[State]{Name: invariantNames[p], Requirement: name,
				Holds: func(s *State) bool { return s.lied>>p&1 == 0 }})
		}
	}
	return list
}

// Checks are the invariants of these names, in this order. An unknown name is an error.
func (m *Machine) Checks(names []string) ([]explore.Invariant[State], error) {
	var list []explore.Invariant[State]
	all := m.Invariants()
	for _, name := range names {
		i := slices.IndexFunc(all, func(i explore.Invariant[State]) bool { return i.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("runqueue: no invariant %q in this configuration", name)
		}
		list = append(list, all[i])
	}
	return list, nil
}

// A tally counts Gs and writes down which there were, and the first of them in order.
type tally struct {
	n   int
	all uint16
	row row
}

func (t *tally) g(g uint8) {
	t.row |= row(g) << (4 * t.n)
	t.n++
	t.all |= bit(g)
}

func (t *tally) slots(m *Machine, s *State, p int, from, n uint8) {
	for k := range n {
		t.g(m.slot(s, p, from+k))
	}
}

func (t *tally) list(l list) {
	for k := range l.len() {
		t.g(l.at(k))
	}
}

// exact: every G is in exactly one place.
func (m *Machine) exact(s *State) bool {
	t := tally{n: bits.OnesCount16(s.out), all: s.out}
	for p := range m.ps {
		t.slots(m, s, p, s.head[p], m.dist(s.head[p], s.tail[p]))
		if s.next[p] != 0 {
			t.g(s.next[p])
		}
		m.held(s, p, &t)
		if ret := s.th[p].ret; ret != 0 {
			t.g(ret)
		}
	}
	m.walk(s, t.g)
	return t.n == m.config.Gs && t.all == 1<<m.config.Gs-1
}

// held counts the Gs that p's call holds, in their order, besides the one that it will return.
func (m *Machine) held(s *State, p int, t *tally) {
	c := &s.th[p]
	switch c.pc {
	case putSlowGlobal, putRestGlobal:
		if c.i == 2 {
			return // linked by one who has no lock
		}
	case drainReadSlots:
		t.list(c.hand)
		if !m.bug(drainLinksFirst) {
			t.slots(m, s, p, c.h+c.i, m.dist(c.h, s.tail[p])-c.i)
		}
		return
	case stealLoadHead, stealStoreTail:
		t.slots(m, s, p, s.tail[p], c.n)
		return
	case grabCopySlot:
		if m.bug(copyAfterCAS) {
			t.slots(m, s, p, s.tail[p], c.i)
			t.slots(m, s, int(c.v)-1, c.h+c.i, c.n-c.i)
			return
		}
	}
	t.list(c.hand)
}

func (m *Machine) bounded(s *State) bool {
	for p := range m.ps {
		if m.dist(s.head[p], s.tail[p]) > m.cap {
			return false
		}
	}
	return true
}

// noHole: what tail has published was written.
func (m *Machine) noHole(s *State) bool {
	for p := range m.ps {
		for k := range m.dist(s.head[p], s.tail[p]) {
			if m.slot(s, p, s.head[p]+k) == 0 {
				return false
			}
		}
	}
	return true
}

// queueIsFull is the throw in runqputslow.
func (m *Machine) queueIsFull(s *State) bool {
	for p := range m.ps {
		c := &s.th[p]
		if (c.pc == putSlowCopy || c.pc == putSlowCASHead) && m.dist(c.h, s.tail[p]) != m.cap {
			return false
		}
	}
	return true
}

// roomForLoot is the throw in runqsteal.
func (m *Machine) roomForLoot(s *State) bool {
	for p := range m.ps {
		c := &s.th[p]
		if c.pc == stealStoreTail && m.dist(c.h, s.tail[p])+c.n >= m.cap {
			return false
		}
	}
	return true
}

// linked: the global queue ends where its tail is.
func (m *Machine) linked(s *State) bool {
	for p := range m.ps {
		c := &s.th[p]
		if (c.pc == putSlowGlobal || c.pc == putRestGlobal) && c.i > 0 {
			return true
		}
	}
	last := uint8(0)
	m.walk(s, func(g uint8) { last = g })
	return last == s.gtl && (last == 0 || s.linkOf(last) == 0)
}

// globalShare: a batch get would take at least one if there is one, and as many as all
// bounds allow.
func (m *Machine) globalShare(s *State) bool {
	size := 0
	m.walk(s, func(uint8) { size++ })
	for asked := 1; size > 0 && asked <= int(m.cap); asked++ {
		n := m.share(asked, size)
		half, fair := int(m.cap/2), size/m.shares+1
		if n < 1 || n > asked || n > half || n > size || n > fair {
			return false
		}
		if n != asked && n != half && n != size && n != fair {
			return false
		}
	}
	return true
}
