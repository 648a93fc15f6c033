package checks

import (
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestBeyondRoom: a global get whose batch does not fit is no finding, and no answer. A target
// took fewer then, as the driver of the runtime does, where the machine gives the rest back. One
// that fits is judged, and so is what is wrong without regard to room.
func TestBeyondRoom(t *testing.T) {
	took := func(shown bool, put []record.ID) *record.History {
		in := append([]record.ID{}, put...)
		ring, global := in[:len(in)-4], in[len(in)-4:]
		h := &record.History{
			Scenario: record.Scenario{Name: "few", Ps: 1, Snapshot: true, Order: []int{0, 0, 0, 0, 0, 0}, Threads: []record.Thread{{Script: "bqqqqm4"}}},
			Capacity: 4, Clock: record.ClockOrder, Moves: true,
		}
		at := int64(0)
		call := func(op record.Op) {
			op.Thief, op.OK, op.Call, op.Return = record.None, true, at, at+1
			at += 2
			h.Ops = append(h.Ops, op)
		}
		call(record.Op{Kind: record.PutBatch, In: ring, Count: len(ring)})
		for _, id := range global {
			call(record.Op{Kind: record.GlobalPut, P: record.None, In: []record.ID{id}, Count: 1})
		}
		call(record.Op{Kind: record.GlobalGet, Want: 4, Out: global[:1]})
		h.Final = record.Contents{Ps: []record.PContents{{Ring: ring}}, Global: global[1:]}
		if shown {
			h.Ops[len(h.Ops)-1].After = &h.Final
		}
		return h
	}
	for _, shown := range []bool{false, true} {
		full := Judge(spec.Sequence, took(shown, []record.ID{1, 2, 3, 4, 5, 6, 7, 8}), spec.GoRT)
		if len(full.Findings) > 0 || full.Unjudged == "" {
			t.Errorf("a full ring, shown %t: expected no finding, and that it was not judged, saw %+v", shown, full)
		}
		// Half of the ring is free: the same answer is wrong.
		if v := Judge(spec.Sequence, took(shown, []record.ID{1, 2, 5, 6, 7, 8}), spec.GoRT); len(v.Findings) == 0 {
			t.Errorf("half a ring, shown %t: expected a finding, saw %+v", shown, v)
		}
	}
	// These are wrong whether there is room or not.
	for want, damage := range map[string]func(*record.Op, *record.History){
		"RQ-LOST":        func(_ *record.Op, h *record.History) { h.Final.Global = h.Final.Global[1:] },
		"RQ-GLOBAL-FIFO": func(op *record.Op, h *record.History) { op.Out = []record.ID{6}; h.Final.Global = []record.ID{5, 7, 8} },
		"RQ-GLOBAL-BATCH": func(op *record.Op, h *record.History) {
			op.Out, op.OK = nil, false
			h.Final.Global = []record.ID{5, 6, 7, 8}
		},
	} {
		h := took(true, []record.ID{1, 2, 3, 4, 5, 6, 7, 8})
		damage(&h.Ops[len(h.Ops)-1], h)
		if v := Judge(spec.Sequence, h, spec.GoRT); !v.has(want) {
			t.Errorf("a full ring: expected %s, saw %+v", want, v)
		}
	}
}
