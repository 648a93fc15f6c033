// Package sample chooses what of the slow tests is run. An ordinary go test draws some
// of them, and of their cases, by chance; what -run asks for is run whole, and all is if
// SPINDLE_LONG is 1.
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

// Of returns n of the cases, in their order, as drawn, or all of them.
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

// N is how many random cases t tries: some, or all.
func N(some, all int) int {
	if whole() {
		return all
	}
	return some
}

// OneIn runs t in one run of n, and skips it in the others.
func OneIn(t testing.TB, n int) {
	t.Helper()
	if !whole() && draw(t).IntN(n) > 0 {
		t.Skipf("it is slow, and drawn in one run of %d; -run %s or SPINDLE_LONG=1 runs it", n, t.Name())
	}
}

// whole reports whether nothing is left out.
func whole() bool {
	run := flag.Lookup("test.run")
	return Long() || run != nil && run.Value.String() != ""
}

// draw is what t's draws come from: SPINDLE_SEED, or a new seed each time, and its name.
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
