package benchmark

import "sync"

// g is what the plain queues hold; it has a size, so that two differ in address.
type g struct{ _ [16]byte }

// locked is a queue as one would write it first: a lock around a slice, which
// is used as a ring so that nothing is allocated.
type locked struct {
	mu         sync.Mutex
	next       *g
	head, tail int
	slots      []*g
	stolen     []*g // the owner's
}

func newLocked(start uint32) *locked {
	return &locked{head: int(start), tail: int(start), slots: make([]*g, ring), stolen: make([]*g, 0, ring/2)}
}

func (q *locked) put(x *g) {
	q.mu.Lock()
	q.slots[q.tail%ring] = x
	q.tail++
	q.mu.Unlock()
}

func (q *locked) putNext(x *g) {
	q.mu.Lock()
	if q.next != nil {
		q.slots[q.tail%ring] = q.next
		q.tail++
	}
	q.next = x
	q.mu.Unlock()
}

func (q *locked) get() (x *g) {
	q.mu.Lock()
	if q.next != nil {
		x, q.next = q.next, nil
	} else if q.head != q.tail {
		x = q.slots[q.head%ring]
		q.head++
	}
	q.mu.Unlock()
	return x
}

// steal takes the older half of victim, rounded up, and returns the newest of
// them. The locks are held one after the other, since two thieves that rob each
// other would wait for ever.
func (q *locked) steal(victim *locked) *g {
	victim.mu.Lock()
	n := victim.tail - victim.head
	n -= n / 2
	q.stolen = q.stolen[:0]
	for i := range n {
		q.stolen = append(q.stolen, victim.slots[(victim.head+i)%ring])
	}
	victim.head += n
	victim.mu.Unlock()
	if n == 0 {
		return nil
	}
	if n > 1 {
		q.mu.Lock()
		for _, x := range q.stolen[:n-1] {
			q.slots[q.tail%ring] = x
			q.tail++
		}
		q.mu.Unlock()
	}
	return q.stolen[n-1]
}

type mutexSubject struct {
	gs              []g
	owners, thieves []*locked
}

func newMutex(pairs int) subject {
	s := &mutexSubject{gs: make([]g, ring)}
	for i := range pairs {
		s.owners = append(s.owners, newLocked(start(i)))
		s.thieves = append(s.thieves, newLocked(start(i)))
	}
	return s
}

func (s *mutexSubject) putGet(n int) {
	q, x := s.owners[0], &s.gs[0]
	for range n {
		q.put(x)
		q.get()
	}
}

func (s *mutexSubject) putGetNext(n int) {
	q, x := s.owners[0], &s.gs[0]
	for range n {
		q.putNext(x)
		q.get()
	}
}

func (s *mutexSubject) fill(n int) (loot int) {
	for i, q := range s.owners {
		q.clear()
		loot += s.thieves[i].clear()
		for j := range n {
			q.put(&s.gs[j])
		}
	}
	return loot
}

func (s *mutexSubject) steal() (successes int) {
	for i, q := range s.thieves {
		if q.steal(s.owners[i]) != nil {
			successes++
		}
	}
	return successes
}

func (s *mutexSubject) burst(n int) (got int) {
	q := s.owners[0]
	for i := range n {
		q.put(&s.gs[i])
	}
	return q.clear()
}

func (s *mutexSubject) rob() int {
	q := s.thieves[0]
	if q.steal(s.owners[0]) == nil {
		return 0
	}
	return 1 + q.clear()
}

func (q *locked) clear() (n int) {
	for q.get() != nil {
		n++
	}
	return n
}
