package sequential

import (
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
