package linearizability

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// drawCalls draws calls of a few threads, each of which makes one after another, in the
// order in which they were called. The last of a thread may not have returned.
func drawCalls(t *rapid.T) []record.Op {
	var ops []record.Op
	busy := make([]int64, rapid.IntRange(1, 4).Draw(t, "threads")) // until when
	now := int64(1)
	for range rapid.IntRange(0, 14).Draw(t, "calls") {
		now += int64(rapid.IntRange(0, 3).Draw(t, "later"))
		n := rapid.IntRange(0, len(busy)-1).Draw(t, "thread")
		if busy[n] > now {
			continue
		}
		op := record.Op{Thread: n, Call: now}
		if rapid.IntRange(0, 9).Draw(t, "returns") > 0 {
			op.Return = now + int64(rapid.IntRange(0, 9).Draw(t, "lasts"))
			busy[n] = op.Return
		} else {
			busy[n] = never
		}
		ops = append(ops, op)
	}
	return ops
}

// Which calls had company is what comparing all pairs says.
func TestBeside(t *testing.T) {
	alone, beside := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		ops := drawCalls(t)
		for i := range ops {
			ops[i].Kind = rapid.SampledFrom([]record.Kind{record.Put, record.PutBatch, record.Get, record.Drain, record.Steal, record.Empty, record.GlobalGet}).Draw(t, "kind")
			ops[i].P = rapid.IntRange(0, 1).Draw(t, "P")
			ops[i].Thief = record.None
			if ops[i].Kind == record.Steal {
				ops[i].Thief = rapid.IntRange(record.None, 1).Draw(t, "thief")
			}
		}
		c := company{rapid.SampledFrom([]string{spec.Beside, spec.BesidePut, spec.BesideTake, spec.BesideSteal}).Draw(t, "when"), 0, rapid.IntRange(record.None, 1).Draw(t, "thief's queue")}
		in := func(op record.Op) bool {
			from := op.P == 0 || op.P == c.thief
			to := op.Thief == 0 || op.Thief >= 0 && op.Thief == c.thief
			return map[string]bool{
				spec.Beside: true, spec.BesidePut: from && strings.ContainsRune("pbm", rune(op.Kind)) || op.Kind == record.Steal && to,
				spec.BesideTake:  from && strings.ContainsRune("gds", rune(op.Kind)),
				spec.BesideSteal: from && op.Kind == record.Steal,
			}[c.when]
		}
		pr := &projector{h: &record.History{Ops: ops}}
		got := pr.crowd(c)
		end := func(op record.Op) int64 {
			if op.Return == 0 {
				return never
			}
			return op.Return
		}
		for i, a := range ops {
			want := false
			for _, b := range ops {
				want = want || in(b) && a.Thread != b.Thread && a.Call <= end(b) && b.Call <= end(a)
			}
			if got[i] != want {
				t.Fatalf("call %d of %v: expected %v %v, saw %v", i, ops, c.when, want, got[i])
			}
			if want {
				beside++
			} else {
				alone++
			}
		}
	})
	least := 50
	if testing.Short() { // rapid tries a fifth
		least = 5
	}
	if alone < least || beside < least {
		t.Errorf("expected some of each, saw %d alone, %d beside others", alone, beside)
	}
}

// What is allowed beside another call, or one of a kind at the same queue, and what at any
// time. Call 0 is alone; beside call 1, a get from P1, is a put into P1; beside call 3, a put
// into P0, is a steal from P1 for P0.
func TestLets(t *testing.T) {
	op := func(thread int, k record.Kind, p, thief int, from, to int64) record.Op {
		return record.Op{Thread: thread, Kind: k, P: p, Thief: thief, Call: from, Return: to}
	}
	pr := &projector{beside: make(map[company][]bool), h: &record.History{Ops: []record.Op{
		op(0, record.Get, 1, record.None, 1, 2), op(0, record.Get, 1, record.None, 3, 6), op(1, record.Put, 1, record.None, 4, 5),
		op(0, record.Put, 0, record.None, 10, 13), op(1, record.Steal, 1, 0, 11, 12),
	}}}
	for when, want := range map[string][3]bool{
		spec.Never: {}, spec.Anytime: {true, true, true}, spec.Answered: {true, true, true}, spec.Beside: {false, true, true},
		spec.BesidePut: {false, true, true}, spec.BesideTake: {}, spec.BesideSteal: {},
	} {
		for i, at := range []int{0, 1, 3} {
			if pr.at = at; pr.lets(when) != want[i] {
				t.Errorf("call %d, %s: expected %v, saw %v", at, when, want[i], pr.lets(when))
			}
		}
	}
	pr.at = 4 // the steal for P0, beside a put into P0
	if !pr.lets(spec.BesidePut) || pr.lets(spec.BesideTake) {
		t.Errorf("a steal beside a put into the thief's queue: %v, %v", pr.lets(spec.BesidePut), pr.lets(spec.BesideTake))
	}
	pr.at = 2 // the put, beside a get
	if !pr.lets(spec.BesideTake) || pr.lets(spec.BesideSteal) || pr.lets(spec.BesidePut) {
		t.Errorf("a put beside a get: %v, %v, %v", pr.lets(spec.BesideTake), pr.lets(spec.BesideSteal), pr.lets(spec.BesidePut))
	}
}

// What is allowed beside a call at the same queue is not allowed beside one at another queue, be that before or behind.
func TestLetsNotBesideAnotherQueue(t *testing.T) {
	for _, ps := range [][2]int{{1, 0}, {0, 1}} {
		pr := &projector{beside: make(map[company][]bool), h: &record.History{Ops: []record.Op{
			{Thread: 0, Kind: record.Get, P: ps[0], Thief: record.None, Call: 1, Return: 4},
			{Thread: 1, Kind: record.Put, P: ps[1], Thief: record.None, Call: 2, Return: 3},
		}}}
		if pr.lets(spec.BesidePut) || !pr.lets(spec.Beside) {
			t.Errorf("a get from P%d beside a put into P%d: %v, beside any call: %v", ps[0], ps[1], pr.lets(spec.BesidePut), pr.lets(spec.Beside))
		}
	}
}

// A queue is fresh until something is taken from it, whatever is taken from others.
func TestFresh(t *testing.T) {
	for p, want := range []bool{true, false, true} {
		pr := &projector{h: &record.History{Ops: []record.Op{
			{Kind: record.Get, P: p, Thief: record.None, Out: []record.ID{1}, OK: true, Call: 1, Return: 2},
			{Kind: record.Put, P: 1, Thief: record.None, In: []record.ID{2}, Call: 3, Return: 4},
		}}}
		if got := pr.fresh(&pr.h.Ops[1]); got != want {
			t.Errorf("after a get from P%d: P1 is fresh: expected %v, saw %v", p, want, got)
		}
	}
}

// Of calls at one moment each is beside those of other threads, though its own thread's next
// call comes between.
func TestBesideAtOneMoment(t *testing.T) {
	pr := &projector{h: &record.History{Ops: []record.Op{{Thread: 0, Call: 1, Return: 5}, {Thread: 0, Call: 5, Return: 6}, {Thread: 1, Call: 5, Return: 7}}}}
	for i, beside := range pr.crowd(company{spec.Beside, record.None, record.None}) {
		if !beside {
			t.Errorf("call %d is beside nobody", i)
		}
	}
}

// A ring of which one thread puts was full when so many had left it; one of which many
// put, when it held so many.
func TestFullAt(t *testing.T) {
	for _, c := range []struct {
		many    bool
		head, n int32
		want    bool
	}{{false, 3, 4, true}, {false, 2, 4, false}, {false, 3, 1, true}, {true, 3, 4, true}, {true, 2, 4, true}, {true, 3, 3, false}} {
		o := object{capacity: 4, many: c.many}
		if got := o.fullAt(&effect{action: seeFull, at: 3}, c.head, c.n); got != c.want {
			t.Errorf("%+v: expected %v, saw %v", c, c.want, got)
		}
	}
}
