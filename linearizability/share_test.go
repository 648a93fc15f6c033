package linearizability

import (
	"math"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// TestWrongShare: a batch get of the global queue took its share of one of the lengths that the queue can have had during the call, or it is
// wrong. With 3 Ps it is a third, rounded down, and one more.
func TestWrongShare(t *testing.T) {
	t.Attr("req", "RQ-GLOBAL-BATCH")
	rules := sequential.RulesOf(spec.GoRT, 0)
	for _, c := range []struct {
		name  string
		took  int
		taken []int64 // by calls at those times, of 5 each, what else was put before; 0: it stayed
		wrong bool
	}{
		{"one of one", 1, nil, false},
		{"one of three", 1, []int64{0, 0}, true},
		{"one of two", 1, []int64{0}, false},
		{"two of three", 2, []int64{0}, false},
		{"two of two", 2, nil, true},
		{"two of three, of which one may have gone before", 2, []int64{6}, false},
		{"two of two, one having gone before", 2, []int64{4}, true},
		{"one of three, of which two may go at its last moment", 1, []int64{20, 20}, false},
		{"one of three, of which two go behind it", 1, []int64{21, 21}, true},
	} {
		o := &object{name: "global queue", place: globalPlace, procs: 3, rules: &rules}
		p := &effect{action: take, guard: guardShare, arg: 9, call: 10, ret: 20}
		var stays []interval
		for i := range c.took + len(c.taken) {
			in := &effect{action: put, op: 1, ids: []record.ID{record.ID(i + 1)}, call: 1, ret: 2}
			s := interval{lo: 2, hi: math.MaxInt64, id: in.ids[0], in: in}
			switch k := i - c.took; {
			case k < 0:
				p.ids, s.hi, s.out = append(p.ids, s.id), p.call, p
			case c.taken[k] > 0:
				s.hi, s.out = c.taken[k], &effect{action: take, call: c.taken[k], ret: c.taken[k] + 5}
			}
			stays = append(stays, s)
		}
		o.ops = []record.Op{{Kind: record.GlobalGet, Want: 9, Out: p.ids[:1], OK: true, Call: 10, Return: 20}, {Kind: record.GlobalPut, P: record.None, Call: 1, Return: 2}}
		e := o.wrongShare(p, stays)
		if (e != nil) != c.wrong || e != nil && e.Requirement != "RQ-GLOBAL-BATCH" {
			t.Errorf("%s: wrong: expected %v, saw %v", c.name, c.wrong, e)
		}
	}
}
