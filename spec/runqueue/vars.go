package runqueue

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
)

// Vars implements [explore.Machine].
func (m *Machine) Vars(s *State) []explore.Var {
	num := func(of [MaxPs]uint8) string {
		return m.perP(func(p int) string { return fmt.Sprint(of[p]) })
	}
	slot := m.perP(func(p int) string {
		parts := make([]string, m.cap)
		for i := range m.cap {
			parts[i] = fmt.Sprintf("%d :> %s", i, m.nameG(m.slot(s, p, i)))
		}
		return "(" + strings.Join(parts, " @@ ") + ")"
	})
	vars := []explore.Var{
		{Name: "Q", Value: fmt.Sprintf("[head |-> %s, next |-> %s, slot |-> %s, tail |-> %s]",
			num(s.head), m.perP(func(p int) string { return m.nameG(s.next[p]) }), slot, num(s.tail))},
		{Name: "S", Value: fmt.Sprintf("[ghead |-> %s, gtail |-> %s, link |-> %s, out |-> %s, puts |-> %d]", m.nameG(s.ghd), m.nameG(s.gtl),
			m.function(m.config.Gs, "g", func(g int) string { return m.nameG(s.linkOf(uint8(g + 1))) }), m.set(s.out), s.puts)},
		{Name: "th", Value: m.perP(func(p int) string { return m.showThread(s, p) })},
	}
	if m.config.Calls {
		vars = append(vars,
			explore.Var{Name: "saw", Value: m.perP(func(p int) string { return s.saw[p].String() })},
			explore.Var{Name: "lens", Value: m.perP(func(p int) string { return showLens(s.lens[p]) })},
			explore.Var{Name: "broken", Value: s.lied.String()})
	}
	return vars
}

func (m *Machine) perP(of func(p int) string) string { return m.function(m.ps, "p", of) }

// function shows a function over n Ps or Gs: a tuple where they are numbers.
func (m *Machine) function(n int, prefix string, of func(int) string) string {
	parts := make([]string, n)
	for i := range n {
		parts[i] = of(i)
		if m.config.Model {
			parts[i] = fmt.Sprintf("%s%d :> %s", prefix, i+1, parts[i])
		}
	}
	if m.config.Model {
		return "(" + strings.Join(parts, " @@ ") + ")"
	}
	return "<<" + strings.Join(parts, ", ") + ">>"
}

func (m *Machine) showThread(s *State, p int) string {
	c := &s.th[p]
	var copied, hand []string
	for k := range m.copies(s, p) {
		copied = append(copied, m.nameG(nibble(uint32(c.copied), k)))
	}
	for k := range c.hand.len() {
		hand = append(hand, m.nameG(c.hand.at(k)))
	}
	v := "0"
	switch {
	case c.v > 0:
		v = m.nameP(int(c.v) - 1)
	case m.config.Model:
		v = "NoP"
	}
	pc, at := "idle", 1
	if c.pc != idle {
		pc = actionNames[c.pc-1]
	}
	at += int(c.at)
	tuple := func(s []string) string { return "<<" + strings.Join(s, ", ") + ">>" }
	n := fmt.Sprint(c.n)
	if m.bug(lenWide) && c.op == Len {
		n = fmt.Sprint(int8(c.n))
	}
	return fmt.Sprintf("[at |-> %d, copied |-> %s, h |-> %d, hand |-> %s, i |-> %d, n |-> %s, old |-> %s, op |-> %q, pc |-> %q, ret |-> %s, t |-> %d, v |-> %s]",
		at, tuple(copied), c.h, tuple(hand), c.i, n, m.nameG(c.old), c.op, pc, m.nameG(c.ret), c.t, v)
}

func (m *Machine) nameG(g uint8) string {
	switch {
	case !m.config.Model:
		return fmt.Sprint(g)
	case g == 0:
		return "NoG"
	}
	return fmt.Sprintf("g%d", g)
}

func (m *Machine) set(of uint16) string {
	var parts []string
	for g := uint8(1); g <= MaxGs; g++ {
		if of&bit(g) != 0 {
			parts = append(parts, m.nameG(g))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
