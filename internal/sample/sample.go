// Package sample chooses which cases of a slow test run: all of them if SPINDLE_LONG is
// 1, and otherwise some of them, by chance.
package sample

import (
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// Long reports whether SPINDLE_LONG asks for all that is slow.
func Long() bool { return os.Getenv("SPINDLE_LONG") == "1" }

// Of returns n of the cases, in their order. The seed SPINDLE_SEED draws them; without it
// each run draws others. It returns all of them if Long says so, or if the flag -run
// names a subtest, which may be any of them. What was left out is logged.
func Of[E any](t testing.TB, cases []E, n int) []E {
	t.Helper()
	if Long() || n >= len(cases) || strings.Contains(selected(), "/") {
		return cases
	}
	seed, err := record.SeedFromEnv(rand.Uint64())
	if err != nil {
		t.Fatal(err)
	}
	drawn := rand.New(rand.NewPCG(uint64(seed), uint64(len(cases)))).Perm(len(cases))[:n]
	slices.Sort(drawn)
	some := make([]E, n)
	for i, at := range drawn {
		some[i] = cases[at]
	}
	t.Logf("%d of %d cases, drawn by %s=%d; SPINDLE_LONG=1 runs all", n, len(cases), record.SeedVar, uint64(seed))
	return some
}

// selected is the flag -run of go test.
func selected() string {
	if f := flag.Lookup("test.run"); f != nil {
		return f.Value.String()
	}
	return ""
}
