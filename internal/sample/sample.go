// Package sample chooses which slow tests run, and which of their cases. An ordinary go
// test draws some by chance. With the flag -run, nothing that it selects is left out.
// With SPINDLE_LONG=1 nothing at all is left out.
package sample

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// Long reports whether SPINDLE_LONG asks for all that is slow.
func Long() bool { return os.Getenv("SPINDLE_LONG") == "1" }

// Of returns n of the cases, drawn by chance and in their order. It returns all of them
// if nothing is to be left out.
func Of[E any](t testing.TB, cases []E, n int) []E {
	t.Helper()
	if whole() || n >= len(cases) {
		return cases
	}
	some := make([]E, n)
	drawn := draw(t).Perm(len(cases))[:n]
	slices.Sort(drawn)
	for i, at := range drawn {
		some[i] = cases[at]
	}
	t.Logf("%d of %d cases; SPINDLE_LONG=1 runs all", n, len(cases))
	return some
}

// N returns how many random cases a test tries: some, or all if nothing is to be left
// out. An instrumented binary that runs a part of a test does what the test's own process
// has drawn: its flag -run is there to find the test.
func N(some, all int) int {
	switch {
	case os.Getenv(callVar) != "" && !Long():
		if os.Getenv(someVar) == "" {
			return all
		}
		return some
	case whole():
		return all
	}
	os.Setenv(someVar, "1")
	return some
}

const (
	callVar = "SPINDLE_INTERLEAVE_CALL" // set in instrumented binaries that a test has started
	someVar = "SPINDLE_SAMPLE_SOME"     // set for them where this process leaves out something
)

// OneIn skips t, but for one run of n by chance, or if nothing is to be left out.
func OneIn(t testing.TB, n int) {
	t.Helper()
	if !whole() && draw(t).IntN(n) > 0 {
		t.Skipf("it is slow, and runs once in %d times; to run it: -run '^%s$', or SPINDLE_LONG=1", n, t.Name())
	}
}

// whole reports whether nothing is left out.
func whole() bool {
	run := flag.Lookup("test.run")
	return Long() || run != nil && run.Value.String() != ""
}

// draw returns the generator of t. Its seed is SPINDLE_SEED, or else a new one each time,
// together with t's name.
func draw(t testing.TB) *rand.Rand {
	t.Helper()
	seed, err := record.SeedFromEnv(rand.Uint64())
	if err != nil {
		t.Fatal(err)
	}
	name := fnv.New64a()
	name.Write([]byte(t.Name()))
	t.Logf("drawn by %s=%d", record.SeedVar, uint64(seed))
	return rand.New(rand.NewPCG(uint64(seed), name.Sum64()))
}
