package checks

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestAsManyThieves: no scenario of any check has more threads that steal at once than the
// contract allows, and where it allows none, nobody steals at quiet moments either.
func TestAsManyThieves(t *testing.T) {
	tier.OnlyFull(t)
	all256 := queue.Capabilities{
		RunNext: true, Batch: true, PutBatch: true, Drain: true, Len: true, Capacity: 256, Resize: true, Sizes: []int{2, 4},
		Start: true, Moves: true, Global: true, Quiet: true, Show: true,
	}
	plain := queue.Capabilities{Len: true, Capacity: 8, Resize: true, Sizes: []int{1, 2}, Start: true, Quiet: true, Moves: true}
	bare := queue.Capabilities{Quiet: true}
	allowed := map[string]int{spec.Anyone: 9, spec.One: 1, spec.None: 0}
	bases := []spec.Profile{spec.Core, spec.FIFO, spec.LIFODeque, spec.Tokio, spec.GoRT, "fifo,puts=any,gets=any", "fifo,steal-miss=answered", "lifo-deque,puts=any"}
	for _, base := range tier.Some(t, bases, 3) {
		for steals, most := range allowed {
			p := base + ",steals=" + spec.Profile(steals)
			contract, ok := p.Contract()
			if !ok {
				t.Fatalf("%s is no contract", p)
			}
			at, n := 0, 0
			for _, caps := range []queue.Capabilities{all256, plain, bare} {
				f := facts{profile: p, contract: contract, caps: caps, kind: suite.InProcess, short: true}
				for _, c := range all {
					fitted := c.forTarget(f)
					if s := c.suite(); !s.Fits(p) || fitted.lacks(f) != "" {
						continue
					}
					for i := range min(fitted.scenarios, 200) {
						s := fitted.scenario(&gen{rand.New(rand.NewPCG(7, uint64(i))), f}, i)
						thieves, quiet := thievesOf(t, s)
						if thieves > most || most == 0 && quiet {
							t.Fatalf("%s: %s, %+v: %d threads steal at once; at a quiet moment somebody steals: %v", p, c.name, s, thieves, quiet)
						}
						if err := s.Check(); err != nil {
							t.Fatalf("%s: %s: %v", p, c.name, err)
						}
						n++
						if c.enumerates == nil { // a list, or by chance
							at = max(at, thieves)
						}
					}
				}
			}
			if at < min(most, 2) || n < 1_500 {
				t.Errorf("%s: of %d scenarios the most thieves that one of a list has are %d", p, n, at)
			}
		}
	}
}

// thievesOf returns how many threads of a scenario steal at once, and whether one steals when
// nobody else calls anything.
func thievesOf(t *testing.T, s record.Scenario) (thieves int, quiet bool) {
	t.Helper()
	for _, text := range []string{s.Before, s.After} {
		calls, err := record.ParseQuiet(text)
		if err != nil {
			t.Fatal(err)
		}
		quiet = quiet || slices.ContainsFunc(calls, func(q record.QuietCall) bool { return q.Kind.Steals() })
	}
	for _, th := range s.Threads {
		ins, err := record.ParseScript(th.Script)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(ins, func(in record.Instr) bool { return in.Kind.Steals() }) {
			thieves++
		}
	}
	if s.Order != nil { // one call after another
		return min(thieves, 1), quiet || thieves > 0
	}
	return thieves, quiet
}

// TestFewThieves: a queue that bears one thief at a time, or none, is right where its contract
// says so, and wrong where it does not. So is one whose size cannot be changed, small or large:
// a check none of whose scenarios fits the queue is skipped.
func TestFewThieves(t *testing.T) {
	tier.OnlyFull(t)
	for _, c := range tier.Some(t, []struct {
		contract spec.Profile
		size     int
		bears    string // as the choice steals
		right    bool
		threads  bool // on real threads, too
	}{
		{"fifo,bound=exact", 256, spec.Anyone, true, false},
		{"fifo,bound=exact", 4, spec.Anyone, true, false},
		{"fifo,bound=exact,steals=one", 4, spec.One, true, true},
		{"fifo,bound=exact,steals=one,gets=any,puts=any", 2, spec.One, true, false},
		{"fifo,bound=exact,steals=none", 256, spec.None, true, true},
		{"fifo,bound=exact,steals=none,puts=any", 2, spec.None, true, false},
		{"fifo,bound=exact", 2, spec.One, false, false},
		{"fifo,bound=exact,steals=one", 2, spec.None, false, false},
	}, 2) {
		target := fixedTarget(t, c.contract, c.size, c.bears)
		if !c.right {
			out, err := Search(t.Context(), target, suite.Limits{Sequences: 500, Scenarios: 500, Each: 500, Executions: 20_000})
			if err != nil || out.Hit == nil || out.Hit.Requirement != "RQ-CRASH" {
				t.Errorf("%s, a ring of %d that bears steals=%s: expected RQ-CRASH, saw %+v, %v", c.contract, c.size, c.bears, out.Hit, err)
			}
			continue
		}
		explored(t, rand.New(rand.NewPCG(7, 0)), target)
		if c.threads {
			_, events := judged(t, suite.Options{Select: "^stress/steal$|^linearizability/(ring|all)$"}, target)
			unaccused(t, factsOf(target), events)
		}
	}
}

// TestNothingFits: who asks only for a check that is skipped since none of its scenarios fits
// gets no pass.
func TestNothingFits(t *testing.T) {
	for contract, check := range map[spec.Profile]string{
		"fifo,bound=exact":             "^interleave/laps$",
		"fifo,bound=exact,steals=none": "^interleave/(laps|steal)$",
	} {
		steals, _ := contract.Contract()
		r, events := judged(t, suite.Options{Select: check}, fixedTarget(t, contract, 256, steals.Steals))
		if r.Exit == exit.Pass || len(brokenIDs(events)) > 0 {
			t.Errorf("%s, %s alone: exit %d, broken %v", contract, check, r.Exit, brokenIDs(events))
		}
	}
}

// fixedTarget is a ring of one size, whatever is asked for. It keeps the contract, but that it
// bears only so many thieves.
func fixedTarget(t *testing.T, p spec.Profile, size int, bears string) Target {
	t.Helper()
	c, ok := p.Contract()
	if !ok {
		t.Fatalf("%s is no contract", p)
	}
	c.Steals = bears
	ring := madeBy(c, true, faces["bounded"].of)
	target, err := Instrumented("fixed", p, func(o queue.Options) (queue.Set, error) {
		o.Capacity = size
		return ring(o)
	})
	if err != nil {
		t.Fatal(err)
	}
	Short(target)
	return target
}
