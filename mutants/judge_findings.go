package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// Who shows the findings on the runtime: each of these edits another place than it says,
// counts what was not tried, or believes what is no answer.
var ofFindings = []Judge{
	played("J-1600", "another number of places than expected is edited", "^TestApplyRefuses$", "edit.go", "place.find", `len(found) != p.Of`, `len(found) < p.Nth`),
	played("J-1601", "a call in a block counts as the statement's own", "^TestApply", "edit.go", "calls", `			return deep
`, `			return true
`),
	played("J-1602", "a statement of another kind is taken", "^TestApply", "edit.go", "place.is", `fmt.Sprintf("*ast.%sStmt", p.Kind) != fmt.Sprintf("%T", s)`, `p.Kind == ""`),
	played("J-1603", "a text that does not parse is built", "^TestApplyRefuses$", "edit.go", "apply", `return nil, fmt.Errorf("%w: after the edits`, `_ = fmt.Errorf("%w: after the edits`),
	played("J-1604", "what was there stays beside its branch", "^TestApplyInserts$", "edit.go", "apply", `e.Before+" } else { ", "}; "+after`, `e.Before+" }; ", after`),
	played("J-1605", "a try in which a gate was not passed counts", "^TestMissed$", "run.go", "Result.count", `if !met {`, `if false {`),
	played("J-1606", "results that are cut off count", "^TestRead$", "run.go", "Result.read", `if n != end {`, `if false {`),
	played("J-1607", "what comes after the end is passed over", "^TestRead$", "run.go", "Result.read", ` || end >= 0`, ``),
	played("J-1608", "nothing tried passes", "^TestCode$", "print.go", "Result.Code", `case r.Tries == 0:`, `case r.Tries < 0:`),
	played("J-1609", "a mend that does not mend passes", "^TestCode$", "print.go", "Result.Code", `		return exit.Fail`, `		return exit.Pass`),
	played("J-1610", "what was not seen where it must be passes", "^TestCode$", "print.go", "Result.Code", `r.Variant.Expect == Shown && r.Shown == 0`, `r.Variant.Expect == Shown && r.Shown < 0`),
	played("J-1611", "the distribution is that of the order in which they came", "^TestSummarize$", "print.go", "Summarize", `slices.Sorted(slices.Values(waits))`, `slices.Clone(waits)`),
	played("J-1612", "a reproducer that failed is believed", "^TestRun$", "run.go", "Bench.Run", `	if err != nil {
		return nil, fmt.Errorf("%w: %s, %s: %w\n%s"`, `	if read != nil {
		return nil, fmt.Errorf("%w: %s, %s: %w\n%s"`),
	{
		ID: "J-1613", Title: "what a child has started goes on", Room: "./internal/procgroup", Tests: "^TestEndsWhatItStarted$",
		Edits: []overlay.Edit{{File: "internal/procgroup/unix.go", Func: "kill", Old: `syscall.Kill(-cmd.Process.Pid`, New: `syscall.Kill(cmd.Process.Pid`}},
	},
	{
		ID: "J-1618", Title: "a child has no group of its own", Room: "./internal/procgroup", Tests: "^TestEndsWhatItStarted$",
		Edits: []overlay.Edit{{File: "internal/procgroup/unix.go", Func: "own", Old: `Setpgid = true`, New: `Setpgid = false`}},
	},
	played("J-1614", "the folder stays", "^TestClose$", "build.go", "Bench.Close", `os.RemoveAll(b.dir)`, `os.RemoveAll(b.dir + "-")`),
	played("J-1615", "a toolchain with other functions is not refused", "^TestRefused$", "findings.go", "Finding.Refused", `len(differ) > 0`, `len(differ) > 99`),
	played("J-1485", "one try without the flaw is a mend", "^TestCode$", "print.go", "Result.few", `r.Tries < enough`, `r.Tries < 1`),
	played("J-1486", "a mended runtime that shows the flaw once is asked for more tries", "^TestCode$", "print.go", "Result.few", ` && r.Shown == 0`, ` && r.Shown < 9`),
	commanded("J-1616", "a refused toolchain passes", "^TestFindingsRefuses$", "tla/command/findings.go", "findingOptions.show", `return exit.Inconclusive, err`, `return exit.Pass, err`),
	commanded("J-1617", "a run that was interrupted passes", "^TestFindingsRefuses$", "tla/command/findings.go", "findingOptions.show", `exit.Interrupted`, `exit.Pass`),
}

func played(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/findings", Tests: tests,
		Edits: []overlay.Edit{{File: "tla/findings/" + file, Func: fn, Old: old, New: new}},
	}
}
