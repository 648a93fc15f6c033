package benchmark

import "github.com/spindle-go/spindle/impl/runq"

type implSubject struct {
	gs              []runq.G
	owners, thieves []*runq.P
}

func newImpl(pairs int) subject {
	s := &implSubject{gs: make([]runq.G, ring)}
	var global runq.Global
	for i := range pairs {
		c := runq.Config{Start: start(i)}
		s.owners = append(s.owners, runq.NewP(&global, c))
		s.thieves = append(s.thieves, runq.NewP(&global, c))
	}
	return s
}

func (s *implSubject) putGet(n int) {
	p, g := s.owners[0], &s.gs[0]
	for range n {
		p.Put(g, false)
		p.Get()
	}
}

func (s *implSubject) putGetNext(n int) {
	p, g := s.owners[0], &s.gs[0]
	for range n {
		p.Put(g, true)
		p.Get()
	}
}

func (s *implSubject) fill(n int) (loot int) {
	for i, p := range s.owners {
		empty(p)
		loot += empty(s.thieves[i])
		for j := range n {
			p.Put(&s.gs[j], false)
		}
	}
	return loot
}

func (s *implSubject) steal() (successes int) {
	for i, p := range s.thieves {
		if p.Steal(s.owners[i], false) != nil {
			successes++
		}
	}
	return successes
}

func (s *implSubject) burst(n int) (got int) {
	p := s.owners[0]
	for i := range n {
		p.Put(&s.gs[i], false)
	}
	return empty(p)
}

func (s *implSubject) rob() int {
	p := s.thieves[0]
	if p.Steal(s.owners[0], false) == nil {
		return 0
	}
	return 1 + empty(p)
}

func empty(p *runq.P) (n int) {
	for {
		if g, _ := p.Get(); g == nil {
			return n
		}
		n++
	}
}
