// Package sample chooses which slow tests run, and which of their cases. An ordinary go
// test draws some by chance. With the flag -run, it leaves out nothing of what is selected.
// With SPINDLE_LONG=1 it leaves out nothing at all, and has larger cases. With
// SPINDLE_SAMPLE=N it draws N times as much as an ordinary run, whatever the other two say.
package sample

import (
	"flag"
	"fmt"
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
// and in their order. It returns all of them if nothing is to be left out. It panics if n is
// less than 1.
func Of[E any](t testing.TB, cases []E, n int) []E {
	t.Helper()
	some(n)
	k := times(t)
	if n *= k; k == whole || n >= len(cases) {
		return cases
	}
	list := make([]E, n)
	drawn := draw(t).Perm(len(cases))[:n]
	slices.Sort(drawn)
	for i, at := range drawn {
		list[i] = cases[at]
	}
	t.Logf("%d of %d cases; without SPINDLE_SAMPLE, -run '^%s$' runs all", n, len(cases), t.Name())
	return list
}

// some panics if n is less than 1: what an ordinary run never draws, a run that draws five
// times as much does not draw either.
func some(n int) {
	if n < 1 {
		panic(fmt.Sprintf("sample: expected a sample of at least 1, saw %d", n))
	}
}

// N returns how many random cases a test tries: n, or as many times n as SPINDLE_SAMPLE asks
// for, or all if nothing is to be left out. It panics if n is less than 1.
func N(t testing.TB, n, all int) int {
	t.Helper()
	some(n)
	k := times(t)
	if starter != "" {
		k, _ = strconv.Atoi(starter)
	}
	if k == whole {
		return all
	}
	return min(n*k, all)
}

// timesVar is set for the processes that a test starts: what times was there.
const timesVar = "SPINDLE_SAMPLE_TIMES"

// starter is what timesVar was when this process began. If it is set, a test has started this process to run a part of that
// test. So nothing is drawn here: OneIn and Of leave out nothing, and N returns what it returns to that test.
var starter = os.Getenv(timesVar)

// OneIn skips t, but for one run of n by chance, or as many as SPINDLE_SAMPLE asks for, or if
// nothing is to be left out.
func OneIn(t testing.TB, n int) {
	t.Helper()
	if k := times(t); k != whole && draw(t).IntN(n) >= k {
		t.Skipf("it is slow, and runs %d times in %d; to run it: -run '^%s$', without SPINDLE_SAMPLE", k, n, t.Name())
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
