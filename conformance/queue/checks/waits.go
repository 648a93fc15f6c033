package checks

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Scenarios of takes that wait. A take may wait for ever if nothing is put, so that each
// scenario is one that every right queue ends: in every order of its calls there are as many
// Gs as takes, or the queue is closed. A queue that offers no such take has none of them.

// room is how many Gs a queue is sure to hold; where nobody says, it is taken to hold a few.
func (f facts) room(capacity int) int {
	return cmp.Or(capacity, f.caps.Capacity, 4)
}

// An ender follows the threads of a scenario through every order of their calls.
type ender struct {
	facts
	room    int
	alone   bool // the calls are made in a fixed order
	scripts [][]record.Instr
	seen    map[string]bool
}

// progress is how far the threads have come. The Gs that are there are few at least and many
// at most: a get may miss, a put may be refused.
type progress struct {
	at        []int
	few, many int
	closed    bool
}

// ends reports whether every right queue ends the scenario: no take waits for ever in any order
// of the calls, and no put comes where the contract does not say what it does. Of scripts that
// are repeated it looks at one round.
func (f facts) ends(s *record.Scenario) bool {
	e := ender{facts: f, room: f.room(s.Capacity), alone: s.Order != nil, seen: make(map[string]bool)}
	p := progress{at: make([]int, len(s.Threads))}
	before, _ := record.ParseQuiet(s.Before)
	for _, q := range before {
		p.few, p.many = p.few+q.Gs(), p.many+q.Gs()
	}
	waits := false
	for i := range s.Threads {
		script, _ := record.ParseScript(s.Threads[i].Script)
		e.scripts = append(e.scripts, script)
		waits = waits || slices.ContainsFunc(script, func(in record.Instr) bool { return in.Kind.Waits() })
	}
	if !waits {
		return true
	}
	for _, t := range s.Order {
		script := e.scripts[t]
		if !e.step(&p, script[p.at[t]%len(script)]) {
			return false
		}
		p.at[t]++
	}
	return e.alone || e.all(p)
}

// all reports whether the threads come to their end from p in every order.
func (e *ender) all(p progress) bool {
	key := fmt.Sprint(p)
	if e.seen[key] {
		return true
	}
	e.seen[key] = true
	moved, ended := false, true
	for t, script := range e.scripts {
		if p.at[t] == len(script) {
			continue
		}
		ended = false
		in := script[p.at[t]]
		if in.Kind == record.Take && p.few == 0 && !p.closed {
			continue // it waits
		}
		if in.Kind == record.CloseQueue && e.contract.ClosedPut != spec.Refuses && e.putting(p, t) {
			return false
		}
		next := p
		next.at = slices.Clone(p.at)
		next.at[t]++
		if !e.step(&next, in) || !e.all(next) {
			return false
		}
		moved = true
	}
	return moved || ended
}

// putting reports whether a thread beside t may be in a put still, of which others have seen the G.
func (e *ender) putting(p progress, t int) bool {
	for o, script := range e.scripts {
		if o != t && p.at[o] > 0 && script[p.at[o]-1].Kind.Puts() {
			return true
		}
	}
	return false
}

// step makes a call. It reports whether it returns, and is one of which the contract speaks.
func (e *ender) step(p *progress, in record.Instr) bool {
	switch {
	case in.Kind.Puts():
		if p.closed {
			return e.contract.ClosedPut == spec.Refuses
		}
		refused := p.many+in.Gs() > e.room || !e.alone && e.contract.Refuse != spec.Never && e.contract.Refuse != spec.Anytime
		if p.many = min(p.many+in.Gs(), e.room); !refused {
			p.few += in.Gs()
		}
	case in.Kind == record.Take:
		if p.few == 0 {
			return p.closed
		}
		p.few, p.many = p.few-1, p.many-1
	case in.Kind == record.CloseQueue:
		if p.closed = true; e.contract.Closed == spec.Drops {
			p.few, p.many = 0, 0
		}
	case in.Kind == record.Drain:
		p.few = 0
	case in.Kind.Takes():
		p.few = max(0, p.few-1)
	}
	return true
}

// capacityOfWaits is the capacity of scenarios with takes that wait: a small one that lets two
// takes find something, if it can be chosen.
func (f facts) capacityOfWaits() int {
	for _, c := range f.caps.Sizes {
		if c > 1 {
			return c
		}
	}
	return 0
}

// waitSizes are the sizes of the scenarios of takes that wait.
var waitSizes = []size{{2, 2}, {2, 3}, {3, 3}, {2, 4}, {3, 4}, {4, 4}}

// waitsBeside lists the scenarios of takes that wait beside puts, closes, gets and steals.
func waitsBeside(f facts) ([]record.Scenario, string) {
	var list []record.Scenario
	if !f.allowed(record.Take) {
		return nil, "no scenario of takes that wait"
	}
	for _, of := range waitSizes {
		looks := of.calls <= 3 // with calls that take what a take waits for
		owner := []string{"p", "t"}
		var other []string
		if f.contract.Puts == spec.Anyone {
			other = append(other, "p")
		}
		if f.contract.Gets == spec.Anyone {
			other = append(other, "t")
		}
		if looks {
			owner = append(append(owner, "g"), f.several()...)
		}
		if looks && f.allowed(record.Steal) {
			other = append(other, "s0")
		}
		if f.allowed(record.CloseQueue) {
			owner, other = append(owner, "c0"), append(other, "c0")
		}
		same := f.contract.Puts == spec.Anyone && f.contract.Gets == spec.Anyone // the owner is one of many
		lots(of, owner, other, func(scripts [][]string) {
			if same && !looks && !slices.IsSortedFunc(scripts, func(a, b []string) int { return -byScript(a, b) }) {
				return
			}
			for _, before := range []string{"", "T0:p"} {
				s := record.Scenario{Name: fmt.Sprintf("%swaits-%d", of.prefix(), len(list)+1), Ps: 1, Capacity: f.capacityOfWaits(), Before: before}
				thieves := 0
				for i, script := range scripts {
					text := strings.Join(script, "")
					t := record.Thread{P: record.None, Script: text}
					if strings.ContainsAny(text, "ptg") || i == 0 {
						t.P = 0
						s.Shared = s.Shared || i > 0
					}
					if steals(text) {
						thieves++
					}
					s.Threads = append(s.Threads, t)
				}
				text := fmt.Sprint(scripts)
				stealsOwn := slices.ContainsFunc(s.Threads, func(t record.Thread) bool { return t.P == 0 && steals(t.Script) })
				if !strings.Contains(text, "t") || stealsOwn || thieves > 1 && f.contract.Steals == spec.One || !f.ends(&s) {
					continue
				}
				list = append(list, s)
			}
		})
	}
	if s := f.threeWait(len(list) + 1); f.ends(&s) && !f.short && f.contract.Gets == spec.Anyone {
		list = append(list, s)
	}
	return list, fmt.Sprintf("all %d scenarios of takes that wait, of at most 4 threads and 4 calls, and one in which three takes wait for three puts", len(list))
}

// threeWait is a scenario in which three takes may wait at once, and puts alone wake them.
func (f facts) threeWait(n int) record.Scenario {
	s := record.Scenario{Name: fmt.Sprintf("%swaits-%d", size{4, 6}.prefix(), n), Ps: 1, Shared: true, Threads: []record.Thread{{P: 0, Script: "ppp"}}}
	for range 3 {
		s.Threads = append(s.Threads, record.Thread{P: 0, Script: "t"})
	}
	if at := slices.IndexFunc(f.caps.Sizes, func(c int) bool { return c >= 3 }); at >= 0 {
		s.Capacity = f.caps.Sizes[at]
	}
	return s
}

// several are the calls of an owner that put or take several.
func (f facts) several() (calls []string) {
	if f.allowed(record.PutBatch) {
		calls = append(calls, "b2")
	}
	if f.allowed(record.Drain) {
		calls = append(calls, "d")
	}
	return calls
}

// byScript orders scripts.
func byScript(a, b []string) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(b, a)) }

// lots yields the scripts of so many threads with so many calls together, each with one at
// least, but for the names of the threads beside the first.
func lots(of size, owner, other []string, yield func([][]string)) {
	var add func(so [][]string, left int)
	add = func(so [][]string, left int) {
		if len(so) == of.threads {
			if left == 0 {
				yield(slices.Clone(so))
			}
			return
		}
		letters := other
		if len(so) == 0 {
			letters = owner
		}
		for n := 1; n <= left-(of.threads-len(so)-1); n++ {
			words(letters, n, nil, func(w []string) bool {
				if len(so) < 2 || byScript(so[len(so)-1], w) >= 0 {
					add(append(so, slices.Clone(w)), left-n)
				}
				return true
			})
		}
	}
	add(nil, of.calls)
}

// waitsInOrder lists the sequences of calls with takes that need not wait: there is a G, or the
// queue is closed. At the end it is closed, and everything is taken.
func waitsInOrder(f facts) ([]record.Scenario, string) {
	const length = 4
	var list []record.Scenario
	if !f.allowed(record.Take) {
		return nil, "no sequence of calls with takes that wait"
	}
	calls, closes := append([]string{"p", "t", "g"}, f.several()...), f.allowed(record.CloseQueue)
	if f.allowed(record.Steal) {
		calls = append(calls, "s0")
	}
	if closes {
		calls = append(calls, "c0")
	}
	words(calls, length, nil, func(w []string) bool {
		l := newLine(2)
		do := func(call string) {
			if call == "s0" {
				l.do(1, call)
			} else {
				l.do(0, call)
			}
		}
		for _, call := range w {
			do(call)
		}
		if closes {
			for _, call := range []string{"c0", "t", "c0", "t", "t", "t", "t", "t", "e0"} {
				do(call)
			}
			if f.contract.ClosedPut == spec.Refuses {
				do("p")
				do("t")
			}
		}
		s := record.Scenario{
			Name: fmt.Sprintf("waits-%d", len(list)+1), Ps: 1, Capacity: f.capacityOfWaits(), Order: l.order, Snapshot: f.caps.Show,
			Threads: []record.Thread{{P: 0, Script: l.scripts[0].String()}, {P: record.None, Script: l.scripts[1].String()}},
		}
		if strings.Contains(s.Threads[0].Script, "t") && f.ends(&s) {
			list = append(list, s)
		}
		return true
	})
	ring := 0 // the largest that can be chosen
	for _, c := range f.caps.Sizes {
		ring = max(ring, c)
	}
	for n := 2; n <= min(4, f.room(ring)) && f.half(); n++ {
		k, most := f.batchOf(n)
		if k < 2 || k != most {
			continue // it is not known whether the thief's queue has any
		}
		l := newLine(2).times(n, 0, "p").do(1, "s0").times(k-1, 1, "t").times(n-k, 0, "t")
		list = append(list, record.Scenario{
			Name: fmt.Sprintf("waits-%d", len(list)+1), Ps: 2, Capacity: ring, Order: l.order, Snapshot: f.caps.Show,
			Threads: []record.Thread{{P: 0, Script: l.scripts[0].String()}, {P: 1, Script: l.scripts[1].String()}},
		})
	}
	return list, fmt.Sprintf("all %d sequences of %d calls with takes that find something, or a closed queue", len(list), length)
}

// waitsFree lists scenarios of takes that wait for real threads. A few Gs go round between
// threads that take and put, so that some thread waits most of the time and no queue need hold
// more; or there are as many puts as takes; or the queue is closed beside its takes.
func waitsFree(f facts) ([]record.Scenario, string) {
	const times, rings = 20, 3 // the schedule is another one each time
	var list []record.Scenario
	puts, gets, closes := f.contract.Puts == spec.Anyone, f.contract.Gets == spec.Anyone, f.allowed(record.CloseQueue)
	room := f.room(0)
	add := func(before int, repeat int, scripts ...string) {
		s := record.Scenario{Name: fmt.Sprintf("waits-%d", len(list)+1), Ps: 1}
		if before > 0 {
			s.Before = "T0:" + strings.Repeat("p", before)
		}
		for i, script := range scripts {
			t := record.Thread{P: record.None, Script: script, Repeat: repeat}
			if strings.ContainsAny(script, "pt") || i == 0 {
				t.P = 0
				s.Shared = s.Shared || i > 0
			}
			s.Threads = append(s.Threads, t)
		}
		list = append(list, s)
	}
	several := min(room, 32) / 2
	if f.contract.Bound == spec.Grows {
		several = 32
	}
	sure := f.contract.Refuse == spec.Never || f.contract.Refuse == spec.Anytime
	for i := range times {
		if !f.allowed(record.Take) || !puts && !gets {
			break // an owner alone waits for nobody
		}
		if puts && gets && sure && i < rings {
			add(1, f.decidable(50), "tp", "tp")
			add(1, f.decidable(50), "tp", "tp", "tp")
			add(min(2, room), f.decidable(50), "tp", "tp", "tp", "tp")
		}
		if gets && sure && several > 0 {
			add(0, 1, strings.Repeat("pp", several), strings.Repeat("t", several), strings.Repeat("t", several))
		}
		if third := 2 * several / 3; gets && sure && third > 0 { // as many as wait at once
			add(0, 1, strings.Repeat("ppp", third), strings.Repeat("t", third), strings.Repeat("t", third), strings.Repeat("t", third))
		}
		if gets && sure && several > 0 && f.allowed(record.PutBatch) {
			add(0, 1, strings.Repeat("b2", several), strings.Repeat("t", several), strings.Repeat("t", several))
		}
		if puts && sure && several > 0 {
			add(0, 1, strings.Repeat("tt", several), strings.Repeat("p", several), strings.Repeat("p", several))
		}
		if !closes {
			continue
		}
		add(0, 1, "t", "c0", "c0")
		if gets {
			add(0, 1, strings.Repeat("p", max(1, several))+"c", "ttt", "ttt", "ttt")
			add(0, 1, "c", "tt", "t", "t")
		}
		if f.contract.ClosedPut == spec.Refuses && gets {
			add(0, 1, strings.Repeat("p", max(1, several)), "c0", "ttt", "ttt")
		}
		if f.contract.ClosedPut == spec.Refuses && puts {
			add(0, 1, "tttt", "c0", "pp", "pp")
		}
	}
	return list, fmt.Sprintf("%d scenarios of takes that wait, on real threads", len(list))
}

// obsWaited is what shows that takes have waited: one did if it was called before the put of
// what it gave, or before the close that let it go.
const obsWaited = "takes that waited"

// waited returns how many takes of h have waited.
func waited(h *record.History) (n int) {
	put, closed := make(map[record.ID]int64), int64(math.MaxInt64)
	for i := range h.Ops {
		op := &h.Ops[i]
		for _, id := range op.In {
			put[id] = op.Call
		}
		if op.Kind == record.CloseQueue {
			closed = min(closed, op.Call)
		}
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Kind == record.Take && (len(op.Out) > 0 && op.Call < put[op.Out[0]] || len(op.Out) == 0 && op.Call < closed) {
			n++
		}
	}
	return n
}

// The checks of takes that wait.
var waitChecks = []check{
	{
		name: "sequence/waits", witness: spec.Sequence, complete: true, enumerates: waitsInOrder, kinds: "t",
		doc:          "takes that find a G, or a closed queue, in a fixed order: none may wait, each result held against the sequential machine",
		requirements: slices.Concat(waitIDs, []string{"RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-FIFO", "RQ-LIFO", "RQ-CRASH"}),
	},
	{
		name: "interleave/waits", witness: spec.Interleave, complete: true, enumerates: waitsBeside, kinds: "t", quiet: true,
		doc:          "every interleaving of takes that wait with puts, gets, steals and closes: a deadlock beside a G, or of a closed queue, is the queue's",
		requirements: slices.Concat([]string{"RQ-RACE"}, waitIDs, []string{"RQ-FIFO", "RQ-LIFO", "RQ-GET-NONE", "RQ-STEAL-NONE"}, conservation),
	},
	{
		name: "stress/waits", witness: spec.Stress, enumerates: waitsFree, kinds: "t", quiet: true,
		observe:      map[string]int{obsWaited: 3},
		doc:          "takes that wait beside puts and closes on real threads; every id counted, and none may hang",
		requirements: slices.Concat(waitIDs, conservation),
	},
	{
		name: "linearizability/waits", witness: spec.Linearizability, enumerates: waitsFree, kinds: "t", quiet: true,
		observe:      map[string]int{obsWaited: 3},
		doc:          "as stress/waits; a moment is looked for in each call, a take being a get that is called when it begins to wait",
		requirements: slices.Concat(waitIDs, []string{"RQ-FIFO", "RQ-LIFO", "RQ-TWICE", "RQ-LOST", "RQ-INVENTED"}),
	},
}

// takesSpin is why the interleavings of takes that wait cannot be explored.
const takesSpin = "a take looks again and again, and its rounds are not alike, as where a count of them decides what it does: it can be explored if every round does the same, and calls runtime.Gosched"

// waits returns what is wrong with a failed execution in which takes wait for ever and no other
// call is at work, if anything is; or why a take that has no end shows nothing.
func (x *exploring) waits(r *interleave.Report) (f *record.Finding, why string) {
	if r.Failure == nil || !slices.ContainsFunc(x.s.Threads, func(t record.Thread) bool { return strings.Contains(t.Script, "t") }) {
		return nil, ""
	}
	spins := r.Failure.Kind == interleave.StepBound
	if !spins && r.Failure.Kind != interleave.Deadlock && r.Failure.Kind != interleave.Livelock {
		return nil, ""
	}
	p := x.program
	if x.s.Order == nil { // the last execution may have been another one
		y := exploring{profile: x.profile, f: x.f, s: x.s, past: x.past}
		again, err := y.run(interleave.Schedule(r.Failure.Schedule), interleave.Steps(farSteps))
		switch {
		case err != nil || y.program == nil:
			return nil, ""
		case again.Failure == nil && spins:
			return nil, takesSpin
		case again.Failure == nil || again.Failure.Kind != r.Failure.Kind:
			return nil, ""
		}
		p = y.program
	}
	w := p.Waits()
	switch {
	case w == nil:
		return nil, ""
	case w.Others > 0 && spins:
		return nil, takesSpin
	case w.Others > 0:
		return nil, ""
	}
	c, _ := x.profile.Contract()
	if f = waiting(w, c); f == nil {
		return nil, restsRightly
	}
	return f, ""
}
