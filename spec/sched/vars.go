package sched

import (
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
)

// Vars implements [explore.Machine]: the module's variables, with the store buffers that
// only the bug no_storeload has.
func (m *Machine) Vars(s *State) []explore.Var {
	each := func(of func(p uint8) int) string {
		return tuple(m.config.Ps, func(p int) string { return strconv.Itoa(of(uint8(p + 1))) })
	}
	shared := []explore.Var{
		{Name: "blocked", Value: digits(s.blocked)},
		{Name: "brk", Value: digits(b2i(s.brk()))},
		{Name: "extra", Value: digits(s.extra())},
		{Name: "far", Value: s.far.String()},
		{Name: "foreach", Value: digits(s.foreach())},
		{Name: "lock", Value: digits(s.lock)},
		{Name: "needspinning", Value: digits(b2i(s.needspinning()))},
		{Name: "netgs", Value: digits(s.netgs)},
		{Name: "netready", Value: digits(s.netready)},
		{Name: "netwaiters", Value: digits(s.netwaiters)},
		{Name: "next", Value: each(func(p uint8) int { return int(b2i(s.next.has(p))) })},
		{Name: "nmspinning", Value: digits(s.nmspinning)},
		{Name: "npidle", Value: digits(s.npidle)},
		{Name: "pidle", Value: s.pidle.String()},
		{Name: "pollUntil", Value: digits(uint8(s.pollUntil()))},
		{Name: "polled", Value: boolean(s.polled())},
		{Name: "poller", Value: digits(s.poller)},
		{Name: "procs", Value: s.procs.String()},
		{Name: "ring", Value: each(func(p uint8) int { return int(s.ring[p-1]) })},
		{Name: "runq", Value: digits(s.runq)},
		{Name: "safefn", Value: s.safefn.String()},
		{Name: "seen", Value: s.seen.String()},
		{Name: "stopped", Value: s.stopped.String()},
		{Name: "stopping", Value: digits(s.stopping())},
		{Name: "sysmonwait", Value: boolean(s.sysmonwait())},
		{Name: "timer", Value: each(s.tim)},
	}
	return []explore.Var{
		{Name: "S", Value: entries(shared)},
		{Name: "M", Value: tuple(m.ms, func(i int) string { return m.thread(&s.ms[i]) })},
	}
}

// thread shows what there is of an M.
func (m *Machine) thread(t *thread) string {
	fields := []explore.Var{
		{Name: "cand", Value: digits(t.cand)},
		{Name: "cnt", Value: digits(t.cnt())},
		{Name: "delta", Value: digits(t.delta())},
		{Name: "lk", Value: strconv.Quote(t.lk().String())},
		{Name: "nextp", Value: digits(t.nextp())},
		{Name: "num", Value: digits(t.num())},
		{Name: "p", Value: digits(t.myp)},
		{Name: "pc", Value: strconv.Quote(t.pc.String())},
		{Name: "pollUntil", Value: digits(uint8(t.pollUntil()))},
		{Name: "ret", Value: strconv.Quote(t.ret.String())},
	}
	if m.bug.noStoreload {
		fields = append(fields, explore.Var{Name: "sb", Value: digits(b2i(t.has(sb)))})
	}
	return entries(append(fields,
		explore.Var{Name: "spinning", Value: boolean(t.has(spin))},
		explore.Var{Name: "todo", Value: t.todo.String()},
		explore.Var{Name: "token", Value: boolean(t.has(tok))},
		explore.Var{Name: "wasSpinning", Value: boolean(t.has(was))},
	))
}

func digits[T int8 | uint8](n T) string { return strconv.Itoa(int(n)) }

// entries shows a record.
func entries(fields []explore.Var) string {
	var list []string
	for _, f := range fields {
		list = append(list, f.Name+" |-> "+f.Value)
	}
	return "[" + strings.Join(list, ", ") + "]"
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
