package ref

import (
	"context"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

func TestOneThreadAgainstTheMachine(t *testing.T) {
	s := record.Scenario{
		Name: "one", Ps: 2, Capacity: 4, Snapshot: true, Start: 1<<32 - 3,
		Threads: []record.Thread{{P: 0, Script: "p p n n p p p g e e1 g b7 m9 l q d e"}, {P: 1, Script: "s0 r0 r0 g g d r0 m3 e0"}},
		Order:   []int{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1},
	}
	h, err := drive.Run(context.Background(), New, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range h.Ops {
		t.Log(op, op.After, op.Moved)
	}
	if vs, stopped := sequential.Replay(h, sequential.RulesOf(spec.GoRT, 4)); vs != nil || stopped >= 0 {
		t.Fatalf("%v, stopped at call %d", vs, stopped)
	}
}

func TestThreads(t *testing.T) {
	s := record.Scenario{
		Name: "threads", Ps: 3, Capacity: 8,
		Threads: []record.Thread{{P: 0, Script: "pppnpgpppppggpg", Repeat: 2000}, {P: 1, Script: "s0 r0 e0", Repeat: 5000}, {P: 2, Script: "r0r1e1", Repeat: 5000}},
	}
	h, err := drive.Run(context.Background(), New, s)
	if err != nil {
		t.Fatal(err)
	}
	if vs := sequential.Conserve(h); vs != nil {
		t.Fatal(vs)
	}
	t.Log(len(h.Ops))
}

// TestMovesAreListed: what a batch put and a steal for no P give to the global
// queue is listed, as History.Moves promises.
func TestMovesAreListed(t *testing.T) {
	s := record.Scenario{
		Name: "moves", Ps: 1, Capacity: 4,
		Threads: []record.Thread{{P: 0, Script: "b6"}, {P: record.None, Script: "s0"}},
		Order:   []int{0, 1},
	}
	h, err := drive.Run(context.Background(), New, s)
	if err != nil {
		t.Fatal(err)
	}
	ring, global := record.Place{Object: record.Ring}, record.Place{Object: record.Global, P: record.None}
	for i, want := range [][]record.ID{{5, 6}, {1}} {
		moved := h.Ops[i].Moved
		if len(moved) != 1 || moved[0].From != ring || moved[0].To != global || !slices.Equal(moved[0].IDs, want) {
			t.Errorf("%v: expected %v from the ring to the global queue, saw %v", h.Ops[i], want, moved)
		}
	}
}
