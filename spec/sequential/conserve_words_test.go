package sequential

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// TestConserveWords: a sentence says where a G was found that is there twice.
func TestConserveWords(t *testing.T) {
	t.Attr("req", "RQ-TWICE")
	put := record.Op{Kind: record.Put, Thief: record.None, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 2}
	get := record.Op{Kind: record.Get, Thief: record.None, Out: []record.ID{1}, OK: true, Call: 3, Return: 4}
	again := get
	again.Call, again.Return = 5, 6
	for want, h := range map[string]*record.History{
		"the first twice in the final contents":                {Ops: []record.Op{put}, Final: record.Contents{Ps: []record.PContents{{Ring: []record.ID{1, 1}}}}},
		"the first by T0 get P0 = 1 and in the final contents": {Ops: []record.Op{put, get}, Final: record.Contents{Ps: []record.PContents{{Ring: []record.ID{1}}}}},
		"the first by T0 get P0 = 1 and by T0 get P0 = 1":      {Ops: []record.Op{put, get, again}, Final: record.Contents{Ps: []record.PContents{{}}}},
	} {
		vs := Conserve(h)
		if len(vs) != 1 || vs[0].Requirement != "RQ-TWICE" || !strings.HasSuffix(vs[0].Observed, want) {
			t.Errorf("expected RQ-TWICE, %q, saw %+v", want, vs)
		}
	}
}

// TestConserveShows: the calls that come with a violation are those of the first G that it counts, in their order.
func TestConserveShows(t *testing.T) {
	op := func(kind record.Kind, id record.ID, call, ret int64) record.Op {
		o := record.Op{Kind: kind, Thief: record.None, OK: true, Call: call, Return: ret}
		if o.Out = []record.ID{id}; kind.Puts() {
			o.In, o.Out, o.Count = o.Out, nil, 1
		}
		return o
	}
	for want, h := range map[string]*record.History{
		"RQ-LOST [put 1]": {Ops: []record.Op{op(record.Put, 1, 1, 2), op(record.Put, 2, 3, 4)}},
		"RQ-TWICE [get 1 put 1 get 1]": {
			Ops: []record.Op{op(record.Put, 1, 2, 4), op(record.Get, 1, 1, 3), op(record.Get, 1, 5, 6)},
		},
	} {
		h.Final.Ps = []record.PContents{{}}
		vs := Conserve(h)
		if len(vs) == 0 {
			t.Errorf("expected %s, saw nothing", want)
			continue
		}
		var calls []string
		for _, o := range vs[0].Ops {
			calls = append(calls, fmt.Sprint(o.Kind, " ", append(o.In, o.Out...)[0]))
		}
		if got := fmt.Sprint(vs[0].Requirement, " ", calls); got != want {
			t.Errorf("expected %s, saw %s", want, got)
		}
	}
}
