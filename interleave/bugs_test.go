package interleave_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/peers/fixture"
	"github.com/spindle-go/spindle/internal/tier"
)

// body explores a script of the fixture.
func body(s fixture.Script) func(*interleave.Exec) {
	return func(x *interleave.Exec) {
		owner, thieves, check := s.Program()
		x.Go("owner", owner)
		for i, f := range thieves {
			x.Go(fmt.Sprint("thief", i), f)
		}
		x.Finally(func() {
			if err := check(); err != nil {
				x.Fatalf("%v", err)
			}
		})
	}
}

// A finding is what an instrumented binary has to say: for the log, or that it is
// wrong.
type finding struct {
	Wrong bool
	Text  string
}

// instrumented runs f in an instrumented binary.
func instrumented(t *testing.T, f func() []finding) {
	t.Helper()
	payload, err := harness.Remote(t, func() ([]byte, error) { return json.Marshal(f()) })
	if err != nil {
		t.Fatal(err)
	}
	var all []finding
	if err := json.Unmarshal(payload, &all); err != nil || len(all) == 0 {
		t.Fatalf("%v in %q", err, payload)
	}
	for _, said := range all {
		if said.Wrong {
			t.Error(said.Text)
			continue
		}
		t.Log(said.Text)
	}
}

// TestFixtureIsRight: the fixture without a bug is explored to the end, in few
// executions.
func TestFixtureIsRight(t *testing.T) {
	tier.NotShort(t)
	instrumented(t, func() (all []finding) {
		for _, s := range fixture.Scripts {
			r, err := interleave.Explore(body(s), interleave.Exhaustive())
			wrong := err != nil || r.Failure != nil || !r.Certificate.Complete() || r.Certificate.Executions > 50_000
			all = append(all, finding{wrong, fmt.Sprintf("%v: %v, %v", s, r.Text(""), err)})
		}
		return all
	})
}

// TestSeededBugs: the seven bugs of the fixture, in a small and a large script,
// are found by the default search whatever the seed, and shrunk to a few switches.
func TestSeededBugs(t *testing.T) {
	tier.NotShort(t)
	instrumented(t, func() (all []finding) {
		for _, h := range fixture.Hunts {
			all = append(all, hunt(h))
		}
		return all
	})
}

func hunt(h fixture.Hunt) finding {
	most, switches, shrunk := 0, 0, 0
	begin := time.Now()
	for seed := range uint64(20) {
		r, err := interleave.Explore(body(h.Script), interleave.Seed(seed), interleave.Executions(200_000))
		if err != nil || r.Failure == nil {
			return finding{true, fmt.Sprintf("%s %v, seed %d: %v %v", h.Size, h.Script, seed, r.Certificate, err)}
		}
		most = max(most, r.Certificate.Executions)
		switches = max(switches, r.Failure.Switches)
		shrunk = max(shrunk, r.Shrunk)
	}
	return finding{switches > 8, fmt.Sprintf("%s %v: 20 of 20 seeds, at most %d executions; expected at most 8 switches, observed %d, after %d executions more; %v a seed",
		h.Size, h.Script, most, switches, shrunk, time.Since(begin)/20)}
}
