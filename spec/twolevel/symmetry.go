package twolevel

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/spec/explore"
)

// Symmetric is the machine that takes states which differ by names alone for one: Ms are
// alike, and so are Ps. For safety alone.
func (m *Machine) Symmetric() explore.Machine[State] { return symmetric{m} }

type symmetric struct{ *Machine }

var _ explore.Symmetric[State] = symmetric{}

// orders are all ways to give so many Ps other names: P p becomes order[p], and 0 stays.
func orders(ps int) (all [][MaxPs + 1]uint8) {
	var extend func(o [MaxPs + 1]uint8, p int)
	extend = func(o [MaxPs + 1]uint8, p int) {
		if p > ps {
			all = append(all, o)
			return
		}
		for q := uint8(1); int(q) <= ps; q++ {
			if !slices.Contains(o[1:p], q) {
				o[p] = q
				extend(o, p+1)
			}
		}
	}
	extend([MaxPs + 1]uint8{}, 1)
	return all
}

// Canonical implements [explore.Symmetric]: of all the names that Ps can have those that
// give the least state, with the Ms sorted.
func (m symmetric) Canonical(s *State) {
	var best State
	for i := range m.orders {
		o := &m.orders[i]
		n := *s
		n.free = 0
		for p := 1; p <= int(m.procs); p++ {
			n.free |= s.free >> p & 1 << o[p]
		}
		for j := range m.ms {
			n.ms[j].myp = o[n.ms[j].myp]
		}
		slices.SortFunc(n.ms[:m.ms], func(a, b thread) int { return cmp.Compare(a.word(), b.word()) })
		if i == 0 || n.less(&best) {
			best = n
		}
	}
	*s = best
}

// word is the thread as a number.
func (t *thread) word() uint64 {
	return uint64(t.pc)<<40 | uint64(t.ret)<<32 | uint64(t.myp)<<24 | uint64(t.spin)<<16 | uint64(uint8(t.num))<<8 | uint64(t.tok)
}

func (s *State) less(t *State) bool {
	if s.free != t.free {
		return s.free < t.free
	}
	for i := range s.ms {
		if a, b := s.ms[i].word(), t.ms[i].word(); a != b {
			return a < b
		}
	}
	return false
}
