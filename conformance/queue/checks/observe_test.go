package checks

import (
	"maps"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// TestOverlapping: two calls met if each began before the other ended, and they are
// of two threads. A call does not meet itself.
func TestOverlapping(t *testing.T) {
	for name, c := range map[string]struct {
		a, b spans
		want int
	}{
		"nothing":          {nil, nil, 0},
		"before":           {spans{{1, 2, 0}}, spans{{3, 4, 1}}, 0},
		"behind":           {spans{{3, 4, 0}}, spans{{1, 2, 1}}, 0},
		"inside":           {spans{{2, 3, 0}}, spans{{1, 9, 1}}, 1},
		"around":           {spans{{1, 9, 0}}, spans{{2, 3, 1}}, 1},
		"at one moment":    {spans{{1, 2, 0}}, spans{{2, 3, 1}}, 1},
		"of one thread":    {spans{{1, 9, 1}}, spans{{2, 3, 1}}, 0},
		"two of one":       {spans{{1, 9, 0}}, spans{{2, 3, 1}, {4, 5, 1}}, 1},
		"behind a long":    {spans{{50, 51, 0}}, spans{{1, 60, 1}, {2, 3, 1}, {4, 5, 1}}, 1},
		"behind two":       {spans{{50, 51, 0}}, spans{{1, 40, 1}, {45, 46, 1}}, 0},
		"behind the owner": {spans{{50, 51, 0}}, spans{{40, 60, 0}, {49, 52, 1}}, 1},
	} {
		if got := c.a.overlapping(c.b); got != c.want {
			t.Errorf("%s: expected %d, saw %d", name, c.want, got)
		}
	}
	one := spans{{1, 5, 0}, {6, 9, 0}}
	if n := one.overlapping(one); n != 0 {
		t.Errorf("%d of one thread's calls met themselves", n)
	}
	both := spans{{1, 5, 0}, {4, 9, 1}}
	if n := both.overlapping(both); n != 2 {
		t.Errorf("expected both of two that met, saw %d", n)
	}
}

// TestObserve reads off a history what its threads did to each other.
func TestObserve(t *testing.T) {
	ring, global := record.Place{Object: record.Ring}, record.Place{Object: record.Global, P: record.None}
	spill := []record.Move{{From: ring, To: global, IDs: []record.ID{1}}}
	op := func(thread int, k record.Kind, p int, ok bool, call int64) record.Op {
		return record.Op{Thread: thread, Kind: k, P: p, OK: ok, Call: call, Return: call + 2}
	}
	put := op(0, record.Put, 0, true, 20)
	put.Moved = spill
	other := op(1, record.Put, 1, true, 21)
	other.Moved = spill
	for name, c := range map[string]struct {
		ops  []record.Op
		want map[string]int
	}{
		"a steal beside a get":           {[]record.Op{op(0, record.Get, 0, true, 1), op(1, record.Steal, 0, true, 2)}, map[string]int{obsSteals: 1, obsStealGet: 1}},
		"a steal behind a get":           {[]record.Op{op(0, record.Get, 0, true, 1), op(1, record.Steal, 0, true, 9)}, map[string]int{obsSteals: 1}},
		"a steal of nothing":             {[]record.Op{op(0, record.Get, 0, true, 1), op(1, record.Steal, 0, false, 2)}, nil},
		"beside a get of nothing":        {[]record.Op{op(0, record.Get, 0, false, 1), op(1, record.Steal, 0, true, 2)}, map[string]int{obsSteals: 1}},
		"a steal from a thief":           {[]record.Op{op(2, record.Steal, 1, true, 2)}, map[string]int{obsSteals: 1, obsLoot: 1}},
		"an overflow":                    {[]record.Op{put}, map[string]int{obsOverflows: 1}},
		"two overflows":                  {[]record.Op{put, other}, map[string]int{obsOverflows: 2, obsOverflowTwice: 2}},
		"an overflow beside a steal":     {[]record.Op{put, op(1, record.Steal, 0, true, 21)}, map[string]int{obsOverflows: 1, obsSteals: 1, obsOverflowSteal: 1}},
		"emptiness asked during a put":   {[]record.Op{op(0, record.Put, 0, true, 1), op(1, record.Empty, 0, true, 2)}, map[string]int{obsEmpty: 1}},
		"emptiness asked by the owner":   {[]record.Op{op(0, record.Put, 0, true, 1), op(0, record.Empty, 0, true, 4)}, nil},
		"emptiness asked of a resting":   {[]record.Op{op(1, record.Empty, 0, true, 2)}, nil},
		"a call that does not return":    {[]record.Op{op(0, record.Get, 0, true, 1), {Thread: 1, Kind: record.Steal, OK: true, Call: 2}}, nil},
		"a move that is no overflow":     {[]record.Op{{Thread: 0, Kind: record.GlobalGet, Call: 1, Return: 2, Moved: []record.Move{{From: global, To: ring}}}}, nil},
		"an emptiness test of a thief's": {[]record.Op{op(0, record.Get, 0, false, 1), op(1, record.Empty, 0, true, 2)}, map[string]int{obsEmpty: 1}},
	} {
		seen := make(map[string]int)
		observe(&record.History{Scenario: record.Scenario{Ps: 3}, Ops: c.ops}, seen)
		maps.DeleteFunc(seen, func(_ string, n int) bool { return n == 0 })
		if !maps.Equal(seen, c.want) {
			t.Errorf("%s: expected %v, saw %v", name, c.want, seen)
		}
		ordered := make(map[string]int)
		observe(&record.History{Scenario: record.Scenario{Ps: 3, Order: []int{0}}, Ops: c.ops}, ordered)
		if len(ordered) > 0 {
			t.Errorf("%s: calls in a fixed order met each other: %v", name, ordered)
		}
	}
	for start, want := range map[uint32]int{0: 0, 1<<32 - 2: 1, 1<<32 - 3: 0} {
		seen := make(map[string]int)
		h := record.History{Scenario: record.Scenario{Ps: 1, Start: start}, Ops: []record.Op{op(0, record.Put, 0, true, 1), op(0, record.Put, 0, true, 4), op(0, record.Put, 0, true, 8)}}
		for i := range h.Ops {
			h.Ops[i].Count = 1
		}
		observe(&h, seen)
		if seen[obsWrap] != want {
			t.Errorf("three puts from index %d: expected %d wrap-arounds, saw %d", start, want, seen[obsWrap])
		}
	}
}

// TestAbout counts the calls that a requirement is about: a queue that refuses every
// put has not been judged by what it loses.
func TestAbout(t *testing.T) {
	refused := record.History{Scenario: record.Scenario{Ps: 1, Threads: []record.Thread{{}}}, Ops: []record.Op{
		{Kind: record.Put, In: []record.ID{1}, Call: 1, Return: 2},
		{Kind: record.Get, Call: 3, Return: 4},
		{Kind: record.Empty, OK: true, Call: 5, Return: 6},
		{Kind: record.Steal, Call: 7, Return: 8},
		{Kind: record.Steal, Call: 9}, // it hangs
	}, Final: record.Contents{Ps: []record.PContents{{}}}}
	ids := []string{"RQ-LOST", "RQ-FIFO", "RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-HALF", "RQ-EMPTY-TRUE", "RQ-CAPACITY", "RQ-CRASH", "RQ-WRAP", "RQ-LEN"}
	want := map[string]int64{"RQ-GET-NONE": 1, "RQ-STEAL-NONE": 1, "RQ-EMPTY-TRUE": 1, "RQ-CAPACITY": 1, "RQ-CRASH": 4}
	compare := func(name string, h *record.History, want map[string]int64) {
		t.Helper()
		got := about(h, ids)
		maps.DeleteFunc(got, func(_ string, n int64) bool { return n == 0 })
		if !maps.Equal(got, want) {
			t.Errorf("%s: expected %v, saw %v", name, want, got)
		}
	}
	compare("a queue that refuses", &refused, want)
	slot := record.History{Scenario: refused.Scenario, Final: refused.Final, Ops: []record.Op{
		{Kind: record.StealNext, Thief: record.None, Call: 1, Return: 2},
		{Kind: record.GlobalPut, P: record.None, In: []record.ID{1}, Count: 1, OK: true, Call: 3, Return: 4},
		{Kind: record.GlobalPut, P: record.None, In: []record.ID{2}, Count: 1, OK: true, Call: 5, Return: 6},
	}}
	compare("a steal from queue to queue", &slot, map[string]int64{"RQ-STEAL-NONE": 1, "RQ-CRASH": 3})
	kept := refused
	kept.Ops = append([]record.Op{{Kind: record.Steal, OK: true, Out: []record.ID{1}, Call: 1, Return: 2}}, refused.Ops...)
	kept.Final.Ps = []record.PContents{{Ring: []record.ID{2, 3}}}
	kept.Scenario.Start = 7
	compare("a steal, and two at the end", &kept, map[string]int64{
		"RQ-LOST": 3, "RQ-FIFO": 3, "RQ-GET-NONE": 1, "RQ-STEAL-NONE": 2, "RQ-STEAL-HALF": 1, "RQ-EMPTY-TRUE": 1, "RQ-CAPACITY": 1, "RQ-CRASH": 5,
	})
}
