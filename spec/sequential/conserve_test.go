package sequential

import (
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

func TestConserve(t *testing.T) {
	at := func(op record.Op, call, ret int64) record.Op {
		op.Call, op.Return = call, ret
		return op
	}
	pending := record.Op{Kind: record.Put, In: []record.ID{1}} // it has no results
	for _, c := range []struct {
		name  string
		ops   []record.Op
		final record.Contents
		want  string
	}{
		{"taken and left", []record.Op{at(put(1), 1, 2), at(put(2), 3, 4), at(get(1, false), 5, 6)}, ring(2), ""},
		{"lost", []record.Op{at(put(1), 1, 2), at(put(2), 3, 4)}, ring(2), "RQ-LOST"},
		{"taken twice", []record.Op{at(put(1), 1, 2), at(get(1, false), 3, 4), at(get(1, false), 5, 6)}, ring(), "RQ-TWICE"},
		{"taken and left all the same", []record.Op{at(put(1), 1, 2), at(get(1, false), 3, 4)}, ring(1), "RQ-TWICE"},
		{"never put", []record.Op{at(get(1, false), 1, 2)}, ring(), "RQ-INVENTED"},
		{"id 0", []record.Op{at(record.Op{Kind: record.Get, Out: []record.ID{0}, OK: true}, 1, 2)}, ring(), "RQ-INVENTED"},
		{"an id from nowhere", []record.Op{at(get(1<<50, false), 1, 2)}, ring(), "RQ-INVENTED"},
		{"taken before it was put", []record.Op{at(get(1, false), 1, 2), at(put(1), 3, 4)}, ring(), "RQ-INVENTED"},
		{"taken while it is put", []record.Op{at(put(1), 1, 4), at(get(1, false), 2, 3)}, ring(), ""},
		{"refused", []record.Op{at(record.Op{Kind: record.Put, In: []record.ID{1}}, 1, 2)}, ring(), ""},
		{"refused, and there", []record.Op{at(record.Op{Kind: record.Put, In: []record.ID{1}}, 1, 2)}, ring(1), "RQ-INVENTED"},
		{"a put that did not return", []record.Op{at(pending, 1, 0)}, ring(), ""},
		{"a put that did not return, taken", []record.Op{at(pending, 1, 0), at(get(1, false), 2, 3)}, ring(), ""},
		{"a put that did not return, twice there", []record.Op{at(pending, 1, 0)}, ring(1, 1), "RQ-TWICE"},
		{"one of a batch accepted, the other there", []record.Op{at(record.Op{Kind: record.PutBatch, In: []record.ID{1, 2}, Count: 1}, 1, 2)}, ring(2), "RQ-INVENTED"},
		{"one of a batch accepted, and there", []record.Op{at(record.Op{Kind: record.PutBatch, In: []record.ID{1, 2}, Count: 1}, 1, 2)}, ring(1), ""},
		{"taken when its put returned", []record.Op{at(get(1, false), 1, 2), at(put(1), 2, 4)}, ring(), ""},
		{"no end", []record.Op{at(put(1), 1, 2)}, record.Contents{}, ""},
		{"a get that did not return", []record.Op{at(put(1), 1, 2), at(record.Op{Kind: record.Get}, 3, 0)}, ring(), ""},
	} {
		h := &record.History{Scenario: record.Scenario{Ps: 2, Threads: []record.Thread{{Script: "pppggg"}}}, Ops: c.ops, Final: c.final}
		got := ""
		if vs := Conserve(h); vs != nil {
			got = vs[0].Requirement
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
