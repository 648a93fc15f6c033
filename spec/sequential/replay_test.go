package sequential

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A line is a target that does all that it should, one call after another, and
// what it was asked and answered.
type line struct {
	*Machine
	h    *record.History
	show bool
	last record.ID
}

func newLine(ps int, rules Rules, show bool) *line {
	l := &line{Machine: NewMachine(ps, rules), h: new(record.History), show: show}
	l.h.Scenario.Ps, l.h.Capacity = ps, rules.Capacity
	return l
}

// do makes a call and notes the answer.
func (l *line) do(op record.Op) {
	op.Call = int64(2*len(l.h.Ops) + 1)
	op.Return = op.Call + 1
	due := slices.Clone(l.due(&op))
	var p *PState
	if op.P != record.None {
		p = &l.Ps[op.P]
	}
	switch {
	case op.Kind.Puts():
		for range max(1, op.Want) {
			l.last++
			op.In = append(op.In, l.last)
		}
		op.Want, op.Count, op.OK = 0, len(op.In), true
	case op.Kind == record.Empty:
		op.OK = p.len() == 0
	case op.Kind == record.Len:
		op.Count, op.OK = p.len(), true
	case len(due) == 0:
	case op.Kind == record.Drain:
		op.Out, op.OK = due, true
	case l.batches(&op) && len(p.Ring) > 0:
		k := len(due)
		op.Out, op.OK = due[k-1:], true
		if k > 1 {
			op.Moved = []record.Move{{From: record.Place{Object: record.Ring, P: op.P}, To: record.Place{Object: record.Ring, P: op.Thief}, IDs: due[:k-1]}}
		}
	default:
		op.Out, op.OK = due[:1], true
		op.FromRunnext = op.Kind == record.Get && p.Runnext != 0
	}
	if vs := l.call(&op); len(vs) > 0 {
		panic(fmt.Sprintf("a right answer breaks %v: %v", vs, op))
	}
	if l.show {
		c := l.Contents()
		op.After = &c
	}
	l.h.Ops = append(l.h.Ops, op)
}

// end takes everything out.
func (l *line) end() *record.History {
	l.h.Final = l.Contents()
	if l.Rules.Order == spec.OwnerLast {
		for _, p := range l.h.Final.Ps {
			slices.Reverse(p.Ring)
		}
	}
	return l.h
}

// random makes a call that the rules let a target be asked for.
func (l *line) random(rng *rand.Rand) {
	kinds := "pppggsel"
	if l.Rules.Spills() {
		kinds = "pppnnbgggssrrdeelqqm"
	}
	p := rng.IntN(len(l.Ps))
	op := record.Op{Kind: record.Kind(kinds[rng.IntN(len(kinds))]), P: p, Thief: record.None}
	switch op.Kind {
	case record.Steal, record.StealNext:
		op.P = (p + 1) % len(l.Ps)
		if l.Rules.Batches() && len(l.Ps) > 1 {
			op.Thief = p
		}
	case record.PutBatch:
		op.Want = 1 + rng.IntN(5)
	case record.GlobalPut:
		op.P = record.None
	case record.GlobalGet:
		op.Want = 1 + rng.IntN(4)
	}
	loots := op.Kind == record.Steal || op.Kind == record.StealNext || op.Kind == record.GlobalGet
	if loots && l.Rules.Capacity > 0 && len(l.Ps[p].Ring) > l.Rules.Capacity/2 {
		op = record.Op{Kind: record.Get, P: p, Thief: record.None}
	}
	l.do(op)
}

// damageAnswer changes one answer; what is done stays right.
func damageAnswer(l *line, rng *rand.Rand) {
	op := &l.h.Ops[len(l.h.Ops)-1]
	switch {
	case op.Kind == record.Empty:
		op.OK = !op.OK
	case op.Kind == record.Len:
		op.Count += 1 - 2*rng.IntN(2)
	case !op.Kind.Takes():
	case op.OK && rng.IntN(3) == 0:
		op.Out, op.OK, op.FromRunnext, op.Moved = nil, false, false, nil
	case op.Kind != record.Drain:
		op.Out, op.OK = []record.ID{1 + record.ID(rng.IntN(int(l.last)+2))}, true
	default:
		op.Out = slices.Clone(op.Out)
		slices.Reverse(op.Out)
	}
}

// damageShown changes what is shown once.
func damageShown(l *line, rng *rand.Rand) {
	if op := &l.h.Ops[len(l.h.Ops)-1]; op.After != nil {
		p := &op.After.Ps[rng.IntN(len(op.After.Ps))]
		p.Ring = damaged(p.Ring, rng)
	}
}

// damageState does something wrong, once, and no more.
func damageState(l *line, rng *rand.Rand) {
	p := &l.Ps[rng.IntN(len(l.Ps))]
	p.Ring = damaged(p.Ring, rng)
}

func damaged(ring []record.ID, rng *rand.Rand) []record.ID {
	ring = slices.Clone(ring)
	n := len(ring)
	switch i := rng.IntN(max(1, n)); {
	case n == 0:
	case rng.IntN(3) == 0:
		return slices.Delete(ring, i, i+1)
	case rng.IntN(2) == 0:
		return append(ring, ring[i])
	default:
		ring[0], ring[i] = ring[i], ring[0]
	}
	return ring
}

// damagePlace moves a G to another P.
func damagePlace(l *line, rng *rand.Rand) {
	i := rng.IntN(len(l.Ps))
	p, to := &l.Ps[i], &l.Ps[(i+1)%len(l.Ps)]
	if len(p.Ring) > 0 && len(l.Ps) > 1 {
		to.Ring = append(to.Ring, p.Ring[0])
		p.Ring = slices.Clone(p.Ring[1:])
	}
}

// TestReplayReportsNoEcho holds that one thing that was wrong once is found by
// one call, or by the end, or not at all, and never a second time by what follows.
// (One call may show two things: a G in another's place is lost, and there twice.)
func TestReplayReportsNoEcho(t *testing.T) {
	const lines = 200
	damages := map[string]func(*line, *rand.Rand){"none": nil, "answer": damageAnswer, "shown": damageShown, "state": damageState, "place": damagePlace}
	for _, p := range []spec.Profile{spec.Core, spec.FIFO, spec.LIFODeque, spec.Tokio, spec.GoRT} {
		for _, show := range []bool{false, true} {
			for name, damage := range damages {
				found, stopped := 0, 0
				for seed := range uint64(lines) {
					rng := rand.New(rand.NewPCG(seed, 1))
					l := newLine(1+rng.IntN(3), RulesOf(p, 4), show)
					calls := 5 + rng.IntN(40)
					at := rng.IntN(calls)
					for i := range calls {
						l.random(rng)
						if i == at && damage != nil {
							damage(l, rng)
						}
					}
					vs, stop := Replay(l.end(), l.Rules)
					ids := requirements(vs)
					if later(vs) || damage == nil && (len(ids) > 0 || stop >= 0) {
						t.Fatalf("%s, damage %s, seed %d, call %d: %v, stopped %d\n%s", p, name, seed, at, vs, stop, l.h.Text())
					}
					if len(ids) > 0 {
						found++
					}
					if stop >= 0 {
						stopped++
					}
				}
				if damage != nil && found == 0 && !(name == "shown" && !show) {
					t.Errorf("%s, damage %s: nothing found", p, name)
				}
				t.Logf("%s, shown %v, damage %s: found in %d of %d, stopped in %d", p, show, name, found, lines, stopped)
			}
		}
	}
}

// later reports whether a call broke another requirement than one before it.
func later(vs []Violation) bool {
	return slices.ContainsFunc(vs, func(v Violation) bool { return v.Call != vs[0].Call })
}

func requirements(vs []Violation) []string {
	var ids []string
	for _, v := range vs {
		if !slices.Contains(ids, v.Requirement) {
			ids = append(ids, v.Requirement)
		}
	}
	return ids
}
