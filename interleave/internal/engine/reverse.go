package engine

// Where a race is reversed.

// A race is a pair of conflicting events of which the second could have come
// first.
type race struct{ first, second int32 }

// A sequence is what is to be tried at the point before the first operation of a
// race: the events after that point that the first does not happen before, and
// at the end the second, which the first does.
//
// All but the last do what they did. The last does without the first: its
// object's state is the one that the first found, so that it is known whether a
// CompareAndSwap will swap and a TryLock succeed. It is not known of a Map, which
// is one object with many keys, of a Pool, and of an atomic.Value.
type sequence struct {
	race
	events []int32
	length int32 // of the execution
	clock  clock // what happens before the last, in the sequence
	write  bool  // the last will write
	unsure bool  // it is not known whether it will
}

// sequence makes the sequence of r.
func (d *dpor) sequence(s *scheduler, r race, length int32) *sequence {
	v := &d.now
	v.race, v.length = r, length
	first, second := &s.events[r.first], &s.events[r.second]
	v.events = d.seq[:0]
	for i := r.first + 1; i < length; i++ {
		if s.clocks[i][first.thread] < first.ord {
			v.events = append(v.events, i)
		}
	}
	v.write, v.unsure = s.willWrite(first, second, r, length)
	if second.waits {
		// It happened after what let it go on, which may be left out here.
		v.clock = s.alone[second.alone]
		for _, x := range v.events {
			if e := &s.events[x]; e.loc == second.loc && (e.write || v.write) {
				v.clock.join(&s.clocks[x], s.width)
			}
		}
	} else {
		v.clock = s.clocks[r.second]
	}
	v.events = append(v.events, r.second)
	d.seq = v.events
	return v
}

// willWrite foretells whether second will write if it comes before first.
func (s *scheduler) willWrite(first, second *event, r race, length int32) (write, unsure bool) {
	switch k := second.kind; {
	case k == CompareAndSwap:
		if !second.compares || first.own {
			return true, true
		}
		return first.read == second.expected, false
	case k == TryLock:
		return s.feasible(&s.locs[second.loc], r.first, length, Lock, second.thread), false
	case k == MapWrite || k == PoolGet:
		return true, true
	case k == RUnlock:
		return second.write, second.write
	default:
		return mayWrite[k], false
	}
}

// writes reports whether event x of v will write, and whether that is not known.
func (v *sequence) writes(s *scheduler, x int32) (write, unsure bool) {
	if x == v.second {
		return v.write, v.unsure
	}
	return s.events[x].write, false
}

// before reports whether event x happens before event y in the sequence.
func (v *sequence) before(s *scheduler, x, y int32) bool {
	if y == v.second {
		e := &s.events[x]
		return v.clock[e.thread] >= e.ord
	}
	return s.before(x, y)
}

// find returns where in v the next event of a thread is, or -1.
func (v *sequence) find(s *scheduler, thread uint8) int {
	for i, x := range v.events {
		if s.events[x].thread == thread {
			return i
		}
	}
	return -1
}

// initial reports whether nothing in v before position at happens before it.
func (v *sequence) initial(s *scheduler, at int) bool {
	for _, x := range v.events[:at] {
		if v.before(s, x, v.events[at]) {
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
func (v *sequence) independent(s *scheduler, loc int32, write, unsure bool) answer {
	found := yes
	if loc < 0 {
		return found
	}
	for _, x := range v.events {
		ev := &s.events[x]
		if ev.loc != loc {
			continue
		}
		w, u := v.writes(s, x)
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
func (d *dpor) reverse(s *scheduler, r race, length int32) {
	if d.settled(r, length) {
		return
	}
	v := d.sequence(s, r, length)
	n := &d.path[r.first]
	wake := false
	for i := range n.sleep {
		q := &n.sleep[i]
		at := v.find(s, q.thread)
		found := no
		if at < 0 {
			found = v.independent(s, q.loc, q.write, false)
		} else if v.initial(s, at) {
			found = yes
		}
		switch found {
		case yes:
			if at >= 0 && v.events[at] <= r.second {
				d.settle(r, length)
			}
			return
		case unknown:
			wake = true
		}
	}
	plan := &n.plan
search:
	for len(v.events) > 0 {
		for _, b := range *plan {
			at := v.find(s, b.thread)
			found := no
			if at < 0 {
				found = d.apart(s, v, b)
			} else if v.initial(s, at) {
				found = yes
			}
			if found != yes {
				wake = wake || found == unknown
				continue
			}
			if len(b.sub) == 0 {
				return // all that begins so will be explored
			}
			if at >= 0 {
				v.events = append(v.events[:at], v.events[at+1:]...)
			}
			plan = &b.sub
			continue search
		}
		d.insert(s, plan, v, n.locs, wake)
		return
	}
}

// insert plans v as a branch of its own.
func (d *dpor) insert(s *scheduler, plan *[]*branch, v *sequence, locs int32, wake bool) {
	for n, i := range v.events {
		ev := &s.events[i]
		b := &branch{thread: ev.thread, loc: ev.loc, write: ev.write}
		if ev.loc >= locs {
			b.late = d.late(s, ev, locs)
		}
		if i == v.second {
			b.write, b.unsure = v.write, v.unsure
		}
		b.wake = wake && n == len(v.events)-1
		*plan = append(*plan, b)
		plan = &b.sub
	}
}

// apart reports whether b, a planned step of a thread that v lacks, conflicts with
// none of v.
func (d *dpor) apart(s *scheduler, v *sequence, b *branch) answer {
	found := yes
	if b.late == nil {
		return v.independent(s, b.loc, b.write, b.unsure)
	}
	d.guesses = d.guesses[:0]
	for _, x := range v.events {
		w, u := v.writes(s, x)
		if !(w || b.write) || s.events[x].loc < 0 {
			continue
		}
		switch d.together(s, b, x) {
		case guess:
			e := &s.events[x]
			d.guesses = append(d.guesses, guessed{e.thread, e.ord, d.account(s).threads[e.thread][e.ord-1].past})
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
func (d *dpor) settle(r race, length int32) {
	if r.second >= length {
		return
	}
	n := &d.path[r.second]
	for len(n.settled) <= int(r.first>>6) {
		n.settled = append(n.settled, 0)
	}
	n.settled[r.first>>6] |= 1 << (r.first & 63)
}

func (d *dpor) settled(r race, length int32) bool {
	if r.second >= length {
		return false
	}
	set := d.path[r.second].settled
	return int(r.first>>6) < len(set) && set[r.first>>6]>>(r.first&63)&1 != 0
}
