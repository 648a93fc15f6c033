package checks

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// unseen is a right queue whose one operation that is seen comes after it has put, or
// before it takes. Its ring is hidden from the explorer, as that of another module is
// which is not explored.
type unseen struct {
	ids []record.ID
	n   atomic.Int64
}

func (q *unseen) Put(id record.ID) bool {
	q.ids = append(q.ids, id)
	q.n.Add(1)
	return true
}

func (q *unseen) Get() (record.ID, bool) {
	q.n.Add(1)
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *unseen) Steal() (record.ID, bool) { return q.Get() }
func (q *unseen) Empty() bool              { return len(q.ids) == 0 }

// TestActualOrder: held to the order in which its calls really came, a queue whose steps
// are not all seen keeps its contract; held to all orders of what is seen, it would be
// accused of giving Gs that were not put yet.
func TestActualOrder(t *testing.T) {
	t.Attr("req", "RQ-INVENTED")
	target, err := Instrumented("unseen", spec.FIFO, queue.Single(func() queue.Queue { return new(unseen) }))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := explorable(target)
	s := record.Scenario{Name: "e", Ps: 1, After: "T0:geg", Threads: []record.Thread{{P: 0, Script: "ppg"}, {P: record.None, Script: "ses"}}}
	for actual, wrong := range map[bool]bool{true: false, false: true} {
		x := exploring{profile: spec.FIFO, f: f, s: s, past: make(map[string]bool), actual: actual}
		r, err := x.run()
		if err != nil || (r.Failure != nil) != wrong {
			t.Errorf("actual order %v: %v, %v", actual, r.Failure, err)
		}
	}
}
