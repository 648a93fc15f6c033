package mutants

// The search of task graphs: each of these passes over what is wrong, or says of less that it is all.
var ofSearches = []Judge{
	ofScheduling("J-2190", "a worker that goes round is at rest", "checks", "^TestSearch$|^TestControls$/^interleave/idle$",
		"rest.go", "exploring.rests", `kind == interleave.Livelock || kind == interleave.StepBound`, `kind == interleave.Livelock && kind == interleave.StepBound`),
	ofScheduling("J-2191", "who has not come to its end is at rest", "checks", "^TestRests$",
		"rest.go", "exploring.rests", `e.What == record.Does && e.Who == ^0`, `e.Who == ^0 || e.Step != ""`),
	ofScheduling("J-2192", "a graph of which some executions were run is explored to its end", "checks", "^TestSearch$",
		"search.go", "search.graph", `case !c.Complete():`, `case false:`),
	ofScheduling("J-2193", "no task panics in a search", "checks", "^TestSearch$",
		"search.go", "searched", `if t.contract.Is("panics", spec.Isolated) {`, `if false {`),
	ofScheduling("J-2194", "a search that has used up its executions has tried all graphs", "checks", "^TestSearch$",
		"search.go", "search.run", `s.out.Open = fmt.Sprintf("%d of %d graphs were tried", i, len(list))`, `_ = i`),
	ofScheduling("J-2195", "a search leaves out the graphs by hand", "checks", "^TestSearch$",
		"search.go", "searched", `return append(calm, hand...)`, `return calm`),
	ofScheduling("J-2196", "the suite leaves out the graphs by hand", "checks", "^TestControls$/^interleave$/^graphs#01$",
		"explore.go", "exploreAll", `append(list, hand...), fmt`, `list, fmt`),
	ofScheduling("J-2197", "a graph by hand may wait for ever on a right scheduler", "checks", "^TestTogether$",
		"together.go", "together", `err == nil && comesToEnd(p, f.contract)`, `err == nil && p != nil`),
	ofScheduling("J-2198", "what a run shows that stands still is believed at once", "checks", "^TestStallComesAgain$",
		"check.go", "work.graph", `if run.Stalls() && len(v.findings) > 0 {`, `if run.Stalls() && len(v.findings) > 99 {`),
}
