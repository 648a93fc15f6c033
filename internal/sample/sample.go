// Package sample chooses which slow tests run, and which of their cases. An ordinary go
// test draws some by chance. With SPINDLE_SAMPLE=N it draws N times as much. With the flag
// -run nothing that it selects is left out, and nothing at all with SPINDLE_LONG=1, which
// asks for larger cases too; SPINDLE_SAMPLE goes before both.
package sample

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// Long reports whether SPINDLE_LONG asks for what takes minutes.
func Long() bool { return os.Getenv("SPINDLE_LONG") == "1" }

// Of returns n of the cases, or as many times n as SPINDLE_SAMPLE asks for, drawn by chance
// and in their order. It returns all of them if nothing is to be left out.
func Of[E any](t testing.TB, cases []E, n int) []E {
	t.Helper()
	k := times(t)
	if n *= k; k == whole || n >= len(cases) {
		return cases
	}
	some := make([]E, n)
	drawn := draw(t).Perm(len(cases))[:n]
	slices.Sort(drawn)
	for i, at := range drawn {
		some[i] = cases[at]
	}
	t.Logf("%d of %d cases; -run '^%s$' runs all", n, len(cases), t.Name())
	return some
}

// N returns how many random cases a test tries: some, or as many times some as
// SPINDLE_SAMPLE asks for, or all if nothing is to be left out.
func N(t testing.TB, some, all int) int {
	t.Helper()
	k := times(t)
	if starter != "" {
		k, _ = strconv.Atoi(starter)
	}
	if k == whole {
		return all
	}
	return min(some*k, all)
}

// timesVar is set for the processes that a test starts: what times was there.
const timesVar = "SPINDLE_SAMPLE_TIMES"

// starter is what timesVar was when this process began. If it is set, a test has started the process to run a part of that
// test: the part is found, whatever was drawn, and tries as many random cases.
var starter = os.Getenv(timesVar)

// OneIn skips t, but for one run of n by chance, or as many as SPINDLE_SAMPLE asks for, or if
// nothing is to be left out.
func OneIn(t testing.TB, n int) {
	t.Helper()
	if k := times(t); k != whole && draw(t).IntN(n) >= k {
		t.Skipf("it is slow, and runs %d times in %d; to run it: -run '^%s$'", k, n, t.Name())
	}
}

// whole stands for all there is.
const whole = 0

// times returns how many times as much is drawn as in an ordinary run.
func times(t testing.TB) int {
	t.Helper()
	if starter != "" {
		return whole
	}
	k := 1
	run := flag.Lookup("test.run")
	if text := os.Getenv("SPINDLE_SAMPLE"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			t.Fatalf("SPINDLE_SAMPLE: expected a number from 1 to 1000, saw %q", text)
		}
		k = n
	} else if Long() || run != nil && run.Value.String() != "" {
		k = whole
	}
	os.Setenv(timesVar, strconv.Itoa(k))
	return k
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
