package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The checks whose threads run freely.

// long is how often a script of about 40 calls runs, so that a scenario takes
// some milliseconds: threads that are to meet must outlast the time slices of a
// busy machine.
const long = 500

// conservation is what counting ids can show.
var conservation = []string{"RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-CRASH"}

// decidable is how often a script runs that would run repeat times, so that its
// history can be judged: that takes nearly linear time where the order is first
// in, first out, and may take a search, by porcupine, where it is not.
func (f facts) decidable(repeat int) int {
	if f.contract.Order == spec.FirstIn {
		return repeat
	}
	return max(1, repeat/10)
}

// race is one scenario of free-running threads: an owner and its thieves. All
// of them steal from the owner, not each from the next P.
func race(g *gen, name string, c int, owner record.Thread, thieves ...string) record.Scenario {
	s := record.Scenario{Name: name, Ps: 1, Capacity: g.ask(c), Threads: []record.Thread{owner}}
	fromOwner := strings.NewReplacer("s", "s0", "r", "r0")
	for i, script := range thieves {
		p := g.thief(i + 1)
		if p != record.None {
			s.Ps++
		}
		s.Threads = append(s.Threads, record.Thread{P: p, Script: fromOwner.Replace(script), Repeat: owner.Repeat})
	}
	return s
}

// bursts returns an owner's script of puts and gets in stretches of up to n.
func (g *gen) bursts(n, calls int, put, get string) string {
	var b strings.Builder
	for b.Len() < calls {
		b.WriteString(strings.Repeat(put, 1+g.IntN(n)))
		b.WriteString(strings.Repeat(get, 1+g.IntN(n)))
	}
	return b.String()
}

var threadChecks = []check{
	{
		name: "stress/steal", witness: spec.Stress, requirements: conservation, scenarios: 60,
		doc:     "an owner that puts and gets in short bursts, one or two thieves; every id counted",
		kinds:   "s",
		observe: map[string]int{obsSteals: 1000, obsStealGet: 20},
		scenario: func(g *gen, i int) record.Scenario {
			c := g.size()
			owner := record.Thread{Script: g.bursts(3, 40, "p", "g"), Repeat: long}
			if i%4 == 2 { // the shortest laps
				c, owner.Script = 2, strings.Repeat("pg", 20)
			}
			return race(g, fmt.Sprintf("steal-%d", i), c, owner, []string{"ssssssss", "ssss"}[:1+i%4/3]...)
		},
	},
	{
		name: "stress/loot", witness: spec.Stress, requirements: conservation, scenarios: 60,
		doc:  "an owner that keeps its ring full, a thief that keeps its stolen batch for a while, and a thief of that thief; every id counted",
		when: []spec.Condition{batches, crowded}, loot: true,
		observe: map[string]int{obsLoot: 20},
		scenario: func(g *gen, i int) record.Scenario {
			// Short: three threads on two processors do not stay together for long.
			c := g.capacity([]int{4, 4, 8, 16}[g.IntN(4)])
			return record.Scenario{
				Name: fmt.Sprintf("loot-%d", i), Ps: 3, Capacity: g.ask(c),
				Threads: []record.Thread{
					{P: 0, Script: strings.Repeat("p", 39) + "g", Repeat: long / 10},
					{P: 1, Script: strings.Repeat("s0"+strings.Repeat("e1", 9), 4), Repeat: long / 10},
					{P: 2, Script: strings.Repeat("s1", 40), Repeat: long / 10},
				},
			}
		},
	},
	{
		name: "stress/trade", witness: spec.Stress, requirements: conservation, scenarios: 40,
		doc:  "two owners that steal from each other at once, and hold what they have, and a thief of both; every id counted",
		when: []spec.Condition{intoOwn, crowded}, loot: true, kinds: "s", holds: true,
		observe: map[string]int{obsLoot: 20},
		scenario: func(g *gen, i int) record.Scenario {
			c := g.capacity([]int{4, 4, 8, 16}[g.IntN(4)])
			s := record.Scenario{
				Name: fmt.Sprintf("trade-%d", i), Ps: 2, Capacity: g.ask(c), Holds: g.holds(c),
				Threads: []record.Thread{
					{P: 0, Script: strings.Repeat("ppps1pg", 6), Repeat: long / 10},
					{P: 1, Script: strings.Repeat("pps0pppg", 5), Repeat: long / 10},
				},
			}
			if i%2 == 1 {
				s.Threads = append(s.Threads, record.Thread{P: record.None, Script: "s0s1", Repeat: long})
			}
			return s
		},
	},
	{
		name: "stress/overflow", witness: spec.Stress, requirements: conservation, scenarios: 60,
		doc:  "two owners that overflow their rings at once, a thief of each; every id counted",
		when: []spec.Condition{spills}, kinds: "q", sized: true,
		observe: map[string]int{obsOverflows: 500, obsOverflowTwice: 10},
		scenario: func(g *gen, i int) record.Scenario {
			c := []int{2, 4, 8, 16}[g.IntN(4)]
			s := record.Scenario{
				Name: fmt.Sprintf("overflow-%d", i), Ps: 2, Capacity: g.ask(c),
				Threads: []record.Thread{{P: 0, Script: "p", Repeat: 20 * long}, {P: 1, Script: "p", Repeat: 20 * long}},
			}
			if i%3 == 2 {
				s.Ps, s.Threads = 3, append(s.Threads, record.Thread{P: 2, Script: "s0s1", Repeat: 3 * long})
			}
			return s
		},
	},
	{
		name: "stress/runnext", witness: spec.Stress, requirements: conservation, scenarios: 60,
		doc:  "an owner that keeps filling runnext, a thief that takes it; every id counted",
		when: []spec.Condition{slotted}, kinds: "nr",
		observe: map[string]int{obsSteals: 100},
		scenario: func(g *gen, i int) record.Scenario {
			owner := record.Thread{Script: g.mix(40, "nnngggp"), Repeat: long}
			if i%3 == 2 { // nobody but the thief empties the slot
				owner.Script = strings.Repeat("n", 40)
			}
			return race(g, fmt.Sprintf("runnext-%d", i), g.size(), owner, "rrrrrr")
		},
	},
	{
		name: "stress/drain", witness: spec.Stress, requirements: conservation, scenarios: 60,
		doc:  "an owner that fills its ring and drains it, or puts batches, against thieves; every id counted",
		when: []spec.Condition{spills}, kinds: "dbs",
		observe: map[string]int{obsSteals: 100},
		scenario: func(g *gen, i int) record.Scenario {
			owner := record.Thread{Script: g.mix(40, "pppppbdnm"), Repeat: long / 2}
			if i%3 != 0 {
				// A thief without a P links what it takes, as a drain does.
				return record.Scenario{
					Name: fmt.Sprintf("drain-%d", i), Ps: 1, Capacity: g.ask(8),
					Threads: []record.Thread{
						{P: 0, Script: strings.Repeat([]string{"pppd", "pppppppd"}[i%3-1], 5), Repeat: long},
						{P: record.None, Script: "s0s0s0s0s0", Repeat: 2 * long},
					},
				}
			}
			return race(g, fmt.Sprintf("drain-%d", i), g.size(), owner, "ssrs", "ss")
		},
	},
	{
		name: "stress/global", witness: spec.Stress, requirements: conservation, scenarios: 30,
		doc:  "two owners that put on the global queue, in ones and by overflow, and take batches from it; every id counted",
		when: []spec.Condition{spills}, kinds: "qmb",
		scenario: func(g *gen, i int) record.Scenario {
			s := record.Scenario{Name: fmt.Sprintf("global-%d", i), Ps: 2, Capacity: g.ask(g.size())}
			for p := range 2 {
				s.Threads = append(s.Threads, record.Thread{P: p, Script: g.mix(40, "qqppbmmgg"), Repeat: long / 8})
			}
			return s
		},
	},
	{
		name: "stress/wrap", witness: spec.Stress, requirements: append([]string{"RQ-WRAP"}, conservation...), scenarios: 60,
		doc:   "as stress/steal, while the indices go past 2^32, 2^31, 2^16, 2^15 or 2^8",
		kinds: "s", start: true, observe: map[string]int{obsWrap: 20},
		scenario: func(g *gen, i int) record.Scenario {
			c := g.capacity(g.size())
			owner := record.Thread{Script: g.bursts(3, 40, "p", "g"), Repeat: long}
			s := race(g, fmt.Sprintf("wrap-%d", i), c, owner, "ssss")
			s.Start = below(i, 1+g.IntN(400))
			return s
		},
	},
	{
		name: "linearizability/ring", witness: spec.Linearizability, scenarios: 60,
		doc:          "an owner and its thieves; a moment is looked for in each call so that the ring's calls happened one after another",
		requirements: []string{"RQ-FIFO", "RQ-LIFO", "RQ-TWICE", "RQ-LOST", "RQ-INVENTED", "RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-HALF"},
		loot:         true,
		kinds:        "s",
		observe:      map[string]int{obsStealGet: 20},
		scenario: func(g *gen, i int) record.Scenario {
			owner := record.Thread{Script: g.bursts(1+g.IntN(4), 40, "p", "g"), Repeat: g.decidable(long)}
			if i%3 == 1 { // a ring that fills: long steals, and slots overwritten under them
				owner.Script = strings.Repeat("pppg", 10)
			}
			return race(g, fmt.Sprintf("ring-%d", i), g.size(), owner, []string{"ssss", "ss"}[:1+i%4/3]...)
		},
	},
	{
		name: "linearizability/empty", witness: spec.Linearizability, scenarios: 60,
		doc:          "an owner that keeps its queue from ever being empty, or lets it be so now and then, and a thread that asks",
		requirements: []string{"RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE"},
		observe:      map[string]int{obsEmpty: 20},
		scenario: func(g *gen, i int) record.Scenario {
			// Most of these keep a G somewhere at every moment of a repeat. The
			// narrowest window of an emptiness test is the kick: runnext into the
			// ring, the new one taken. Kicked Gs stay in the ring, so there is one
			// such window a repeat, and looking at the length in between keeps
			// the owner near it.
			script := "p" + strings.Repeat("pg", 40) + "g"
			if g.allowed(record.PutNext) && g.caps.Len && i%3 != 0 {
				script = strings.Repeat([]string{"nlnglg", "nllllnglllg", "nngg"}[g.IntN(3)], 8)
			}
			if i%4 == 3 {
				script = strings.Repeat("pg", 40)
			}
			s := record.Scenario{
				Name: fmt.Sprintf("empty-%d", i), Ps: 1, Capacity: g.ask(8),
				Threads: []record.Thread{
					{P: 0, Script: script, Repeat: g.decidable(long / 2)}, {P: record.None, Script: "e0", Repeat: g.decidable(20 * long)},
				},
			}
			return s
		},
	},
	{
		name: "linearizability/overflow", witness: spec.Linearizability, scenarios: 60,
		doc:          "an owner that overflows its ring while thieves steal from it",
		requirements: []string{"RQ-CAPACITY", "RQ-OVERFLOW", "RQ-FIFO", "RQ-STEAL-HALF"},
		when:         []spec.Condition{spills}, kinds: "qs", sized: true, observe: map[string]int{obsOverflowSteal: 2},
		scenario: func(g *gen, i int) record.Scenario {
			c := g.capacity([]int{2, 4, 8, 16}[g.IntN(4)])
			owner := record.Thread{Script: strings.Repeat("p", 2*c) + strings.Repeat("g", c/2), Repeat: max(1, 40*long/(2*c))}
			return race(g, fmt.Sprintf("overflow-%d", i), c, owner, "ss")
		},
	},
	{
		name: "linearizability/runnext", witness: spec.Linearizability, scenarios: 60,
		doc:          "an owner that fills runnext, displaces and takes, and a thief that asks for runnext too",
		requirements: []string{"RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK", "RQ-STEAL-RUNNEXT", "RQ-STEAL-NONE", "RQ-GET-NONE"},
		when:         []spec.Condition{slotted}, kinds: "nr",
		scenario: func(g *gen, i int) record.Scenario {
			owner := record.Thread{Script: g.mix(40, "nnnggp"), Repeat: long / 2}
			return race(g, fmt.Sprintf("runnext-%d", i), g.size(), owner, "rrs")
		},
	},
	{
		name: "linearizability/batches", witness: spec.Linearizability, scenarios: 150,
		doc:          "an owner that puts batches, drains, and takes from the global queue, against a thief and another owner",
		requirements: []string{"RQ-DRAIN", "RQ-PUT-BATCH", "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH"},
		when:         []spec.Condition{spills}, kinds: "bdqm",
		scenario: func(g *gen, i int) record.Scenario {
			// Short: the global queue has several producers, and the search for
			// its moments is exponential.
			s := race(g, fmt.Sprintf("batches-%d", i), []int{2, 4, 8}[g.IntN(3)], record.Thread{Script: g.mix(14, "bbpgdqm")}, "ss")
			s.Threads = append(s.Threads, record.Thread{P: s.Ps, Script: g.mix(14, "qqmgp")})
			s.Ps++
			return s
		},
	},
}
