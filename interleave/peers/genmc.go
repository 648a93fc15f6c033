package main

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/interleave/examples/published"
)

// A measured is a program, and the CPU seconds that it took.
type measured struct {
	program string
	seconds float64
}

// compared are the programs of the literature on which GenMC was measured, with
// its CPU seconds. Conditions says how.
var compared = []measured{
	{"lastzero 15", 8.06},
	{"fib_bench 5", 1.16},
	{"indexer 15", 1.71},
	{"big0", 0.31},
	{"casw 5", 0.20},
	{"CoA 5", 0.24},
}

const conditions = `GenMC was not run: its executions are what its test suite publishes (0.11.0, sequential consistency), its CPU
seconds were measured in November 2026 on another machine (0.10.3 with -sc, 0.07 s of clang in them).`

// earlier is the row of a program that GenMC explored once.
func earlier(t task) (row, error) {
	all := published.Exact()
	i := slices.IndexFunc(all, func(p published.Program) bool { return p.Name == t.Program })
	j := slices.IndexFunc(compared, func(c measured) bool { return c.program == t.Program })
	if i < 0 || j < 0 {
		return row{}, fmt.Errorf("program %q: nothing was published or measured", t.Program)
	}
	r := newRow(t)
	r.Runs, r.Executions, r.Classes, r.CPU, r.Complete, r.Earlier = 1, all[i].Count, all[i].Count, compared[j].seconds, true, true
	return r, nil
}
