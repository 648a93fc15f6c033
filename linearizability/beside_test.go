package linearizability

import (
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
		pr := &projector{h: &record.History{Ops: ops}}
		pr.crowd()
		end := func(op record.Op) int64 {
			if op.Return == 0 {
				return never
			}
			return op.Return
		}
		for i, a := range ops {
			want := false
			for _, b := range ops {
				want = want || a.Thread != b.Thread && a.Call <= end(b) && b.Call <= end(a)
			}
			if pr.beside[i] != want {
				t.Fatalf("call %d of %v: expected beside %v, saw %v", i, ops, want, pr.beside[i])
			}
			if want {
				beside++
			} else {
				alone++
			}
		}
	})
	if alone < 50 || beside < 50 {
		t.Errorf("expected some of each, saw %d alone, %d beside others", alone, beside)
	}
}

// What is allowed beside another call, and what at any time.
func TestLets(t *testing.T) {
	pr := &projector{beside: []bool{false, true}}
	for when, want := range map[string][2]bool{spec.Never: {false, false}, spec.Beside: {false, true}, spec.Anytime: {true, true}} {
		for at, want := range want {
			if pr.at = at; pr.lets(when) != want {
				t.Errorf("%s, beside another call %v: expected %v, saw %v", when, pr.beside[at], want, pr.lets(when))
			}
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
