package checks

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestJudge: what each witness finds in one history, in order, and whether it has
// judged the rest.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name     string
		witness  spec.Witness
		profile  spec.Profile
		calls    string
		final    []record.ID
		finds    string
		unjudged string
	}{
		{"nothing wrong", spec.Linearizability, spec.FIFO, "p1 p2 e- g1 s2 e+", nil, "", ""},
		{"nothing wrong", spec.Sequence, spec.FIFO, "p1 p2 e- g1 s2 e+", nil, "", ""},
		{"one is lost", spec.Interleave, spec.FIFO, "p1 p2 g2", nil, "RQ-LOST", "do not add up"},
		{"one is lost", spec.Stress, spec.FIFO, "p1 p2 g2", nil, "RQ-LOST", ""},
		{"two are lost", spec.Stress, spec.FIFO, "p1 p2", nil, "RQ-LOST", ""},
		{"what is lost says more than the order", spec.Sequence, spec.FIFO, "p1 p2 g2", nil, "RQ-LOST RQ-FIFO", "at the end was not checked"},
		{"twice the same", spec.Sequence, spec.FIFO, "p1 g- g- g1", nil, "RQ-GET-NONE", ""},
		{"one G is counted, and met", spec.Sequence, spec.FIFO, "p1 g1 g1", nil, "RQ-TWICE", ""},
		{"one is never put, one too late", spec.Stress, spec.FIFO, "g7 g1 p1", nil, "RQ-INVENTED", ""},
		{"a lie and an order", spec.Linearizability, spec.FIFO, "p1 p2 e+ g2 g1", nil, "RQ-EMPTY-TRUE RQ-FIFO", ""},
		{"two lies", spec.Interleave, spec.FIFO, "p1 e+ g- g1 e-", nil, "RQ-EMPTY-FALSE RQ-EMPTY-TRUE RQ-GET-NONE", ""},
		{"an order of rings", spec.Linearizability, spec.GoRT, "p1 p2 g2 g1", nil, "RQ-FIFO", "not checked beyond RQ-FIFO"},
		{"what is left", spec.Sequence, spec.FIFO, "p1 p2", []record.ID{2, 1}, "RQ-FIFO", ""},
	} {
		h := calls(c.calls)
		h.Final.Ps[0].Ring = c.final
		if err := h.Check(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		v := Judge(c.witness, h, c.profile)
		found := make(map[string]bool)
		var list []string
		for _, f := range v.Findings {
			if found[f.Requirement] {
				t.Errorf("%s, %s: %s twice", c.name, c.witness, f.Requirement)
			}
			found[f.Requirement] = true
			list = append(list, f.Requirement)
			if f.Witness != string(c.witness) || !f.Covers(f.Requirement) {
				t.Errorf("%s: the finding %+v", c.name, f)
			}
		}
		same := len(list) == len(strings.Fields(c.finds))
		for i, id := range strings.Fields(c.finds) {
			same = same && found[id] && (c.witness != spec.Sequence || list[i] == id)
		}
		if !same || (v.Unjudged == "") != (c.unjudged == "") || !strings.Contains(v.Unjudged, c.unjudged) || v.Doubt != "" {
			t.Errorf("%s, %s: expected %s, unjudged %q; saw %v, unjudged %q, doubt %q", c.name, c.witness, c.finds, c.unjudged, list, v.Unjudged, v.Doubt)
		}
	}
}

// calls makes a history of calls, one after another, by the owner of P 0: p1 puts 1,
// g1 and s1 take it, g- finds nothing, e+ and e- ask whether there is anything. A
// thief makes the steals.
func calls(text string) *record.History {
	var scripts [2]strings.Builder
	h := &record.History{Clock: record.ClockOrder, Final: record.Contents{Ps: make([]record.PContents, 1)}}
	for i, c := range strings.Fields(text) {
		op := record.Op{Kind: record.Kind(c[0]), Thief: record.None, Call: int64(2*i + 1), Return: int64(2*i + 2)}
		id := record.ID(c[1] - '0')
		switch {
		case c[0] == 'e':
			op.OK = c[1] == '+'
		case c[1] == '-':
		case c[0] == 'p':
			op.In, op.Count, op.OK = []record.ID{id}, 1, true
		default:
			op.Out, op.OK = []record.ID{id}, true
		}
		if c[0] == 's' {
			op.Thread = 1
		}
		scripts[op.Thread].WriteByte(c[0])
		h.Ops = append(h.Ops, op)
		h.Scenario.Order = append(h.Scenario.Order, op.Thread)
	}
	h.Scenario.Ps = 1
	h.Scenario.Threads = []record.Thread{{Script: scripts[0].String()}}
	if scripts[1].Len() > 0 {
		h.Scenario.Threads = append(h.Scenario.Threads, record.Thread{P: record.None, Script: scripts[1].String()})
	}
	return h
}
