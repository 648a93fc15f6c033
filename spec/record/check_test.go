package record

import (
	"errors"
	"testing"
)

// What no target can have answered is refused before it is judged.
func TestCheckRefusesTheImpossible(t *testing.T) {
	base := func() *History {
		return &History{
			Scenario: Scenario{Name: "base", Ps: 2, Threads: []Thread{{Script: "pqmb3"}, {P: 1, Script: "s0"}, {P: None, Script: "s0"}}},
			Clock:    ClockCounter, Moves: true,
			Ops: []Op{
				{Kind: Put, Thief: None, In: []ID{1}, Count: 1, OK: true, Call: 1, Return: 2},
				{Kind: GlobalPut, P: None, Thief: None, In: []ID{2}, Count: 1, OK: true, Call: 3, Return: 4},
				{Kind: GlobalGet, Thief: None, Want: 1, Out: []ID{2}, OK: true, Call: 5, Return: 6},
				{Kind: PutBatch, Thief: None, In: []ID{3, 4, 5}, Count: 3, OK: true, Call: 7, Return: 8},
				{Thread: 1, Kind: Steal, Thief: 1, Out: []ID{1}, OK: true, Call: 9, Return: 10},
				{Thread: 2, Kind: Steal, Thief: None, Call: 11},
			},
		}
	}
	if err := base().Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(ops []Op){
		"put on another's P":            func(ops []Op) { ops[0].P = 1 },
		"steal for another's P":         func(ops []Op) { ops[4].Thief = 0 },
		"steal from its own P":          func(ops []Op) { ops[4].P = 1 },
		"steal that puts":               func(ops []Op) { ops[4].In = []ID{3} },
		"put that takes":                func(ops []Op) { ops[0].Out = []ID{1} },
		"takes, and says nothing came":  func(ops []Op) { ops[4].OK = false },
		"takes nothing, and says some":  func(ops []Op) { ops[4].Out = nil },
		"global get of less than none":  func(ops []Op) { ops[2].Want = -1 },
		"global get of too many":        func(ops []Op) { ops[2].Want = 1 << 40 },
		"id put twice":                  func(ops []Op) { ops[3].In[2] = 1 },
		"id put twice by one batch":     func(ops []Op) { ops[3].In[2] = 3 },
		"some put, and says all":        func(ops []Op) { ops[3].Count = 2 },
		"refused by the global queue":   func(ops []Op) { ops[1].Count, ops[1].OK = 0, false },
		"all put, and says not":         func(ops []Op) { ops[3].OK = false },
		"stamp of nothing":              func(ops []Op) { ops[0].Call = 0 },
		"stamp of never":                func(ops []Op) { ops[4].Return = 1<<63 - 1 },
		"calls of one thread overlap":   func(ops []Op) { ops[0].Return = 4 },
		"call after one without an end": func(ops []Op) { ops[1] = Op{Kind: Get, Thief: None, Call: 3} },
		"results without an end":        func(ops []Op) { ops[5].Out, ops[5].OK = []ID{3}, true },
		"moves without an end": func(ops []Op) {
			ops[5].Moved = []Move{{From: Place{Object: Ring}, To: Place{Object: Global, P: None}, IDs: []ID{3}}}
		},
	} {
		h := base()
		spoil(h.Ops)
		if err := h.Check(); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: expected %v, saw %v", name, ErrFormat, err)
		}
	}
}

// Final contents are those of every P, or of none.
func TestCheckOfTheEnd(t *testing.T) {
	for _, final := range []Contents{{Ps: make([]PContents, 2)}, {Global: []ID{1}}} {
		h := &History{Scenario: Scenario{Ps: 1, Threads: []Thread{{Script: "q"}}}, Clock: ClockOrder, Final: final}
		if err := h.Check(); !errors.Is(err, ErrFormat) {
			t.Errorf("%+v: expected %v, saw %v", final, ErrFormat, err)
		}
	}
}
