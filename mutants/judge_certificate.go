package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What an exploration says of itself, and what it rests on: each of these has it say
// more than is so.
var certificate = []Judge{
	says("J-248", "where there is a doubt an exploration is complete all the same",
		"certificate.go", "Certificate.Complete", ` && len(c.Doubts) == 0`, ``),
	says("J-249", "an exploration without a step is complete",
		"certificate.go", "Certificate.Complete", ` && c.Steps > 0`, ``),
	says("J-250", "a search that was ended is complete",
		"certificate.go", "Certificate.everything", `c.Ended == ByExhaustion && `, ``),
	says("J-251", "a search of which no execution came to its end is complete",
		"certificate.go", "Certificate.everything", `!c.waits() && `, ``),
	says("J-252", "the sum of two explorations is complete if one is",
		"certificate_sum.go", "Certificate.Add", `c.Exhausted.Classes && d.Exhausted.Classes && `, `(c.Exhausted.Classes || d.Exhausted.Classes) && `),
	says("J-253", "in a sum the doubts of one are lost",
		"certificate_sum.go", "Certificate.Add", `	c.doubt(d.Doubts)
`, ``),
	says("J-254", "in a sum it is lost that one never came to an end",
		"certificate_sum.go", "Certificate.Add", ` && !c.waits() && !d.waits()`, ``),
	says("J-255", "in a sum it is lost that one had no step",
		"certificate_sum.go", "Certificate.Add", `	c.silent()
`, ``),
	says("J-256", "in a sum the executions that the bound of steps has cut are lost",
		"certificate_sum.go", "Certificate.Add", `	c.Cuts.Bound += d.Cuts.Bound
`, ``),
	certified("J-257", "that an operation may do more things than it could is not noticed", "^TestPicksCannotBeRepeated$",
		"record.go", "otherOperation", ` || a.Of != b.Of`, ``),
	certified("J-258", "executions that the bound of steps has cut are not counted", "^TestGoesOnAfterFailure$",
		"explore.go", "exploration.certificate", `c.Cuts.Bound = e.s.unfinished`, `c.Cuts.Bound = 0`),
	certified("J-259", "the time that a search may take is not held", "^TestBudget$",
		"explore.go", "exploration.over", `case e.limit.Err() != nil:`, `case false:`),
	certified("J-260", "bounds of preemptions are not tried before the exhaustive search", "^TestPortfolioTriesBounds$",
		"portfolio.go", "exploration.portfolio", `for bound := 1; bound <= 2 && !all.Done; bound++ {`, `for bound := 1; bound <= 0 && !all.Done; bound++ {`),
	{
		ID: "J-261", Title: "what a bound of preemptions leaves out is taken for explored",
		Edits: internal("strategy/dfs.go", "DFS.Choose", `d.Limited = d.Limited || f.left != 0`, ``),
		Room:  engineRoom, Tests: "^TestBoundIsNoEnd$",
	},
	certified("J-262", "a schedule that cannot be repeated ends the search in silence", "^TestCannotBeRepeated$",
		"uncontrolled.go", "scheduler.unlike", `s.sorry = fmt.Errorf(`, `_ = fmt.Errorf(`),
	certified("J-263", "other values in the same schedule are not noticed", "^TestUnsteady$",
		"record.go", "differs", `return !a.Pointer && (a.Read != b.Read || a.Wrote != b.Wrote)`, `return false`),
	certified("J-264", "switches of a schedule beyond the end of the execution are passed over", "^TestReplayDiverges$",
		"schedule.go", "replay.End", `r.next < len(r.turns) && r.diverged == ""`, `false`),
	certified("J-265", "a thread is stopped one step late", "^TestFreeze$",
		"stall.go", "scheduler.freeze", `int(t.Count) == f.After`, `int(t.Count) == f.After+1`),
	certified("J-266", "operations on invisible lines order nothing", "^TestInvisibleOrders$",
		"invisible.go", "scheduler.unmute", `if PlainAccesses {`, `if false {`),
	certified("J-267", "invisible lines are not named", "^TestInvisible$",
		"invisible.go", "scheduler.mute", `s.hidden[site] = true`, `s.hidden[site] = false`),
	certified("J-268", "package-level variables are not compared", "^TestLeftBehind$",
		"globals.go", "scheduler.checkGlobals", `if !bytes.Equal(s.before0[i], globals[i].bytes()) {`, `if false {`),
	certified("J-269", "what package-level variables point to is not compared", "^TestLeftBehind$",
		"leftover.go", "reachable.changed", `!bytes.Equal(g.saved, unsafe.Slice((*byte)(g.at), len(g.saved)))`, `false && bytes.Equal(g.saved, nil)`),
	certified("J-270", "maps in package-level variables are not compared", "^TestLeftBehind$",
		"leftover.go", "reachable.changed", `m.sum() != m.was`, `false`),
	certified("J-271", "what a function has captured in a package-level variable is in no doubt", "^TestLeftBehind$",
		"reach.go", "CallsFunc", `if s.reached != nil {`, `if false {`),
	certified("J-272", "calls that meet in a package that is not rewritten are taken for ordered", "^TestDoubts$",
		"unseen.go", "scheduler.meet", `plain(unsafe.Pointer(p.word), 8, site, true)`, `plain(unsafe.Pointer(p.word), 8, site, false)`),
	certified("J-273", "chance in a package that is not rewritten is in no doubt", "^TestDoubts$",
		"unseen.go", "reachedAs", `if what := p.Chance[called]; what != "" {`, `if what := p.Chance[called]; what == "never" {`),
	certified("J-274", "goroutines of a package that is not rewritten are in no doubt", "^TestDoubts$",
		"unseen.go", "reachedAs", `if slices.Contains(p.Starts, called) {`, `if false && slices.Contains(p.Starts, called) {`),
	certified("J-275", "what a call may write behind a pointer is not looked at", "^TestDoubts$",
		"effects.go", "Does", `current.does(site, reflect.ValueOf(v), e, nil)`, `_ = reflect.ValueOf(v)`),
	rounds("J-276", "variables that a loop assigns to are no part of its state",
		"loops.go", "walker.state", `case w.liveAtHead(v, s):`, `case false:`),
	rounds("J-277", "a field of a local struct is no part of a loop's state",
		"loops.go", "walker.ownVariable", `if s := w.info.Selections[x]; s != nil && !s.Indirect() {`, `if s := w.info.Selections[x]; false && s != nil {`),
	rounds("J-278", "a function value that is called is taken for one that was seen",
		"traces.go", "walker.calledValue", `w.around(fun, "zzhook.Called(", ")")`, ``),
	{
		ID: "J-279", Title: "a schedule names threads by numbers of one exploration alone",
		Edits: internal("order/lineage.go", "Execution.Lineage", `strconv.Itoa(t.Nth+1)`, `strconv.Itoa(t.ID)`),
		Room:  "./interleave", Tests: "^TestChildrenInAnyOrder$",
	},
}

func certified(id, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: engine(file, fn, old, new), Room: engineRoom, Tests: tests}
}

// says is a change of the sentence that stands for an exploration.
func says(id, title, file, fn, old, new string) Judge {
	return certified(id, title, "^TestCertificate$", file, fn, old, new)
}

// rounds is a change of what the marks of loops say.
func rounds(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "interleave/internal/instrument/" + file, Func: fn, Old: old, New: new}},
		Room:  "./interleave", Tests: "^TestRounds$",
	}
}
