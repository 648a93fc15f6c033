package dpor

import "github.com/spindle-go/spindle/interleave/internal/order"

// reverse plans an execution in which the second operation of r comes before
// the first, unless one is planned or explored.
func (d *Search) reverse(x *order.Execution, r order.Race) {
	if d.settled(r) {
		return
	}
	v := d.sequence(x, r)
	n := &d.path[r.First]
	// Of several things that the second may do some may not conflict with the first, and of channels it may touch less before the first than behind.
	first := footprintOf(&x.Events[r.First])
	wake := v.second.Pick != 0 && !first.write || first.may != 0 && first.must&v.will.must == 0
	for i := range n.sleep {
		q := &n.sleep[i]
		found := no
		switch d.where(x, v, q.thread) {
		case absent:
			found = d.independent(x, v, d.length, q.footprint)
		case initial:
			if at := d.find(x, v, q.thread); v.does(x, at, q.pick) {
				if at <= r.Second {
					d.settle(r)
				}
				return
			}
		}
		if found == yes {
			return
		}
		wake = wake || found == unknown
	}
	plan := &n.plan
	d.passed = d.passed[:0]
	settled := true // what is planned covers r by operations that did not come after the second
search:
	for {
		for i := range *plan {
			b := &(*plan)[i]
			at, found := d.where(x, v, b.thread), no
			switch at {
			case absent:
				found = d.apart(x, v, b)
			case initial:
				if v.does(x, d.find(x, v, b.thread), b.pick) {
					found = yes
				}
			}
			if found != yes {
				wake = wake || found == unknown
				d.passed = append(d.passed, b)
				continue
			}
			settled = settled && at == initial && d.find(x, v, b.thread) <= r.Second
			if len(b.sub) == 0 { // all that begins so will be explored
				if settled {
					d.settle(r)
				}
				return
			}
			if at == initial {
				v.takeOut(b.thread)
			}
			plan = &b.sub
			continue search
		}
		d.insert(x, plan, v, n, wake)
		return
	}
}

// insert plans what is left of v as a branch of its own, without what came after
// the second if that can be done without.
func (d *Search) insert(x *order.Execution, plan *[]branch, v *sequence, n *node, wake bool) {
	end := d.length
	if !wake && v.Second < end && d.enough(x, v, n) {
		end = v.Second
	}
	d.rest = d.rest[:0]
	for i := v.First + 1; i < end; i++ {
		if i != v.Second && v.has(x, i) {
			d.rest = append(d.rest, i)
		}
	}
	if v.has(x, v.Second) {
		d.rest = append(d.rest, v.Second)
	}
	if len(d.rest) == 0 {
		return
	}
	block := make([]branch, len(d.rest))
	var lates []late
	for k, i := range d.rest {
		ev := &x.Events[i]
		b := &block[k]
		b.thread, b.footprint = ev.Thread, v.footprint(x, i)
		if i != v.Second { // which may do other things than it did
			b.pick = ev.Pick
		}
		if ev.Loc >= n.locs {
			if lates == nil {
				lates = make([]late, len(d.rest))
			}
			b.late = &lates[k]
			d.late(x, b.late, ev.Loc, n.locs)
		}
		if k+1 < len(block) {
			b.sub = block[k+1 : k+2 : k+2]
		} else {
			b.wake = wake
		}
	}
	*plan = append(*plan, block[0])
}

// enough reports whether v without what came after the second wakes all who are asleep
// at n, and all who are planned before v, too: then the rest of it need not be planned.
func (d *Search) enough(x *order.Execution, v *sequence, n *node) bool {
	for i := range n.sleep {
		q := &n.sleep[i]
		if !d.wakes(x, v, q.thread, q.footprint) {
			return false
		}
	}
	for _, b := range d.passed {
		loc := b.loc
		if b.late != nil {
			if loc = d.number(x, b.late); loc < 0 {
				return false
			}
		}
		if !d.wakes(x, v, b.thread, b.on(loc)) {
			return false
		}
	}
	return true
}

// wakes reports whether v as far as the second has an event of a thread, which is then
// behind others, or conflicts for certain with its operation.
func (d *Search) wakes(x *order.Execution, v *sequence, thread uint8, f footprint) bool {
	at := d.find(x, v, thread)
	return at >= 0 && at <= v.Second || d.independent(x, v, v.Second, f) == no
}

// apart reports whether b, a planned step of a thread that v lacks, conflicts with
// none of v.
func (d *Search) apart(x *order.Execution, v *sequence, b *branch) answer {
	loc := b.loc
	if b.late != nil {
		if loc = d.number(x, b.late); loc < 0 {
			return d.probablyApart(x, v, b)
		}
	}
	return d.independent(x, v, d.length, b.on(loc))
}

// settle notes that r needs no thought in the executions to come: operations that
// did not come after the second can begin its sequence, and are what a sleeper or
// planned steps do. This stays so as long as nothing changes up to the second.
func (d *Search) settle(r order.Race) {
	if r.Second >= d.length {
		return
	}
	n := &d.path[r.Second]
	for len(n.settled) <= int(r.First>>6) {
		n.settled = append(n.settled, 0)
	}
	n.settled[r.First>>6] |= 1 << (r.First & 63)
}

func (d *Search) settled(r order.Race) bool {
	if r.Second >= d.length {
		return false
	}
	set := d.path[r.Second].settled
	return int(r.First>>6) < len(set) && set[r.First>>6]>>(r.First&63)&1 != 0
}
