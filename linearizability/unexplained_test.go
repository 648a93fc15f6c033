package linearizability

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// What only a search can decide is put down to the requirement without which the history
// would be right.
func TestUnexplained(t *testing.T) {
	const threads = "scenario: x\nps: 1\nthread P0: p\nthread P0: p\nthread P0: p\nthread none: e0\nshared: yes\nclock: counter\ncapacity: 2\n\n"
	for _, c := range []struct {
		contract, calls, want string
	}{
		{"puts=any,gets=any", "T0 put P0 1 [1..2]\nT1 put P0 2 [3..4]\nT1 get P0 = 2 [5..6]\nfinal: P0 ring 1", "pass"},
		{"order=fifo,puts=any,gets=any", "T0 put P0 1 [1..2]\nT1 put P0 2 [3..4]\nT1 get P0 = 2 [5..6]\nfinal: P0 ring 1", "RQ-FIFO"},
		{"order=fifo,puts=any,gets=any", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT1 get P0 = none [5..6]\nfinal: P0 ring 2 1", "RQ-GET-NONE"},
		{"order=fifo,puts=any,gets=any", "T2 empty P0 = true [1..2]\nT0 put P0 1 [3..6]\nT1 put P0 2 [4..5]\nT1 get P0 = none [7..8]\nfinal: P0 ring 2 1", "RQ-GET-NONE"},
		{"order=fifo,puts=any,gets=any", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT2 steal P0 = none [5..6]\nfinal: P0 ring 2 1", "RQ-STEAL-NONE"},
		{"order=fifo,puts=any,gets=any", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT2 empty P0 = true [5..6]\nfinal: P0 ring 2 1", "RQ-EMPTY-TRUE"},
		{"order=fifo,puts=any,gets=any", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT2 empty P0 = false [5..6]\nfinal: P0 ring 2 1", "pass"},
		{"order=fifo,puts=any,gets=any", "T2 empty P0 = false [1..2]\nT0 put P0 1 [3..6]\nT1 put P0 2 [4..5]\nfinal: P0 ring 2 1", "RQ-EMPTY-FALSE"},
		{"order=fifo,puts=any,gets=any,len=moment", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT2 len P0 = 1 [5..6]\nfinal: P0 ring 2 1", "RQ-LEN"},
		{"order=fifo,puts=any,gets=any,len=moment", "T0 put P0 1 [1..6]\nT1 put P0 2 [2..5]\nT2 len P0 = 1 [3..4]\nfinal: P0 ring 2 1", "pass"},
		{"order=fifo,puts=any,gets=any,bound=exact", "T0 put P0 1 [1..4]\nT1 put P0 2 = full after 0 [2..3]\nfinal: P0 ring 1", "RQ-CAPACITY"},
		{"puts=any,gets=any,bound=exact", "T0 put P0 1 [1..4]\nT1 put P0 2 = full after 0 [2..3]\nfinal: P0 ring 1", "RQ-CAPACITY"},
		{"order=fifo,puts=any,gets=any,bound=at-most", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT0 put P0 3 [5..6]\nfinal: P0 ring 2 1 3", "RQ-CAPACITY"},
		{"puts=any,gets=any,bound=at-most", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT0 put P0 3 [5..6]\nfinal: P0 ring 2 1 3", "RQ-CAPACITY"},
		{"puts=any,gets=any,bound=at-most", "T0 put P0 1 [1..4]\nT1 put P0 2 [2..3]\nT0 put P0 3 [4..6]\nT1 get P0 = 1 [5..7]\nfinal: P0 ring 2 3", "pass"},
	} {
		profile, err := spec.ParseProfile(c.contract)
		if err != nil {
			t.Fatal(err)
		}
		h, err := record.ParseHistory(strings.NewReader(threads + c.calls + "\n"))
		if err != nil {
			t.Fatalf("%s: %v", c.calls, err)
		}
		r := Check(h, Options{Rules: sequential.RulesOf(profile, h.Capacity), method: byPorcupine})
		saw := "pass"
		for _, e := range r.Explanations() {
			saw = e.Requirement
			if !strings.Contains(e.Sentence, "by exhaustive search") {
				t.Errorf("%s: expected it to be found by a search, saw %s", c.calls, e.Sentence)
			}
		}
		if saw != c.want || (r.Verdict == Ok) != (c.want == "pass") {
			t.Errorf("%s\n%s: expected %s, saw %s, %v", c.contract, c.calls, c.want, saw, r.Verdict)
		}
	}
}
