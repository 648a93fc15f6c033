package sample

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"testing"
)

// ordinary makes it look as if go test had been called without -run.
func ordinary(t *testing.T) {
	t.Helper()
	t.Setenv("SPINDLE_LONG", "")
	t.Setenv("SPINDLE_SAMPLE", "")
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
	all := len(cases)
	for _, c := range []struct {
		long, sample, run string
		n                 int
	}{
		{"", "", "", 0}, {"0", "", "", 0}, {"1", "", "", all}, {"", "", "TestWhole", all},
		{"", "1", "", 0}, {"1", "1", "", 0}, {"", "1", "TestWhole", 0}, {"", "1000", "", all},
	} {
		t.Setenv("SPINDLE_LONG", c.long)
		t.Setenv("SPINDLE_SAMPLE", c.sample)
		asked(t, c.run)
		ran := 0
		t.Run("drawn", func(t *testing.T) {
			OneIn(t, 1000)
			ran = min(len(Of(t, cases, 3)), N(t, 1, all))
		})
		if ran != c.n {
			t.Errorf("SPINDLE_LONG=%s SPINDLE_SAMPLE=%s -run=%s: expected %d of %d cases, saw %d", c.long, c.sample, c.run, c.n, all, ran)
		}
	}
}

// TestTimes: SPINDLE_SAMPLE=N draws N times as much, and no more.
func TestTimes(t *testing.T) {
	ordinary(t)
	t.Setenv("SPINDLE_SAMPLE", "2")
	ran := 0
	for seed := range 300 {
		t.Setenv("SPINDLE_SEED", strconv.Itoa(seed))
		if some := Of(t, cases, 3); len(some) != 6 {
			t.Fatalf("expected 6 cases, saw %v", some)
		}
		t.Run("drawn", func(t *testing.T) {
			OneIn(t, 6)
			ran++
		})
	}
	if ran < 60 || ran > 140 {
		t.Errorf("expected some 100 of 300, saw %d", ran)
	}
	if n := N(t, 3, 100); n != 6 {
		t.Errorf("expected 6, saw %d", n)
	}
}

// TestNothing: a sample of nothing is no sample. It would be nothing with any SPINDLE_SAMPLE, so CI would never see the cases.
func TestNothing(t *testing.T) {
	ordinary(t)
	for name, draw := range map[string]func(){"Of": func() { Of(t, cases, 0) }, "N": func() { N(t, 0, 1) }} {
		func() {
			defer func() {
				if v := recover(); v != "sample: expected a sample of at least 1, saw 0" {
					t.Errorf("%s: saw %v", name, v)
				}
			}()
			draw()
		}()
	}
}

// TestStarted: a process that a test has started, with a flag -run for a part of the test, finds the part, and tries as many
// random cases as the test would.
func TestStarted(t *testing.T) {
	ordinary(t)
	t.Cleanup(func() { starter = "" })
	for _, c := range []struct {
		sample, run, long string
		n                 int
	}{{"", "^TestX$", "", 9}, {"", "", "", 1}, {"3", "", "", 3}, {"3", "^TestX$", "", 3}, {"", "", "1", 9}} {
		t.Setenv("SPINDLE_SAMPLE", c.sample)
		t.Setenv("SPINDLE_LONG", c.long)
		starter = ""
		asked(t, c.run)
		if n := N(t, 1, 9); n != c.n {
			t.Errorf("%+v: saw %d", c, n)
		}
		starter = os.Getenv(timesVar)
		asked(t, "^TestX$")
		if n := N(t, 1, 9); n != c.n {
			t.Errorf("%+v: started: saw %d", c, n)
		}
		if some := Of(t, cases, 1); len(some) != len(cases) {
			t.Errorf("%+v: started: expected that the case which was drawn is found, saw %v", c, some)
		}
		t.Run("rare", func(t *testing.T) {
			t.Cleanup(func() {
				if t.Skipped() {
					t.Errorf("%+v: started: expected that a test which was drawn runs", c)
				}
			})
			OneIn(t, 1_000_000_000)
		})
	}
}
