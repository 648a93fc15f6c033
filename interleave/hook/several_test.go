package hook_test

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestBuiltinsOfResults: a builtin that is given what a function returns reads and
// writes as it does otherwise.
func TestBuiltinsOfResults(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	type shared struct {
		s []int
		b []byte
		m map[string]int
	}
	both := func(v *shared) ([]int, []int) { return v.s, []int{1, 2} }
	from := func(v *shared) ([]int, []int) { return []int{1, 2}, v.s }
	text := func(v *shared) ([]byte, string) { return v.b, "ab" }
	more := func(v *shared) ([]int, int) { return v.s, 1 }
	key := func(v *shared) (map[string]int, string) { return v.m, "a" }
	for name, c := range map[string]struct{ one, two func(v *shared) }{
		"copy to":       {func(v *shared) { hook.CopyOf(both(v))(0) }, func(v *shared) { hook.R(0, &v.s[1]) }},
		"copy from":     {func(v *shared) { hook.CopyOf(from(v))(0) }, func(v *shared) { hook.W(0, &v.s[1]) }},
		"copy a string": {func(v *shared) { hook.CopyStringOf(text(v))(0) }, func(v *shared) { hook.R(0, &v.b[1]) }},
		"append":        {func(v *shared) { hook.AppendOf(more(v))(0) }, func(v *shared) { hook.R(0, &v.s[:3][2]) }},
		"delete":        {func(v *shared) { hook.DeleteOf(key(v))(0) }, func(v *shared) { hook.MapR(0, v.m) }},
	} {
		r, err := interleave.Explore(func(x *interleave.Exec) {
			v := &shared{make([]int, 2, 4), make([]byte, 2), map[string]int{}}
			x.Go("one", func() { c.one(v) })
			x.Go("two", func() { c.two(v) })
		}, interleave.Exhaustive())
		if err != nil || r.Failure == nil || r.Failure.Kind != interleave.DataRace {
			t.Errorf("%s: expected a data race; observed %v, %v", name, err, r)
		}
	}
}

// TestOverlooked: what is passed on is in doubt where it cannot be told value by value.
func TestOverlooked(t *testing.T) {
	r, err := interleave.Explore(func(x *interleave.Exec) {
		x.Go("one", func() { hook.Overlooked(0, "what f does", func() {})() })
	}, interleave.Exhaustive())
	if err != nil || r.Certificate.Complete() || !strings.Contains(r.Certificate.String(), "not seen: what f does") {
		t.Errorf("expected a doubt; observed %v, %v", err, r)
	}
}
