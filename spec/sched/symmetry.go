package sched

import "github.com/spindle-go/spindle/spec/explore"

// Symmetric is the machine that takes states which differ by names alone for one: Ms but
// sysmon are alike, and so are the Ps that there are from the start, and the others. For
// safety alone.
func (m *Machine) Symmetric() explore.Machine[State] { return symmetric{m} }

type symmetric struct{ *Machine }

var _ explore.Symmetric[State] = symmetric{}

// A renaming is what Canonical needs to know of a configuration.
type renaming struct {
	ms     []uint8 // the Ms that are alike, from 0
	sysmon uint8   // the other M, from 1, or 0
	orders []order
}

// An order gives each P another name.
type order struct {
	as    [MaxPs + 1]uint8                // P p becomes as[p]
	sets  [1 << (MaxPs + 1)]pset          // what sets become
	same  [MaxPs - 1]struct{ a, b uint8 } // Ps, of the same kind, that become neighbours; or 0
	plain bool                            // each P keeps its name
}

func newRenaming(c *Config) renaming {
	r := renaming{sysmon: uint8(c.Sysmon)}
	for i := range c.Ms {
		if i+1 != c.Sysmon {
			r.ms = append(r.ms, uint8(i))
		}
	}
	first := c.firstProcs()
	var extend func(o order, p int, used pset)
	extend = func(o order, p int, used pset) {
		if p > c.Ps {
			r.orders = append(r.orders, o.ready(c.Ps, first))
			return
		}
		for q := 1; q <= c.Ps; q++ {
			if !used.has(uint8(q)) && first.has(uint8(p)) == first.has(uint8(q)) {
				o.as[p] = uint8(q)
				extend(o, p+1, used.with(uint8(q)))
			}
		}
	}
	var names order
	for p := range names.as {
		names.as[p] = uint8(p) // Ps that are not there, too
	}
	extend(names, 1, 0)
	return r
}

// ready fills in what follows from as.
func (o order) ready(ps int, first pset) order {
	o.plain = true
	var was [MaxPs + 2]uint8
	for p := 1; p <= ps; p++ {
		o.plain = o.plain && int(o.as[p]) == p
		was[o.as[p]] = uint8(p)
	}
	for s := range o.sets {
		for rest := pset(s) &^ 1; rest != 0; rest = rest.rest() {
			o.sets[s] |= 1 << o.as[rest.least()] &^ 1
		}
	}
	// Neighbours of one kind: Ps of the other kind may lie between.
	k := 0
	for q := 1; q <= ps; q++ {
		for r := q + 1; r <= ps; r++ {
			if first.has(uint8(q)) == first.has(uint8(r)) {
				o.same[k].a, o.same[k].b = was[q], was[r]
				k++
				break
			}
		}
	}
	return o
}

// Canonical implements [explore.Symmetric].
//
// What a P has to do with the Ms is summed up in a mark, which does not depend on names,
// and Ps are put in the order of their marks. Of several such orders the one counts that
// gives the least state. Then the Ms are sorted.
func (m symmetric) Canonical(s *State) {
	r := &m.renaming
	var marks [MaxPs + 1]uint64
	if len(r.orders) > 1 {
		m.mark(s, &marks)
	}
	var best, other renamed
	found := false
	for i := range r.orders {
		o := &r.orders[i]
		switch {
		case o.wrong(&marks):
		case !found:
			best.rename(s, o, r)
			found = true
		default:
			if other.rename(s, o, r); other.less(&best) {
				best = other
			}
		}
	}
	best.store(s, r)
}

// wrong reports whether the order puts a P with a greater mark before one of its kind.
func (o *order) wrong(marks *[MaxPs + 1]uint64) bool {
	for i := range o.same {
		if marks[o.same[i].a] > marks[o.same[i].b] {
			return true
		}
	}
	return false
}

// mark sets the marks of the Ps.
func (m *Machine) mark(s *State, marks *[MaxPs + 1]uint64) {
	for p := range m.config.Ps {
		at := p + 1
		marks[at] = uint64(s.ring[p])<<4 | uint64(s.next>>at&1)<<3 | uint64(s.pidle>>at&1)<<2 |
			uint64(s.later>>at&1)<<1 | uint64(s.due>>at&1) | uint64(s.seen>>at&1)<<8 | uint64(s.far>>at&1)<<9
	}
	for i := range m.ms {
		t := &s.ms[i]
		k := s.word(uint8(i))
		if k&namesMask == 0 {
			continue
		}
		k &^= namesMask
		if i+1 == int(m.sysmon) {
			k = ^k
		}
		k *= 0x9e3779b97f4a7c15
		k ^= k >> 32
		marks[t.myp] += k * 0xbf58476d1ce4e5b9
		marks[t.nextp()] += k * 0x94d049bb133111eb
		marks[t.cand] += k * 0xd6e8feb86659fd93
		for todo := t.todo; todo != 0; todo = todo.rest() {
			marks[todo.least()] += k * 0xa0761d6478bd642f
		}
	}
	marks[0] = 0 // nobody's
}

// A thread is a word, too, in which bits that are else 0 say whether it is the M that has
// the lock, that polls, that stops the world, that calls forEachP.
const (
	lockBit     = 1 << (candAt + 7)
	pollerBit   = 1 << (candAt + 6)
	stoppingBit = 1 << todoAt
	foreachBit  = 1 << (mypAt + 7)

	markBits = lockBit | pollerBit | stoppingBit | foreachBit

	mypAt, candAt, todoAt, numAt, countsAt, flagsAt = 16, 24, 32, 40, 48, 56

	// Where names of Ps are.
	namesMask = 0x7f<<mypAt | 0x3f<<candAt | 0xfe<<todoAt | uint64(nextpMask)<<flagsAt
)

// word is M i's thread, from 0, as a word.
func (s *State) word(i uint8) uint64 {
	t := &s.ms[i]
	k := uint64(t.pc) | uint64(t.ret)<<8 | uint64(t.myp)<<mypAt | uint64(t.cand)<<candAt |
		uint64(t.todo)<<todoAt | uint64(t.nums)<<numAt | uint64(t.counts)<<countsAt | uint64(t.flags)<<flagsAt
	if s.lock == i+1 {
		k |= lockBit
	}
	if s.poller == i+1 {
		k |= pollerBit
	}
	if s.stopping() == i+1 {
		k |= stoppingBit
	}
	if s.foreach() == i+1 {
		k |= foreachBit
	}
	return k
}

// setWord is the inverse.
func (s *State) setWord(i uint8, k uint64) {
	if k&markBits != 0 {
		if k&lockBit != 0 {
			s.lock = i + 1
		}
		if k&pollerBit != 0 {
			s.poller = i + 1
		}
		if k&stoppingBit != 0 {
			s.putStopping(i + 1)
		}
		if k&foreachBit != 0 {
			s.putForeach(i + 1)
		}
		k &^= markBits
	}
	t := &s.ms[i]
	t.pc, t.ret = place(k), place(k>>8)
	t.myp, t.cand, t.todo = uint8(k>>mypAt), uint8(k>>candAt), pset(k>>todoAt)
	t.nums, t.counts, t.flags = uint8(k>>numAt), uint8(k>>countsAt), flags(k>>flagsAt)
}

// renamed is the part of a state that names change.
type renamed struct {
	ms   [MaxMs]uint64 // of those that are alike sorted, then sysmon's
	ring [MaxPs]int8
	sets [9]pset // pidle, procs, next, stopped, safefn, later, due, seen, far
}

// rename gives the Ps of s other names and sorts the Ms.
func (n *renamed) rename(s *State, o *order, r *renaming) {
	for j, i := range r.ms {
		k := o.word(s, i)
		for ; j > 0 && n.ms[j-1] > k; j-- {
			n.ms[j] = n.ms[j-1]
		}
		n.ms[j] = k
	}
	if r.sysmon != 0 {
		n.ms[len(r.ms)] = o.word(s, r.sysmon-1)
	}
	n.ring = s.ring
	n.sets = [...]pset{s.pidle, s.procs, s.next, s.stopped, s.safefn, s.later, s.due, s.seen, s.far}
	if o.plain {
		return
	}
	for p := range n.ring {
		n.ring[o.as[p+1]-1] = s.ring[p]
	}
	for i := range n.sets {
		n.sets[i] = o.sets[n.sets[i]]
	}
}

// word returns M i's thread with other names, as a word.
func (o *order) word(s *State, i uint8) uint64 {
	k := s.word(i)
	if k&namesMask == 0 || o.plain {
		return k
	}
	t := &s.ms[i]
	return k&^namesMask | uint64(o.as[t.myp])<<mypAt | uint64(o.as[t.cand])<<candAt |
		uint64(o.sets[t.todo])<<todoAt | uint64(o.as[t.nextp()])<<flagsAt
}

func (n *renamed) less(o *renamed) bool {
	for i := range n.ms {
		if n.ms[i] != o.ms[i] {
			return n.ms[i] < o.ms[i]
		}
	}
	for p := range n.ring {
		if n.ring[p] != o.ring[p] {
			return n.ring[p] < o.ring[p]
		}
	}
	for i := range n.sets {
		if n.sets[i] != o.sets[i] {
			return n.sets[i] < o.sets[i]
		}
	}
	return false
}

// store puts it back.
func (n *renamed) store(s *State, r *renaming) {
	s.lock, s.poller = 0, 0
	s.putStopping(0)
	s.putForeach(0)
	for j, i := range r.ms {
		s.setWord(i, n.ms[j])
	}
	if r.sysmon != 0 {
		s.setWord(r.sysmon-1, n.ms[len(r.ms)])
	}
	s.ring = n.ring
	s.pidle, s.procs, s.next, s.stopped = n.sets[0], n.sets[1], n.sets[2], n.sets[3]
	s.safefn, s.later, s.due, s.seen, s.far = n.sets[4], n.sets[5], n.sets[6], n.sets[7], n.sets[8]
}
