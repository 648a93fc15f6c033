package dpor

import "github.com/spindle-go/spindle/interleave/internal/order"

// A sequence is what is to be tried at the point before the first operation of a
// race: the events after that point that the first does not happen before, and
// at the end the second, which the first does.
//
// All but the last do what they did. The last does without the first: its
// object's state is the one that the first found, so that it is known whether a
// CompareAndSwap will swap and a TryLock succeed. It is not known of a Map, which
// is one object with many keys, of a Pool, and of an atomic.Value.
//
// What it has of one thread is a piece of what the thread did, without gaps: what
// comes after an event that is left out is left out.
type sequence struct {
	order.Race
	events []int32                 // -1: taken out
	first  [order.MaxThreads]int32 // by thread: where in events its first is, or -1
	clock  order.Clock             // what happens before the last, in the sequence
	write  bool                    // the last will write
	unsure bool                    // it is not known whether it will
	// Objects of the events, and of those that may write: a bit for each, by number.
	touched, written uint64
}

// sequence makes the sequence of r.
func (d *Search) sequence(x *order.Execution, r order.Race, length int32) *sequence {
	v := &d.now
	v.Race, v.events, v.touched, v.written = r, v.events[:0], 0, 0
	for t := range v.first[:x.Width] {
		v.first[t] = -1
	}
	v.write, v.unsure = x.Foretell(r, length)
	thread, ord := x.Events[r.First].Thread, x.Events[r.First].Ord
	for i := r.First + 1; i < length; i++ {
		if x.Clocks[i][thread] < ord {
			e := &x.Events[i]
			v.add(i, e, e.Write)
		}
	}
	second := &x.Events[r.Second]
	if second.Waits {
		// It happened after what let it go on, which may be left out here.
		v.clock = *x.Alone(r.Second)
		for _, i := range v.events {
			if e := &x.Events[i]; e.Loc == second.Loc && (e.Write || v.write) {
				v.clock.Join(&x.Clocks[i], x.Width)
			}
		}
	} else {
		v.clock = x.Clocks[r.Second]
	}
	v.add(r.Second, second, v.write)
	return v
}

// add puts event i, which is e, behind the others.
func (v *sequence) add(i int32, e *order.Event, write bool) {
	if v.first[e.Thread] < 0 {
		v.first[e.Thread] = int32(len(v.events))
	}
	v.events = append(v.events, i)
	if e.Loc >= 0 {
		v.touched |= 1 << (e.Loc & 63)
		if write {
			v.written |= 1 << (e.Loc & 63)
		}
	}
}

// takeOut takes the first event of a thread out.
func (v *sequence) takeOut(x *order.Execution, thread uint8) {
	at := v.first[thread]
	v.events[at] = -1
	v.first[thread] = -1
	for n, i := range v.events[at+1:] {
		if i >= 0 && x.Events[i].Thread == thread {
			v.first[thread] = at + 1 + int32(n)
			return
		}
	}
}

// writes reports whether event i of v will write, and whether that is not known.
func (v *sequence) writes(x *order.Execution, i int32) (write, unsure bool) {
	if i == v.Second {
		return v.write, v.unsure
	}
	return x.Events[i].Write, false
}

// initial reports whether nothing in v happens before the first event of a thread.
func (v *sequence) initial(x *order.Execution, thread uint8) bool {
	at := v.first[thread]
	clock := &v.clock
	if i := v.events[at]; i != v.Second {
		clock = &x.Clocks[i]
	}
	for t, n := range v.first[:x.Width] {
		if n >= 0 && n < at && clock[t] >= x.Events[v.events[n]].Ord {
			return false
		}
	}
	return true
}

// An answer may be that it is not known.
type answer uint8

const (
	no answer = iota
	yes
	unknown
	guess // no, but that is a guess
)

// independent reports whether an operation on loc conflicts with none of v.
func (v *sequence) independent(x *order.Execution, loc int32, write, unsure bool) answer {
	found := yes
	switch met := v.written; {
	case loc < 0:
		return yes
	case write:
		met = v.touched
		fallthrough
	default:
		if met>>(loc&63)&1 == 0 {
			return yes
		}
	}
	for _, i := range v.events {
		if i < 0 || x.Events[i].Loc != loc {
			continue
		}
		w, u := v.writes(x, i)
		switch {
		case w && !u || write && !unsure:
			return no
		case u || unsure:
			found = unknown
		}
	}
	return found
}

// reverse plans an execution in which the second operation of r comes before
// the first, unless one is planned or explored.
func (d *Search) reverse(x *order.Execution, r order.Race, length int32) {
	if d.settled(r, length) {
		return
	}
	v := d.sequence(x, r, length)
	n := &d.path[r.First]
	wake := false
	for i := range n.sleep {
		q := &n.sleep[i]
		at := v.first[q.thread]
		found := no
		if at < 0 {
			found = v.independent(x, q.loc, q.write, false)
		} else if v.initial(x, q.thread) {
			found = yes
		}
		switch found {
		case yes:
			if at >= 0 && v.events[at] <= r.Second {
				d.settle(r, length)
			}
			return
		case unknown:
			wake = true
		}
	}
	plan := &n.plan
search:
	for left := len(v.events); left > 0; {
		for _, b := range *plan {
			in := v.first[b.thread] >= 0
			found := no
			if !in {
				found = d.apart(x, v, b)
			} else if v.initial(x, b.thread) {
				found = yes
			}
			if found != yes {
				wake = wake || found == unknown
				continue
			}
			if len(b.sub) == 0 {
				return // all that begins so will be explored
			}
			if in {
				v.takeOut(x, b.thread)
				left--
			}
			plan = &b.sub
			continue search
		}
		d.insert(x, plan, v, n.locs, wake)
		return
	}
}

// insert plans v as a branch of its own.
func (d *Search) insert(x *order.Execution, plan *[]*branch, v *sequence, locs int32, wake bool) {
	var last *branch
	for _, i := range v.events {
		if i < 0 {
			continue
		}
		ev := &x.Events[i]
		last = &branch{thread: ev.Thread, loc: ev.Loc, write: ev.Write}
		if ev.Loc >= locs {
			last.late = d.late(x, ev, locs)
		}
		if i == v.Second {
			last.write, last.unsure = v.write, v.unsure
		}
		*plan = append(*plan, last)
		plan = &last.sub
	}
	last.wake = wake
}

// apart reports whether b, a planned step of a thread that v lacks, conflicts with
// none of v.
func (d *Search) apart(x *order.Execution, v *sequence, b *branch) answer {
	found := yes
	if b.late == nil {
		return v.independent(x, b.loc, b.write, b.unsure)
	}
	d.guesses = d.guesses[:0]
	for _, i := range v.events {
		if i < 0 {
			continue
		}
		e := &x.Events[i]
		w, u := v.writes(x, i)
		if !(w || b.write) || e.Loc < 0 {
			continue
		}
		switch d.together(x, b, e.Loc) {
		case guess:
			d.guesses = append(d.guesses, guessed{e.Thread, e.Ord, d.account(x).threads[e.Thread][e.Ord-1].past})
		case yes:
			if w && !u || b.write && !b.unsure {
				return no
			}
			found = unknown
		case unknown:
			found = unknown
		}
	}
	if found == yes && len(d.guesses) > 0 {
		d.guessed = true
		b.guesses = append(b.guesses, d.guesses...)
	}
	return found
}

// settle notes that r needs no reversal: a thread that is asleep before the first
// goes first in the sequence of r, by an operation that came before the second.
// That stays so as long as nothing changes up to the second.
func (d *Search) settle(r order.Race, length int32) {
	if r.Second >= length {
		return
	}
	n := &d.path[r.Second]
	for len(n.settled) <= int(r.First>>6) {
		n.settled = append(n.settled, 0)
	}
	n.settled[r.First>>6] |= 1 << (r.First & 63)
}

func (d *Search) settled(r order.Race, length int32) bool {
	if r.Second >= length {
		return false
	}
	set := d.path[r.Second].settled
	return int(r.First>>6) < len(set) && set[r.First>>6]>>(r.First&63)&1 != 0
}
