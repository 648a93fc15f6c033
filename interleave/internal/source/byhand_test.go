package source

import "testing"

// Programs whose outcomes were counted by hand.

func reads(w int) []*stmt {
	return []*stmt{{kind: operate, dst: 0, op: &op{kind: load, word: w}}}
}

func writes(w int, n int32) []*stmt {
	return []*stmt{{kind: operate, dst: -1, op: &op{kind: store, word: w, b: expr{n: n}}}}
}

func calling(name string, place, dst int, x expr) []*stmt {
	for _, c := range calls() {
		if c.name == name {
			return []*stmt{{kind: library, call: c, place: place, dst: dst, x: x}}
		}
	}
	panic("source: there is no function " + name)
}

func under(l lock, body ...[]*stmt) []*stmt {
	return []*stmt{{kind: locked, dst: -1, lock: l, body: concat(body...)}}
}

func concat(lists ...[]*stmt) (all []*stmt) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// untilFlag goes round until the flag is set.
func untilFlag(body ...[]*stmt) *stmt {
	return &stmt{kind: loops, dst: -1, cond: &cond{op: &op{kind: load, word: flag}, equal: true}, body: concat(body...)}
}

func times(n int, body ...[]*stmt) []*stmt {
	return []*stmt{{kind: counts, dst: -1, reg: locals + 2, n: n, body: concat(body...)}}
}

// twice is a program of two threads, of which the second shows its local 0.
func twice(first, second []*stmt) *Program {
	return &Program{Threads: []*Thread{{Body: first}, {Body: second, Shown: [locals]bool{true}}}}
}

func all2(p *Program) *Program {
	p.Threads[0].Shown[0] = true
	return p
}

// like has the second thread as another form, and show fields of its own.
func like(p *Program, f form, fields string) *Program {
	p.Threads[1].Form, p.Threads[1].Fields = f, fields
	return p
}

// byVia has all operations be reached in some way.
func byVia(p *Program, v via) *Program {
	for _, t := range p.Threads {
		all(t.Body, func(s *stmt) {
			if s.op != nil {
				s.op.via = v
			}
		})
	}
	return p
}

var local0 = expr{of: variable}

// panicking leaves by a panic when the flag is set, with what it has read of word 0.
func panicking() []*stmt {
	s := untilFlag()
	leave := &stmt{kind: branch, dst: -1, cond: &cond{op: s.cond.op, n: 1, equal: true}, body: []*stmt{{kind: panics, dst: -1}}}
	s.cond, s.body = nil, append([]*stmt{leave}, reads(0)...)
	return []*stmt{s}
}

// beginning has local 0 be what local 1 was when the loop began, the second time.
func beginning() []*stmt {
	s := untilFlag([]*stmt{{kind: operate, dst: 1, op: &op{kind: load}}})
	s.init = &stmt{kind: assign, dst: 0, x: expr{of: variable, at: 1}}
	return times(2, []*stmt{s})
}

var number = calling("setNumber", underMutex, -1, expr{n: 1})

var byHand = []struct {
	name     string
	p        *Program
	outcomes int
	deadlock bool
	livelock bool
	race     bool
}{
	{name: "each stores, and reads what the other stores", p: all2(twice(concat(writes(0, 1), reads(1)), concat(writes(1, 1), reads(0)))), outcomes: 3},
	{name: "a lost update", p: all2(twice(concat(reads(0), increment), concat(reads(0), increment))), outcomes: 3},
	{name: "a loop that waits and looks", p: twice(concat(writes(0, 2), writes(flag, 1)), []*stmt{untilFlag(reads(0))}), outcomes: 2},
	{name: "it is left by a panic", p: like(twice(concat(writes(0, 1), writes(flag, 1)), panicking()), caught, ""), outcomes: 2},
	{name: "what it began with", p: twice(concat(writes(0, 2), writes(flag, 1)), beginning()), outcomes: 2},
	{name: "a line is written in it", outcomes: 4,
		p: like(twice(concat(writes(0, 1), writes(0, 2), writes(flag, 1)), []*stmt{untilFlag(reads(0), calling("encodeRune", own, -1, local0)), {kind: assign, dst: 0}}), plain, "l")},
	{name: "behind a loop that counts", p: byVia(twice(concat(times(40, reads(0)), writes(1, 1)), reads(1)), converted), outcomes: 2},
	{name: "two locks in two orders", p: twice(under(mutex, under(writer)), under(writer, under(mutex))), outcomes: 1, deadlock: true},
	{name: "a reader within a reader, and a writer", p: twice(under(reader, under(reader)), under(writer)), outcomes: 1, deadlock: true},
	{name: "a flag that is never set", p: twice(writes(0, 1), []*stmt{untilFlag(reads(0))}), livelock: true},
	{name: "a lock that may be held", p: twice(under(mutex, reads(1)), []*stmt{{kind: locked, dst: -1, lock: tryMutex, body: writes(0, 1), els: writes(1, 1)}}), outcomes: 2},
	{name: "a number under its lock", p: twice(under(mutex, number), under(mutex, calling("getNumber", underMutex, 0, expr{}))), outcomes: 2},
	{name: "a number without it", p: twice(under(mutex, number), calling("getNumber", underMutex, 0, expr{})), outcomes: 2, race: true},
	{name: "a number is appended to no bytes of a line that another reads", outcomes: 2, race: true,
		p: twice(calling("appendNothing", underMutex, -1, expr{n: 1}), under(mutex, calling("sprintByte", underMutex, 0, expr{})))},
	{name: "an iterator that is used when the lock was given back", outcomes: 2, race: true,
		p: twice(under(mutex, calling("setFirst", underMutex, -1, expr{n: 1})), concat(under(mutex, []*stmt{{kind: makes, dst: -1, place: underMutex}}), []*stmt{{kind: uses, place: underMutex}}))},
}

var increment = []*stmt{{kind: operate, dst: -1, op: &op{kind: store, b: expr{of: next, n: 1}}}}

// TestMeaning holds the interpreter against what was counted by hand.
func TestMeaning(t *testing.T) {
	for _, c := range byHand {
		m, ok := c.p.Meaning(mostStates)
		if !ok {
			t.Errorf("%s: it has too many states", c.name)
		} else if len(m.Outcomes) != c.outcomes || m.Deadlock != c.deadlock || m.Livelock != c.livelock || m.Race != c.race || m.MayRace != c.race {
			t.Errorf("%s: expected %d outcomes, deadlock %v, livelock %v, race %v; saw %d, %v, %v, %v", c.name, c.outcomes, c.deadlock, c.livelock, c.race, len(m.Outcomes), m.Deadlock, m.Livelock, m.Race)
		}
	}
}
