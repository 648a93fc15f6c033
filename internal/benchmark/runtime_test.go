//go:build spindle_overlay

package benchmark

import (
	"runtime"
	"unsafe"
)

func init() {
	variants = append(variants, variant{"runtime", newRuntime, true})
}

// runtimeSubject calls the functions of package runtime on made-up Ps and Gs.
// No ring overflows, so no G ever reaches the real scheduler, and the threads
// need not hold their Ps.
type runtimeSubject struct {
	gs              []runtime.SpindleG // keeps the Gs reachable: a ring does not
	owners, thieves []*runtime.SpindleP
}

// A spaced P takes an odd number of cache lines. The runtime's own Ps are 10 KB
// and a bit, which the allocator makes a multiple of 2 KB: sixteen of them, one
// after the other, then quarrel over two sets of a first-level cache, which no
// program would notice where each P is on a processor of its own.
type spaced struct {
	runtime.SpindleP
	_ [(lines|1)*64 - unsafe.Sizeof(runtime.SpindleP{})]byte
}

const lines = (unsafe.Sizeof(runtime.SpindleP{}) + 63) / 64

func newRuntime(pairs int) subject {
	s := &runtimeSubject{gs: make([]runtime.SpindleG, ring)}
	ps := make([]spaced, 2*pairs)
	for i := range pairs {
		s.owners = append(s.owners, &ps[2*i].SpindleP)
		s.thieves = append(s.thieves, &ps[2*i+1].SpindleP)
		runtime.SpindleStart(s.owners[i], start(i))
		runtime.SpindleStart(s.thieves[i], start(i))
	}
	return s
}

func (s *runtimeSubject) putGet(n int) {
	p, g := s.owners[0], &s.gs[0]
	for range n {
		runtime.SpindlePut(p, g, false)
		runtime.SpindleGet(p)
	}
}

func (s *runtimeSubject) putGetNext(n int) {
	p, g := s.owners[0], &s.gs[0]
	for range n {
		runtime.SpindlePut(p, g, true)
		runtime.SpindleGet(p)
	}
}

func (s *runtimeSubject) fill(n int) (loot int) {
	for i, p := range s.owners {
		emptyRuntime(p)
		loot += emptyRuntime(s.thieves[i])
		for j := range n {
			runtime.SpindlePut(p, &s.gs[j], false)
		}
	}
	return loot
}

func (s *runtimeSubject) steal() (successes int) {
	for i, p := range s.thieves {
		if runtime.SpindleSteal(p, s.owners[i], false) != nil {
			successes++
		}
	}
	return successes
}

func (s *runtimeSubject) burst(n int) (got int) {
	p := s.owners[0]
	for i := range n {
		runtime.SpindlePut(p, &s.gs[i], false)
	}
	return emptyRuntime(p)
}

func (s *runtimeSubject) rob() int {
	p := s.thieves[0]
	if runtime.SpindleSteal(p, s.owners[0], false) == nil {
		return 0
	}
	return 1 + emptyRuntime(p)
}

func emptyRuntime(p *runtime.SpindleP) (n int) {
	for {
		if g, _ := runtime.SpindleGet(p); g == nil {
			return n
		}
		n++
	}
}
