package runqueue

import (
	"fmt"
	"strings"
)

// The history that tla/MCRunQueueCalls.tla keeps: what was true at some moment of each
// call, and which answers promised a moment that there was not.

// A sight is a set of facts that were true at a moment of a call.
type sight uint8

const (
	sawEmpty sight = 1 << iota // ring and runnext were empty
	sawSome                    // they were not
	sawRing                    // the ring was empty
	sawNext                    // runnext was, not before the ring
	sawFirst                   // runnext was
	sawAlone                   // nobody else has been at work
)

var sightNames = []string{"empty", "some", "ring", "next", "first", "alone"}

// String shows the set as the module does.
func (s sight) String() string { return showBits(uint(s), sightNames) }

// A promise is a set of requirements on the answers of calls.
type promise uint16

const (
	getNone = iota
	stealNone
	stealRunnext
	stealHalf
	emptyTrue
	emptyFalse
	lenExact
	runnextFirst
	drainAll
)

var (
	promiseNames   = []string{"RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-RUNNEXT", "RQ-STEAL-HALF", "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN", "RQ-RUNNEXT-FIRST", "RQ-DRAIN"}
	invariantNames = []string{"GetNone", "StealNone", "StealRunnext", "StealHalf", "EmptyTrue", "EmptyFalse", "LenExact", "RunnextFirst", "DrainAll"}
)

// String shows the set as the module does.
func (p promise) String() string { return showBits(uint(p), promiseNames) }

func showBits(set uint, names []string) string {
	var parts []string
	for i, name := range names {
		if set>>i&1 != 0 {
			parts = append(parts, fmt.Sprintf("%q", name))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func showLens(set uint16) string {
	var parts []string
	for l := range 16 {
		if set>>l&1 != 0 {
			parts = append(parts, fmt.Sprint(l))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func grabbing(pc action) bool { return pc >= grabLoadHead && pc <= grabCASNext }
func getting(pc action) bool  { return pc >= getCASNext && pc <= getCASHead }
func emptying(pc action) bool { return pc >= emptyLoadHead && pc <= emptyReloadTail }
func counting(pc action) bool { return pc == lenLoadTail || pc == lenLoadNext }
func draining(pc action) bool { return pc >= drainCASNext && pc <= drainReadSlots }

func inCall(pc action) bool {
	return grabbing(pc) || getting(pc) || emptying(pc) || counting(pc) || draining(pc)
}

// remember writes down in n what was seen, and what p's step from s to n made untrue.
func (m *Machine) remember(s, n *State, p int) {
	m.judge(s, n, p)
	for q := range m.ps {
		c := &n.th[q]
		if !inCall(c.pc) {
			n.saw[q], n.lens[q] = 0, 0
			continue
		}
		was := inCall(s.th[q].pc)
		v := q
		if !getting(c.pc) && !draining(c.pc) {
			v = int(c.v) - 1
		}
		length := m.dist(n.head[v], n.tail[v])
		saw := sight(0)
		if was {
			saw = s.saw[q] &^ sawAlone
		}
		switch {
		case length == 0 && n.next[v] == 0:
			saw |= sawEmpty | sawRing | sawNext
		case length == 0:
			saw |= sawSome | sawRing
		default:
			saw |= sawSome
			if n.next[v] == 0 && was && s.saw[q]&sawRing != 0 {
				saw |= sawNext
			}
		}
		if n.next[v] == 0 {
			saw |= sawFirst
		}
		if m.alone(s, n, q) && (!was || s.saw[q]&sawAlone != 0) {
			saw |= sawAlone
		}
		n.saw[q] = saw
		if !grabbing(c.pc) {
			n.lens[q] = 0
			continue
		}
		n.lens[q] = 1 << length
		if grabbing(s.th[q].pc) && n.head[v] == s.head[v] {
			n.lens[q] |= s.lens[q]
		}
	}
}

// alone is whether nobody but q was at work before and after the step.
func (m *Machine) alone(s, n *State, q int) bool {
	for o := range m.ps {
		if o != q && (s.th[o].pc != idle || n.th[o].pc != idle || s.th[o] != n.th[o]) {
			return false
		}
	}
	return s.out == n.out
}

// judge writes down the promises that p's step breaks.
func (m *Machine) judge(s, n *State, p int) {
	c, after := &s.th[p], n.th[p].pc
	saw, none := s.saw[p], n.out == s.out
	lied := func(promise int, is bool) {
		if is {
			n.lied |= 1 << promise
		}
	}
	switch {
	case getting(c.pc):
		lied(getNone, !getting(after) && none && saw&sawEmpty == 0)
		lied(runnextFirst, c.pc == getCASHead && n.head[p] != s.head[p] && s.next[p] != 0)
	case draining(c.pc):
		lied(drainAll, !draining(after) && (saw&sawFirst == 0 || saw&sawRing == 0))
	case grabbing(c.pc):
		v := int(c.v) - 1
		ends := after == idle && none
		lied(stealNone, ends && saw&sawRing == 0)
		switch {
		case c.pc == grabCASNext && n.next[v] != s.next[v]:
			lied(stealRunnext, c.op != StealNext || saw&sawRing == 0)
		case c.op == StealNext:
			lied(stealRunnext, ends && saw&sawNext == 0)
		}
		if c.pc == grabCASHead && n.head[v] != s.head[v] {
			lied(stealHalf, !m.halfOfSome(s.lens[p], m.dist(s.head[v], n.head[v])))
		}
	case c.pc == emptyReloadTail && after == idle:
		if m.saysEmpty(s, c) {
			lied(emptyTrue, saw&sawEmpty == 0)
		} else {
			lied(emptyFalse, saw&sawSome == 0)
		}
	case c.pc == lenLoadNext && saw&sawAlone != 0:
		v := int(c.v) - 1
		want := int(m.dist(s.head[v], s.tail[v]))
		if s.next[v] != 0 {
			want++
		}
		lied(lenExact, m.saysLen(s, c) != want)
	}
}

// halfOfSome is whether k is half, rounded up, of one of the lengths.
func (m *Machine) halfOfSome(lens uint16, k uint8) bool {
	for l := range uint8(16) {
		if lens>>l&1 != 0 && l-l/2 == k {
			return true
		}
	}
	return false
}
