package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What go test tells a user of a queue: each of these blames the queue for what the run
// did, passes what was not looked at, or forgets what failed before.
var ofQueues = []Judge{
	ofChecks("J-1100", "a hang is not tried again", "^TestHang(Once|Always)$",
		"carryout.go", "work.judge", `if errors.As(err, &hang) {`, `if errors.As(err, &hang) && false {`),
	ofChecks("J-1101", "a hang that does not come again is a finding", "^TestHangOnce$",
		"carryout.go", "work.judge", `return h, Verdict{}, &undecided{fmt.Sprintf("scenario %s: %v; the same scenario ended when it was run again", s.Name, hang)}`,
		`return h, crashed("/hang", hang.Error(), nil), nil`),
	ofChecks("J-1102", "time in which the suite was stopped counts", "^TestStopped$",
		"target.go", "inProcess.Run", `within, cancel := awake.WithTimeout(ctx, scenarioTimeout)`, `within, cancel := context.WithTimeout(ctx, scenarioTimeout)
	_ = awake.WithTimeout`),
	ofChecks("J-1103", "calls that return, but late, are an error of the suite", "^TestSlow$",
		"target.go", "inProcess.Run", `case ctx.Err() == nil && within.Err() != nil && errors.Is(err, within.Err()):`, `case false:`),
	ofChecks("J-1104", "of kept scenarios only two are tried", "^TestKeptIsTried$",
		"check.go", "check.forTarget", `if c.kept {`, `if false {`),
	ofChecks("J-1105", "scenarios that failed before keep requirements", "^TestKept(IsTried|KeepsNothing)$",
		"kept.go", "keptCheck", `o.Again = true`, `o.Again = false`),
	ofChecks("J-1106", "scenarios that the queue cannot run are run", "^TestKeptErrors$",
		"kept.go", "WithKept", `if !caps.Supports(in.Kind) {`, `if false {`),
	ofChecks("J-1107", "a kept scenario of a fixed order may be of any witness", "^TestKeptErrors$",
		"kept.go", "ParseKept", `if (k.Witness == spec.Sequence) != (k.Scenario.Order != nil) {`, `if false {`),
	ofChecks("J-1108", "it is not told which kept scenario failed", "^TestKeptIsTried$",
		"kept.go", "keptCheck", `failed[s.Name] = true`, `failed[s.Name] = false`),
	ofChecks("J-1109", "scenarios of threads are tried once", "^TestKeptThreads$",
		"kept.go", "keptCheck", `c.scenarios *= keptTries`, `c.scenarios *= 1`),
	ofChecks("J-1110", "the scenario of a finding is not the one that is shown", "^TestShrunkScenario$",
		"carryout.go", "work.shrunk", `s, h, f = shorter, h2, v.Findings[at]`, `h, f = h2, v.Findings[at]`),

	ofTests("J-1111", "a kept scenario that cannot be read is left out", "^TestKept$",
		"kept.go", "readKept", `k, err := checks.ParseKept(file, text)
		if err != nil {
			return nil, fmt.Errorf("conformance: saved scenario: %w", err)`, `k, err := checks.ParseKept(file, text)
		if err != nil {
			continue`),
	ofTests("J-1112", "what was kept is written anew", "^TestKeep$",
		"kept.go", "keep", `err == nil || len(text) > checks.MaxKept`, `err == nil && false || len(text) > checks.MaxKept`),
	ofTests("J-1113", "any number of scenarios is kept", "^TestKeep$",
		"kept.go", "keep", `n >= mostKept`, `false`),
	ofTests("J-1114", "it is not told which kept scenarios are not tried", "^TestKept$",
		"kept.go", "unchosen", `!selected[c.Name]`, `selected[c.Name]`),
	ofTests("J-1115", "what the environment kept from being explored is skipped", "^TestNotExplored$",
		"explore.go", "notExplored", `if harness.Refused(why) || o.unexplored {`, `if harness.Refused(why) || o.unexplored || why != nil {`),
	ofTests("J-1116", "what may be unexplored is inconclusive", "^TestNotExplored$",
		"explore.go", "notExplored", `|| o.unexplored {`, `|| o.unexplored && false {`),
	ofTests("J-1117", "a test is written of a closure", "^TestWritable$",
		"writetest.go", "local", `return found`, `return found && false`),
	ofTests("J-1118", "SPINDLE_STRICT=1 changes nothing", "^TestSettle$",
		"options.go", "settle", `o.suite.Strict = true`, `o.suite.Strict = false`),

	ofStandings("J-1119", "what tries again keeps requirements", "^TestAgainAlone$",
		"standing.go", "Judged.row", `if res.Again && res.Ended == Completed && !isCut {`, `if false {`),
	ofStandings("J-1120", "what tries again may stop where it likes", "^TestStanding$",
		"standing.go", "Judged.row", `if res.Again && res.Ended == Completed && !isCut {`, `if res.Again {`),
	ofStandings("J-1121", "what another process sends is believed", "^TestDoneIsHeld$",
		"run.go", "runner.check", `e.Result.judges(p.ids)`, `_ = p.ids`),
	ofTests("J-1344", "what failed is kept, whatever SPINDLE_KEPT says", "^TestKept$",
		"testqueue.go", "testSet", `if !o.forgets {`, `if true {`),
	ofTests("J-1345", "what is kept is tried, whatever SPINDLE_KEPT says", "^TestKept$",
		"testqueue.go", "testSet", `if o.forgets {`, `if false {`),
	ofTests("J-1346", "any value of SPINDLE_KEPT is good", "^TestVerdicts$",
		"options.go", "settle", `case "off":
		o.forgets = true
	default:`, `default:
		o.forgets = v == "off"
	case "off ":`),
	{
		ID: "J-1122", Title: "a G that is left twice was taken by what is left",
		Edits: []overlay.Edit{{File: "spec/sequential/conserve.go", Func: "count.take", Old: `if l.taken == atEnd {`, New: `if false {`}},
		Room:  "./spec/sequential", Tests: "^TestConserveWords$",
	},
}

// ofChecks is a change of what carries scenarios out and judges them.
func ofChecks(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "conformance/queue/checks/" + file, Func: fn, Old: old, New: new}},
		Room:  "./conformance/queue/checks", Tests: tests,
	}
}

// ofTests is a change of what users of go test call.
func ofTests(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "conformance/" + file, Func: fn, Old: old, New: new}},
		Room:  "./conformance", Tests: tests,
	}
}

// ofStandings is a change of how checks are carried out and requirements stand.
func ofStandings(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "internal/suite/" + file, Func: fn, Old: old, New: new}},
		Room:  "./internal/suite", Tests: tests,
	}
}
