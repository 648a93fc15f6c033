package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The reduction of the explorer: each loses executions, or runs some twice.
var reduction = []Judge{
	{
		ID: "J-1", Title: "a planned CompareAndSwap is taken for a write whatever it will find",
		Edits: engine("reverse.go", "scheduler.willWrite", `return first.read == second.expected, false`, `return true, false`),
		Room:  programs, Tests: lossless,
	},
	{
		ID: "J-2", Title: "a planned CompareAndSwap is taken for what it was",
		Edits: engine("reverse.go", "scheduler.willWrite", `return first.read == second.expected, false`, `return second.write, false`),
		Room:  programs, Tests: lossless,
	},
}

const (
	programs = "./interleave/internal/programs"
	lossless = "^TestReductionLosesNothing$"
)

func engine(file, fn, old, new string) []overlay.Edit {
	return []overlay.Edit{{File: "interleave/internal/engine/" + file, Func: fn, Old: old, New: new}}
}
