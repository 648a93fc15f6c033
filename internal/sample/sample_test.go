package sample

import (
	"flag"
	"slices"
	"strconv"
	"testing"
)

// ordinary makes it look as if go test had been called without -run.
func ordinary(t *testing.T) {
	t.Helper()
	t.Setenv("SPINDLE_LONG", "")
	asked(t, "")
}

func asked(t *testing.T, run string) {
	t.Helper()
	f := flag.Lookup("test.run").Value
	was := f.String()
	t.Cleanup(func() { f.Set(was) })
	if err := f.Set(run); err != nil {
		t.Fatal(err)
	}
}

var cases = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

func TestOf(t *testing.T) {
	ordinary(t)
	seen := make(map[int]bool)
	for seed := range 40 {
		t.Setenv("SPINDLE_SEED", strconv.Itoa(seed))
		some := Of(t, cases, 3)
		if len(some) != 3 || some[0] >= some[1] || some[1] >= some[2] {
			t.Fatalf("expected 3 different cases in their order, saw %v", some)
		}
		if again := Of(t, cases, 3); !slices.Equal(again, some) {
			t.Errorf("expected one seed to draw the same, saw %v and %v", some, again)
		}
		for _, n := range some {
			seen[n] = true
		}
	}
	if len(seen) != len(cases) {
		t.Errorf("expected each case to be drawn by some seed, saw %v", seen)
	}
	if all := Of(t, cases, 10); len(all) != 10 {
		t.Errorf("expected all, if so many are asked for, saw %v", all)
	}
}

func TestOneIn(t *testing.T) {
	ordinary(t)
	ran := 0
	for seed := range 300 {
		t.Setenv("SPINDLE_SEED", strconv.Itoa(seed))
		t.Run("drawn", func(t *testing.T) {
			OneIn(t, 3)
			ran++
		})
	}
	if ran < 60 || ran > 140 {
		t.Errorf("expected some 100 of 300, saw %d", ran)
	}
}

// TestWhole: what is asked for is run.
func TestWhole(t *testing.T) {
	t.Setenv("SPINDLE_SEED", "1")
	for _, c := range []struct {
		long, run string
		some      bool
	}{{"", "", true}, {"0", "", true}, {"1", "", false}, {"", "TestWhole", false}} {
		t.Setenv("SPINDLE_LONG", c.long)
		asked(t, c.run)
		ran := 0
		t.Run("drawn", func(t *testing.T) {
			OneIn(t, 1_000_000_000)
			ran = N(0, len(Of(t, cases, 3)))
		})
		if c.some && ran != 0 || !c.some && ran != len(cases) {
			t.Errorf("SPINDLE_LONG=%s -run=%s: saw %d of %d cases", c.long, c.run, ran, len(cases))
		}
	}
}

// TestNInside: an instrumented binary, which a flag -run has one test of, leaves out what its parent does, and nothing else.
func TestNInside(t *testing.T) {
	ordinary(t)
	t.Setenv(someVar, "")
	asked(t, "^TestX$")
	t.Setenv(callVar, "x")
	if n := N(1, 2); n != 2 {
		t.Errorf("expected all inside a run that leaves out nothing, saw %d", n)
	}
	t.Setenv(callVar, "")
	asked(t, "")
	if n := N(1, 2); n != 1 {
		t.Errorf("expected some, saw %d", n)
	}
	asked(t, "^TestX$")
	t.Setenv(callVar, "x")
	if n := N(1, 2); n != 1 {
		t.Errorf("expected some inside a run that leaves out something, saw %d", n)
	}
	t.Setenv("SPINDLE_LONG", "1")
	if n := N(1, 2); n != 2 {
		t.Errorf("expected all where SPINDLE_LONG asks for it, saw %d", n)
	}
}
