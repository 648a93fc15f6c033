package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// The checks whose calls come in a fixed order. A script here names the thread
// before the letter: "0p 1s" is P0's owner putting and P1's owner stealing.

// line builds a scenario from threads and calls in one order.
type line struct {
	ps      int
	scripts []strings.Builder
	order   []int
}

func newLine(ps int) *line { return &line{ps: ps, scripts: make([]strings.Builder, ps)} }

func (l *line) do(thread int, call string) *line {
	l.scripts[thread].WriteString(call)
	l.order = append(l.order, thread)
	return l
}

func (l *line) times(n, thread int, call string) *line {
	for range n {
		l.do(thread, call)
	}
	return l
}

// look asks everything that can be asked without taking anything out.
func (l *line) look(f facts) *line {
	l.do(0, "e0")
	if f.caps.Len {
		l.do(0, "l0")
	}
	return l
}

func (l *line) scenario(g *gen, name string, capacity int, start uint32) record.Scenario {
	s := record.Scenario{Name: name, Ps: l.ps, Capacity: g.ask(capacity), Start: start, Order: l.order, Snapshot: g.caps.Show}
	for p := range l.ps {
		owner := p
		if p > 0 {
			owner = g.thief(p)
		}
		s.Threads = append(s.Threads, record.Thread{P: owner, Script: l.scripts[p].String()})
	}
	return s
}

// directed is a list of hand-made scenarios, each for rings of a small and of
// the default length, from index 0 and from just below the indices' end.
type directed struct {
	name  string
	kinds string
	reqs  []string
	when  []spec.Condition
	build func(g *gen, c int) *line
}

var directedScenarios = []directed{
	{"order", "", []string{"RQ-FIFO", "RQ-LIFO", "RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-GET-NONE"}, nil, func(g *gen, c int) *line {
		l := newLine(1)
		for n := 1; n <= min(c, 12); n++ {
			l.times(n, 0, "p").times(n+1, 0, "g")
		}
		return l
	}},
	{"emptiness", "", []string{"RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN", "RQ-GET-NONE"}, nil, func(g *gen, c int) *line {
		l := newLine(1).look(g.facts)
		for range min(c, 12) {
			l.do(0, "p").look(g.facts)
		}
		for range min(c, 12) {
			l.look(g.facts).do(0, "g")
		}
		return l.look(g.facts).do(0, "g").look(g.facts)
	}},
	{"steal", "s", []string{"RQ-STEAL-NONE", "RQ-STEAL-HALF", "RQ-STEAL-ORDER", "RQ-FIFO", "RQ-LIFO"}, nil, func(g *gen, c int) *line {
		l := newLine(2).do(1, "s0")
		for n := 1; n <= min(c, 12); n++ {
			l.times(n, 0, "p")
			for range n + 1 {
				l.do(1, "s0")
				if g.half() {
					l.times(n, 1, "g")
				}
			}
			l.do(0, "g")
		}
		return l
	}},
	{"full-thief", "s", []string{"RQ-STEAL-NONE", "RQ-STEAL-HALF", "RQ-STEAL-ORDER", "RQ-FIFO", "RQ-LIFO", "RQ-CAPACITY", "RQ-LOST", "RQ-TWICE"}, []spec.Condition{intoOwn}, func(g *gen, c int) *line {
		l := newLine(2)
		most := min(g.holds(c), c)
		for _, holds := range slices.Compact([]int{1, most / 2, most - 1, most}) {
			for n := 1; n <= min(c, 6) && holds > 0; n++ {
				l.times(holds, 1, "p").times(n, 0, "p").do(1, "s0").look(g.facts)
				if g.caps.Len {
					l.do(1, "l1")
				}
				l.times(min(c, holds+n)+1, 1, "g").times(n, 0, "g")
				if !g.getsAtRest() {
					return l // what is left is not known
				}
			}
		}
		return l
	}},
	{"runnext", "n", []string{"RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK", "RQ-EMPTY-TRUE", "RQ-LEN"}, []spec.Condition{slotted}, func(g *gen, c int) *line {
		l := newLine(1).do(0, "n").look(g.facts).do(0, "g").look(g.facts)
		l.do(0, "p").do(0, "n").do(0, "n").look(g.facts).times(3, 0, "g")
		for range c + 2 {
			l.do(0, "n").look(g.facts)
		}
		return l.times(c+3, 0, "g")
	}},
	{"steal-runnext", "nr", []string{"RQ-STEAL-RUNNEXT", "RQ-RUNNEXT-OWNER", "RQ-STEAL-NONE"}, []spec.Condition{slotted}, func(g *gen, c int) *line {
		l := newLine(2).do(1, "r0").do(0, "n").do(1, "s0").look(g.facts).do(1, "r0").look(g.facts).do(0, "g")
		l.do(0, "p").do(0, "n").do(1, "r0").look(g.facts).do(1, "r0").do(0, "g").do(1, "g")
		return l.do(1, "n").do(0, "p").do(0, "p").do(0, "p").do(1, "s0").do(1, "g").do(1, "g").do(1, "g")
	}},
	{"overflow", "q", []string{"RQ-CAPACITY", "RQ-OVERFLOW", "RQ-LOST"}, []spec.Condition{spills}, func(g *gen, c int) *line {
		return newLine(1).times(c, 0, "p").look(g.facts).do(0, "p").look(g.facts).times(c, 0, "p").times(c+1, 0, "g").times(2*c+1, 0, "p").times(c+1, 0, "g")
	}},
	{"kick-overflow", "nq", []string{"RQ-RUNNEXT-KICK", "RQ-OVERFLOW"}, []spec.Condition{slotted, spills}, func(g *gen, c int) *line {
		return newLine(1).times(c, 0, "p").do(0, "n").do(0, "n").look(g.facts).times(c+1, 0, "g")
	}},
	{"wrap", "", []string{"RQ-WRAP", "RQ-FIFO", "RQ-LEN"}, nil, func(g *gen, c int) *line {
		l, n := newLine(2), max(1, c/2)
		for range 4 {
			l.times(n, 0, "p").look(g.facts)
			if g.allowed(record.Steal) {
				l.do(1, "s0")
			}
			if g.half() {
				l.times(c, 1, "g")
			}
			l.times(n, 0, "p").look(g.facts).times(c, 0, "g")
		}
		return l
	}},
	{"drain", "nd", []string{"RQ-DRAIN", "RQ-EMPTY-TRUE"}, []spec.Condition{slotted, spills}, func(g *gen, c int) *line {
		l := newLine(1).do(0, "d").do(0, "n").do(0, "d").times(c/2, 0, "p").do(0, "d").look(g.facts)
		return l.times(c, 0, "p").do(0, "n").do(0, "d").look(g.facts).do(0, "g")
	}},
	{"batch", "b", []string{"RQ-PUT-BATCH", "RQ-CAPACITY"}, []spec.Condition{spills}, func(g *gen, c int) *line {
		l := newLine(1)
		for _, n := range []int{1, c - 1, c, c + 1, 2 * c} {
			l.do(0, fmt.Sprintf("b%d", n)).look(g.facts).times(min(n, c)+1, 0, "g")
			l.do(0, "p").do(0, fmt.Sprintf("b%d", n)).times(c+1, 0, "g")
		}
		return l
	}},
	{"global", "qm", []string{"RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH"}, []spec.Condition{spills}, func(g *gen, c int) *line {
		l := newLine(1+g.IntN(3)).do(0, "m1")
		for _, n := range []int{1, 2, c - 1, c, 2 * c, 3 * c} {
			l.times(n, 0, "q")
			for _, ask := range []int{1, 2, c / 2, c, 2 * c} {
				l.do(0, fmt.Sprintf("m%d", ask)).times(c/2, 0, "g")
			}
		}
		return l
	}},
}

// directedSizes are the capacities at which a directed list is run.
var directedSizes = []int{2, 4, 8, 256}

// directedCheck makes the check that runs one directed list.
func directedCheck(d directed) check {
	c := check{
		name: "sequence/" + d.name, witness: spec.Sequence, requirements: append(d.reqs, "RQ-CRASH"),
		doc:   "calls in a fixed order, made by hand, each result and the contents held against the sequential machine",
		kinds: d.kinds, complete: true, start: d.name == "wrap",
	}
	if c.each = 2; c.start {
		c.each = len(ends)
	}
	c.scenarios = c.each * len(directedSizes)
	c.loot = slices.ContainsFunc(d.when, func(q spec.Condition) bool { return q.Choice == intoOwn.Choice })
	c.when, c.sized = d.when, slices.ContainsFunc(d.when, func(q spec.Condition) bool { return q.Choice == spills.Choice })
	c.scenario = func(g *gen, i int) record.Scenario {
		at := i % c.each // from index 0, and from below 2^32; of the check that is about that, from below each end
		size := g.capacity(directedSizes[i/c.each])
		if size == 0 {
			size = 16
		}
		start := uint32(0)
		switch {
		case c.start:
			start = below(at, size+size/2-i/c.each)
		case g.caps.Start && at == 1:
			start = below(0, size+size/2-i/c.each)
		}
		return d.build(g, size).scenario(g, fmt.Sprintf("%s-%d", d.name, i), size, start)
	}
	return c
}

var sequenceRandom = check{
	name: "sequence/random", witness: spec.Sequence, scenarios: 300,
	doc: "300 calls of random kinds on one to three Ps, one after another, each result and the contents held against the sequential machine",
	requirements: []string{
		"RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-CRASH", "RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN",
		"RQ-FIFO", "RQ-LIFO", "RQ-CAPACITY", "RQ-OVERFLOW", "RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK", "RQ-RUNNEXT-OWNER",
		"RQ-STEAL-HALF", "RQ-STEAL-ORDER", "RQ-STEAL-RUNNEXT", "RQ-DRAIN", "RQ-PUT-BATCH", "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH", "RQ-WRAP",
	},
	scenario: randomLine,
}

// lengths follows how many Gs lie where, as far as a generator must know it so
// as to ask only for what is allowed: a steal needs room in the thief's ring. They are
// the most that may be there.
type lengths struct {
	ring   []int
	next   []bool
	loot   []bool // what a steal has brought may be there still
	global int
	c      int
	spills bool // a full ring overflows to the global queue; others refuse
	exact  bool // they are not only the most, but what is there
}

func (n *lengths) put(p int) {
	switch {
	case n.c == 0 || n.ring[p] < n.c:
		n.ring[p]++
	case n.spills && n.exact:
		n.ring[p] = n.c / 2
		n.global += n.c/2 + 1
	}
}

// getsAtRest and stealsAtRest report whether a get or a steal that comes when no other call is
// at work takes something if it can.
func (f facts) getsAtRest() bool   { return !spec.AtRest(f.contract.GetMiss) }
func (f facts) stealsAtRest() bool { return !spec.AtRest(f.contract.StealMiss) }

// batchOf returns how many of n Gs, at least one, a steal from queue to queue takes at least
// and at most, when no other call is at work.
func (f facts) batchOf(n int) (least, most int) {
	rules := sequential.Rules{Contract: f.contract}
	for k := 1; k <= n; k++ {
		if rules.BatchFits(k, n) {
			least, most = cmp.Or(least, k), k
		}
	}
	if !f.stealsAtRest() {
		least = 0
	}
	return least, most
}

// untold reports whether nobody says how many Gs a steal from queue to queue takes: who has stolen then takes all out of its own queue before it steals
// again. What it has put itself may lie there: a steal must leave it there, in front.
func (f facts) untold() bool {
	return f.half() && !f.caps.Moves && (f.contract.Batch == spec.Some || f.contract.Batch != spec.One && f.contract.Order == spec.AnyOrder)
}

// holds returns how many Gs a queue of capacity c may hold when its owner steals into it: so many
// that there is room for what a steal may bring. A steal of one brings nothing, one of some no
// more than there is room for. Where the capacity is not known it is one.
func (f facts) holds(c int) int {
	switch {
	case !f.half():
		return 0
	case f.grows():
		return 1 << 16
	case c == 0:
		return 1
	case f.spills(), f.contract.Batch != spec.One && f.contract.Batch != spec.Some:
		return c / 2
	}
	return c
}

// grows reports whether there is always room in a queue for what a steal brings.
func (f facts) grows() bool { return f.contract.Bound == spec.Grows }

func randomLine(g *gen, i int) record.Scenario {
	ps := 1 + g.IntN(3)
	if !g.allowed(record.Steal) {
		ps = 1 // nobody but the owner has anything to call
	}
	c := g.capacity(g.size())
	n := &lengths{ring: make([]int, ps), next: make([]bool, ps), loot: make([]bool, ps), c: c, spills: g.spills()}
	n.exact = g.getsAtRest() && g.stealsAtRest() && g.contract.Batch != spec.Some
	l := newLine(ps)
	calls := 300
	// Long stretches of puts and of gets, so that a ring fills and runs dry.
	weights := []string{"ppppnnbgelq", "pngsrelmd", "ggggsrrel", "pppp", "pgsgpe"}
	w := weights[0]
	for k := range calls {
		if k%(5+c/4+g.IntN(20)) == 0 {
			w = weights[g.IntN(len(weights))]
		}
		p := g.IntN(ps)
		kind := record.Kind(w[g.IntN(len(w))])
		v := g.IntN(ps)
		if !g.allowed(kind) {
			kind = record.Put
		}
		if g.thief(1) == record.None && p > 0 && kind.Owner() {
			kind = record.Steal // only P0 has an owner
		}
		switch kind {
		case record.Steal, record.StealNext:
			if g.thief(1) == record.None {
				v = 0
				if p == 0 {
					kind = record.Get
				}
			} else if v == p || n.ring[p] > g.holds(n.c) || n.loot[p] && g.untold() {
				kind = record.Get // there must be room for what it brings, and it must show what that is
			}
		case record.GlobalGet:
			if n.ring[p] > n.c/2 {
				kind = record.Get
			}
		}
		arg := ""
		switch kind {
		case record.Put:
			n.put(p)
		case record.PutNext:
			if n.next[p] {
				n.put(p)
			}
			n.next[p] = true
		case record.PutBatch:
			b := 1 + g.IntN(n.c+2)
			fit := b
			if n.c > 0 {
				fit = min(b, n.c-n.ring[p])
			}
			n.ring[p] += fit
			if n.spills {
				n.global += b - fit
			}
			arg = fmt.Sprint(b)
		case record.Get:
			if n.next[p] {
				n.next[p] = false
			} else if n.ring[p] > 0 && g.getsAtRest() {
				n.ring[p]--
			}
			n.loot[p] = n.loot[p] && n.ring[p] > 0
		case record.Steal, record.StealNext:
			arg = fmt.Sprint(v)
			switch {
			case n.ring[v] == 0:
				if kind == record.StealNext {
					n.next[v] = false
				}
			case g.half():
				least, most := g.batchOf(n.ring[v])
				n.ring[v] -= least
				n.ring[p] += most - 1
				if n.c > 0 && n.ring[p] > n.c && !g.grows() {
					n.ring[p] = n.c
				}
				n.loot[p] = n.loot[p] || most > 1
			case g.stealsAtRest():
				n.ring[v]--
			}
		case record.Drain:
			n.ring[p], n.next[p], n.loot[p] = 0, false, false
		case record.GlobalPut:
			n.global++
		case record.GlobalGet:
			ask := 1 + g.IntN(n.c+1)
			k := sequential.Share(ask, n.c, n.global, ps)
			if !n.exact {
				k = min(ask, n.c/2)
			}
			n.global -= k
			n.ring[p] += max(0, k-1)
			arg = fmt.Sprint(ask)
		case record.Empty, record.Len:
			arg = fmt.Sprint(v)
		}
		l.do(p, string(kind)+arg)
	}
	return l.scenario(g, fmt.Sprintf("random-%d", i), c, g.start(c))
}
