package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What the commands about models say at their end: each of these says of a run more than
// it has seen.
var ofWhatIsSaid = []Judge{
	ranked("J-1480", "what was only done passes", "Closing", `word = done`, `_ = done`),
	commanded("J-1481", "what was measured passes", "^TestPassIsForWhatWasCompared$",
		"tla/command/run.go", "runner.end", `word, differences = "measured", `, `differences = `),
	commanded("J-1482", "what was written passes", "^TestPassIsForWhatWasCompared$",
		"tla/command/run.go", "runner.end", `word, differences = "written", `, `differences = `),
	commanded("J-1483", "some runs in which nothing fell are all states", "^TestSimulationIsNoPass$",
		"tla/command/run.go", "runner.one", `		r.open = append(r.open, t.Name)
		r.row("open", t, res)
		fmt.Fprintf(`, `		r.done++
		r.row("open", t, res)
		fmt.Fprintf(`),
	commanded("J-1484", "a head that was left as it is was written", "^TestPassIsForWhatWasCompared$",
		"tla/command/update.go", "runner.rewrite", `	case text == t.Config:
`, `	case text == t.Config:
		r.wrote++
`),
	commanded("J-1487", "a question about nothing is asked", "^TestFeatures$",
		"tla/command/features.go", "chosen", `len(names) == 1`, `len(names) == 0`),
	featured("J-1488", "a pair that none answers is asked with no larger limit", "^TestPairIsMet$",
		"run.go", "Asker.Pair", `l.States *= more`, `l.States *= 1`),
	commanded("J-1730", "a pair with one P alone is explored to its end", "^TestFeatures$",
		"tla/command/features.go", "asking.pairs", `case last.Met() && last.OneP():`, `case last.Met() && last.OneP() && last == nil:`),
	commanded("J-1731", "a feature with one P alone is explored to its end", "^TestFeatures$",
		"tla/command/features.go", "asking.features", `r.Whole() && !r.OneP()`, `r.Whole()`),
	featured("J-1490", "a property whose search did not end is answered", "^TestWords$",
		"ask.go", "Answer.Whole", `return a.Ended && !slices.ContainsFunc(a.Judged, func(j Judged) bool { return !j.Ended })`, `return a.Ended`),
	commanded("J-1491", "a list from which files are missing is whole", "^TestListSaysWhatIsMissing$",
		"tla/command/list.go", "options.listed", `len(problems) == 0`, `len(problems) >= 0`),
	commanded("J-1492", "a file that does not say what it must give is missing in silence", "^TestListSaysWhatIsMissing$",
		"tla/command/select.go", "rowless", `err == nil && m.Absent`, `err != nil && m.Absent`),
	commanded("J-1724", "a bug that no module has is run as if it were there", "^TestNearerBug$",
		"tla/command/select.go", "options.named", `if err := knownBugs(files, module, config, strings.Split(bugs, "+")); err != nil {`, `if err := knownBugs(files, module, config, nil); err != nil {`),
	commanded("J-1493", "the bugs that are near are the first ones", "^TestNearerBug$",
		"tla/command/near.go", "near", `distance(name, a)`, `distance(name, name)`),
	{
		ID: "J-1494", Title: "of a constant that is there twice the last counts", Room: "./tla/tlc", Tests: "^TestParseConfig$",
		Edits: []overlay.Edit{{File: "tla/tlc/config.go", Func: "ParseConfig", Old: `; twice {`, New: `; twice && first == "" {`}},
	},
	{
		ID: "J-1489", Title: "a search whose time was up was interrupted", Room: "./tla/command", Tests: "^TestFeatures$",
		Edits: []overlay.Edit{{File: "tla/features/ask.go", Func: "ask", Old: `r.Stopped = "timeout"`, New: `r.Stopped = interrupted`}},
	},
}
