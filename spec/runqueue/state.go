package runqueue

// A State is one state of the machine. Its bytes are its identity, so it has no
// padding, and what a call does not need any more is zero. Gs are numbered from 1;
// 0 is none. Ps are numbered from 0 where they index and from 1 where 0 is none.
type State struct {
	link uint64        // of each G the one that follows it, four bits each
	th   [MaxPs]thread // what each thread's call knows
	slot [MaxPs]uint32 // of each ring, four bits a slot
	lens [MaxPs]uint16 // history: a set of lengths
	out  uint16        // the set of Gs outside
	puts uint16        // Gs that calls at will have handed in
	lied promise       // history: the promises that were broken
	saw  [MaxPs]sight  // history: what was true at a moment of the call
	head [MaxPs]uint8  // indices
	tail [MaxPs]uint8  //
	next [MaxPs]uint8  // runnext
	ghd  uint8         // the global queue is a list, linked through link
	gtl  uint8         //
}

// A thread is what a thread's call knows, 16 bytes.
type thread struct {
	hand   list   // Gs that the call owns, in the order in which it moves them
	copied uint16 // Gs that were read and are not owned yet, four bits each
	at     uint8  // the next call of the script, from 0
	pc     action // the next step, plus 1; 0 when there is none
	op     Op
	v      uint8 // whose queue the call is about, from 1
	h, t   uint8 // head and tail as they were read
	n, i   uint8 // how many, and which is next
	old    uint8 // runnext as it was read
	ret    uint8 // the G that the call will return
}

// A list is up to seven Gs: how many, and then each, four bits apiece.
type list uint32

const maxList = 7

func (l list) len() int       { return int(l & 15) }
func (l list) at(k int) uint8 { return uint8(l>>(4*k+4)) & 15 }
func (l list) last() uint8    { return l.at(l.len() - 1) }

func (l list) add(g uint8) list {
	return l + 1 | list(g)<<(4*(l&15)+4)
}

// from is the list without its first n.
func (l list) from(n int) list {
	return (l >> 4 >> (4 * n) << 4) | list(l.len()-n)
}

func (l list) reverse() list {
	var r list
	for k := l.len() - 1; k >= 0; k-- {
		r = r.add(l.at(k))
	}
	return r
}

// set is the set of the list's Gs; bit g-1 is G g.
func (l list) set() uint16 {
	var s uint16
	for k := range l.len() {
		s |= bit(l.at(k))
	}
	return s
}

func bit(g uint8) uint16 { return 1 << g >> 1 }

func (s *State) linkOf(g uint8) uint8 { return uint8(s.link>>(4*g)) & 15 }

func (s *State) setLink(g, to uint8) {
	if g == 0 {
		return
	}
	s.link = s.link&^(15<<(4*g)) | uint64(to)<<(4*g)
}

func nibble(x uint32, i uint8) uint8 { return uint8(x>>(4*i)) & 15 }

func (m *Machine) slot(s *State, p int, i uint8) uint8 {
	return nibble(s.slot[p], i&(m.cap-1))
}

func (m *Machine) setSlot(s *State, p int, i, g uint8) {
	at := 4 * (i & (m.cap - 1))
	s.slot[p] = s.slot[p]&^(15<<at) | uint32(g)<<at
}

// plus and dist are index arithmetic.
func (m *Machine) plus(i, n uint8) uint8 {
	if i += n; i >= m.wrap {
		return i - m.wrap
	}
	return i
}

func (m *Machine) dist(h, t uint8) uint8 {
	if t < h {
		t += m.wrap
	}
	return t - h
}

// copies is how many Gs a thread has in copied, which does not say.
func (m *Machine) copies(s *State, p int) uint8 {
	switch c := &s.th[p]; c.pc {
	case putSlowCopy, drainReadSlots:
		if c.pc == drainReadSlots && !m.bug(drainLinksFirst) {
			return 0
		}
		return c.i
	case putSlowCASHead:
		return m.cap / 2
	case drainCASHead:
		if m.bug(drainLinksFirst) {
			return m.dist(c.h, s.tail[p])
		}
	}
	return 0
}
