package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The engine, and what a user's go test makes of a run: each of these has a run say
// more than it did, or lose what it found.
var running = []Judge{
	// Which checks are carried out, and how.
	ran("J-900", "two targets may have one name", "^TestNames$",
		"run.go", "Run", `if slices.Contains(names, s.Name) {`, `if false {`),
	ran("J-901", "a target may take the name of another", "^TestNames$",
		"run.go", "runner.target", `d.Name != s.Name && slices.Contains(r.names, d.Name)`, `false`),
	ran("J-902", "a selection that chooses nothing is run", "^TestSelect$",
		"run.go", "Run", `if !some {`, `if false {`),
	ran("J-903", "the last check is in no shard", "^TestShards$",
		"run.go", "Shard.of", `i < len(checks)`, `i < len(checks)-1`),
	ran("J-904", "checks are in several shards", "^TestShards$",
		"run.go", "Shard.of", `i += s.N`, `i++`),
	ran("J-905", "checks of other profiles are carried out", "^TestPlans$",
		"run.go", "runner.plan", `!c.Fits(d.Profile) || `, ``),
	ran("J-906", "checks that judge nothing of the target are carried out", "^TestPlans$",
		"run.go", "runner.plan", `len(p.ids) == 0 || `, ``),
	ran("J-907", "checks that are carried out elsewhere are carried out here, too", "^TestPlans$",
		"run.go", "runner.plan", `if !p.plan.Elsewhere {`, `if true {`),
	ran("J-908", "a check that another process did not finish has no result", "^TestDoneElsewhere$",
		"run.go", "runner.check", `if !slices.ContainsFunc(p.done,`, `if false && !slices.ContainsFunc(p.done,`),
	ran("J-909", "of several ids the first alone is chosen", "^TestSelectIDs$",
		"select.go", "Select", `ids := strings.Split(sel, ",")`, `ids := strings.Split(sel, ",")[:1]`),
	ran("J-910", "an id that nobody knows is chosen", "^TestSelect$",
		"select.go", "Select", `if _, err := spec.Lookup(id); err != nil {`, `if _, err := spec.Lookup(id); err != nil && id == "" {`),
	ran("J-911", "ids choose all checks", "^TestSelectIDs$",
		"select.go", "Select", `return slices.Contains(c.Requirements, id) }`, `return id != "" }`),
	ran("J-912", "what a target lacks is no obstacle", "^TestStanding$",
		"task.go", "carry", `if plan.Lacks != "" {`, `if false {`),
	ran("J-913", "a check begins after the end of the run", "^TestNothingBeginsAfterTheEnd$",
		"task.go", "carry", `if ctx.Err() != nil {`, `if false {`),
	ran("J-914", "a check that ended in no way is taken for one that did", "^TestNothingIsKeptWithoutACall$|^TestStanding$",
		"task.go", "carry", `case Completed, Inconclusive, Skipped, Error:`, `case Completed, Inconclusive, Skipped, Error, "", "passed":`),
	ran("J-915", "a check may judge what it does not list", "^TestClaims$",
		"task.go", "Result.judges", `if !slices.Contains(ids, id) {`, `if !slices.Contains(append(ids, id), id) {`),
	ran("J-916", "a panic of a check ends the run", "^TestPanicOfACheck$",
		"task.go", "carry", `if v := recover(); v != nil {`, `if v := error(nil); v != nil {`),
	ran("J-1323", "a panic of a plan ends the run", "^TestPanicOfAPlan$",
		"check.go", "Check.plan", `if v := recover(); v != nil {`, `if v := error(nil); v != nil {`),
	ran("J-1324", "a check whose plan panicked is carried out without one", "^TestPanicOfAPlan$",
		"task.go", "carry", `if plan.panicked != "" {`, `if false {`),
	ran("J-917", "checks beside each other are told as they come", "^TestParallel$",
		"run.go", "runner.together", `ended[turn]; turn++`, `(ended[turn] || len(held[turn]) > 0); turn++`),

	// Ends, and who is asked to say so.
	ran("J-918", "a target that was not open in time is an error", "^TestBudgets$",
		"run.go", "runner.target", `ended = Inconclusive`, `ended = Error`),
	ran("J-919", "a target that cannot be had is no error", "^TestBudgets$",
		"run.go", "runner.target", `ended := Error`, `ended := Inconclusive`),
	ran("J-920", "an interrupt is not noted", "^TestBudgets$",
		"run.go", "Run", `errors.Is(ctx.Err(), context.Canceled)`, `false`),
	ran("J-921", "the end of the budget is not told from other ends", "^TestStoppedByTheBudget$",
		"task.go", "Task.Stopped", `errors.As(cause, &over) {`, `errors.As(cause, &over) && false {`),
	ran("J-922", "what was stopped is completed", "^TestStoppedByTheBudget$|^TestNothingBegins",
		"task.go", "Task.Stopped", `Ended: Inconclusive,`, `Ended: Completed,`),
	ran("J-923", "failures that a source knows of are not noted", "^TestHeaderNotes$",
		"run.go", "Run", `known = append(known, s.Known...)`, `_ = s`),
	ran("J-924", "that a run is strict is not noted", "^TestHeaderNotes$",
		"run.go", "Run", `Strict: o.Strict, `, ``),

	// Controls.
	ran("J-925", "a run needs no controls", "^TestCounters$",
		"run.go", "Run", `if o.Witnesses == nil {`, `if o.Witnesses != nil {`),
	ran("J-926", "any finding counts as the control's fall", "^TestControlThatIsNotCaught$",
		"run.go", "Control.run", `c.Finding == nil && slices.Contains(k.Falls, f.Requirement)`, `c.Finding == nil`),
	ran("J-927", "a control that cannot be opened is only inconclusive", "^TestControlThatIsNotCaught$",
		"run.go", "Control.run", `c.Ended, c.Reason = Error, err.Error()`, `c.Ended, c.Reason = Inconclusive, err.Error()`),

	// Findings.
	ran("J-928", "one way to fail is found as often as it is met", "^TestFindings$",
		"task.go", "Task.Find", `	if r.found[f.Fingerprint] {
		return false
	}
	if len`, `	if len`),
	ran("J-929", "findings have no bound", "^TestFindings$",
		"task.go", "Task.Find", `if len(r.found) >= maxFindings {`, `if false {`),
	ran("J-930", "what was found before is not broken", "^TestFindings$",
		"task.go", "Task.Find", `r.broken[f.Requirement] = true`, `r.broken[f.Requirement] = len(r.found) == 0`),
	ran("J-931", "a fingerprint need not name its requirement", "^TestClaims$",
		"task.go", "Task.Find", `if !f.Covers(f.Requirement) {`, `if false {`),
	ran("J-932", "a finding's witness is who it says", "^TestClaims$",
		"task.go", "Task.Find", `f.Witness = string(r.Check.Witness)`, `if f.Witness == "" {
		f.Witness = string(r.Check.Witness)
	}`),
	ran("J-2363", "a scheduler's call that takes all memory is a queue's", "^TestMemory$",
		"memory.go", "memoryWatch.look", `if _, ok := w.d.Profile.Scheduler(); ok {`, `if false {`),
	ran("J-933", "all scenarios of a check are drawn the same", "^TestRand$",
		"task.go", "Task.Rand", `h.Sum64()+uint64(i)`, `h.Sum64()`),
	ran("J-934", "all checks draw the same", "^TestRand$",
		"task.go", "Task.Rand", `h.Write([]byte(r.Check.Name))`, `h.Write(nil)`),
	ran("J-935", "the seed is not heeded", "^TestRand$",
		"task.go", "Task.Rand", `uint64(r.Seed)`, `0`),
	ran("J-936", "a finding does not say how it is seen again", "^TestAgain$",
		"run.go", "runner.again", `case d.Command != "":`, `case false:`),
	ran("J-937", "a finding is seen again by another seed", "^TestAgain$",
		"run.go", "runner.again", `check, r.Seed, d.Command`, `check, r.Seed+1, d.Command`),

	// What is kept, and where.
	ran("J-938", "a target's name leads out of the folder", "^TestFileName$",
		"keep.go", "FileName", `r == '.' ||`, `r == '.' || r == '/' ||`),
	ran("J-939", "names of files have no bound", "^TestFileName$",
		"keep.go", "FileName", `name[max(0, len(name)-200):]`, `name`),
	ran("J-940", "the newest history goes first", "^TestBound$",
		"keep.go", "bound", `a.at.Compare(b.at)`, `b.at.Compare(a.at)`),
	ran("J-941", "the number of histories has no bound", "^TestBound$",
		"keep.go", "bound", `n > keptFiles || `, ``),
	ran("J-942", "the size of histories has no bound", "^TestBound$",
		"keep.go", "bound", ` || total > keptBytes`, ``),
	ran("J-943", "what was just written goes", "^TestBound$",
		"keep.go", "bound", `f.path != keep`, `true`),
	ran("J-944", "events that could not be written have a name", "^TestEventsFromEnv$",
		"keep.go", "EventsFromEnv", `err := cmp.Or(failed(), f.Close())`, `failed()
			err := cmp.Or(f.Close())`),
	ran("J-945", "the folder of events is wherever the test runs", "^TestEventsFromEnv$",
		"keep.go", "EventsFromEnv", `if !filepath.IsAbs(dir) {`, `if false {`),

	// The models, as a subject.
	{
		ID: "J-1327", Title: "models are explored one after another",
		Edits: []overlay.Edit{{File: "conformance/model/model.go", Func: "check", Old: `Parallel: true`, New: `Parallel: false`}},
		Room:  "./conformance/model", Tests: "^TestSideBySide$",
	},
	{
		ID: "J-1328", Title: "models share what they count",
		Edits: []overlay.Edit{
			{File: "conformance/model/model.go", Func: "explored", Old: `Judged: make(map[string]int64)`, New: `Judged: ofAll`},
			{File: "conformance/model/model.go", Old: `type target struct`, New: "var ofAll = make(map[string]int64)\n\ntype target struct"},
		},
		Room: "./conformance/model", Tests: "^TestSideBySide$",
	},
}

// ran is a change of the suite's engine.
func ran(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "internal/suite/" + file, Func: fn, Old: old, New: new}},
		Room: "./internal/suite", Tests: tests,
	}
}
