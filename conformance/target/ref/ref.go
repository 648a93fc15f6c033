// Package ref makes the reference ring of impl/runq a target.
//
//interleave:off
package ref

import (
	"fmt"
	"sync"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/spec/record"
)

// New is the queue.Factory of the reference.
func New(o queue.Options) (queue.Set, error) {
	if c := o.Capacity; c != 0 && (c < 2 || c > 1<<16 || c&(c-1) != 0) {
		return nil, fmt.Errorf("ref: capacity: expected a power of two from 2 to 65536, saw %d", c)
	}
	s := &set{global: new(runq.Global)}
	for i := range o.Ps {
		p := runq.NewP(s.global, runq.Config{Capacity: o.Capacity, Start: o.Start})
		s.ps = append(s.ps, &P{P: p, set: s, index: i, start: o.Start})
	}
	return s, nil
}

type set struct {
	global *runq.Global
	ps     []*P
	given  sync.Map // what a thief without a P gave to the global queue, by the id that it kept
}

func (s *set) P(i int) queue.Queue { return s.ps[i] }

func (s *set) GlobalPut(id record.ID) {
	s.global.LockPut(&runq.G{ID: id})
}

// GlobalGet takes a batch as findRunnable does: at most half a ring, the first
// to run and the others to the ring. What does not fit goes back to the tail of
// the global queue, as a batch put's rest does; findRunnable's ring is empty.
func (s *set) GlobalGet(p, most int) (record.ID, bool) {
	own := s.ps[p]
	own.before()
	g, rest := s.global.LockGetBatch(min(most, own.Cap()/2), len(s.ps))
	if g == nil {
		return 0, false
	}
	own.P.PutBatch(&rest)
	own.back = appendIDs(own.back[:0], &rest)
	s.global.LockPutBatch(&rest)
	own.kind = record.GlobalGet
	return g.ID, true
}

func (s *set) GlobalContents() []record.ID {
	s.global.Lock()
	defer s.global.Unlock()
	var ids []record.ID
	for g := range s.global.All {
		ids = append(ids, g.ID)
	}
	return ids
}

// P is one queue of the reference.
type P struct {
	*runq.P
	set   *set
	index int
	start uint32

	// What the owner knew before its last call, for Moved.
	kind record.Kind
	tail uint32
	old  *runq.G
	id   record.ID
	from int
	full bool
	back []record.ID // what a batch put or a global get gave to the global queue, having no room
	buf  []record.ID

	slab []runq.G // Gs not used yet
}

// g makes a G. They are allocated many at a time, so that a put is mostly a put.
func (p *P) g(id record.ID) *runq.G {
	if len(p.slab) == 0 {
		p.slab = make([]runq.G, 512)
	}
	g := &p.slab[0]
	p.slab = p.slab[1:]
	g.ID = id
	return g
}

var (
	_ queue.RunNext      = (*P)(nil)
	_ queue.BatchStealer = (*P)(nil)
	_ queue.BatchPutter  = (*P)(nil)
	_ queue.Drainer      = (*P)(nil)
	_ queue.Sized        = (*P)(nil)
	_ queue.Bounded      = (*P)(nil)
	_ queue.Mover        = (*P)(nil)
	_ queue.StealMover   = (*P)(nil)
	_ queue.Shower       = (*P)(nil)
	_ queue.Starter      = (*P)(nil)
)

func (p *P) before() {
	head, tail := p.Indices()
	p.kind, p.tail, p.full = 0, tail, tail-head == uint32(p.Cap())
}

// Put puts id in the ring.
func (p *P) Put(id record.ID) bool {
	p.before()
	p.kind, p.id = record.Put, id
	p.P.Put(p.g(id), false)
	return true
}

// PutNext puts id in runnext.
func (p *P) PutNext(id record.ID) bool {
	p.before()
	p.kind, p.id, p.old = record.PutNext, id, p.Next()
	p.P.Put(p.g(id), true)
	return true
}

// PutBatch puts what fits in the ring and the rest on the global queue, as
// injectglist does.
func (p *P) PutBatch(ids []record.ID) int {
	p.before()
	var q runq.List
	for _, id := range ids {
		q.PushBack(p.g(id))
	}
	p.P.PutBatch(&q)
	p.kind, p.back = record.PutBatch, appendIDs(p.back[:0], &q)
	p.set.global.LockPutBatch(&q)
	return len(ids)
}

// Get takes runnext or the oldest.
func (p *P) Get() (record.ID, bool) {
	id, _, ok := p.GetNext()
	return id, ok
}

// GetNext is Get and says whether the G came from runnext.
func (p *P) GetNext() (id record.ID, next, ok bool) {
	p.kind = 0
	g, next := p.P.Get()
	if g == nil {
		return 0, false, false
	}
	return g.ID, next, true
}

// StealInto steals half for thief.
func (p *P) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	t := thief.(*P)
	t.before()
	t.from = p.index
	g := t.P.Steal(p.P, next)
	if g == nil {
		return 0, false
	}
	t.kind = record.Steal
	return g.ID, true
}

// Steal steals for a thief without a P: it keeps one and gives the rest of the
// half to the global queue.
func (p *P) Steal() (record.ID, bool) {
	thief := runq.NewP(p.set.global, runq.Config{Capacity: p.Cap()})
	g := thief.Steal(p.P, false)
	if g == nil {
		return 0, false
	}
	rest := thief.Drain()
	if !rest.Empty() {
		p.set.given.Store(g.ID, appendIDs(nil, &rest))
	}
	p.set.global.LockPutBatch(&rest)
	return g.ID, true
}

// StealMoved says where the rest of a Steal went.
func (p *P) StealMoved(id record.ID, move func(from, to record.Place, ids ...record.ID)) {
	if ids, ok := p.set.given.LoadAndDelete(id); ok {
		move(record.Place{Object: record.Ring, P: p.index}, record.Place{Object: record.Global, P: record.None}, ids.([]record.ID)...)
	}
}

func appendIDs(ids []record.ID, q *runq.List) []record.ID {
	for g := range q.All {
		ids = append(ids, g.ID)
	}
	return ids
}

// Drain takes everything.
func (p *P) Drain(buf []record.ID) []record.ID {
	p.kind = 0
	q := p.P.Drain()
	return appendIDs(buf, &q)
}

// StartsAt returns the first value of the indices.
func (p *P) StartsAt() uint32 { return p.start }

// Contents shows the queue.
func (p *P) Contents() record.PContents {
	var c record.PContents
	if g := p.Next(); g != nil {
		c.Runnext = g.ID
	}
	head, tail := p.Indices()
	for i := head; i != tail; i++ {
		if g := p.At(i); g != nil {
			c.Ring = append(c.Ring, g.ID)
		} else {
			c.Ring = append(c.Ring, 0)
		}
	}
	return c
}

// Moved derives what the owner's last call moved from what it alone writes: its
// tail, and its slots, which keep their Gs until it writes over them.
func (p *P) Moved(move func(from, to record.Place, ids ...record.ID)) {
	ring := record.Place{Object: record.Ring, P: p.index}
	slot := record.Place{Object: record.Runnext, P: p.index}
	global := record.Place{Object: record.Global, P: record.None}
	_, tail := p.Indices()
	switch p.kind {
	case record.Put:
		if tail == p.tail { // not put in the ring, so the ring overflowed
			move(ring, global, p.slots(p.tail-uint32(p.Cap()), p.Cap()/2)...)
		}
	case record.PutNext:
		switch {
		case p.old == nil:
		case tail != p.tail:
			move(slot, ring, p.old.ID)
		case p.full && p.Overflowed() == p.old: // a G is in runnext once at most
			move(ring, global, p.slots(p.tail-uint32(p.Cap()), p.Cap()/2)...)
			move(slot, global, p.old.ID)
		}
		// else a thief took runnext before the swap
	case record.PutBatch:
		if len(p.back) > 0 {
			move(ring, global, p.back...)
		}
	case record.Steal:
		if tail != p.tail {
			from := record.Place{Object: record.Ring, P: p.from}
			move(from, ring, p.slots(p.tail, int(tail-p.tail))...)
		}
	case record.GlobalGet:
		if tail != p.tail {
			move(global, ring, p.slots(p.tail, int(tail-p.tail))...)
		}
		if len(p.back) > 0 {
			move(global, global, p.back...)
		}
	}
	p.kind, p.old = 0, nil
}

func (p *P) slots(from uint32, n int) []record.ID {
	p.buf = p.buf[:0]
	for i := range n {
		id := record.ID(0)
		if g := p.At(from + uint32(i)); g != nil {
			id = g.ID
		}
		p.buf = append(p.buf, id)
	}
	return p.buf
}
