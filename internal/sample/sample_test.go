package sample

import (
	"flag"
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	t.Setenv("SPINDLE_LONG", "")
	t.Setenv("SPINDLE_SEED", "7")
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	some := Of(t, all, 3)
	if len(some) != 3 || !slices.IsSorted(some) || slices.Compact(slices.Clone(some))[2] != some[2] {
		t.Errorf("expected 3 different cases in their order, saw %v", some)
	}
	if again := Of(t, all, 3); !slices.Equal(again, some) {
		t.Errorf("expected one seed to draw the same, saw %v and %v", some, again)
	}
	seen := make(map[int]bool)
	for _, seed := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"} {
		t.Setenv("SPINDLE_SEED", seed)
		for _, n := range Of(t, all, 3) {
			seen[n] = true
		}
	}
	if len(seen) != len(all) {
		t.Errorf("expected each case to be drawn by some seed, saw %v", seen)
	}
}

func TestOfAll(t *testing.T) {
	all := []int{0, 1, 2}
	t.Setenv("SPINDLE_LONG", "")
	if got := Of(t, all, 3); len(got) != 3 {
		t.Errorf("expected all, if so many are asked for, saw %v", got)
	}
	t.Setenv("SPINDLE_LONG", "1")
	if got := Of(t, all, 1); len(got) != 3 {
		t.Errorf("expected SPINDLE_LONG to run all, saw %v", got)
	}
	t.Setenv("SPINDLE_LONG", "")
	run := flag.Lookup("test.run").Value
	was := run.String()
	defer run.Set(was)
	if err := run.Set("TestX/some"); err != nil {
		t.Fatal(err)
	}
	if got := Of(t, all, 1); len(got) != 3 {
		t.Errorf("expected a subtest that is asked for to be among them, saw %v", got)
	}
}
