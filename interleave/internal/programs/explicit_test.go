package programs

import (
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/dpor"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// TestReductionAlone holds the reduction against a search without it on explicit
// programs: the same classes, the outcomes that the interpreter finds, and at most
// 1.05 executions a class on average.
//
// It tries 600 programs, and 100,000 in the full tier.
func TestReductionAlone(t *testing.T) {
	tryAll(t, 300, 50_000, (*Program).checkAlone)
}

// withoutLoops has p load once where it would load until a word is not 0.
func (p *Program) withoutLoops() {
	for t := range p.Threads {
		for i := range p.Threads[t].Code {
			if in := &p.Threads[t].Code[i]; in.Op == Await {
				in.Op = Load
			}
		}
	}
}

// seenAlone is what a chooser sees of an explicit program.
type seenAlone struct {
	classes    map[uint64]bool
	outcomes   map[Outcome]bool
	executions int
	failing    bool // some thread has panicked in some execution
}

func (p *Program) alone(ch strategy.Chooser, limit int) (*seenAlone, error) {
	seen := &seenAlone{classes: map[uint64]bool{}, outcomes: map[Outcome]bool{}}
	e := &explicit{p: p}
	var err error
	seen.executions, err = e.run(ch, limit, func() {
		seen.classes[e.x.Class(e.started)] = true
		o := e.s.outcome()
		seen.outcomes[o] = true
		for _, t := range o.Threads {
			seen.failing = seen.failing || t.Status == panicked
		}
	})
	return seen, err
}

// checkAlone is check, of the explicit program.
func (p *Program) checkAlone(all *sum) error {
	const limit = 5_000
	if p.hasTime() { // its clock is a thread of the engine's
		return nil
	}
	p.withoutLoops()
	var search dpor.Search
	few, err := p.alone(&search, limit)
	if err != nil || !search.Done {
		return err
	}
	all.programs++
	if p.TSO {
		all.tso++
	}
	if few.failing {
		all.failing++
	}
	everything := strategy.DFS{Bound: -1}
	brute, err := p.alone(&everything, limit)
	if err != nil {
		return err
	}
	if !everything.Done {
		if want, ok := p.Outcomes(2 * limit); ok {
			return sameSet("outcomes", want, few.outcomes)
		}
		return nil
	}
	if err := sameSet("outcomes", brute.outcomes, few.outcomes); err != nil {
		return err
	}
	all.count(p, len(few.classes), few.executions)
	return sameSet("classes", brute.classes, few.classes)
}

// sameSet reports what is in one of two sets only.
func sameSet[T comparable](what string, want, got map[T]bool) error {
	for k := range want {
		if !got[k] {
			return fmt.Errorf("expected %d %s; the reduction has %d, and misses %v", len(want), what, len(got), k)
		}
	}
	for k := range got {
		if !want[k] {
			return fmt.Errorf("expected %d %s; the reduction has %d, among them %v", len(want), what, len(got), k)
		}
	}
	return nil
}

// TestTouchesLess: a select touches other channels if another waits at one of them, and not before that comes. Who is asleep at what it does not touch any more is woken all the same.
func TestTouchesLess(t *testing.T) {
	send := func(c int) int { return chans + c }
	two := func(first, second int) int { return first + ways*second }
	for _, threads := range [][]Thread{
		{{Code: []Instr{{Op: ChanReceive, Obj: 2}}}, {Code: []Instr{{Op: ChanSelect, Obj: two(0, 2)}}}, {Code: []Instr{{Op: ChanTrySelect, Obj: two(1, send(0)), B: 1}}}},
		{{Code: []Instr{{Op: ChanTryReceive}}}, {Code: []Instr{{Op: ChanSelect, Obj: two(send(2), 2), B: 3}}}, {Code: []Instr{{Op: ChanSelect, Obj: two(send(1), 0), B: 3}}},
			{Code: []Instr{{Op: ChanSelect, Obj: two(1, 2)}}}},
	} {
		for _, shut := range []bool{true, false} {
			var all sum
			if p := (&Program{Threads: threads, Shut: shut}); p.checkAlone(&all) != nil || all.compared == 0 {
				t.Errorf("%v: expected the same classes with and without reduction, saw %+v, %v", p, all, p.checkAlone(&all))
			}
		}
	}
}
