package mutants

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
}
