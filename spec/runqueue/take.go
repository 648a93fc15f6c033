package runqueue

import (
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/record"
)

// An Answer is what a call returns. A get that another call begins with answers, too.
type Answer struct {
	Op   Op // None: no call ends with this step
	Gs   []int
	Next bool // of a get: the G came from runnext
	OK   bool // of empty
	N    int  // of len
}

// Start returns the state in which the machine begins.
func (m *Machine) Start() State {
	var out explore.Successors[State]
	m.Init(&out)
	return out.Edges()[0].To
}

// Contents is what s holds, by the machine's Ps, and whether all threads have made all
// calls of their scripts.
func (m *Machine) Contents(s *State) (c record.Contents, done bool) {
	done = true
	for p := range m.ps {
		done = done && s.th[p].pc == idle && int(s.th[p].at) == len(m.scripts[p])
		content := record.PContents{Runnext: record.ID(s.next[p])}
		for k := range m.dist(s.head[p], s.tail[p]) {
			content.Ring = append(content.Ring, record.ID(m.slot(s, p, s.head[p]+k)))
		}
		c.Ps = append(c.Ps, content)
	}
	m.walk(s, func(g uint8) { c.Global = append(c.Global, record.ID(g)) })
	return c, done
}

// Wrap is where the indices wrap.
func (m *Machine) Wrap() int { return int(m.wrap) }

// Loner reports whether p's thread owns no P.
func (m *Machine) Loner(p int) bool { return m.loner[p] }

// Take has p's thread make its next step, in s, and says what it did. It is false if the
// thread has made all calls of its script.
func (m *Machine) Take(s *State, p int) (a Access, ok bool) {
	c := &s.th[p]
	if c.pc == idle {
		at := c.at
		if int(at) >= len(m.scripts[p]) {
			return a, false
		}
		k := &m.scripts[p][at]
		*c = k.th
		c.at, c.pc = at+1, k.first
		s.out &^= k.gs
	}
	before := *c
	m.access(s, c, p, &a)
	a.Answer = m.answer(s, c, p)
	out := s.out
	m.step(s, p)
	if a.How == Store || a.How == Swap {
		a.Wrote = m.value(s, a.Word)
	}
	if a.Store {
		a.Value = m.value(s, a.Also)
	}
	a.Answer.ends(&before, c, s.out&^out)
	return a, true
}

// answer is what c's call would return if its next step were the last.
func (m *Machine) answer(s *State, c *thread, p int) (a Answer) {
	switch c.pc {
	case emptyReloadTail:
		a.OK = m.saysEmpty(s, c)
	case lenLoadNext:
		a.N = m.saysLen(s, c)
	case getCASNext:
		a.Next = true
	case drainLoadHead, drainReadSlots:
		if c.op != Drain {
			break
		}
		l := c.hand
		if c.pc == drainReadSlots {
			l = l.add(m.slot(s, p, c.h+c.i))
		}
		for k := range l.len() {
			a.Gs = append(a.Gs, int(l.at(k)))
		}
	}
	return a
}

// ends makes a the answer of what ended with the step from before to after, which gave out
// these Gs.
func (a *Answer) ends(before, after *thread, out uint16) {
	switch {
	case after.pc == idle:
		a.Op = before.op
	case getting(before.pc) || before.pc == getLoadNext:
		if after.pc == getLoadNext || after.pc == firstOf[before.op] {
			a.Op = Get
		}
	}
	switch {
	case a.Op == None:
		*a = Answer{}
		return
	case a.Op != Drain:
		for g := 1; out != 0; g, out = g+1, out>>1 {
			if out&1 != 0 {
				a.Gs = append(a.Gs, g)
			}
		}
	}
	a.Next = a.Next && len(a.Gs) > 0
}

// Calls returns how many calls of its script p's thread has begun, and whether it is in
// the last of them.
func (m *Machine) Calls(s *State, p int) (begun int, busy bool) {
	return int(s.th[p].at), s.th[p].pc != idle
}
