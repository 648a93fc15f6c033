package sequential

import (
	"fmt"
	"iter"
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// compare holds what a target showed after op against the machine, and names
// the requirement by what op does and what differs.
func (m *Machine) compare(op *record.Op, vs *violations) {
	// Most calls are right, and comparePlaces is slow.
	if !m.sound || !m.Holds(op.After) {
		m.comparePlaces(op, vs)
	}
}

// comparePlaces adds a violation for each G, and for each place, that is not as it should
// be.
func (m *Machine) comparePlaces(op *record.Op, vs *violations) {
	d := m.differences(op.After, vs)
	for i := range m.Ps {
		d.runnext(i, m.runnextID(op, i), "")
	}
	for i := range m.Ps {
		d.ring(i, m.Ps[i].Ring, func(want, got []record.ID) string { return m.ringID(op, i, want, got) }, "to hold %v")
	}
	d.global(m.globalID(op), "")
}

// Holds reports whether each place holds the same Gs as in c, in the same order.
func (m *Machine) Holds(c *record.Contents) bool {
	return slices.EqualFunc(m.Ps, c.Ps, func(p PState, q record.PContents) bool {
		return p.Runnext == q.Runnext && slices.Equal(p.Ring, q.Ring)
	}) && slices.Equal(m.Global, c.Global)
}

// Finish holds what was found at the end, by taking everything out, against the
// machine.
func (m *Machine) Finish(final *record.Contents) []Violation {
	var vs violations
	d := m.differences(final, &vs)
	if m.Rules.Order == spec.AnyOrder {
		return vs // where a G lies is nobody's business
	}
	for i := range m.Ps {
		ring := m.Ps[i].Ring
		if m.Rules.Order == spec.OwnerLast {
			ring = slices.Clone(ring)
			slices.Reverse(ring)
		}
		d.runnext(i, "RQ-RUNNEXT-FIRST", " at the end")
		d.ring(i, ring, func(_, _ []record.ID) string { return m.orderID() }, "to give %v at the end")
	}
	d.global("RQ-GLOBAL-FIFO", " at the end")
	return vs
}

// differences is what differs between the machine and what a target showed. A G
// that one difference is about explains others that are about it alone: that it
// is nowhere, and that its ring is shorter by it, are one fault.
type differences struct {
	*violations
	m         *Machine
	seen      *record.Contents
	explained map[record.ID]bool
}

// differences begins with the Gs that are nowhere, or in two places, or from
// nowhere.
func (m *Machine) differences(seen *record.Contents, vs *violations) *differences {
	d := &differences{vs, m, seen, make(map[record.ID]bool)}
	if len(seen.Ps) != len(m.Ps) {
		panic(fmt.Sprintf("sequential: expected contents of %d Ps, saw %d", len(m.Ps), len(seen.Ps)))
	}
	count := make(map[record.ID]int)
	for id := range everything(seen) {
		count[id]++
	}
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
			d.add(f.id, "every G in exactly one place", "%v %s", f.ids[:min(len(f.ids), 8)], f.what)
			d.explain(f.ids...)
		}
	}
	return d
}

// everything yields the Gs of c, place by place.
func everything(c *record.Contents) iter.Seq[record.ID] {
	return func(yield func(record.ID) bool) {
		for _, p := range c.Ps {
			if p.Runnext != 0 && !yield(p.Runnext) {
				return
			}
			for _, id := range p.Ring {
				if !yield(id) {
					return
				}
			}
		}
		for _, id := range c.Global {
			if !yield(id) {
				return
			}
		}
	}
}

// explain notes the Gs that the last violation is about.
func (d *differences) explain(ids ...record.ID) {
	v := &(*d.violations)[len(*d.violations)-1]
	v.IDs = append(v.IDs, ids...)
	for _, id := range ids {
		d.explained[id] = true
	}
}

// place adds a violation if a place holds other Gs than it should, but for those
// that are explained.
func (d *differences) place(want, got []record.ID, add func()) {
	open := func(ids []record.ID) []record.ID {
		return slices.DeleteFunc(slices.Clone(ids), func(id record.ID) bool { return d.explained[id] })
	}
	w, g := open(want), open(got)
	if d.m.Rules.Order == spec.AnyOrder {
		slices.Sort(w)
		slices.Sort(g)
	}
	if slices.Equal(w, g) {
		return
	}
	add()
	d.explain(apart(w, g)...)
}

// apart returns the elements of one list that are not in the other; if there are
// none, those that are not where they are in the other.
func apart(a, b []record.ID) (ids []record.ID) {
	for _, id := range slices.Concat(a, b) {
		if !slices.Contains(a, id) || !slices.Contains(b, id) {
			ids = append(ids, id)
		}
	}
	for i := 0; len(ids) == 0 && i < min(len(a), len(b)); i++ {
		if a[i] != b[i] {
			return slices.Concat(a[i:], b[i:])
		}
	}
	return ids
}

func (d *differences) runnext(i int, id, when string) {
	want, got := d.m.Ps[i].Runnext, d.seen.Ps[i].Runnext
	list := func(id record.ID) []record.ID {
		if id == 0 {
			return nil
		}
		return []record.ID{id}
	}
	d.place(list(want), list(got), func() {
		d.add(id, fmt.Sprintf("runnext of P%d to hold %s%s", i, idOrNone(want), when), "%s", idOrNone(got))
	})
}

func (d *differences) ring(i int, want []record.ID, id func(want, got []record.ID) string, what string) {
	got := d.seen.Ps[i].Ring
	d.place(want, got, func() {
		d.add(id(want, got), fmt.Sprintf("ring of P%d %s", i, fmt.Sprintf(what, want)), "%v", got)
	})
}

func (d *differences) global(id, when string) {
	d.place(d.m.Global, d.seen.Global, func() {
		d.add(id, fmt.Sprintf("global queue to hold %v%s", d.m.Global, when), "%v", d.seen.Global)
	})
}

func (m *Machine) runnextID(op *record.Op, p int) string {
	switch filled := op.After.Ps[p].Runnext != 0 && m.Ps[p].Runnext == 0; {
	case op.Kind == record.PutNext && op.P == p:
		return "RQ-RUNNEXT-KICK"
	case filled:
	case op.Kind == record.Get || op.Kind == record.Drain:
		return "RQ-RUNNEXT-FIRST"
	case op.Kind.Steals() && op.P == p:
		return "RQ-STEAL-RUNNEXT"
	}
	return "RQ-RUNNEXT-OWNER"
}

func (m *Machine) ringID(op *record.Op, p int, want, got []record.ID) string {
	switch {
	case op.Kind.Steals() && m.Rules.Batches(), m.ofOne(op):
		if op.P != p && len(want) == len(got) {
			return "RQ-STEAL-ORDER"
		}
		return "RQ-STEAL-HALF"
	case op.Kind == record.Drain:
		return "RQ-DRAIN"
	case op.Kind == record.CloseQueue:
		return "RQ-CLOSE-DROPS"
	case op.Kind == record.PutBatch:
		return "RQ-PUT-BATCH"
	case op.Kind == record.GlobalGet:
		return "RQ-GLOBAL-BATCH"
	case op.Kind != record.Put && op.Kind != record.PutNext, !m.Rules.Spills():
	case len(got) > m.Rules.Capacity:
		return "RQ-CAPACITY"
	case len(want) == len(got):
	case m.overflowed:
		return "RQ-OVERFLOW"
	case op.Kind == record.PutNext:
		return "RQ-RUNNEXT-KICK"
	default:
		return "RQ-CAPACITY"
	}
	return m.orderID()
}

func (m *Machine) globalID(op *record.Op) string {
	switch {
	case m.overflowed:
		return "RQ-OVERFLOW"
	case op.Kind == record.PutBatch:
		return "RQ-PUT-BATCH"
	case op.Kind == record.GlobalGet:
		return "RQ-GLOBAL-BATCH"
	}
	return "RQ-GLOBAL-FIFO"
}

func idOrNone(id record.ID) string {
	if id == 0 {
		return "nothing"
	}
	return fmt.Sprint(id)
}
