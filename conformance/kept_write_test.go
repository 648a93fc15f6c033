package conformance

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestKeep: each fault is kept once, as it was first; so many and no more; and what
// cannot be kept is no failure.
func TestKeep(t *testing.T) {
	lines := []string{"scenario: x", "ps: 1", "thread P0: pg", "order: 0 0"}
	found := func(check, fingerprint string, lines ...string) suite.Event {
		return suite.Event{Event: suite.FindingEvent, Check: check, Finding: &record.Finding{
			Requirement: "RQ-FIFO", Witness: "sequence", Fingerprint: fingerprint,
			Evidence: []record.Evidence{{Kind: record.Asked, Lines: lines}},
		}}
	}
	result := func(events ...suite.Event) *gate.Result {
		return &gate.Result{Targets: []*suite.Judged{{Findings: events}}}
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	keep(t, filepath.Join(os.DevNull, "x"), spec.FIFO, result(found("sequence/order", "RQ-FIFO", lines...)))
	keep(t, dir, spec.FIFO, result(
		found("sequence/order", "RQ-FIFO/../get", lines...), found("sequence/kept", "RQ-FIFO/kept", lines...), found("sequence/order", "RQ-FIFO/none"),
	))
	list, err := readKept(dir)
	if err != nil || len(list) != 1 || list[0].File != filepath.Join(dir, "RQ-FIFO-..-get.txt") || list[0].Requirement != "RQ-FIFO" {
		t.Fatalf("expected one scenario, saw %+v, %v", list, err)
	}
	keep(t, dir, spec.FIFO, result(found("sequence/order", "RQ-FIFO/../get", "scenario: y", "ps: 1", "thread P0: pgg", "order: 0 0 0")))
	if again, err := readKept(dir); err != nil || again[0].Scenario.Name != "x" {
		t.Errorf("expected the first one, saw %+v, %v", again, err)
	}
	var many []suite.Event
	for i := range 3 * mostKept {
		many = append(many, found("sequence/order", "RQ-FIFO/"+string(rune('a'+i%26))+string(rune('a'+i/26)), lines...))
	}
	keep(t, dir, spec.FIFO, result(many...))
	if list, err = readKept(dir); err != nil || len(list) != mostKept {
		t.Errorf("expected %d scenarios, saw %d, %v", mostKept, len(list), err)
	}
	long := make([]byte, checks.MaxKept)
	for i, r := 0, rand.New(rand.NewPCG(1, 1)); i < len(long); i++ {
		long[i] = "pg"[r.IntN(2)] // what repeats is short in a file
	}
	dir = t.TempDir()
	keep(t, dir, spec.FIFO, result(found("sequence/order", "RQ-FIFO", "scenario: x", "ps: 1", "thread P0: "+string(long), "order: 0")))
	if list, err = readKept(dir); err != nil || len(list) != 0 {
		t.Errorf("expected that a long one is not kept, saw %d, %v", len(list), err)
	}
}
