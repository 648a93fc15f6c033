package sequential

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// untold makes a history of a right target under batch=some, by chance, and keeps to itself what its steals move.
func untold(r *rand.Rand, rules Rules, ps, calls int, show bool) *record.History {
	l := newLine(ps, rules, show)
	for range calls {
		p := r.IntN(ps)
		switch r.IntN(6) {
		case 0, 1:
			l.do(record.Op{Kind: record.Put, P: p, Want: 1})
		case 2:
			l.do(record.Op{Kind: record.Get, P: p})
		case 3:
			l.do(record.Op{Kind: record.Len, P: p})
		default:
			// Its own queue is empty, as the suite has it: first it takes what is there.
			for len(l.Ps[p].Ring) > 0 {
				l.do(record.Op{Kind: record.Get, P: p})
			}
			from := (p + 1) % ps
			n := len(l.Ps[from].Ring)
			if n == 0 {
				continue
			}
			k := 1 + r.IntN(n)
			if rules.Batch == spec.HalfUp {
				k = n - n/2
			}
			op := record.Op{Kind: record.Steal, P: from, Thief: p, OK: true, Call: int64(2*len(l.h.Ops) + 1), Return: int64(2*len(l.h.Ops) + 2)}
			loot, at := slices.Clone(l.Ps[from].Ring[:k]), k-1
			if rules.Returns == spec.Oldest {
				at = 0
			}
			op.Out = []record.ID{loot[at]}
			if rest := slices.Delete(loot, at, at+1); len(rest) > 0 {
				op.Moved = []record.Move{{From: record.Place{Object: record.Ring, P: from}, To: record.Place{Object: record.Ring, P: p}, IDs: rest}}
			}
			if vs := l.call(&op); len(vs) > 0 {
				panic(vs)
			}
			if op.Moved = nil; show {
				c := l.Contents()
				op.After = &c
			}
			l.h.Ops = append(l.h.Ops, op)
		}
	}
	return l.end()
}

// TestUntold: a target whose steals take several, and that does not say how many, is accused of nothing, and is judged to its end. Where a
// wrong answer fits no number that its steals may have taken, it falls.
func TestUntold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	fell, spoilt := 0, 0
	for _, returns := range []string{spec.Oldest, spec.Newest} {
		for ps := 2; ps <= 3; ps++ {
			for n := range 200 {
				order := []string{spec.FirstIn, spec.OwnerLast}[n%2]
				rules := RulesOf(spec.Profile("core,order="+order+",batch=some,returns="+returns), 0)
				h := untold(r, rules, ps, 60, r.IntN(4) == 0)
				if vs, stopped := Replay(h, rules); len(vs) > 0 || stopped >= 0 {
					t.Fatalf("%s, %s, %d Ps: %v, judged up to call %d\n%s", order, returns, ps, vs, stopped, h.Text())
				}
				var gets []int
				for i := range h.Ops {
					if h.Ops[i].Kind == record.Get && h.Ops[i].OK {
						gets = append(gets, i)
					}
				}
				if len(gets) < 2 {
					continue
				}
				spoilt++
				a, b := &h.Ops[gets[0]], &h.Ops[gets[len(gets)-1]]
				a.Out, b.Out = b.Out, a.Out
				if vs, _ := Replay(h, rules); len(vs) > 0 {
					fell++
				}
			}
		}
	}
	if t.Logf("%d of %d with two gets exchanged fall", fell, spoilt); fell < spoilt*9/10 {
		t.Errorf("expected nearly all of %d to fall, saw %d", spoilt, fell)
	}
}

// TestUntoldPool: so is a target without order, and of one that says that it takes half.
func TestUntoldPool(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	fell, spoilt := 0, 0
	for n := range 200 {
		rules := RulesOf([]spec.Profile{"core,batch=some", "core,batch=half-up"}[n%2], 0)
		h := untold(r, rules, 2+n%2, 60, r.IntN(4) == 0)
		if vs, stopped := Replay(h, rules); len(vs) > 0 || stopped >= 0 && stopped < len(h.Ops)/2 {
			t.Fatalf("%+v: %v, judged up to call %d\n%s", rules, vs, stopped, h.Text())
		}
		for i := range h.Ops {
			if op := &h.Ops[i]; op.Kind == record.Len { // one too many
				op.Count++
				spoilt++
				if vs, _ := Replay(h, rules); len(vs) > 0 {
					fell++
				}
				break
			}
		}
	}
	if t.Logf("%d of %d with a wrong length fall", fell, spoilt); fell < spoilt*9/10 {
		t.Errorf("expected nearly all of %d to fall, saw %d", spoilt, fell)
	}
}

// TestUntoldSmall: what a steal took is learned from what comes after it.
func TestUntoldSmall(t *testing.T) {
	put := func(ids ...record.ID) (ops []record.Op) {
		for _, id := range ids {
			ops = append(ops, record.Op{Kind: record.Put, In: []record.ID{id}, Count: 1, OK: true})
		}
		return ops
	}
	steal := record.Op{Kind: record.Steal, P: 0, Thief: 1, OK: true, Out: []record.ID{1}}
	get := func(p int, id record.ID) record.Op {
		return record.Op{Kind: record.Get, P: p, OK: id > 0, Out: []record.ID{id}[:min(id, 1)]}
	}
	size := func(p, n int) record.Op { return record.Op{Kind: record.Len, P: p, Count: n, OK: true} }
	for _, c := range []struct {
		name string
		then []record.Op
		left [2][]record.ID
		want string
	}{
		{"one, as its owner shows", []record.Op{get(0, 2)}, [2][]record.ID{{3}}, ""},
		{"two, as its thief shows", []record.Op{get(1, 2)}, [2][]record.ID{{3}}, ""},
		{"all, as its thief shows", []record.Op{get(1, 2), get(1, 3), get(0, 0)}, [2][]record.ID{}, ""},
		{"two, as its length shows", []record.Op{size(0, 1)}, [2][]record.ID{{3}, {2}}, ""},
		{"two, as the end shows", nil, [2][]record.ID{{3}, {2}}, ""},
		{"out of order", []record.Op{get(1, 3), get(1, 2)}, [2][]record.ID{}, "RQ-FIFO"},
		{"from both", []record.Op{get(0, 2), get(1, 3)}, [2][]record.ID{}, "RQ-FIFO"},
		{"none, although some are left", []record.Op{get(0, 0), get(1, 0)}, [2][]record.ID{{2, 3}}, "RQ-GET-NONE"},
		{"a length that no number fits", []record.Op{size(0, 3)}, [2][]record.ID{{2, 3}}, "RQ-LEN"},
		{"lost", nil, [2][]record.ID{{3}}, "RQ-LOST"},
		{"twice", []record.Op{get(0, 2), get(1, 2)}, [2][]record.ID{{3}}, "RQ-TWICE"},
	} {
		h := &record.History{Ops: slices.Concat(put(1, 2, 3), []record.Op{steal}, c.then), Final: record.Contents{Ps: []record.PContents{{Ring: c.left[0]}, {Ring: c.left[1]}}}}
		h.Scenario.Ps = 2
		vs, stopped := Replay(h, RulesOf("fifo,batch=some,returns=oldest", 0))
		got := ""
		if len(vs) > 0 {
			got = vs[0].Requirement
		}
		if got != c.want || c.want == "" && stopped >= 0 {
			t.Errorf("%s: expected %q, saw %v, judged up to %d", c.name, c.want, vs, stopped)
		}
		if got != "" && got != "RQ-LOST" && got != "RQ-TWICE" && !strings.Contains(vs[0].Expected, "other numbers") {
			t.Errorf("%s: expected that it is said what was guessed, saw %q", c.name, vs[0].Expected)
		}
	}
}
