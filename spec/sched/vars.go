package sched

import (
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
)

// Vars implements [explore.Machine].
func (m *Machine) Vars(s *State) []explore.Var {
	return []explore.Var{
		{Name: "lock", Value: strconv.Itoa(int(s.lock))},
		{Name: "nmspinning", Value: strconv.Itoa(int(s.nmspinning))},
		{Name: "needspinning", Value: strconv.Itoa(int(s.needspinning))},
		{Name: "npidle", Value: strconv.Itoa(int(s.npidle))},
		{Name: "pidle", Value: s.pidle.String()},
		{Name: "procs", Value: s.procs.String()},
		{Name: "runq", Value: strconv.Itoa(int(s.runq))},
		{Name: "ring", Value: tuple(m.config.Ps, func(p int) string { return strconv.Itoa(int(s.ring[p])) })},
		{Name: "next", Value: tuple(m.config.Ps, func(p int) string { return bit(s.next.has(uint8(p + 1))) })},
		{Name: "blocked", Value: strconv.Itoa(int(s.blocked))},
		{Name: "extra", Value: strconv.Itoa(int(s.extra))},
		{Name: "netgs", Value: strconv.Itoa(int(s.netgs))},
		{Name: "netready", Value: strconv.Itoa(int(s.netready))},
		{Name: "netwaiters", Value: strconv.Itoa(int(s.netwaiters))},
		{Name: "poller", Value: strconv.Itoa(int(s.poller))},
		{Name: "polluntil", Value: strconv.Itoa(int(s.polluntil))},
		{Name: "brk", Value: strconv.Itoa(int(s.brk))},
		{Name: "tim", Value: tuple(m.config.Ps, func(p int) string { return strconv.Itoa(s.tim(uint8(p + 1))) })},
		{Name: "stopping", Value: strconv.Itoa(int(s.stopping))},
		{Name: "stopped", Value: s.stopped.String()},
		{Name: "pc", Value: m.each(s, func(t *thread) string { return strconv.Quote(t.pc.String()) })},
		{Name: "myp", Value: m.each(s, func(t *thread) string { return strconv.Itoa(int(t.myp)) })},
		{Name: "spin", Value: m.each(s, func(t *thread) string { return boolean(t.has(spin)) })},
		{Name: "tok", Value: m.each(s, func(t *thread) string { return boolean(t.has(tok)) })},
		{Name: "nextp", Value: m.each(s, func(t *thread) string { return strconv.Itoa(int(t.nextp())) })},
		{Name: "cand", Value: m.each(s, func(t *thread) string { return strconv.Itoa(int(t.cand)) })},
		{Name: "todo", Value: m.each(s, func(t *thread) string { return t.todo.String() })},
		{Name: "num", Value: m.each(s, func(t *thread) string { return strconv.Itoa(int(t.num)) })},
		{Name: "ret", Value: m.each(s, func(t *thread) string { return strconv.Quote(t.ret.String()) })},
		{Name: "sb", Value: m.each(s, func(t *thread) string { return bit(t.has(sb)) })},
		{Name: "cnt", Value: m.each(s, func(t *thread) string { return strconv.Itoa(int(t.cnt())) })},
		{Name: "delta", Value: m.each(s, func(t *thread) string { return strconv.Itoa(int(t.delta())) })},
		{Name: "pu", Value: m.each(s, func(t *thread) string { return boolean(t.has(pu)) })},
		{Name: "was", Value: m.each(s, func(t *thread) string { return boolean(t.has(was)) })},
		{Name: "lk", Value: m.each(s, func(t *thread) string { return strconv.Quote(t.lk().String()) })},
	}
}

// each shows a variable that is there for each M.
func (m *Machine) each(s *State, of func(*thread) string) string {
	return tuple(m.ms, func(i int) string { return of(&s.ms[i]) })
}

// tim is the timer in P p's heap: 0 none, 1 for later, 2 due.
func (s *State) tim(p uint8) int {
	return int(s.later>>p&1 + s.due>>p&1*2)
}

// tuple shows a function over 1..n.
func tuple(n int, of func(int) string) string {
	var b strings.Builder
	b.WriteString("<<")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(of(i))
	}
	b.WriteString(">>")
	return b.String()
}

func bit(on bool) string { return strconv.Itoa(int(b2i(on))) }

func b2i(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}

func boolean(on bool) string {
	if on {
		return "TRUE"
	}
	return "FALSE"
}
