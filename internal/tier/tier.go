// Package tier decides how much of Spindle's own tests a run of go test carries out. The same command runs the same tests each
// time: chance may draw what a test tries, by a seed that it prints, but never which tests and which cases run.
//
// There are three tiers:
//
//	go test -short ./...            what takes a second or two, with no second build and no JVM
//	go test ./...                   the ordinary run
//	SPINDLE_TIER=full go test ./... all tests with all cases: hours
//
// SPINDLE_SHARD=I/N divides what the full tier has more than the ordinary run into N parts, and adds part I of them to the
// ordinary run; I is from 0 to N-1. A test is in one part as a whole, unless it takes so long that its cases are divided (Split).
// The parts depend on names alone. So N runs, one for each I, carry out everything but the tests that are Long: these take more than
// three minutes, and run in the full tier without a shard alone. SPINDLE_SEED sets the seed of what is drawn.
//
// A flag -run changes nothing of this. A test that is skipped prints the command that runs it.
package tier

import (
	"fmt"
	"hash/fnv"
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The environment variables of the package. A process that a test starts inherits them, and so decides as the test does.
const (
	TierVar  = "SPINDLE_TIER"  // full, or empty for the ordinary run
	ShardVar = "SPINDLE_SHARD" // I/N, in the full tier alone; empty is all of it
)

// casesVar is set to 1 for tests that judge a mutant: nothing is skipped and all cases are there, but with the bounds of the
// ordinary run, so that each test is over in a minute or two; of random cases there are twenty times as many.
const casesVar = "SPINDLE_INTERNAL_ALL_CASES"

func allCases() bool { return os.Getenv(casesVar) == "1" }

// Update reports whether SPINDLE_UPDATE=1 asks tests to write anew the files that they compare with. Read the difference before
// you commit it.
func Update() bool { return os.Getenv("SPINDLE_UPDATE") == "1" }

// Command returns the command that runs t's top-level test as this run does, with the seed.
func Command(t testing.TB, seed uint64) string {
	t.Helper()
	tier := ""
	if Full(t) {
		tier = TierVar + "=full "
	}
	return fmt.Sprintf("SPINDLE_SEED=%d %sgo test -run '^%s$' %s", seed, tier, root(t), pkg())
}

// Full reports whether t is to be carried out as in the full tier: all cases, with larger bounds. All subtests of a test get the
// same answer.
func Full(t testing.TB) bool {
	t.Helper()
	return in(t, root(t))
}

// NotShort skips t under go test -short: it takes seconds, builds a second program, or needs a JVM.
func NotShort(t testing.TB) {
	t.Helper()
	if testing.Short() && !Full(t) && !allCases() {
		t.Skipf("left out by -short; to run it: go test -run '^%s$' %s", root(t), pkg())
	}
}

// Required reports whether a run must have something that is left out where it is missing, such as "toolchains" or "tlc": SPINDLE_REQUIRE lists them, with
// commas between. CI sets it.
func Required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("SPINDLE_REQUIRE"), ","), what)
}

// OnlyFull skips t unless it is to be carried out as in the full tier.
func OnlyFull(t testing.TB) {
	t.Helper()
	if !Full(t) && !allCases() {
		t.Skipf("it takes long; to run it: %s=full go test -run '^%s$' %s", TierVar, root(t), pkg())
	}
}

// Long skips t in a shard of the full tier: it takes longer than a shard should, and runs where the full tier is not divided.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv(ShardVar) != "" {
		t.Skipf("it takes longer than a shard; to run it: %s=full go test -run '^%s$' %s", TierVar, root(t), pkg())
	}
}

// Some returns all cases in the full tier, and else n of them, which are spread evenly and always the same. It panics if n is less
// than 1.
func Some[E any](t testing.TB, cases []E, n int) []E {
	t.Helper()
	atLeastOne(n)
	if Full(t) || allCases() || n >= len(cases) {
		return cases
	}
	t.Logf("%d of %d cases; to run all: %s=full go test -run '^%s$' %s", n, len(cases), TierVar, root(t), pkg())
	return spread(cases, n)
}

// Split yields the cases of a test which takes too long for one part of the full tier: in the ordinary run n cases, with false; in
// the full tier also each case of this part, with true. A case with true is to be carried out as in the full tier. Split skips t if
// there is no case.
func Split[E any](t testing.TB, cases []E, n int) iter.Seq2[E, bool] {
	t.Helper()
	ordinary := make(map[int]bool)
	index := make([]int, len(cases))
	for i := range index {
		index[i] = i
	}
	for _, i := range spread(index, min(n, len(cases))) {
		ordinary[i] = true
	}
	full := make(map[int]bool)
	for i := range cases {
		full[i] = in(t, root(t)+"/"+strconv.Itoa(i))
	}
	var list []int
	for i := range cases {
		if ordinary[i] || full[i] || allCases() {
			list = append(list, i)
		}
	}
	if len(list) < len(cases) {
		const how = "%d of %d cases; to run all: %s=full go test -run '^%s$' %s"
		if len(list) == 0 {
			t.Skipf(how, 0, len(cases), TierVar, root(t), pkg())
		}
		t.Logf(how, len(list), len(cases), TierVar, root(t), pkg())
	}
	return func(yield func(E, bool) bool) {
		for _, i := range list {
			if !yield(cases[i], full[i]) {
				return
			}
		}
	}
}

// N returns how many random cases a test tries: all in the full tier, and else n. It panics if n is less than 1.
func N(t testing.TB, n, all int) int {
	t.Helper()
	atLeastOne(n)
	if Full(t) {
		return all
	}
	if allCases() {
		return min(20*n, all)
	}
	return n
}

// atLeastOne panics if n is less than 1: a run of no case is no run.
func atLeastOne(n int) {
	if n < 1 {
		panic(fmt.Sprintf("tier: expected at least 1 case, saw %d", n))
	}
}

// spread returns n of the cases, evenly from the first on.
func spread[E any](cases []E, n int) []E {
	list := make([]E, n)
	for i := range list {
		list[i] = cases[i*len(cases)/n]
	}
	return list
}

// root returns the name of t's top-level test.
func root(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}

// in reports whether this run has the full tier's part that name is in.
func in(t testing.TB, name string) bool {
	t.Helper()
	tier, shard := os.Getenv(TierVar), os.Getenv(ShardVar)
	if tier != "" && tier != "full" {
		t.Fatalf("%s: expected full, or nothing for the ordinary run, saw %q", TierVar, tier)
	}
	if tier == "" {
		if shard != "" {
			t.Fatalf("%s: expected nothing without %s=full, saw %q", ShardVar, TierVar, shard)
		}
		return false
	}
	if shard == "" {
		return true
	}
	i, n, err := parse(shard)
	if err != nil {
		t.Fatalf("%s: expected I/N, with I from 0 to N-1, saw %q", ShardVar, shard)
	}
	hash := fnv.New32a()
	hash.Write([]byte(name))
	return int(hash.Sum32()%uint32(n)) == i
}

// parse reads I/N.
func parse(text string) (i, n int, err error) {
	a, b, _ := strings.Cut(text, "/")
	if i, err = strconv.Atoi(a); err != nil {
		return 0, 0, err
	}
	if n, err = strconv.Atoi(b); err != nil {
		return 0, 0, err
	}
	if n < 1 || n > 1000 || i < 0 || i >= n {
		return 0, 0, strconv.ErrRange
	}
	return i, n, nil
}

// pkg returns the import path of the package under test.
func pkg() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" {
		return "./..."
	}
	return strings.TrimSuffix(info.Path, ".test")
}
