package programs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/internal/tier"
)

func seedOf(t *testing.T) uint64 {
	if s := os.Getenv("SPINDLE_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return uint64(time.Now().UnixNano())
}

// sum is what a run of the test comes to.
type sum struct {
	programs, tso, failing, timed, late   int
	compared, classes, executions, waited int
	kinds                                 map[string][2]int // classes and executions
}

// TestReductionLosesNothing runs random programs under the exhaustive search and
// through the interpreter: the outcomes must be the same. Where a search without
// reduction ends within 20,000 executions, the classes are compared, too.
//
// It tries 160 programs, and 5,000 in the full tier.
func TestReductionLosesNothing(t *testing.T) {
	tier.NotShort(t)
	tryAll(t, 80, 2_500, (*Program).check)
}

// tryAll has check try few random programs of each of two seeds, or many in the full tier. Of those of which it counts the classes
// the reduction must run at most 1.05 executions for each. That is asked of many programs of seed 1, and of very many of
// the other seed: of a few, one alone may have most of the executions, such as one with a Pool, whose Get may do several things.
func tryAll(t *testing.T, few, many int, check func(*Program, *sum) error) {
	n := tier.N(t, few, many)
	for i, seed := range []uint64{1, seedOf(t)} {
		t.Run([]string{"seed 1", "drawn"}[i], func(t *testing.T) {
			t.Logf("seed %d", seed)
			var all sum
			for i := 0; all.programs < n; i++ {
				p := New(rand.New(rand.NewPCG(seed, uint64(i))))
				if err := check(p, &all); err != nil {
					t.Fatalf("program %d of seed %d: %v\n%v\nto reproduce: %s", i, seed, p, err, tier.Command(t, seed))
				}
			}
			ratio := float64(all.executions) / float64(all.classes)
			t.Logf("%d programs, %d under TSO, %d with time, %d with the late clock, %d in which something fails; of %d the classes were counted: %d, in %d executions (%.4f each)",
				all.programs, all.tso, all.timed, all.late, all.failing, all.compared, all.classes, all.executions, ratio)
			for kind, n := range all.kinds {
				if n[1] > n[0] {
					t.Logf("%s: %d executions of %d classes (%.3f each)", kind, n[1], n[0], float64(n[1])/float64(n[0]))
				}
			}
			if ratio > 1.05 && (seed == 1 && all.compared >= 2_000 || all.compared >= 10_000) {
				t.Errorf("%.3f executions for each class, want at most 1.05", ratio)
			}
		})
	}
}

// check holds the exhaustive search against the interpreter and against a search
// without reduction.
func (p *Program) check(all *sum) error {
	if !engine.Hosted && p.hasChannels() { // no coroutine has them
		return nil
	}
	want, ok := p.Outcomes(20_000)
	if !ok {
		return nil
	}
	most := 20_000
	if p.hasTime() { // which takes longer
		most = 2_000
	}
	if p.Late {
		return p.checkLate(all, want, most)
	}
	few, err := p.explore(engine.Exhaustive, most)
	if err != nil {
		return err
	}
	if few.c.Ended == certificate.ByExecutions {
		return nil // too large
	}
	if c := few.c; !c.Exhausted.Classes || c.Cuts.Failures+c.Cuts.Bound+c.Cuts.Threads > 0 {
		return fmt.Errorf("not exhausted: %v", c)
	}
	all.programs++
	if p.TSO {
		all.tso++
	}
	if p.hasTime() {
		all.timed++
	}
	if few.failures > 0 {
		all.failing++
	}
	if err := sameSet("outcomes", want, few.outcomes); err != nil {
		return fmt.Errorf("%w; %v", err, few.c)
	}
	brute, err := p.explore(engine.DFS, most)
	if err != nil || !brute.c.Complete() {
		return err
	}
	if err := sameSet("classes", brute.classes, few.classes); err != nil {
		return err
	}
	if few.c.Cuts.Iterations > 0 {
		all.waited++
		return nil
	}
	all.count(p, len(few.classes), few.c.Executions)
	return nil
}

// count adds a program whose classes were counted: its classes and executions to all, and to those of its kind.
func (s *sum) count(p *Program, classes, executions int) {
	s.compared++
	s.classes += classes
	s.executions += executions
	if s.kinds == nil {
		s.kinds = make(map[string][2]int)
	}
	n := s.kinds[p.Kind]
	s.kinds[p.Kind] = [2]int{n[0] + classes, n[1] + executions}
}

// checkLate is check of a program whose time goes by at any step, which the reduction does not have.
func (p *Program) checkLate(all *sum, want map[Outcome]bool, most int) error {
	brute, err := p.explore(engine.DFS, most)
	if err != nil || !brute.c.Complete() {
		return err
	}
	all.programs++
	all.late++
	return sameSet("outcomes", want, brute.outcomes)
}

// explored is what one strategy sees of a program.
type explored struct {
	classes  map[uint64]bool
	outcomes map[Outcome]bool
	failures int
	c        certificate.Certificate
}

func (p *Program) explore(st engine.Strategy, limit int) (*explored, error) {
	e := &explored{classes: map[uint64]bool{}, outcomes: map[Outcome]bool{}}
	body, outcome := p.Body()
	o := engine.Options{Strategy: st, Bound: -1, Executions: limit, TSO: p.TSO, Patience: 3}
	if p.hasChannels() {
		o.Looks = 32 // all of its lines that use channels are one line here, and no loop
	}
	o.Each = func(v *engine.View) bool {
		if v.Failure() != nil {
			e.failures++
		}
		e.classes[v.Class()] = true
		e.outcomes[outcome()] = true
		return true
	}
	c, _, err := engine.Explore(o, body)
	e.c = c
	return e, err
}
