package hook_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// shared is what two threads of TestAccesses have.
type shared struct {
	p    []int // two of four
	b    []byte
	m    map[string]int
	flag atomic.Int32
}

// TestAccesses: what stands for a statement makes the accesses of it, and no more, when
// the statement would. Where two threads order them by a flag, what is reported too
// early is a race.
func TestAccesses(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	read := func(i int) func(s *shared) { return func(s *shared) { _ = *hook.R(0, &s.p[:4][i]) } }
	write := func(i int) func(s *shared) { return func(s *shared) { *hook.W(0, &s.p[:4][i]) = 1 } }
	readMap := func(s *shared) { _ = hook.MapR(0, s.m)["b"] }
	writeMap := func(s *shared) { hook.MapW(0, s.m)["b"] = 1 }
	readBytes := func(i int) func(s *shared) { return func(s *shared) { _ = *hook.R(0, &s.b[:4][i]) } }
	for _, c := range []struct {
		name string
		race bool
		f, g func(s *shared)
	}{
		{"append within the capacity", true, func(s *shared) { hook.Append(0, s.p)(1) }, read(2)},
		{"append, behind it", false, func(s *shared) { hook.Append(0, s.p)(1) }, read(3)},
		{"append, before it", false, func(s *shared) { hook.Append(0, s.p)(1) }, write(1)},
		{"append, up to the capacity", true, func(s *shared) { hook.Append(0, s.p)(1, 2) }, read(3)},
		{"append beyond the capacity", true, func(s *shared) { hook.Append(0, s.p[:2:2])(1) }, write(1)},
		{"append beyond it, beside a read", false, func(s *shared) { hook.Append(0, s.p[:2:2])(1) }, read(1)},
		{"append of elements", true, func(s *shared) { hook.Append(0, []int(nil))(s.p...) }, write(1)},
		{"append of a string", true, func(s *shared) { hook.AppendString(0, s.b)(hook.Text("ab")) }, readBytes(3)},
		{"copy to", true, func(s *shared) { hook.Copy(0, s.p, []int{1, 2}) }, read(1)},
		{"copy from", true, func(s *shared) { hook.Copy(0, []int{1, 2}, s.p) }, write(1)},
		{"copy from, beside a read", false, func(s *shared) { hook.Copy(0, []int{1, 2}, s.p) }, read(1)},
		{"copy of less", false, func(s *shared) { hook.Copy(0, []int{1}, s.p) }, write(1)},
		{"copy of a string", true, func(s *shared) { hook.CopyString(0, s.b, "ab") }, readBytes(1)},
		{"copy of a short string", false, func(s *shared) { hook.CopyString(0, s.b, "a") }, readBytes(1)},
		{"clear", true, func(s *shared) { hook.Clear(0, s.p) }, read(1)},
		{"clear of a map", true, func(s *shared) { hook.ClearMap(0, s.m) }, readMap},
		{"delete", true, func(s *shared) { hook.Delete(0, s.m)("a") }, readMap},
		{"all elements", true, func(s *shared) { hook.SliceR(0, -1, s.p) }, write(1)},
		{"one element", false, func(s *shared) { hook.SliceR(0, 1, s.p) }, write(1)},
		{"element", true, func(s *shared) { hook.Element(0, s.m)("a") }, writeMap},
		{"element, if it is there", true, func(s *shared) { hook.ElementOK(0, s.m)("a") }, writeMap},
		{"map in order", true, func(s *shared) {
			for range hook.InOrder(0, s.m) {
			}
		}, writeMap},
		{"map in order, beside a read", false, func(s *shared) {
			for range hook.InOrder(0, s.m) {
			}
		}, readMap},
		{"map in order, after the first", true, func(s *shared) { first(hook.InOrder(0, s.m), s) }, second(writeMap)},
		{"map in order, before the first", false, func(s *shared) { first(hook.InOrder(0, s.m), s) }, second(readMap)},
		{"pairs, after the first", true, func(s *shared) { first(hook.Pairs(0, s.m), s) }, second(writeMap)},
		{"pairs, before the first", false, func(s *shared) { first(hook.Pairs(0, s.m), s) }, second(readMap)},
		{"delete from no map", false, func(s *shared) { hook.Delete(0, map[int]int(nil))(1) }, func(s *shared) { hook.Delete(0, map[int]int(nil))(2) }},
		{"elements not reached", false, func(s *shared) {
			for range hook.Elements(0, s.p) {
				break
			}
		}, write(1)},
		{"result", true, func(s *shared) { hook.Result(0, &s.p[0]) }, write(0)},
		{"read and written late", true, func(s *shared) { var l hook.Late; *hook.LateRW(&l, 0, &s.p[0])++; l.Report() }, read(0)},
		{"written late", true, func(s *shared) { var l hook.Late; *hook.LateW(&l, 0, &s.p[0]) = 1; l.Report() }, read(0)},
		{"map, written late", true, func(s *shared) { var l hook.Late; hook.LateMapW(&l, 0, s.m)["a"] = 1; l.Report() }, readMap},
		{"map, read and written late", true, func(s *shared) { var l hook.Late; hook.LateMapRW(&l, 0, s.m)["a"]++; l.Report() }, readMap},
		{"map that is not there, written late", false, func(s *shared) { var l hook.Late; hook.LateMapW(&l, 0, map[string]int(nil)); l.Report() }, readMap},

		// After what the statement computes.
		{"set after the flag", false, func(s *shared) { hook.Set(0, &s.p[0])(int(s.flag.Swap(1)) + spin(s)) }, early(read(0))},
		{"late after the flag", false, func(s *shared) {
			var l hook.Late
			*hook.LateW(&l, 0, &s.p[0]), _ = spin(s), 0
			l.Report()
		}, early(read(0))},
		{"append after the flag", false, func(s *shared) { hook.Append(0, s.p)(spin(s)) }, early(read(2))},
		{"delete after the flag", false, func(s *shared) { hook.Delete(0, s.m)(fmt.Sprint(spin(s))) }, early(readMap)},
		{"element after the flag", false, func(s *shared) { hook.Element(0, s.m)(fmt.Sprint(spin(s))) }, early(writeMap)},
	} {
		r, err := interleave.Explore(func(x *interleave.Exec) {
			s := &shared{p: make([]int, 2, 4), b: make([]byte, 2, 4), m: map[string]int{"a": 1, "c": 1}}
			x.Daemon("f", func() { c.f(s) })
			x.Go("g", func() { c.g(s) })
		}, interleave.Exhaustive())
		if err != nil || (r.Failure != nil) != c.race || c.race && r.Failure.Kind != interleave.DataRace {
			t.Errorf("%s: %v, %v, want a race: %v", c.name, err, r.Failure, c.race)
		}
	}
}

// first goes through a map, and says when it has begun; second does something then.
func first(all iter.Seq2[string, int], s *shared) {
	n := 0
	for range all {
		if n++; n == 1 {
			s.flag.Store(1)
		}
	}
}

func second(f func(s *shared)) func(s *shared) {
	return func(s *shared) {
		if s.flag.Load() == 1 {
			f(s)
		}
	}
}

// spin waits for what early has done.
func spin(s *shared) int {
	for s.flag.Load() != 2 {
	}
	return 0
}

// early does something and says so.
func early(f func(s *shared)) func(s *shared) {
	return func(s *shared) { f(s); s.flag.Store(2) }
}

// TestOfMaps: a range over a map goes by its keys in an exploration, and sees what is
// deleted and changed on the way.
func TestOfMaps(t *testing.T) {
	var got []string
	_, err := interleave.Explore(func(x *interleave.Exec) {
		x.Go("a", func() {
			got = nil
			m := map[string]int{"d": 4, "b": 2, "a": 1, "c": 3}
			for k, v := range hook.InOrder(0, m) {
				got = append(got, fmt.Sprint(k, v))
				delete(m, "b")
				m["c"] = 7
				if k == "c" {
					break
				}
			}
		})
	})
	if want := []string{"a1", "c7"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}

// TestNumbers: what stands for the state of a loop is the same for what is the same,
// and otherwise for what is not.
func TestNumbers(t *testing.T) {
	s := []int{1, 2, 3}
	m, n := map[int]int{}, map[int]int{}
	one, two := hook.Value(1), hook.Value(2)
	type pair struct{ a, b any }
	same := [][2]uint64{
		{one, hook.Value(1)}, {hook.Slice(s), hook.Slice(s[:])}, {hook.Map(m), hook.Map(m)},
		{hook.Any(pair{1, "a"}), hook.Any(pair{1, "a"})}, {hook.Any(nil), hook.Any(nil)}, {hook.All(one, two), hook.All(one, two)},
	}
	for i, p := range same {
		if p[0] != p[1] {
			t.Errorf("the same, %d: %d and %d", i, p[0], p[1])
		}
	}
	all := []uint64{
		one, two, hook.Slice(s), hook.Slice(s[1:]), hook.Slice(s[:2]), hook.Slice(s[:2:2]), hook.Map(m), hook.Map(n),
		hook.Any(pair{1, "a"}), hook.Any(pair{1, "b"}), hook.Any(pair{s, 1}), hook.Any(pair{s, 1}), hook.New(), hook.New(),
		hook.All(), hook.All(one), hook.All(one, one), hook.All(one, two), hook.All(two, one),
	}
	for i, a := range all {
		for j, b := range all[:i] {
			if a == b {
				t.Errorf("%d and %d are both %d", j, i, a)
			}
		}
	}
}
