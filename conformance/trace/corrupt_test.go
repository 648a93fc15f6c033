package trace_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// once has one steal, which leaves the owner of six at least three: its answer that it has
// some, and its gets, are certain.
var once = record.Scenario{Name: "once", Ps: 2, Capacity: 8, Threads: []record.Thread{
	{P: 0, Script: "pppppp e0 gg p g"}, {P: 1, Script: "s0 e0 g e0 g"}, {P: record.None, Script: "e0 e0 e0"}}}

// A corruption makes of a right trace one that cannot be.
type corruption struct {
	name    string
	corrupt func(*record.History)
}

// The corruptions are of runs of once in which stolen is true.
var corruptions = []corruption{
	{"lost id", func(h *record.History) {
		op := nth(h, 0, record.Get, 1)
		op.OK, op.Out = false, nil
	}},
	{"duplicated id", func(h *record.History) {
		nth(h, 0, record.Get, 1).Out = nth(h, 0, record.Get, 0).Out
	}},
	{"wrong order", func(h *record.History) {
		a, b := nth(h, 0, record.Get, 0), nth(h, 0, record.Get, 1)
		a.Out, b.Out = b.Out, a.Out
	}},
	{"impossible empty", func(h *record.History) {
		nth(h, 0, record.Empty, 0).OK = true
	}},
	{"interval shifted", func(h *record.History) { // the thief is done before the first put
		last := slices.MaxFunc(h.Ops, func(a, b record.Op) int { return int(a.Return - b.Return) }).Return
		for i := range h.Ops {
			if h.Ops[i].Thread == 0 {
				h.Ops[i].Call += last
				h.Ops[i].Return += last
			}
		}
	}},
	{"other contents", func(h *record.History) {
		h.Final.Global = append(slices.Clone(h.Final.Global), 1)
	}},
}

// stolen reports whether the owner got two, and the thief one.
func stolen(h *record.History) bool {
	for _, want := range []struct {
		thread int
		kind   record.Kind
		n      int
	}{{0, record.Get, 2}, {1, record.Steal, 1}} {
		if nth(h, want.thread, want.kind, want.n-1) == nil {
			return false
		}
	}
	return true
}

// nth is a thread's nth call of a kind, from 0, that gave something; for those that look,
// any.
func nth(h *record.History, thread int, kind record.Kind, n int) *record.Op {
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Thread != thread || op.Kind != kind || kind.Takes() && len(op.Out) == 0 {
			continue
		}
		if n--; n < 0 {
			return op
		}
	}
	return nil
}

// corrupted returns a copy of h with c in it.
func corrupted(t *testing.T, h *record.History, c corruption) *record.History {
	t.Helper()
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	bad := new(record.History)
	if err := json.Unmarshal(data, bad); err != nil {
		t.Fatal(err)
	}
	c.corrupt(bad)
	return bad
}
