package interleave_test

import (
	"encoding/json"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
)

// A litmus is two programs: in one, what one thread does to a variable comes before
// or after what another does to it, by something that the memory model of Go names;
// in the other that is not there.
type litmus struct {
	name         string
	right, wrong func(x *interleave.Exec)
}

const orderOfMap = "the order of a map"

// TestRaceLitmus: the right programs are silent and complete, in the wrong ones there
// is a data race.
func TestRaceLitmus(t *testing.T) {
	type outcome struct {
		Name, Right, Wrong string
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var all []outcome
		explore := func(body func(x *interleave.Exec)) string {
			r, err := interleave.Explore(body, interleave.Exhaustive())
			switch {
			case err != nil:
				return err.Error()
			case r.Failure != nil && r.Failure.Kind == interleave.DataRace:
				return "data race"
			case r.Failure != nil:
				return r.Text("")
			case len(r.Certificate.Doubts) == 1 && r.Certificate.Doubts[0].What == orderOfMap:
				return orderOfMap
			case !r.Certificate.Complete() && r.Certificate.Steps > 0: // plain accesses are no steps
				return r.Certificate.String()
			}
			return "complete"
		}
		for _, group := range [][]litmus{orders(), litmusOf(statements()), litmusOf(calls()), litmusOf(unusual()), litmusOf(expressions()), litmusOf(oldStatements()), places(), lengths(), iterations(), litmusOfStarters(loops()), litmusOfStarters(oldLoops())} {
			for _, l := range group {
				all = append(all, outcome{l.name, explore(l.right), explore(l.wrong)})
			}
		}
		return json.Marshal(all)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var all []outcome
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if o.Right != "complete" && !(o.Name == "old: range over a map" && o.Right == orderOfMap) { // files of before Go 1.23 have no loops over functions
			t.Errorf("%s, with what orders it: expected complete, observed %s", o.Name, o.Right)
		}
		if o.Wrong != "data race" {
			t.Errorf("%s, without: expected a data race, observed %s", o.Name, o.Wrong)
		}
	}
	if len(all) < 80 {
		t.Errorf("expected 80 pairs, observed %d", len(all))
	}
}
