package spec

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// compare holds what a target showed after op against the machine, and names
// the requirement by what op does and what differs.
func (m *Machine) compare(op *record.Op, seen *record.Contents, vs *violations) {
	m.conserved(seen, vs)
	for i := range m.Ps {
		if i >= len(seen.Ps) {
			vs.add("RQ-LOST", fmt.Sprintf("P%d", i), "no such P")
			return
		}
		want, got := &m.Ps[i], seen.Ps[i]
		if want.Runnext != got.Runnext {
			vs.add(m.runnextID(op, i), fmt.Sprintf("runnext of P%d to hold %s", i, idOrNone(want.Runnext)), "%s", idOrNone(got.Runnext))
		}
		if !slices.Equal(want.Ring, got.Ring) {
			vs.add(m.ringID(op, i, want.Ring, got.Ring), fmt.Sprintf("ring of P%d to hold %v", i, want.Ring), "%v", got.Ring)
		}
	}
	if !slices.Equal(m.Global, seen.Global) {
		vs.add(m.globalID(op), fmt.Sprintf("global queue to hold %v", m.Global), "%v", seen.Global)
	}
}

// conserved looks for Gs that are nowhere, or in two places, or from nowhere.
func (m *Machine) conserved(seen *record.Contents, vs *violations) {
	count := make(map[record.ID]int)
	note := func(ids ...record.ID) {
		for _, id := range ids {
			if id != 0 {
				count[id]++
			}
		}
	}
	for _, p := range seen.Ps {
		note(p.Runnext)
		note(p.Ring...)
	}
	note(seen.Global...)
	var lost, twice, invented []record.ID
	for id, there := range m.where {
		if there && count[id] == 0 {
			lost = append(lost, id)
		}
	}
	for id, n := range count {
		switch there, known := m.where[id]; {
		case !known:
			invented = append(invented, id)
		case n > 1 || !there:
			twice = append(twice, id)
		}
	}
	for _, f := range []struct {
		id   string
		ids  []record.ID
		what string
	}{{"RQ-LOST", lost, "nowhere"}, {"RQ-TWICE", twice, "in a queue, though taken, or in two"}, {"RQ-INVENTED", invented, "in a queue, though never put"}} {
		if len(f.ids) > 0 {
			slices.Sort(f.ids)
			vs.add(f.id, "every G in exactly one place", "%v %s", f.ids[:min(len(f.ids), 8)], f.what)
		}
	}
}

func (m *Machine) runnextID(op *record.Op, p int) string {
	switch {
	case op.Kind == record.PutNext && op.P == p:
		return "RQ-RUNNEXT-KICK"
	case op.Kind == record.Get || op.Kind == record.Drain:
		return "RQ-RUNNEXT-FIRST"
	case (op.Kind == record.Steal || op.Kind == record.StealNext) && op.P == p:
		return "RQ-STEAL-RUNNEXT"
	}
	return "RQ-RUNNEXT-OWNER"
}

func (m *Machine) ringID(op *record.Op, p int, want, got []record.ID) string {
	switch op.Kind {
	case record.Steal, record.StealNext:
		if op.P == p {
			return "RQ-STEAL-HALF"
		}
		if len(want) != len(got) {
			return "RQ-STEAL-HALF"
		}
		return "RQ-STEAL-ORDER"
	case record.Drain:
		return "RQ-DRAIN"
	case record.PutBatch:
		return "RQ-PUT-BATCH"
	case record.GlobalGet:
		return "RQ-GLOBAL-BATCH"
	case record.Put, record.PutNext:
		switch {
		case len(got) > m.Rules.Capacity && m.Rules.Capacity > 0:
			return "RQ-CAPACITY"
		case len(want) == len(got):
			return "RQ-FIFO"
		case len(m.Global) > 0 && len(want) == m.Rules.Capacity/2 && len(got) != len(want):
			return "RQ-OVERFLOW"
		case op.Kind == record.PutNext:
			return "RQ-RUNNEXT-KICK"
		}
		return "RQ-CAPACITY"
	}
	return "RQ-FIFO"
}

func (m *Machine) globalID(op *record.Op) string {
	switch op.Kind {
	case record.Put, record.PutNext:
		return "RQ-OVERFLOW"
	case record.PutBatch:
		return "RQ-PUT-BATCH"
	case record.GlobalGet:
		return "RQ-GLOBAL-BATCH"
	}
	return "RQ-GLOBAL-FIFO"
}

// Finish holds what was found at the end, by taking everything out, against the
// machine.
func (m *Machine) Finish(final *record.Contents) []Violation {
	var vs violations
	m.conserved(final, &vs)
	if m.Rules.Order == AnyOrder || len(vs) > 0 {
		return vs
	}
	for i := range m.Ps {
		if i >= len(final.Ps) {
			vs.add("RQ-LOST", fmt.Sprintf("the final contents of P%d", i), "none")
			return vs
		}
		want, got := m.Ps[i], final.Ps[i]
		ring := slices.Clone(want.Ring)
		if m.Rules.Order == LIFOOwner {
			slices.Reverse(ring)
		}
		if want.Runnext != got.Runnext {
			vs.add("RQ-RUNNEXT-FIRST", fmt.Sprintf("runnext of P%d to hold %s at the end", i, idOrNone(want.Runnext)), "%s", idOrNone(got.Runnext))
		}
		if !slices.Equal(ring, got.Ring) {
			vs.add(m.orderID(), fmt.Sprintf("ring of P%d to give %v at the end", i, ring), "%v", got.Ring)
		}
	}
	if !slices.Equal(m.Global, final.Global) {
		vs.add("RQ-GLOBAL-FIFO", fmt.Sprintf("global queue to hold %v at the end", m.Global), "%v", final.Global)
	}
	return vs
}

func idOrNone(id record.ID) string {
	if id == 0 {
		return "nothing"
	}
	return fmt.Sprint(id)
}

// Replay judges a history whose calls were made one after another, in order,
// and returns the first call that broke something with what it broke; index is
// -1 when only the end did. No violations means that all is well.
func Replay(h *record.History, rules Rules) (index int, vs []Violation) {
	m := NewMachine(h.Scenario.Ps, rules)
	for i := range h.Ops {
		if vs := m.Apply(&h.Ops[i]); len(vs) > 0 {
			return i, vs
		}
	}
	return -1, m.Finish(&h.Final)
}
