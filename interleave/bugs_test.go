package interleave_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/peers/fixture"
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

// TestFixtureIsRight: the fixture without a bug is explored to the end, in few
// executions.
func TestFixtureIsRight(t *testing.T) {
	for _, s := range fixture.Scripts {
		r, err := interleave.Explore(body(s), interleave.Exhaustive())
		if err != nil || r.Failure != nil || !r.Certificate.Complete() || r.Certificate.Executions > 50_000 {
			t.Errorf("%v: %v, %v", s, r.Text(""), err)
		}
		t.Logf("%v: %v", s, r.Certificate)
	}
}

// TestSeededBugs: the seven bugs of the fixture, in a small and a large script,
// are found by the default search whatever the seed, and shrunk to a few switches.
func TestSeededBugs(t *testing.T) {
	for _, h := range fixture.Hunts {
		most, switches, shrunk := 0, 0, 0
		begin := time.Now()
		for seed := range uint64(20) {
			r, err := interleave.Explore(body(h.Script), interleave.Seed(seed), interleave.Executions(200_000))
			if err != nil || r.Failure == nil {
				t.Fatalf("%s %v, seed %d: %v %v", h.Size, h.Script, seed, r.Certificate, err)
			}
			most = max(most, r.Certificate.Executions)
			switches = max(switches, r.Failure.Switches)
			shrunk = max(shrunk, r.Shrunk)
		}
		if switches > 8 {
			t.Errorf("%s %v: %d switches, want at most 8", h.Size, h.Script, switches)
		}
		t.Logf("%s %v: 20 of 20 seeds, at most %d executions; at most %d switches, after %d executions more; %v a seed",
			h.Size, h.Script, most, switches, shrunk, time.Since(begin)/20)
	}
}
