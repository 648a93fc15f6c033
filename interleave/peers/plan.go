package main

import (
	"regexp"
	"time"

	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

// limits are of wall time, for one run.
type limits struct {
	exhaust time.Duration
	dfs     time.Duration // for a search without reduction, which is hopeless on all but the smallest
	random  time.Duration
	hunt    time.Duration
	seeds   int // for a hunt that depends on one, whosesoever it is
}

// plan lists all tasks whose name matches only, those to be compared beside
// each other, so that a change of the machine's load meets all explorers.
func plan(l limits, only *regexp.Regexp) []task {
	var tasks []task
	add := func(t task) {
		if only.MatchString(t.name()) {
			tasks = append(tasks, t)
		}
	}
	for _, p := range compared {
		add(task{Tool: ourselves, Mode: exhaust, Program: p.program, Limit: l.exhaust})
		add(task{Tool: genmc, Mode: exhaust, Program: p.program, Limit: l.exhaust})
	}
	for _, s := range fixture.Scripts {
		add(task{Tool: ourselves, Mode: exhaust, Script: s, Limit: l.exhaust})
		add(task{Tool: loom, Mode: exhaust, Script: s, Limit: l.exhaust})
		add(task{Tool: shuttle, Mode: exhaust, Script: s, Limit: min(l.dfs, l.exhaust)})
	}
	for _, s := range fixture.Scripts {
		add(task{Tool: ourselves, Mode: random, Script: s, Limit: l.random, Seed: 1})
		add(task{Tool: shuttle, Mode: random, Script: s, Limit: l.random, Seed: 1})
	}
	for _, h := range fixture.Hunts {
		seeded := func(tool string, m mode) {
			for seed := range l.seeds {
				add(task{Tool: tool, Mode: m, Script: h.Script, Size: h.Size, Limit: l.hunt, Seed: uint64(seed + 1)})
			}
		}
		seeded(ourselves, hunt)
		add(task{Tool: loom, Mode: hunt, Script: h.Script, Size: h.Size, Limit: l.hunt}) // the same every time
		seeded(shuttle, hunt)
		seeded(shuttle, random)
	}
	return tasks
}
