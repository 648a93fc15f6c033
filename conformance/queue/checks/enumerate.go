package checks

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Scenarios by enumeration: every call that the target offers and its contract gives a
// meaning, by every role that the contract allows, from every class of state, in every
// combination up to a size, up to the names of threads and Gs. Small ones come first, so
// that the first that fails is as short as any.
//
// A scenario has three parts: quiet calls that bring the queue into a state, the calls
// of its threads, and a quiet tail in which every call is made once more: what is
// allowed only beside other calls is not allowed there.

// A size is how many threads call something in a scenario, and how many calls they make in
// all.
type size struct{ threads, calls int }

// prefix is what the names of its scenarios begin with.
func (of size) prefix() string { return fmt.Sprintf("%d-threads-%d-calls-", of.threads, of.calls) }

// sizes are the sizes of scenarios, in the order in which they are tried. A plan is the
// first of them, up to one.
var sizes = []size{{2, 2}, {2, 3}, {3, 3}, {2, 4}, {3, 4}, {2, 5}, {3, 5}, {2, 6}, {3, 6}, {2, 7}, {3, 7}, {2, 8}}

// upTo names the sizes up to number n: "at most 3 threads and 4 calls".
func upTo(n int) string {
	s := sizes[n]
	if s.threads == 3 || s.calls == 2 {
		return fmt.Sprintf("at most %d threads and %d calls", s.threads, s.calls)
	}
	if n == 1 {
		return "2 threads and at most 3 calls"
	}
	return fmt.Sprintf("at most 3 threads and %d calls, or 2 threads and %d calls", s.calls-1, s.calls)
}

// A role is what a thread may call.
type role struct {
	owner bool // it owns P 0
	own   bool // it has a P of its own
	calls []string
}

// An enumeration makes the scenarios of one target.
type enumeration struct {
	facts
	roles  []role // of the threads beside the owner
	owner  role
	states []state
	loots  bool    // of casts, only those in which a thread steals into its own queue
	held   []state // in which P 1 holds something, for scenarios in which its owner steals, or is stolen from
}

// A state is a class of states of all queues concerned.
type state struct {
	capacity int
	start    uint32
	before   string
	thief    int // how many Gs P 1 holds
}

// newEnumeration finds what there is to call, by whom, and from where.
func newEnumeration(f facts) *enumeration {
	e := &enumeration{facts: f}
	add := func(r *role, kind record.Kind, call string) {
		if e.allowed(kind) {
			r.calls = append(r.calls, call)
		}
	}
	look := func(r *role, p string) {
		add(r, record.Empty, "e"+p)
		add(r, record.Len, "l"+p)
	}
	puts := func(r *role) {
		r.calls = append(r.calls, "p")
		add(r, record.PutNext, "n")
		add(r, record.PutBatch, "b2")
	}
	gets := func(r *role) {
		r.calls = append(r.calls, "g")
		add(r, record.Drain, "d")
	}
	e.owner = role{owner: true}
	puts(&e.owner)
	gets(&e.owner)
	add(&e.owner, record.GlobalPut, "q")
	add(&e.owner, record.GlobalGet, "m2")
	look(&e.owner, "0")
	thief := role{} // without a queue of its own
	add(&thief, record.Steal, "s0")
	look(&thief, "0")
	if f.half() {
		looter := role{own: true, calls: []string{"s0"}}
		add(&looter, record.StealNext, "r0")
		looter.calls = append(looter.calls, "p", "g")
		if f.contract.Puts == spec.OwnerOnly && f.contract.Gets == spec.OwnerOnly { // else nobody knows which of several owners moved what
			e.owner.calls = append(e.owner.calls, "s1")
		}
		e.roles = append(e.roles, looter)
	}
	if len(thief.calls) > 0 {
		e.roles = append(e.roles, thief)
	}
	crowd := role{owner: true} // of the same queue
	if f.contract.Puts == spec.Anyone {
		crowd.calls = append(crowd.calls, "p")
		add(&crowd, record.PutBatch, "b2")
	}
	if f.contract.Gets == spec.Anyone {
		gets(&crowd)
	}
	if len(crowd.calls) > 0 {
		e.roles = append(e.roles, crowd)
	}
	e.findStates()
	return e
}

// findStates lists the classes of states: how much there is, where the indices are, and
// what lies in the slot and in the global queue.
func (e *enumeration) findStates() {
	capacities := []int{0}
	if len(e.caps.Sizes) > 0 {
		most := 2
		if e.half() {
			most = 4 // half of a ring of two is one
		}
		capacities = slices.DeleteFunc(slices.Clone(e.caps.Sizes), func(c int) bool {
			return c > max(most, e.caps.Sizes[0]) || c == 1 && e.spills() // half of one is none, so nothing overflows
		})
	}
	for _, c := range capacities {
		holds := cmp.Or(c, e.caps.Capacity)
		fills := []int{0, 1, 2, 3}
		switch {
		case holds > 0 && holds <= 3:
			fills = fills[:holds+1]
		case holds == 4 && len(capacities) > 1: // what smaller ones do not show
			fills = []int{3, 4}
		case holds > 0 && holds <= 256:
			fills = []int{0, 1, 2, holds - 1, holds}
		}
		full := fills[len(fills)-1]
		add := func(start uint32, moves string, fill int, more string) {
			if fill > 0 {
				moves += " T0:" + strings.Repeat("p", fill)
			}
			st := state{capacity: c, start: start, before: strings.Join(strings.Fields(moves+" "+more), " ")}
			if !slices.Contains(e.states, st) {
				e.states = append(e.states, st)
			}
		}
		for _, fill := range fills {
			add(0, "", fill, "")
			if e.allowed(record.PutNext) {
				add(0, "", fill, "T0:n")
			}
		}
		for i, fill := range []int{fills[0], full} {
			if e.allowed(record.GlobalPut) {
				add(0, "", fill, "T0:qq")
			}
			if e.caps.Start { // the indices wrap at the first put or at the second, of 32 bits without and with a sign
				add(below(i, 1), "", fill, "")
				add(below(1-i, 2), "", fill, "")
			}
		}
		// The indices are not where they began: the owner has taken, or a thief has.
		for _, fill := range []int{fills[0], min(1, full)} {
			add(0, "T0:pg", fill, "")
			add(0, "T0:pgpg", fill, "")
			if e.allowed(record.Steal) {
				add(0, "T0:p T1:s0", fill, "")
			}
		}
		if e.caps.Holds && c == capacities[len(capacities)-1] {
			before := "T0:" + strings.Repeat("p", min(3, full))
			most := min(e.holds(holds), max(3, c))
			for _, n := range slices.Compact([]int{most, min(1, most)}) {
				if n > 0 {
					e.held = append(e.held, state{capacity: c, before: before, thief: n})
				}
			}
		}
	}
}

// statesOf returns the states from which the scenarios of a cast begin.
func (e *enumeration) statesOf(c *cast) []state {
	if !c.loots() {
		return e.states
	}
	return slices.Concat(e.states, e.held)
}

// cast is who takes part in a scenario: the threads' scripts, the owner's first.
type cast struct {
	owner  []string
	others []part
}

type part struct {
	role   *role
	script []string
}

// casts yields every cast of a size, of which one call at least changes the queue, and
// that has no more thieves than the contract allows.
func (e *enumeration) casts(of size, yield func(cast) bool) bool {
	for own := range of.calls {
		threads := of.threads
		if own > 0 {
			threads--
		}
		ok := words(e.owner.calls, own, nil, func(owner []string) bool {
			return e.others(of.calls-own, threads, 0, nil, func(others []part) bool {
				c := cast{slices.Clone(owner), slices.Clone(others)}
				return !c.changes() || !e.fewThieves(&c) || e.loots && !c.loots() || yield(c)
			})
		})
		if !ok {
			return false
		}
	}
	return true
}

// others yields the threads beside the owner: n calls by so many threads, of the roles from
// the given one on. Threads of one role come in the order of their scripts: their names mean
// nothing.
func (e *enumeration) others(n, threads, from int, so []part, yield func([]part) bool) bool {
	if n == 0 || threads == 0 {
		return n > 0 || threads > 0 || yield(so)
	}
	for r := from; r < len(e.roles); r++ {
		at := &e.roles[r]
		for k := 1; k <= n; k++ {
			ok := words(at.calls, k, nil, func(script []string) bool {
				if len(so) > 0 && so[len(so)-1].role == at && !at.own && lessWords(script, so[len(so)-1].script) {
					return true
				}
				return e.others(n-k, threads-1, r, append(so, part{at, slices.Clone(script)}), yield)
			})
			if !ok {
				return false
			}
		}
	}
	return true
}

// lessWords orders scripts: the longer ones first.
func lessWords(a, b []string) bool {
	return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) < 0
}

// words yields every word of n letters.
func words[L any](letters []L, n int, so []L, yield func([]L) bool) bool {
	if len(so) == n {
		return yield(so)
	}
	for _, l := range letters {
		if !words(letters, n, append(so, l), yield) {
			return false
		}
	}
	return true
}

// changing reports whether a call may change a queue, and does not only look.
func changing(call string) bool { return call[0] != 'e' && call[0] != 'l' }

// changes reports whether some call may change a queue.
func (c *cast) changes() bool {
	changing := func(script []string) bool { return slices.ContainsFunc(script, changing) }
	return changing(c.owner) || slices.ContainsFunc(c.others, func(p part) bool { return changing(p.script) })
}

// loots reports whether a thread steals into its own queue.
func (c *cast) loots() bool {
	return slices.ContainsFunc(c.owner, steals) || slices.ContainsFunc(c.others, func(p part) bool { return p.role.own && slices.ContainsFunc(p.script, steals) })
}

// fewThieves reports whether no more threads steal than the contract allows at one time.
func (e *enumeration) fewThieves(c *cast) bool {
	thieves := 0
	if slices.ContainsFunc(c.owner, steals) {
		thieves++
	}
	for _, p := range c.others {
		if slices.ContainsFunc(p.script, steals) {
			thieves++
		}
	}
	return thieves < 2 || e.contract.Steals == spec.Anyone
}

// scenario makes a scenario of a cast and a state.
func (e *enumeration) scenario(c *cast, s *state, name string) record.Scenario {
	out := record.Scenario{
		Name: name, Ps: 1, Capacity: s.capacity, Start: s.start,
		Threads: []record.Thread{{P: 0, Script: strings.Join(c.owner, "")}},
	}
	if e.half() {
		out.Ps = 2 // the owner may steal from another queue
	}
	// The quiet calls of a thief are those of thread 1.
	if e.allowed(record.Steal) && (len(c.others) == 0 || c.others[0].role.owner || c.others[0].role.own) {
		out.Threads = append(out.Threads, record.Thread{P: record.None})
	}
	next := 1
	for _, p := range c.others {
		t := record.Thread{P: record.None, Script: strings.Join(p.script, "")}
		switch {
		case p.role.owner:
			t.P, out.Shared = 0, true
		case p.role.own:
			t.P = next
			next++
			out.Ps = max(out.Ps, next)
		}
		out.Threads = append(out.Threads, t)
	}
	out.Before = s.before
	if s.thief > 0 {
		t := slices.IndexFunc(out.Threads, func(t record.Thread) bool { return t.P == 1 })
		if t < 0 {
			t = len(out.Threads)
			out.Threads = append(out.Threads, record.Thread{P: 1})
		}
		out.Before += fmt.Sprintf(" T%d:%s", t, strings.Repeat("p", s.thief))
		out.Holds = e.holds(cmp.Or(s.capacity, e.caps.Capacity))
	}
	if out.After = e.tailOf(s); out.After != "" && s.capacity == e.states[0].capacity && s.before == "" && s.start == 0 {
		e.neighbour(&out)
	}
	return out
}

// neighbour adds another queue of the same set, which must share nothing with the first:
// its owner puts and gets in the end, and looks.
func (e *enumeration) neighbour(s *record.Scenario) {
	p, t := s.Ps, len(s.Threads)
	s.Ps++
	s.Threads = append(s.Threads, record.Thread{P: p})
	s.After += fmt.Sprintf(" T%d:e%d T%[1]d:pe%[2]d T0:e0 T%[1]d:ge%[2]d", t, p)
}

// tailOf returns the quiet tail: looks, a steal and a get from what is there, as many
// puts as fit and one more, and the other calls once each.
func (e *enumeration) tailOf(s *state) string {
	if e.tailless {
		return ""
	}
	look := "e0"
	if e.allowed(record.Len) {
		look += "l0"
	}
	steal := ""
	if e.allowed(record.Steal) {
		steal = " T1:s0"
	}
	fill := 2
	if holds := cmp.Or(s.capacity, e.caps.Capacity); holds > 0 && holds <= 4 {
		fill = holds + 1
	}
	tail := "T0:" + look + steal + " T0:" + strings.Repeat("p", fill) + look
	if e.allowed(record.PutNext) {
		tail += "nn"
	}
	tail += "g" + steal + " T0:" + look
	for _, x := range []struct {
		kind record.Kind
		call string
	}{{record.PutBatch, "b2"}, {record.GlobalPut, "q"}, {record.GlobalGet, "m2"}, {record.Drain, "d"}} {
		if e.allowed(x.kind) {
			tail += x.call
		}
	}
	// Down to nothing: the last takes find the queue empty, and say so.
	return tail + steal + steal + steal + " T0:ggg" + look + "p" + look
}

// all returns the scenarios of one size.
func (e *enumeration) all(of size) (list []record.Scenario) {
	e.casts(of, func(c cast) bool {
		for _, s := range e.statesOf(&c) {
			list = append(list, e.scenario(&c, &s, fmt.Sprint(of.prefix(), len(list)+1)))
		}
		return true
	})
	return list
}

// An effort bounds a plan: its sizes, and how many scenarios they have together. The
// first size is in it in any case. Of sizes beyond, it has the scenarios in which every call
// changes a queue, up to a number of their own.
type effort struct{ sizes, scenarios, changing int }

var (
	shortEffort = effort{3, 1_500, 0}
	usualEffort = effort{5, 48_000, 0}        // up to 3 threads and 4 calls, in a minute
	longEffort  = effort{9, 400_000, 400_000} // up to 3 threads and 6 calls
)

// effort is what the user asks for: go test -short, or the option Short, asks for little,
// SPINDLE_LONG=1 for much.
func (f facts) effort() effort {
	switch test := flag.Lookup("test.short"); {
	case suite.Long():
		return longEffort
	case f.short, test != nil && test.Value.String() == "true":
		return shortEffort
	}
	return usualEffort
}

// plan returns the scenarios within an effort, and says of which sizes they are.
func (e *enumeration) plan(most effort) (list []record.Scenario, which string) {
	sizes := sizes[:most.sizes]
	last := 0
	for n, of := range sizes {
		if e.pairs && of.threads > 2 {
			continue
		}
		if n > 0 && e.count(of, most.scenarios-len(list)) > most.scenarios-len(list) {
			break
		}
		list, last = append(list, e.all(of)...), n
	}
	which = upTo(last)
	changes, left := e.changing(), most.changing
	var more []string
	for _, of := range sizes[last+1:] {
		if n := changes.count(of, left); n <= left && !(e.pairs && of.threads > 2) {
			list, left = append(list, changes.all(of)...), left-n
			more = append(more, fmt.Sprintf("%d threads and %d calls", of.threads, of.calls))
		}
	}
	if len(more) > 0 {
		which += ", and of " + strings.Join(more, " and of ") + " in which every call changes a queue"
	}
	return list, which
}

// changing returns the enumeration without the calls that only look.
func (e *enumeration) changing() *enumeration {
	only := func(r role) role {
		r.calls = slices.DeleteFunc(slices.Clone(r.calls), func(call string) bool { return !changing(call) })
		return r
	}
	c := *e
	c.owner, c.roles = only(e.owner), nil
	for _, r := range e.roles {
		c.roles = append(c.roles, only(r))
	}
	return &c
}

// count returns how many scenarios of a size there are, or more than most.
func (e *enumeration) count(of size, most int) (n int) {
	e.casts(of, func(c cast) bool {
		n += len(e.statesOf(&c))
		return n <= most
	})
	return n
}

// unused names what the target offers and no call of the enumeration uses: nothing in
// the contract says what it does.
func (e *enumeration) unused() []string {
	var list []string
	for _, k := range record.Kinds() {
		if e.caps.Supports(k) && !e.allowed(k) && (k != record.StealNext || e.caps.Batch) {
			list = append(list, k.String())
		}
	}
	if e.caps.Batch && !e.half() {
		list = append(list, "steals from queue to queue")
	}
	return list
}

// enumerated lists the scenarios of a target, and says which they are.
func enumerated(f facts) ([]record.Scenario, string) {
	e := newEnumeration(f)
	list, which := e.plan(f.effort())
	text := fmt.Sprintf("all %d scenarios of %s, from %d states", len(list), which, len(e.states)+len(e.held))
	var capacities []string
	for _, s := range e.states {
		if c := fmt.Sprint(s.capacity); s.capacity > 0 && !slices.Contains(capacities, c) {
			capacities = append(capacities, c)
		}
	}
	switch {
	case len(capacities) > 0:
		text += " at capacity " + strings.Join(capacities, " and ")
	case f.caps.Capacity > 0:
		text += fmt.Sprintf(" at the target's own capacity, %d", f.caps.Capacity)
	}
	return list, text
}

// untoldOf lists the scenarios in which threads steal into their own queues, for a target of
// which nobody can say what they moved.
func untoldOf(f facts) ([]record.Scenario, string) {
	e := newEnumeration(f)
	if e.loots = true; !f.half() {
		return nil, "no scenarios"
	}
	most := f.effort()
	list, which := e.plan(effort{most.sizes, most.scenarios / 8, most.changing / 8})
	return list, fmt.Sprintf("all %d scenarios of %s with steals from queue to queue", len(list), which)
}

// laps lists the scenarios in which the owner of a small ring puts and gets until its
// indices have gone round once, or twice, beside one call of another thread: what that one
// saw may be there again by then.
func laps(f facts) ([]record.Scenario, string) {
	e := newEnumeration(f)
	var list []record.Scenario
	for _, r := range e.changing().roles {
		for _, call := range r.calls {
			for i := range e.states {
				holds := cmp.Or(e.states[i].capacity, e.caps.Capacity)
				if holds == 0 || holds > 8 {
					continue
				}
				for laps := 1; laps <= 2; laps++ {
					c := cast{slices.Repeat([]string{"p", "g"}, laps*holds), []part{{&r, []string{call}}}}
					list = append(list, e.scenario(&c, &e.states[i], fmt.Sprintf("laps-%d", len(list)+1)))
				}
			}
		}
	}
	return list, fmt.Sprintf("all %d scenarios of one call beside an owner that goes round the ring, from %d states, with one preemption", len(list), len(e.states))
}

// sequences lists every sequence of calls, one after another, of the length at which
// there are not too many, from every state: each call with a look behind it, and in the
// end the quiet tail.
func sequences(f facts) ([]record.Scenario, string) { return sequencesUpTo(f, f.most(mostSequences)) }

// sequencesUpTo lists the sequences of the length at which there are at most most.
func sequencesUpTo(f facts, most int) ([]record.Scenario, string) {
	f.caps.Holds = true // here the scenario sees to room
	e := newEnumeration(f)
	type step struct {
		thread int
		call   string
	}
	var steps []step
	for _, call := range e.owner.calls {
		if changing(call) && call != "s1" {
			steps = append(steps, step{0, call})
		}
	}
	if e.allowed(record.Steal) {
		steps = append(steps, step{1, "s0"})
	}
	owners := []int{0, record.None}
	if e.half() && e.getsAtRest() { // else no get makes room for what a batch brings
		owners = append(owners, 1)
		steps = append(steps, step{2, "s0"})
		if e.allowed(record.StealNext) {
			steps = append(steps, step{2, "r0"})
		}
	}
	if e.allowed(record.GlobalGet) && e.caps.Capacity >= 8 {
		// A batch of the global queue that is large enough to have an order in the ring.
		steps = append(steps, step{0, "m4"})
		e.states = append(e.states, state{before: "T0:qqqq"})
	}
	length := 1
	for n := len(e.states) * len(steps); n*len(steps) <= most && length < 8; n *= len(steps) {
		length++
	}
	var list []record.Scenario
	words(steps, length, nil, func(w []step) bool {
		states := e.states
		if slices.ContainsFunc(w, func(s step) bool { return s.thread == 2 }) {
			states = slices.Concat(states, e.held)
		}
		for i := range states {
			s := &states[i]
			own := s.thief // at most, in the ring of P 1
			holds := e.holds(cmp.Or(s.capacity, e.caps.Capacity))
			l := newLine(len(owners))
			do := func(thread int, call string) {
				if call[0] == byte(record.GlobalGet) && cmp.Or(s.capacity, e.caps.Capacity) > 0 { // its ring must have room for what it brings
					l.times(2, thread, "g")
				}
				l.do(thread, call)
			}
			quiet := func(text string) {
				calls, _ := record.ParseQuiet(text)
				for _, q := range calls {
					do(q.Thread, q.Instr.String())
				}
			}
			quiet(s.before)
			l.times(s.thief, 2, "p")
			for _, st := range w {
				if st.thread == 2 && s.thief > 0 {
					if own > holds || own > s.thief && e.untold() { // its ring must have room for what this brings
						l.times(own, 2, "g")
						own = 0
					}
					_, most := e.batchOf(cmp.Or(s.capacity, e.caps.Capacity, 8))
					own += most - 1
				}
				do(st.thread, st.call)
				if st.thread == 2 && s.thief == 0 {
					l.times(cmp.Or(s.capacity, e.caps.Capacity, 8)/2, 2, "g")
				}
				l.look(f)
			}
			quiet(e.tailOf(s))
			out := record.Scenario{
				Name: fmt.Sprintf("%d-calls-%d", length, len(list)+1), Ps: max(1, len(owners)-1), Capacity: s.capacity, Start: s.start,
				Order: l.order, Snapshot: f.caps.Show,
			}
			for t, p := range owners {
				out.Threads = append(out.Threads, record.Thread{P: p, Script: l.scripts[t].String()})
			}
			list = append(list, out)
		}
		return true
	})
	return list, fmt.Sprintf("all %d sequences of %d calls", len(list), length)
}

// free lists scenarios of the enumeration for real threads, which repeat their scripts.
func free(f facts) ([]record.Scenario, string) {
	e := newEnumeration(f)
	list, which := e.plan(effort{usualEffort.sizes, f.most(mostThreads), 0})
	for i := range list {
		for t := range list[i].Threads {
			list[i].Threads[t].Repeat = f.decidable(200)
		}
	}
	return list, fmt.Sprintf("all %d scenarios of %s, on real threads", len(list), which)
}

// How many scenarios there are at most in a fixed order, and on real threads.
const (
	mostSequences = 20_000
	mostThreads   = 1_200
)

// most bounds a number of scenarios by the effort, and by what the target's calls cost:
// where each history comes through a pipe, they are a tenth.
func (f facts) most(n int) int {
	if f.kind != suite.InProcess {
		n /= 10
	}
	return min(n, f.effort().scenarios)
}

// random makes a scenario that is larger than those of the enumeration: two to four threads,
// five to nine calls, most of which change something.
func random(g *gen, i int) record.Scenario {
	e := newEnumeration(g.facts)
	draw := func(from []string, n int) (script []string) {
		for range n {
			call := from[g.IntN(len(from))]
			if !changing(call) && g.IntN(4) > 0 {
				call = from[0]
			}
			script = append(script, call)
		}
		return script
	}
	c := cast{owner: draw(e.owner.calls, 1+g.IntN(4))}
	for range 1 + g.IntN(3) {
		if len(e.roles) == 0 || len(c.others) == 3 {
			break
		}
		r := &e.roles[g.IntN(len(e.roles))]
		c.others = append(c.others, part{r, draw(r.calls, 1+g.IntN(3))})
	}
	states := e.statesOf(&c)
	return e.scenario(&c, &states[g.IntN(len(states))], fmt.Sprintf("random-%d", i))
}

// The checks of what is enumerated.
var enumerations = []check{
	{
		name: "sequence/all", witness: spec.Sequence, complete: true, enumerates: sequences,
		doc:          "every sequence of a few calls from every class of states, one after another, each result and the contents held against the sequential machine",
		requirements: sequenceRandom.requirements,
	},
	{
		name: "interleave/answered", witness: spec.Interleave, quiet: true, complete: true, enumerates: answered,
		when: []spec.Condition{spec.If("steal-miss", spec.Answered)}, kinds: "s",
		doc:          "every interleaving of an owner that puts or gets, and a thief that steals twice: in some of them the thief gets a G",
		requirements: append([]string{unansweredID}, conservation...),
	},
	{
		name: "interleave/laps", witness: spec.Interleave, quiet: true, sized: true, enumerates: laps, preemptions: 1,
		doc:          "a call that stops at any of its steps while the owner goes round the ring, once and twice",
		requirements: ringIDs,
	},
	{
		name: "interleave/all", witness: spec.Interleave, quiet: true, complete: true, enumerates: enumerated,
		doc:          "every interleaving of every small scenario: all calls by all roles from all classes of states, and then every call at a quiescent moment",
		requirements: exploredIDs,
	},
	{
		name: "interleave/counted", witness: spec.Interleave, quiet: true, complete: true, enumerates: untoldOf, loot: true, counts: true,
		when:         []spec.Condition{intoOwn},
		doc:          "every interleaving of small scenarios with steals from queue to queue, of a target that does not say what they move (Mover): every id counted",
		requirements: append([]string{"RQ-RACE"}, conservation...),
	},
	{
		name: "interleave/random", witness: spec.Interleave, quiet: true, scenarios: 60, bound: 1000, scenario: random,
		doc:          "the first interleavings of random scenarios, larger than those of interleave/all",
		requirements: exploredIDs,
	},
	{
		name: "linearizability/all", witness: spec.Linearizability, quiet: true, enumerates: free,
		doc: "the smallest scenarios of interleave/all on real threads, repeated; a moment is looked for in each call",
		requirements: slices.Concat([]string{"RQ-TWICE", "RQ-LOST", "RQ-INVENTED"}, slices.DeleteFunc(slices.Clone(exploredIDs), func(id string) bool {
			r, err := spec.Lookup(id)
			return err != nil || !slices.Contains(r.Witnesses, spec.Linearizability) || slices.Contains(conservation, id)
		})),
	},
}

// exploredIDs are the requirements that the explorer can see broken.
var exploredIDs = slices.Concat([]string{
	"RQ-RACE", "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN", "RQ-CAPACITY", "RQ-WRAP", "RQ-OVERFLOW", "RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK",
	"RQ-STEAL-RUNNEXT", "RQ-STEAL-ORDER", "RQ-DRAIN", "RQ-PUT-BATCH", "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH",
}, ringIDs)
