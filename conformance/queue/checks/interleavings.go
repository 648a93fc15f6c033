package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A small is a scenario for the explorer: an owner of P 0 and others, who are
// thieves of P 0 unless their script names another P. Where a target's thieves
// need no P of their own they have none, but for those that are owners.
type small struct {
	capacity int
	owner    string
	others   []string
}

// scenario makes s fit the target.
func (s small) scenario(g *gen, name string) record.Scenario {
	out := record.Scenario{
		Name: name, Ps: 1, Capacity: g.ask(s.capacity),
		Threads: []record.Thread{{P: 0, Script: s.owner}},
	}
	for _, script := range s.others {
		p := g.thief(out.Ps)
		if strings.ContainsAny(script, "pgndbm") {
			p = out.Ps
		}
		if p != record.None {
			out.Ps++
		}
		out.Threads = append(out.Threads, record.Thread{P: p, Script: victims(script)})
	}
	return out
}

// victims writes out that steals are from P 0 where nothing else is said.
func victims(script string) string {
	return rewritten(script, func(in record.Instr) string {
		switch in.Kind {
		case record.Steal, record.StealNext, record.Empty, record.Len:
			if in.Arg < 0 {
				return in.String() + "0"
			}
		}
		return in.String()
	})
}

// listed makes the check of a list.
func listed(name, doc string, ids []string, list ...small) check {
	return check{
		name: "interleave/" + name, witness: spec.Interleave, doc: doc, requirements: append([]string{"RQ-RACE"}, ids...),
		scenarios: len(list), complete: true,
		scenario: func(g *gen, i int) record.Scenario { return list[i].scenario(g, fmt.Sprintf("%s-%d", name, i)) },
	}
}

// only makes the check one for targets that offer kinds, under contracts that fulfil all
// conditions.
func (c check) only(kinds string, when ...spec.Condition) check {
	c.kinds, c.when = kinds, when
	return c
}

// The conditions of checks.
var (
	slotted = spec.If("slot", spec.Thieves)
	spills  = spec.If("full", spec.Overflows)
	batches = spec.If("batch", spec.HalfUp, spec.HalfDown, spec.Some)
	intoOwn = spec.If("batch", spec.One, spec.HalfUp, spec.HalfDown, spec.Some)
	crowded = spec.If("steals", spec.Anyone)
)

var ringIDs = append([]string{"RQ-FIFO", "RQ-LIFO", "RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-HALF"}, conservation...)

// interleavings are the checks of the witness interleave.
var interleavings = []check{
	listed("steal", "every interleaving of an owner's puts and gets with one thief or two", ringIDs,
		small{4, "pg", []string{"s"}},
		small{4, "ppg", []string{"s"}},
		small{4, "ppgpg", []string{"s"}},
		small{4, "ppgpg", []string{"ss"}},
		small{2, "ppgpg", []string{"ss"}},
		small{2, "pgpg", []string{"s"}},
		small{4, "ppg", []string{"s", "s"}},
		small{2, "ppgpg", []string{"s", "s"}},
		small{2, "p", []string{"s", "s", "s"}},
		small{2, "pgpgpgpg", []string{"s"}}, // twice round the ring while a thief copies
	).only("s"),
	listed("empty", "every interleaving of an owner's puts and gets with a thread that asks whether there is anything",
		[]string{"RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE"},
		small{4, "pg", []string{"e"}},
		small{4, "ppgg", []string{"e"}},
		small{2, "pgpg", []string{"ese"}},
		small{2, "pp", []string{"s", "e"}},
	),
	listed("empty-runnext", "the same with a slot in front, whose G is displaced into the ring",
		[]string{"RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE"},
		small{4, "nng", []string{"e"}},
		small{4, "nngg", []string{"e"}},
		small{2, "ngng", []string{"e"}},
		small{2, "nng", []string{"r", "e"}},
	).only("n", slotted),
	wrapping(listed("wrap", "as interleave/steal, while the indices go past 2^32, and in one scenario each past 2^31, 2^16, 2^15 and 2^8", append([]string{"RQ-WRAP"}, ringIDs...),
		small{4, "ppgpg", []string{"ss"}},
		small{2, "ppgpg", []string{"ss"}},
		small{2, "pgpg", []string{"s", "s"}},
	).only("s")),
	listed("runnext", "every interleaving of an owner that fills, displaces and takes its slot with thieves that ask for it",
		append([]string{"RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK", "RQ-STEAL-RUNNEXT"}, ringIDs...),
		small{4, "ng", []string{"r"}},
		small{4, "nng", []string{"r"}},
		small{2, "nngng", []string{"r"}},
		small{2, "nngng", []string{"rr"}},
		small{4, "nn", []string{"r", "r"}},
		small{2, "np", []string{"sr"}},
		small{2, "nnn", []string{"r"}},
	).only("nr", slotted),
	listed("overflow", "every interleaving of an owner that overflows its ring with thieves and with another owner that does",
		append([]string{"RQ-CAPACITY", "RQ-OVERFLOW", "RQ-GLOBAL-FIFO"}, ringIDs...),
		small{2, "ppp", []string{"s"}},
		small{2, "pppg", []string{"ss"}},
		small{2, "pppp", []string{"s"}},
		small{2, "ppp", []string{"s", "s"}},
		small{4, "ppppp", []string{"s"}},
		small{2, "ppnn", []string{"r"}},
		small{2, "ppp", []string{"ppp"}}, // two at once
		small{2, "ppp", []string{"ppp", "s"}},
		small{2, "qppp", []string{"s"}}, // behind one that is there
		small{2, "qpppm", []string{"m"}},
	).only("qmn", spills),
	listed("batches", "every interleaving of an owner that puts batches, drains and takes from the global queue with thieves and another owner",
		append([]string{"RQ-DRAIN", "RQ-PUT-BATCH", "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH"}, ringIDs...),
		small{4, "b2g", []string{"s"}},
		small{4, "b3g", []string{"ss"}},
		small{4, "ppd", []string{"s"}},
		small{4, "pppd", []string{"s"}},
		small{4, "npd", []string{"r"}},
		small{2, "ppdp", []string{"s", "s"}},
		small{2, "b3", []string{"s"}},
		small{4, "qqm2", []string{"q"}},
		small{4, "qqm2g", []string{"m1"}},
		small{8, "qqqqm4gg", []string{"s"}}, // three at once, two of them to the ring
	).only("bdqm", spills),
	loot(listed("loot", "every interleaving of thieves that keep what they take in their own rings, with thieves of theirs", append([]string{"RQ-STEAL-ORDER"}, ringIDs...),
		small{4, "ppp", []string{"sg"}},
		small{4, "ppp", []string{"sg", "s1"}},
		small{4, "pp", []string{"s", "s1"}},
		small{4, "pps1", []string{"pps"}},
		small{4, "pppg", []string{"sgg"}},
		small{4, "ppgppp", []string{"ppsg"}}, // the thief has two of its own, and its head of the other ring is old
	)),
}

func wrapping(c check) check {
	c.start = true
	scenario, n := c.scenario, c.scenarios
	c.scenarios = n + len(ends) - 1
	c.scenario = func(g *gen, i int) record.Scenario {
		s := scenario(g, i%n)
		s.Start = below(max(0, i-n+1), 1) // the second put wraps
		return s
	}
	return c
}

func loot(c check) check {
	c.loot = true
	c.when = []spec.Condition{batches, crowded}
	scenario := c.scenario
	c.scenario = func(g *gen, i int) record.Scenario {
		s := scenario(g, i)
		if g.caps.Holds {
			s.Holds = g.holds(s.Capacity)
		}
		return s
	}
	return c
}
