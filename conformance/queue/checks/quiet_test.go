package checks

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestQuiet: a target that does not offer calls at quiescent moments is never asked for them,
// nor for several owners of one P. It is told which checks it misses for that.
func TestQuiet(t *testing.T) {
	caps, err := drive.Probe(ref.New)
	if err != nil || !caps.Quiet {
		t.Fatalf("expected quiet calls of every queue in Go, saw %+v, %v", caps, err)
	}
	missed := 0
	for _, p := range []spec.Profile{spec.Core, spec.FIFO, spec.GoRT, "fifo,puts=any,gets=any", "lifo-deque,steal-miss=anytime"} {
		contract, _ := p.Contract()
		with := facts{profile: p, contract: contract, caps: caps, kind: suite.InProcess}
		without := with
		without.caps.Quiet = false
		for _, c := range all {
			if s := c.suite(); !s.Fits(p) || c.lacks(with) != "" {
				continue
			}
			lacks := c.lacks(without)
			if lacks != "" {
				missed++
				if !strings.Contains(lacks, "quiescent moments") {
					t.Errorf("%s of %s: expected what is missing, saw %q", c.name, p, lacks)
				}
			}
			fitted := c.forTarget(with)
			used := false
			for i := range min(fitted.scenarios, 500) {
				s := fitted.scenario(&gen{rand.New(rand.NewPCG(1, uint64(i))), with}, i)
				used = used || s.Before != "" || s.After != "" || s.Shared
			}
			if used != (lacks != "") {
				t.Errorf("%s of %s: quiet calls, or several owners: %v; without them it lacks %q", c.name, p, used, lacks)
			}
		}
	}
	if missed < 10 {
		t.Errorf("expected 10 checks to need quiet calls, saw %d", missed)
	}
}

// TestSequencesMakeRoom: in a fixed order nobody makes room but the scenario. A batch get,
// or a steal into a queue of the thief's own, comes when there is some.
func TestSequencesMakeRoom(t *testing.T) {
	target, err := InProcess("ref", spec.GoRT, ref.New)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := sequences(factsOf(target))
	asked := 0
	for i := 0; i < len(list); i += 1 + len(list)/3000 {
		h, err := target.Run(t.Context(), list[i])
		if err != nil {
			t.Fatal(err)
		}
		before := record.Contents{Ps: make([]record.PContents, h.Scenario.Ps)}
		for _, op := range h.Ops {
			if op.Kind == record.GlobalGet || op.Kind.Steals() && op.Thief != record.None {
				to := op.P
				if op.Kind.Steals() {
					to = op.Thief
				}
				asked++
				if n := len(before.Ps[to].Ring); n >= h.Capacity {
					t.Fatalf("%s: %v with %d of %d in the ring of P%d", list[i].Name, op, n, h.Capacity, to)
				}
			}
			before = *op.After
		}
	}
	if asked < 100 {
		t.Errorf("expected 100 such calls, saw %d", asked)
	}
}

// TestBatchOf: how many Gs a steal from queue to queue takes at least and at most.
func TestBatchOf(t *testing.T) {
	for p, want := range map[spec.Profile][2]int{ // of five
		"fifo,batch=one": {1, 1}, "fifo,batch=half-up": {3, 3}, "fifo,batch=half-down": {2, 2}, "fifo,batch=some": {1, 5},
		"fifo,batch=half-up,steal-miss=beside": {3, 3}, "fifo,batch=half-up,steal-miss=anytime": {0, 3}, "fifo,batch=some,steal-miss=answered": {0, 5},
	} {
		c, ok := p.Contract()
		if !ok {
			t.Fatalf("%s is no contract", p)
		}
		if least, most := (facts{contract: c}).batchOf(5); least != want[0] || most != want[1] {
			t.Errorf("%s: %d to %d, want %v", p, least, most, want)
		}
	}
}
