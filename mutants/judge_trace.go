package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// Trace validation, the code against the model: each of these takes a step of the code for one that
// it is not.
var traces = []Judge{
	steps("J-280", "what a step wrote is not compared",
		"compare.go", "replayer.compare", `writes && !t.equal(`, `false && writes && !t.equal(`),
	steps("J-281", "what a step read is not compared",
		"compare.go", "replayer.compare", `reads && !t.equal(`, `false && reads && !t.equal(`),
	steps("J-282", "whether a swap succeeded is not compared",
		"compare.go", "replayer.compare", `a.How == runqueue.Swap && a.Failed == s.Changed,`, `false,`),
	steps("J-283", "which object a step is on is not compared",
		"compare.go", "replayer.same", `return known == object`, `return known == object || seen`),
	steps("J-284", "whether it is a load, a store or a swap is not compared",
		"compare.go", "replayer.compare", ` && a.How.String() == s.Kind`, ``),
	steps("J-285", "what rides along may do so too early",
		"replay.go", "replayer.step", `if before.action != at.action {`, `if false {`),
	steps("J-286", "what rides along before its step is not compared",
		"replay.go", "replayer.step", `for _, e := range p.early {`, `for _, e := range p.early[:0] {`),
	steps("J-287", "a reference may be nil where there should be one",
		"compare.go", "replayer.equal", `return want == 0 && got == 0`, `return true`),
}

// steps is a change of how steps are compared.
func steps(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "conformance/trace/" + file, Func: fn, Old: old, New: new}},
		Room:  "./conformance/trace", Tests: "^TestDamagedSteps$",
	}
}
