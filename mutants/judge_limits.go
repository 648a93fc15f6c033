package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The limits of a search of the model's machines: each of these says of a part of the
// states what it may say of all alone, or heeds a limit no more.
var limited = []Judge{
	searched("J-1400", "a search that a limit on states ended is complete", stopsEarly,
		"search.go", "exploration.full", `return false`, `e.complete = true
	return false`),
	searched("J-1401", "a search that a limit on memory ended is complete", stopsEarly,
		"search.go", "exploration.fits", `return false`, `e.complete = true
	return false`),
	searched("J-1402", "a search that was interrupted is said to have met a limit", stopsEarly,
		"search.go", "exploration.goesOn", `e.stopped = "interrupted"`, `e.stopped, e.limited = "interrupted", true`),
	searched("J-1403", "what the table needs to grow is not looked at", stopsEarly,
		"explore.go", "exploration.insert", `e.fits(e.memory() + e.seen.growth(len(b.prints)))`, `e.fits(e.memory())`),
	searched("J-1404", "what is counted when a limit is met depends on the workers", stopsEarly,
		"explore.go", "exploration.insert", `if e.distinct == e.MaxStates {`, `if e.distinct >= e.MaxStates && i == len(b.ends)-1 {`),
	searched("J-1405", "a search for a circle heeds no limit on states", "^TestLivelyStopsEarly$",
		"lively.go", "builder.enter", `if b.distinct == b.MaxStates {`, `if false {`),
	searched("J-1406", "a circle is looked for in memory that is not there", "^TestLivelyStopsEarly$",
		"lively.go", "builder.judge", ` && b.fits(b.memory()+b.r.judging())`, ``),
	searched("J-1407", "what ended before it looked everywhere has found no circle", "^TestCircleInterrupted$",
		"scc.go", "components.of", `return ctx.Err()`, `return nil`),
	searched("J-1408", "a processor that was lent is kept", "^TestSpare$",
		"parallel.go", "exploration.parallel", `e.Spare <- struct{}{}`, `_ = e`),
	searched("J-1725", "a step is judged by the representative of the state that it leads to", "^TestRefinementIsAskedAboutTheTrueStep$",
		"explore.go", "exploration.expand", `		e.m.Next(s, &b.out)
`, `		e.m.Next(s, &b.out)
		for k := n; e.canonical != nil && k < len(b.out.list); k++ {
			e.canonical(&b.out.list[k].To)
		}
`),
	{
		ID: "J-1409", Title: "what met a limit holds", Room: "./tla/machine", Tests: "^TestLimits$",
		Edits: []overlay.Edit{{File: "tla/machine/run.go", Func: "Machine.add", Old: `r.Outcome, r.Detail = tlc.Limited, found.Stopped`, New: `r.Outcome = tlc.Holds`}},
	},
	{
		ID: "J-1410", Title: "the limits do not reach the search", Room: "./tla/machine", Tests: "^TestLimits$",
		Edits: []overlay.Edit{{File: "tla/machine/machine.go", Func: "limits", Old: `of.MaxStates, of.MaxMemory = o.MaxStates, o.MaxMemory`, New: ``}},
	},
	commanded("J-1411", "what met a limit is held against the table", "^TestModelLimits$",
		"tla/tlc/result.go", "Result.Ended", ` && r.Outcome != Limited`, ``),
	commanded("J-1412", "a limit that is said is not heeded", "^TestModelLimits$",
		"tla/command/model.go", "modelOptions.main", `MaxStates: o.maxStates, `, ``),
	commanded("J-1413", "models have more processors than there are", "^TestProcessors$",
		"tla/command/limits.go", "processors.idle", `p.busy*p.each+p.lent < p.all`, `p.busy*p.each+p.lent <= p.all`),
}

const stopsEarly = "^TestStopsEarly$"

// searched is a change of the explorer of machines.
func searched(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./spec/explore", Tests: tests,
		Edits: []overlay.Edit{{File: "spec/explore/" + file, Func: fn, Old: old, New: new}},
	}
}
