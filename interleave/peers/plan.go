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
	seeds   int // for a hunt that depends on one
	own     int // the same, for ourselves
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
	for _, s := range fixture.Scripts {
		add(task{tool: ourselves, mode: exhaust, script: s, limit: l.exhaust})
		add(task{tool: "loom", mode: exhaust, script: s, limit: l.exhaust})
		add(task{tool: "shuttle", mode: exhaust, script: s, limit: min(l.dfs, l.exhaust)})
	}
	for _, s := range fixture.Scripts {
		add(task{tool: ourselves, mode: random, script: s, limit: l.random, seed: 1})
		add(task{tool: "shuttle", mode: random, script: s, limit: l.random, seed: 1})
	}
	for _, h := range fixture.Hunts {
		t := task{mode: hunt, script: h.Script, size: h.Size, limit: l.hunt}
		for seed := range l.own {
			t.tool, t.seed = ourselves, uint64(seed+1)
			add(t)
		}
		t.tool, t.seed = "loom", 0 // the same every time
		add(t)
		for seed := range l.seeds {
			t.tool, t.seed = "shuttle", uint64(seed+1)
			add(t)
		}
		t.mode = random
		for seed := range l.seeds {
			t.seed = uint64(seed + 1)
			add(t)
		}
	}
	return tasks
}
