package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What a user's go test makes of a run: each of these is green though the run is not,
// or red without a word.
var userTests = []Judge{
	tested("J-1006", "what is unknown passes",
		"testqueue.go", "report", `			case suite.Unknown:
`, `			case suite.Unknown:
				return
`),
	tested("J-1007", "the verdict of the gate is not heeded",
		"testqueue.go", "report", `case r.Exit != 0 && !t.Failed():`, `case false:`),
	tested("J-1008", "what the gate finds inconclusive passes",
		"testqueue.go", "report", `case r.Exit != 0 && !t.Failed():`, `case r.Exit != 0 && r.Exit != 3 && !t.Failed():`),
	tested("J-1009", "what is unknown passes, and the verdict of the gate is not heeded",
		"testqueue.go", "report", `switch {
	case r.Exit != 0 && !t.Failed():`, `switch {
	case r.Exit != 1:
	case r.Exit != 0 && !t.Failed():`),
	tested("J-1010", "findings are not shown",
		"testqueue.go", "report", `smallestFirst(d.Findings); len(list) > 0 {`, `smallestFirst(d.Findings[:0]); len(list) > 0 {`),
	tested("J-1011", "what is not offered passes",
		"testqueue.go", "report", `t.Skipf("%s: %s", d.Row.Standing, d.Row.Reason)`, `t.Log(d.Row.Reason)`),
	tested("J-1012", "one cause is told with each requirement",
		"testqueue.go", "report", `said[d.Row.Reason] = true`, `_ = said`),
	tested("J-1013", "a queue is held to no order unless it asks to be",
		"testqueue.go", "TestQueue", `Profile(spec.FIFO)`, `Profile(spec.Core)`),
	tested("J-1014", "a failure does not say which check is to be run again",
		"testqueue.go", "run", `fmt.Sprintf("SPINDLE_RUN='^%s$'", check)`, `""`),
	tested("J-1015", "events are written nowhere",
		"testqueue.go", "run", `		events(e)
`, `		_ = events
`),
	tested("J-1016", "a stream of events has no end",
		"testqueue.go", "run", `	if err == nil {
		err = done()
	}`, `	_ = done`),
	tested("J-1017", "what a test asks for goes before what the environment does",
		"options.go", "Only", `if o.suite.Select != "" && checks != "" {`, `if o.suite.Select = ""; false {`),
	tested("J-1018", "a budget is not heeded",
		"options.go", "Budget", `o.suite.Budget = d`, `_ = d`),
	tested("J-1019", "a strict test is not strict",
		"options.go", "Strict", `o.suite.Strict = true`, `_ = o`),
	tested("J-1020", "SPINDLE_STRICT is not heeded",
		"options.go", "settle", `o.suite.Strict = true`, `_ = o`),
	tested("J-1021", "any value of SPINDLE_STRICT is none",
		"options.go", "settle", `case "", "0":`, `case "", "0", "yes":`),
	tested("J-1022", "any value of SPINDLE_UNEXPLORED allows it",
		"options.go", "settle", `case "allow":`, `case "allow", "1":`),
	tested("J-1023", "interleavings that were not explored are no matter",
		"explore.go", "notExplored", ` || o.unexplored {`, ` || true {`),
	tested("J-1024", "interleavings that need not be explored must be",
		"explore.go", "notExplored", ` || o.unexplored {`, ` {`),
	tested("J-1025", "an exploration that was given up passes",
		"interleave.go", "explored1.report", `case e.Outcome.Ended != suite.Completed:`, `case e.Outcome.Ended == suite.Error:`),
	tested("J-1026", "what an exploration found passes",
		"interleave.go", "explored1.report", `t.Errorf("%s\n%s",`, `t.Logf("%s\n%s",`),
}

func tested(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "conformance/" + file, Func: fn, Old: old, New: new}},
		Room: "./conformance", Tests: "^TestVerdicts$|^TestNotExplored$",
	}
}
