package ref

import (
	"context"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
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
	if vs, stopped := spec.Replay(h, spec.RulesOf(spec.GoRT, 4)); vs != nil || stopped >= 0 {
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
	if vs := spec.Conserve(h); vs != nil {
		t.Fatal(vs)
	}
	t.Log(len(h.Ops))
}
