package tier

import (
	"fmt"
	"slices"
	"testing"
)

var cases = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// asked sets the tier and the shard.
func asked(t *testing.T, tier, shard string) {
	t.Helper()
	t.Setenv(TierVar, tier)
	t.Setenv(ShardVar, shard)
	t.Setenv(casesVar, "")
}

// split lists what Split yields.
func split(t *testing.T, n int) (list []int, full int) {
	for c, whole := range Split(t, cases, n) {
		list = append(list, c)
		if whole {
			full++
		}
	}
	return list, full
}

// TestOrdinary: the ordinary run has the same cases each time, spread evenly.
func TestOrdinary(t *testing.T) {
	asked(t, "", "")
	for range 3 {
		if some := Some(t, cases, 3); !slices.Equal(some, []int{0, 3, 6}) {
			t.Errorf("Some: saw %v", some)
		}
		if list, full := split(t, 2); !slices.Equal(list, []int{0, 5}) || full != 0 {
			t.Errorf("Split: saw %v, %d of them full", list, full)
		}
	}
	if all := Some(t, cases, 20); len(all) != len(cases) {
		t.Errorf("expected all cases where more are asked for, saw %v", all)
	}
	if Full(t) || N(t, 2, 9) != 2 {
		t.Error("expected an ordinary run")
	}
	for name, skipped := range map[string]func(t *testing.T){
		"OnlyFull": func(t *testing.T) { OnlyFull(t) },
		"Split":    func(t *testing.T) { Split(t, cases, 0) },
	} {
		ran := false
		t.Run(name, func(t *testing.T) {
			skipped(t)
			ran = true
		})
		if ran {
			t.Errorf("%s: expected a test of the full tier to be skipped", name)
		}
	}
}

// TestFull: the full tier leaves out nothing.
func TestFull(t *testing.T) {
	asked(t, "full", "")
	OnlyFull(t)
	list, full := split(t, 1)
	if !Full(t) || N(t, 2, 9) != 9 || len(Some(t, cases, 3)) != 10 || len(list) != 10 || full != 10 {
		t.Errorf("expected all cases, saw %v, %d of them full", list, full)
	}
}

// TestLong: what takes long runs in the full tier, and in no shard of it.
func TestLong(t *testing.T) {
	for shard, want := range map[string]bool{"": true, "0/1": false, "1/3": false} {
		asked(t, "full", shard)
		ran := false
		t.Run("shard "+shard, func(t *testing.T) { Long(t); ran = true })
		if ran != want {
			t.Errorf("shard %q: expected that it runs: %v, saw %v", shard, want, ran)
		}
	}
}

// TestJudging: what judges a mutant has all cases, and the bounds of the ordinary run.
func TestJudging(t *testing.T) {
	asked(t, "", "")
	t.Setenv(casesVar, "1")
	OnlyFull(t)
	list, full := split(t, 0)
	if Full(t) || N(t, 2, 90) != 40 || N(t, 2, 9) != 9 || len(Some(t, cases, 3)) != 10 || len(list) != 10 || full != 0 {
		t.Errorf("expected all cases with the bounds of the ordinary run, saw %v, %d of them full", list, full)
	}
}

// TestShards: each test and each divided case is in exactly one shard, as a whole; and each shard has the ordinary cases.
func TestShards(t *testing.T) {
	for _, n := range []int{1, 2, 7} {
		tests, parts := 0, 0
		for i := range n {
			asked(t, "full", fmt.Sprintf("%d/%d", i, n))
			list, full := split(t, 2)
			parts += full
			if !slices.Contains(list, 0) || !slices.Contains(list, 5) {
				t.Errorf("%d/%d: expected the ordinary cases, saw %v", i, n, list)
			}
			if want := map[bool]int{true: 10, false: 3}[Full(t)]; len(Some(t, cases, 3)) != want {
				t.Errorf("%d/%d: expected %d cases", i, n, want)
			}
			t.Run("sub", func(t *testing.T) {
				if Full(t) {
					tests++
				}
			})
		}
		if tests != 1 || parts != len(cases) {
			t.Errorf("of %d shards: the test is in %d, and %d cases of %d were divided", n, tests, parts, len(cases))
		}
	}
}

// fatal is a testing.TB that keeps what is fatal.
type fatal struct {
	testing.TB
	text string
}

func (f *fatal) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	panic(f)
}

// TestBadValues: a value that says nothing is an error, and no ordinary run.
func TestBadValues(t *testing.T) {
	for _, c := range []struct{ tier, shard, want string }{
		{"long", "", `SPINDLE_TIER: expected full, or nothing for the ordinary run, saw "long"`},
		{"", "0/2", `SPINDLE_SHARD: expected nothing without SPINDLE_TIER=full, saw "0/2"`},
		{"full", "2/2", `SPINDLE_SHARD: expected I/N, with I from 0 to N-1, saw "2/2"`},
		{"full", "-1/2", `SPINDLE_SHARD: expected I/N, with I from 0 to N-1, saw "-1/2"`},
		{"full", "1", `SPINDLE_SHARD: expected I/N, with I from 0 to N-1, saw "1"`},
		{"full", "0/0", `SPINDLE_SHARD: expected I/N, with I from 0 to N-1, saw "0/0"`},
	} {
		asked(t, c.tier, c.shard)
		f := &fatal{TB: t}
		func() {
			defer func() { recover() }()
			Full(f)
		}()
		if f.text != c.want {
			t.Errorf("%s %s: expected %s, saw %s", c.tier, c.shard, c.want, f.text)
		}
	}
}

// TestNothing: a sample of nothing is a mistake of the test.
func TestNothing(t *testing.T) {
	asked(t, "full", "")
	for name, draw := range map[string]func(){"Some": func() { Some(t, cases, 0) }, "N": func() { N(t, 0, 1) }} {
		func() {
			defer func() {
				if v := recover(); v != "tier: expected at least 1 case, saw 0" {
					t.Errorf("%s: saw %v", name, v)
				}
			}()
			draw()
		}()
	}
}
