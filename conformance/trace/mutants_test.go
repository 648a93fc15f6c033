package trace_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants"
)

// unseen are the mutants that take no step that the machine lacks, by the reason.
var unseen = map[string]string{
	"E-1": "a read of the own tail goes with the step before it or behind it",
	"E-3": "links are no shared words: a G is in one list, and its owner alone changes it",
}

// TestMutants holds damaged queues against the model. Each takes a step that the machine
// lacks, or answers what it does not; so do those that no history shows, but for two.
func TestMutants(t *testing.T) {
	if len(planted) > 0 {
		explorePlanted(t)
		return
	}
	tier.OnlyFull(t)
	ms, err := mutants.Select()
	if err != nil {
		t.Fatal(err)
	}
	out, failed := withPlanted(t, ms)
	if failed {
		t.Fatal(out)
	}
	seen := make(map[string]string)
	for _, line := range plantedLine.FindAllStringSubmatch(out, -1) {
		text, err := strconv.Unquote(line[2])
		if err != nil {
			t.Fatal(err)
		}
		seen[line[1]] = text
	}
	for _, m := range ms {
		what, found := seen[m.ID]
		t.Logf("%s: %s", m.ID, cmp.Or(what, "no divergence"))
		switch reason := unseen[m.ID]; {
		case !found:
			t.Errorf("%s: nothing was said of it", m.ID)
		case what == "" && reason == "":
			t.Errorf("%s (%s): expected a divergence; observed none", m.ID, m.Title)
		case what != "" && reason != "":
			t.Errorf("%s: expected no divergence: %s; observed %s", m.ID, reason, what)
		}
	}
}

var plantedLine = regexp.MustCompile(`(?m)^\s+mutants_test\.go:\d+: planted (\S+) (".*")$`)

// explorePlanted says of each copy what its first divergence is.
func explorePlanted(t *testing.T) {
	payload, err := harness.Remote(t, func() ([]byte, error) {
		all := make([]string, len(planted))
		for i, p := range planted {
			for _, s := range scenarios(t) {
				res, err := trace.Explore(p.new, s, interleave.Executions(1000))
				switch {
				case err != nil:
					all[i] = err.Error()
				case res.Divergence != nil:
					all[i] = fmt.Sprintf("%s: %v; schedule %s", s.Name, res.Divergence, res.Report.Failure.Schedule)
				case res.Report.Failure != nil:
					all[i] = s.Name + ": " + string(res.Report.Failure.Kind) + ": " + res.Report.Failure.Message
				default:
					continue
				}
				break
			}
		}
		return json.Marshal(all)
	}, interleave.NoRaces())
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var all []string
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	for i, p := range planted {
		t.Logf("planted %s %q", p.id, all[i])
	}
}
