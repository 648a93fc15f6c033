package runqueue

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/spindle-go/spindle/spec/explore"
)

// Symmetric is the machine that takes states which differ by the names of threads and
// Gs alone for one. It panics unless all threads make the same calls at will.
func (m *Machine) Symmetric() explore.Machine[State] {
	for _, ops := range m.config.Free {
		if !slices.Equal(ops, m.config.Free[0]) {
			panic("runqueue: Symmetric of a machine whose threads make different calls")
		}
	}
	if len(m.config.Free) == 0 || len(m.config.Loners) > 0 {
		panic("runqueue: Symmetric of a machine whose threads are not alike")
	}
	return symmetric{m}
}

type symmetric struct{ *Machine }

var _ explore.Symmetric[State] = symmetric{}

// Canonical implements [explore.Symmetric]: for each order of the threads the Gs are
// numbered as they are met, and the least of these states stands for all. Gs that are not met
// are alike, but for their links with linkKept: there they are taken in each order, too.
func (m symmetric) Canonical(s *State) {
	gs := [][MaxPs]uint8{{0, 1, 2, 3}}
	if m.bug(linkKept) && m.config.Gs <= MaxPs {
		gs = orders[m.config.Gs-1]
	}
	best := m.renamed(s, &orders[m.ps-1][0], &gs[0])
	for i := range orders[m.ps-1] {
		for k := range gs {
			if n := m.renamed(s, &orders[m.ps-1][i], &gs[k]); bytes.Compare(n.bytes(), best.bytes()) < 0 {
				best = n
			}
		}
	}
	*s = best
}

func (s *State) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
}

// orders are the permutations of 1, 2, 3 and 4 threads: thread i becomes order[i].
var orders = func() (all [MaxPs][][MaxPs]uint8) {
	for n := range MaxPs {
		var extend func(o [MaxPs]uint8, k int, used uint8)
		extend = func(o [MaxPs]uint8, k int, used uint8) {
			if k > n {
				all[n] = append(all[n], o)
				return
			}
			for i := range uint8(n + 1) {
				if used>>i&1 == 0 {
					o[k] = i
					extend(o, k+1, used|1<<i)
				}
			}
		}
		extend([MaxPs]uint8{}, 0, 0)
	}
	return all
}()

// A numbering gives Gs numbers as they are met. old is the inverse.
type numbering struct {
	as, old [MaxGs + 1]uint8
	used    uint8
}

func (r *numbering) g(g uint8) uint8 {
	if g == 0 {
		return 0
	}
	if r.as[g] == 0 {
		r.used++
		r.as[g], r.old[r.used] = r.used, g
	}
	return r.as[g]
}

func (r *numbering) list(l list) list {
	n := l & 15
	for k := range l.len() {
		n |= list(r.g(l.at(k))) << (4*k + 4)
	}
	return n
}

// renamed is s with its threads in another order and its Gs numbered as they are met, and
// those that are not in the order of gs, from 0, and then of their numbers.
func (m *Machine) renamed(s *State, order, gs *[MaxPs]uint8) State {
	n := State{puts: s.puts, lied: s.lied}
	for p := range m.ps {
		q := order[p]
		n.head[q], n.tail[q], n.saw[q], n.lens[q] = s.head[p], s.tail[p], s.saw[p], s.lens[p]
		n.th[q], n.slot[q], n.next[q] = s.th[p], s.slot[p], s.next[p]
		if v := n.th[q].v; v > 0 {
			n.th[q].v = order[v-1] + 1
		}
	}
	var r numbering
	for q := range m.ps {
		for x, k := n.slot[q], uint(0); k < uint(m.cap); k++ {
			n.slot[q] = n.slot[q]&^(15<<(4*k)) | uint32(r.g(uint8(x>>(4*k))&15))<<(4*k)
		}
		n.next[q] = r.g(n.next[q])
		c := &n.th[q]
		if c.pc == idle {
			continue
		}
		c.hand = r.list(c.hand)
		c.old, c.ret = r.g(c.old), r.g(c.ret)
		for x, k := c.copied, 0; x>>(4*k) != 0 && k < 4; k++ {
			c.copied = c.copied&^(15<<(4*k)) | uint16(r.g(uint8(x>>(4*k))&15))<<(4*k)
		}
	}
	n.ghd, n.gtl = r.g(s.ghd), r.g(s.gtl)
	for k := uint8(1); k <= r.used; k++ { // also those met on the way
		r.g(s.linkOf(r.old[k]))
	}
	// The others lie outside, or are lost.
	for _, out := range []bool{true, false} {
		for i := range m.config.Gs {
			g := uint8(i + 1)
			if i < MaxPs {
				g = gs[i] + 1
			}
			if r.as[g] == 0 && (s.out&bit(g) != 0) == out {
				r.g(g)
			}
		}
	}
	for g := uint8(1); int(g) <= m.config.Gs; g++ {
		n.setLink(r.as[g], r.g(s.linkOf(g)))
		if s.out&bit(g) != 0 {
			n.out |= bit(r.as[g])
		}
	}
	return n
}
