package benchmark

// buffered is a queue that the language brings along. It has no runnext, and
// whoever wants half of it takes one G after the other.
type buffered chan *g

func (q buffered) put(x *g) {
	select {
	case q <- x:
	default:
		panic("benchmark: the channel is full")
	}
}

func (q buffered) get() *g {
	select {
	case x := <-q:
		return x
	default:
		return nil
	}
}

// steal takes the older half of victim, rounded up, and returns the newest of
// them.
func (q buffered) steal(victim buffered) *g {
	n := len(victim)
	n -= n / 2
	var last *g
	for range n {
		x := victim.get()
		if x == nil {
			break
		}
		if last != nil {
			q.put(last)
		}
		last = x
	}
	return last
}

type channelSubject struct {
	gs              []g
	owners, thieves []buffered
}

func newChannel(pairs int) subject {
	s := &channelSubject{gs: make([]g, ring)}
	for range pairs {
		s.owners = append(s.owners, make(buffered, ring))
		s.thieves = append(s.thieves, make(buffered, ring))
	}
	return s
}

func (s *channelSubject) putGet(n int) {
	q, x := s.owners[0], &s.gs[0]
	for range n {
		q.put(x)
		q.get()
	}
}

func (s *channelSubject) putGetNext(int) { panic("benchmark: a channel has no runnext") }

func (s *channelSubject) fill(n int) (loot int) {
	for i, q := range s.owners {
		q.clear()
		loot += s.thieves[i].clear()
		for j := range n {
			q.put(&s.gs[j])
		}
	}
	return loot
}

func (s *channelSubject) steal() (successes int) {
	for i, q := range s.thieves {
		if q.steal(s.owners[i]) != nil {
			successes++
		}
	}
	return successes
}

func (s *channelSubject) burst(n int) (got int) {
	q := s.owners[0]
	for i := range n {
		q.put(&s.gs[i])
	}
	return q.clear()
}

func (s *channelSubject) rob() int {
	q := s.thieves[0]
	if q.steal(s.owners[0]) == nil {
		return 0
	}
	return 1 + q.clear()
}

func (q buffered) clear() (n int) {
	for q.get() != nil {
		n++
	}
	return n
}
