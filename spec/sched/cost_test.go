package sched_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/sched"
)

// TestWakeUps counts what a fix costs, in random runs of the machine: Ms woken, and
// Ms that begin to spin, for 1000 Gs that were made runnable. A fix must not make
// them many more: that is the other half of the bargain (DN-QUIET; golang/go#43997).
func TestWakeUps(t *testing.T) {
	t.Attr("req", "DN-QUIET")
	tier.OnlyFull(t)
	const steps = 2_000_000
	vain := make(map[string]float64)
	for _, c := range []struct {
		name     string
		features []string
		fixes    []string
		bugs     []string
	}{
		{"shipped", nil, nil, nil},
		{"shipped, wake_nonspinning", nil, nil, []string{"wake_nonspinning"}},
		{"Go 1.16: everybody looks again", nil, nil, []string{"no_needspinning", "recheck_everybody"}},
		{"Go 1.17: without needspinning", nil, nil, []string{"no_needspinning"}},
		{"undo_first", nil, []string{"undo_first"}, nil},
		{"clear_locked", nil, []string{"clear_locked"}, nil},
		{"drop_clears", nil, []string{"drop_clears"}, nil},
		{"reload", nil, []string{"reload"}, nil},
		{"syscalls, without handoff_need", []string{"block"}, []string{"undo_first"}, nil},
		{"syscalls, handoff_need", []string{"block"}, []string{"undo_first", "handoff_need"}, nil},
		{"yields, as shipped", []string{"yield", "tick"}, []string{"undo_first"}, nil},
		{"yields, batch_locked", []string{"yield", "tick"}, []string{"undo_first", "batch_locked"}, nil},
		{"yields, batch_wakep", []string{"yield", "tick"}, []string{"undo_first", "batch_wakep"}, nil},
	} {
		m, err := sched.New(sched.Config{Ps: 3, Ms: 5, Gs: 8, RingCap: 4, FirstM: []int{1}, FirstP: []int{1}, Features: c.features, Fixes: c.fixes, Bugs: c.bugs})
		if err != nil {
			t.Fatal(err)
		}
		taken := walk(m, steps)
		submitted := float64(taken["Ready"]+taken["Gosched"]+taken["ExitNoP"]) / 1000
		woken, spinning := float64(taken["StartM"])/submitted, float64(taken["SpinAdd"])/submitted
		vain[c.name] = float64(taken["WakepUndo"]) / submitted
		t.Logf("%-32s %5.0f woken, %5.0f begin to spin, %4.0f wakep in vain, %4.0f Ps taken again after a re-check; for 1000 of %.0f submissions",
			c.name, woken, spinning, vain[c.name], float64(taken["Reacquire"]+taken["RecheckGlobGet"])/submitted, submitted*1000)
		if woken > 2000 {
			t.Errorf("%s: expected at most two Ms woken for a G, saw %.2f", c.name, woken/1000)
		}
	}
	// No property falls with the bug: each G that is run costs one wakep at most. But
	// it is one more.
	if good, bad := vain["shipped"], vain["shipped, wake_nonspinning"]; bad < 1.3*good {
		t.Errorf("expected wake_nonspinning (golang/go#13527) to call wakep in vain at least 1.3 times as often, saw %.0f and %.0f for 1000 submissions", good, bad)
	}
}

// walk makes random steps, an M as likely as another, and counts actions.
func walk(m *sched.Machine, steps int) map[string]int {
	r := rand.New(rand.NewPCG(1, 2))
	var out explore.Successors[sched.State]
	m.Init(&out)
	start := out.Edges()[0].To
	s := start
	names := m.Actions()
	taken := make(map[string]int)
	var actors []uint8
	for range steps {
		out.Reset()
		m.Next(&s, &out)
		edges := out.Edges()
		if len(edges) == 0 { // every G waits for another
			s = start
			continue
		}
		actors = actors[:0]
		for _, e := range edges {
			if !slices.Contains(actors, e.Step.Actor) {
				actors = append(actors, e.Step.Actor)
			}
		}
		who := actors[r.IntN(len(actors))]
		n := 0
		var chosen explore.Edge[sched.State]
		for _, e := range edges {
			if e.Step.Actor == who {
				if n++; r.IntN(n) == 0 {
					chosen = e
				}
			}
		}
		taken[names[chosen.Step.Action]]++
		s = chosen.To
	}
	return taken
}
