package structures_test

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/structures"
)

const sound = structures.Sound

// A scenario makes a structure with a flaw, or none, and starts threads on it.
type scenario = func(*interleave.Exec, structures.Flaw)

// A named is a scenario with a name. The comment behind each is the number of
// executions that come to their end: of its classes, for none is explored twice.
type named struct {
	name string
	body scenario
}

// right holds that nothing is wrong with a structure in all executions, without
// bounds.
func right(t *testing.T, scenarios []named) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			interleave.Test(t, func(x *interleave.Exec) { s.body(x, sound) }, interleave.Exhaustive())
		})
	}
}

// wrong holds that a flaw is found, as a failure of this kind, by default.
func wrong(t *testing.T, flaw structures.Flaw, kind string, body scenario) {
	t.Run(string(flaw), func(t *testing.T) {
		t.Parallel()
		interleave.Test(t, func(x *interleave.Exec) { body(x, flaw) }, interleave.MustFail(func(r interleave.Report) {
			if string(r.Failure.Kind) != kind {
				t.Errorf("expected a failure of the kind %q; observed %s", kind, r.Text(""))
			}
			t.Logf("%d switches, after %d executions", r.Failure.Switches, r.Certificate.Executions)
		}))
	})
}

// each holds that the values 1 to n are in got, each once.
func each(x *interleave.Exec, n int64, got ...[]int64) {
	all := slices.Concat(got...)
	slices.Sort(all)
	for i, v := range all {
		if v != int64(i+1) {
			x.Fatalf("expected 1 to %d, each once; observed %v", n, got)
		}
	}
	if int64(len(all)) != n {
		x.Fatalf("expected 1 to %d, each once; observed %v", n, got)
	}
}

// rises holds that values came in the order in which they were put.
func rises(x *interleave.Exec, got ...[]int64) {
	for _, g := range got {
		if !slices.IsSorted(g) {
			x.Fatalf("expected what one thread took in order; observed %v", g)
		}
	}
}

// take appends what f takes, if it takes something.
func take(to *[]int64, f func() (int64, bool)) {
	if v, ok := f(); ok {
		*to = append(*to, v)
	}
}

// drain takes until nothing is left.
func drain(f func() (int64, bool)) (all []int64) {
	for {
		v, ok := f()
		if !ok {
			return all
		}
		all = append(all, v)
	}
}
