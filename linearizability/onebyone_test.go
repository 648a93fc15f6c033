package linearizability

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// A steal of several from a queue that is not first in, first out takes G by G, the oldest
// first, and others may get in between. How many it took, in which order, and where the rest
// went is judged as the contract says.
func TestOneByOne(t *testing.T) {
	for _, id := range []string{"RQ-LIFO", "RQ-STEAL-HALF", "RQ-STEAL-ORDER"} {
		t.Attr("req", id)
	}
	const threads = "scenario: x\nps: 2\nthread P0: ppp\nthread P1: s0\nclock: counter\nmoves: yes\n\n"
	const puts = "T0 put P0 1 [1..2]\nT0 put P0 2 [3..4]\nT0 put P0 3 [5..6]\n"
	for _, c := range []struct{ contract, calls, want string }{
		{"lifo-deque,batch=some", puts + "T1 steal P0->P1 = 2 [7..20]; P0.ring->P1.ring 1\nT0 get P0 = 3 [8..9]\nfinal: P0, P1 ring 1", "pass"},
		{"lifo-deque,batch=some", puts + "T1 steal P0->P1 = 3 [7..20]; P0.ring->P1.ring 1\nT0 get P0 = 2 [8..9]\nfinal: P0, P1 ring 1", "RQ-LIFO"},
		{"lifo-deque,batch=some", puts + "T1 steal P0->P1 = 1 [7..8]; P0.ring->P1.ring 2\nfinal: P0 ring 3, P1 ring 2", "RQ-STEAL-ORDER"},
		{"lifo-deque,batch=some,returns=oldest", puts + "T1 steal P0->P1 = 1 [7..8]; P0.ring->P1.ring 2\nfinal: P0 ring 3, P1 ring 2", "pass"},
		{"lifo-deque,batch=some", puts + "T1 steal P0->P1 = 3 [7..8]; P0.ring->P1.ring 1 2\nT1 get P1 = 1 [9..10]\nfinal: P0, P1 ring 2", "RQ-STEAL-ORDER"},
		{"lifo-deque,batch=some", puts + "T1 steal P0->P1 = 3 [7..8]; P0.ring->P1.ring 1 2\nT1 get P1 = 2 [9..10]\nfinal: P0, P1 ring 1", "pass"},
		{"lifo-deque,batch=half-up", puts + "T1 steal P0->P1 = 2 [7..8]; P0.ring->P1.ring 1\nfinal: P0 ring 3, P1 ring 1", "pass"},
		{"lifo-deque,batch=half-up", puts + "T1 steal P0->P1 = 1 [7..8]\nfinal: P0 ring 3 2, P1", "RQ-STEAL-HALF"},
		{"lifo-deque,batch=half-up", puts + "T1 steal P0->P1 = 1 [7..20]\nT0 get P0 = 3 [8..9]\nfinal: P0 ring 2, P1", "pass"},                     // of two
		{"lifo-deque,batch=half-up", puts + "T1 steal P0->P1 = 2 [7..20]; P0.ring->P1.ring 1\nT0 get P0 = 3 [8..9]\nfinal: P0, P1 ring 1", "pass"}, // of three
		{"lifo-deque,batch=half-down", puts + "T1 steal P0->P1 = 2 [7..20]; P0.ring->P1.ring 1\nT0 get P0 = 3 [8..9]\nfinal: P0, P1 ring 1", "RQ-STEAL-HALF"},
		{"core,batch=some", puts + "T1 steal P0->P1 = 1 [7..8]; P0.ring->P1.ring 3\nfinal: P0 ring 2, P1 ring 3", "pass"},
		{"core,batch=half-up", puts + "T1 steal P0->P1 = 1 [7..8]; P0.ring->P1.ring 3\nfinal: P0 ring 2, P1 ring 3", "pass"},
		{"core,batch=half-up", puts + "T1 steal P0->P1 = 1 [7..8]; P0.ring->P1.ring 3 2\nfinal: P0, P1 ring 3 2", "RQ-STEAL-HALF"},
		{"core,batch=half-up", puts + "T1 steal P0->P1 = 1 [7..8]\nfinal: P0 ring 2 3, P1", "RQ-STEAL-HALF"},
		{"core,batch=half-up", puts + "T1 steal P0->P1 = 1 [7..20]\nT0 get P0 = 2 [8..9]\nfinal: P0 ring 3, P1", "pass"},
	} {
		profile, err := spec.ParseProfile(c.contract)
		if err != nil {
			t.Fatal(err)
		}
		h, err := record.ParseHistory(strings.NewReader(threads + c.calls + "\n"))
		if err != nil {
			t.Fatalf("%s: %v", c.calls, err)
		}
		r := Check(h, Options{Rules: sequential.RulesOf(profile, 0)})
		saw := "pass"
		if e := r.Explanation(); e != nil {
			saw = e.Requirement
		}
		if saw != c.want || (r.Verdict == Ok) != (c.want == "pass") {
			t.Errorf("%s\n%s: expected %s, saw %s, %v, %+v", c.contract, c.calls, c.want, saw, r.Verdict, r.Objects)
		}
	}
}
