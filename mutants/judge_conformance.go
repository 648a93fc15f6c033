package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What go test tells a user of a queue: each of these blames the queue for what the run
// did, passes what was not looked at, or forgets what failed before.
var ofQueues = []Judge{
	checking("J-1000", "a hang is not tried again", "^TestHang(Once|Always)$",
		"carryout.go", "work.judge", `if errors.As(err, &hang) {`, `if errors.As(err, &hang) && false {`),
	checking("J-1001", "a hang that does not come again is a finding", "^TestHangOnce$",
		"carryout.go", "work.judge", `return h, Verdict{}, &undecided{fmt.Sprintf("scenario %s: %v; the same scenario ended when it was run again", s.Name, hang)}`,
		`return h, crashed("/hang", hang.Error(), nil), nil`),
	checking("J-1002", "time in which the suite was stopped counts", "^TestStopped$",
		"target.go", "inProcess.Run", `within, cancel := awake.WithTimeout(ctx, scenarioTimeout)`, `within, cancel := context.WithTimeout(ctx, scenarioTimeout)
	_ = awake.WithTimeout`),
	checking("J-1003", "calls that return, but late, are an error of the suite", "^TestSlow$",
		"target.go", "inProcess.Run", `case ctx.Err() == nil && within.Err() != nil && errors.Is(err, within.Err()):`, `case false:`),
	checking("J-1004", "of kept scenarios only two are tried", "^TestKeptIsTried$",
		"check.go", "check.forTarget", `if c.kept {`, `if false {`),
	checking("J-1005", "scenarios that failed before keep requirements", "^TestKept(IsTried|KeepsNothing)$",
		"kept.go", "keptCheck", `o.Again = true`, `o.Again = false`),
	checking("J-1006", "scenarios that the queue cannot run are run", "^TestKeptErrors$",
		"kept.go", "WithKept", `if !caps.Supports(in.Kind) {`, `if false {`),
	checking("J-1007", "a kept scenario of a fixed order may be of any witness", "^TestKeptErrors$",
		"kept.go", "ParseKept", `if (k.Witness == spec.Sequence) != (k.Scenario.Order != nil) {`, `if false {`),
	checking("J-1008", "it is not told which kept scenario failed", "^TestKeptIsTried$",
		"kept.go", "keptCheck", `failed[s.Name] = true`, `failed[s.Name] = false`),
	checking("J-1009", "scenarios of threads are tried once", "^TestKeptThreads$",
		"kept.go", "keptCheck", `c.scenarios *= keptTries`, `c.scenarios *= 1`),
	checking("J-1010", "the scenario of a finding is not the one that is shown", "^TestShrunkScenario$",
		"carryout.go", "work.shrunk", `s, h, f = shorter, h2, v.Findings[at]`, `h, f = h2, v.Findings[at]`),

	userTests("J-1011", "a kept scenario that cannot be read is left out", "^TestKept$",
		"kept.go", "readKept", `k, err := checks.ParseKept(file, text)
		if err != nil {
			return nil, fmt.Errorf("conformance: kept scenario: %w", err)`, `k, err := checks.ParseKept(file, text)
		if err != nil {
			continue`),
	userTests("J-1012", "what was kept is written anew", "^TestKeep$",
		"kept.go", "keep", `err == nil || len(text) > checks.MaxKept`, `err == nil && false || len(text) > checks.MaxKept`),
	userTests("J-1013", "any number of scenarios is kept", "^TestKeep$",
		"kept.go", "keep", `n >= mostKept`, `false`),
	userTests("J-1014", "it is not told which kept scenarios are not tried", "^TestKept$",
		"kept.go", "unchosen", `!selected[c.Name]`, `selected[c.Name]`),
	userTests("J-1015", "what the environment kept from being explored is skipped", "^TestNotExplored$",
		"explore.go", "notExplored", `if harness.Refused(why) || o.unexplored {`, `if harness.Refused(why) || o.unexplored || why != nil {`),
	userTests("J-1016", "what may be unexplored is inconclusive", "^TestNotExplored$",
		"explore.go", "notExplored", `|| o.unexplored {`, `|| o.unexplored && false {`),
	userTests("J-1017", "a test is written of a closure", "^TestWritable$",
		"writetest.go", "local", `return found`, `return false`),
	userTests("J-1018", "SPINDLE_STRICT=1 changes nothing", "^TestSettle$",
		"options.go", "settle", `o.suite.Strict = true`, `o.suite.Strict = false`),

	standings("J-1019", "what tries again keeps requirements", "^TestAgainAlone$",
		"standing.go", "Judged.row", `if res.Again && res.Ended == Completed && !isCut {`, `if false {`),
	standings("J-1020", "what tries again may stop where it likes", "^TestStanding$",
		"standing.go", "Judged.row", `if res.Again && res.Ended == Completed && !isCut {`, `if res.Again {`),
	standings("J-1021", "what another process sends is believed", "^TestDoneIsHeld$",
		"run.go", "runner.check", `e.Result.judges(p.ids)`, `_ = p.ids`),
	{
		ID: "J-1022", Title: "a G that is left twice was taken by what is left",
		Edits: []overlay.Edit{{File: "spec/conserve.go", Func: "count.take", Old: `if l.taken == atEnd {`, New: `if false {`}},
		Room:  "./spec", Tests: "^TestConserveWords$",
	},
}

// checking is a change of what carries scenarios out and judges them.
func checking(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "conformance/queue/checks/" + file, Func: fn, Old: old, New: new}},
		Room:  "./conformance/queue/checks", Tests: tests,
	}
}

// userTests is a change of what users of go test call.
func userTests(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "conformance/" + file, Func: fn, Old: old, New: new}},
		Room:  "./conformance", Tests: tests,
	}
}

// standings is a change of how checks are carried out and requirements stand.
func standings(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "internal/suite/" + file, Func: fn, Old: old, New: new}},
		Room:  "./internal/suite", Tests: tests,
	}
}
