package fuzz

import (
	"slices"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// A fault is one thing that a sliceSet does wrong, named by the requirement
// that must fall.
type fault string

// faulty returns sets for one thread, written to be read, with one fault in
// them; without, for "".
func faulty(f fault) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		s := &sliceSet{fault: f, start: o.Start}
		for range o.Ps {
			s.ps = append(s.ps, &sliceP{sliceSet: s, capacity: o.Capacity})
		}
		return s, nil
	}
}

type sliceSet struct {
	fault  fault
	start  uint32
	ps     []*sliceP
	global []record.ID
}

type sliceP struct {
	*sliceSet
	capacity int
	next     record.ID
	ring     []record.ID
}

func (s *sliceSet) P(i int) queue.Queue         { return s.ps[i] }
func (s *sliceSet) GlobalPut(id record.ID)      { s.global = append(s.global, id) }
func (s *sliceSet) GlobalContents() []record.ID { return slices.Clone(s.global) }

func (s *sliceSet) GlobalGet(p, most int) (id record.ID, ok bool) {
	q := s.ps[p]
	n := len(s.global)/len(s.ps) + 1
	if s.fault == "RQ-GLOBAL-BATCH" {
		n-- // the share, rounded down
	}
	n = min(n, most, q.capacity/2, len(s.global))
	if n == 0 {
		return 0, false
	}
	if s.fault == "RQ-GLOBAL-FIFO" {
		slices.Reverse(s.global)
	}
	id = s.global[0]
	rest := slices.Clone(s.global[1:n])
	s.global = s.global[n:]
	q.PutBatch(rest)
	return id, true
}

func (p *sliceP) Cap() int                   { return p.capacity }
func (p *sliceP) Contents() record.PContents { return record.PContents{Runnext: p.next, Ring: p.ring} }

func (p *sliceP) Put(id record.ID) bool {
	if p.fault == "RQ-LOST" && len(p.ring) == 1 {
		return true // and not put
	}
	capacity := p.capacity
	if p.fault == "RQ-CAPACITY" {
		capacity--
	}
	if len(p.ring) < capacity {
		p.ring = append(p.ring, id)
		return true
	}
	half := p.capacity / 2
	batch := append(slices.Clone(p.ring[:half]), id)
	if p.fault == "RQ-OVERFLOW" {
		slices.Reverse(batch)
	}
	p.global = append(p.global, batch...)
	p.ring = slices.Clone(p.ring[half:])
	return true
}

func (p *sliceP) PutNext(id record.ID) bool {
	old := p.next
	p.next = id
	if p.fault == "RQ-RUNNEXT-KICK" && old != 0 {
		p.next, old = old, id
	}
	return old == 0 || p.Put(old)
}

func (p *sliceP) PutBatch(ids []record.ID) int {
	n := min(len(ids), p.capacity-len(p.ring))
	p.ring = append(p.ring, ids[:n]...)
	rest := slices.Clone(ids[n:])
	if p.fault == "RQ-PUT-BATCH" {
		slices.Reverse(rest)
	}
	p.global = append(p.global, rest...)
	return len(ids)
}

func (p *sliceP) Get() (record.ID, bool) {
	id, _, ok := p.GetNext()
	return id, ok
}

func (p *sliceP) GetNext() (id record.ID, next, ok bool) {
	n := len(p.ring)
	switch {
	case p.next != 0 && (p.fault != "RQ-RUNNEXT-FIRST" || n == 0):
		id, p.next = p.next, 0
		return id, true, true
	case n == 0, n == 1 && p.fault == "RQ-GET-NONE":
		return 0, false, false
	case p.fault == "RQ-INVENTED":
		return p.ring[0] + 1<<20, false, true
	case p.fault == "RQ-TWICE":
		return p.ring[0], false, true // and left there
	case p.fault == "RQ-FIFO":
		id, p.ring = p.ring[n-1], p.ring[:n-1]
		return id, false, true
	}
	id, p.ring = p.ring[0], p.ring[1:]
	return id, false, true
}

func (p *sliceP) Steal() (record.ID, bool) { return 0, false } // no thief without a P here

func (p *sliceP) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	to, n := thief.(*sliceP), len(p.ring)
	k := n - n/2
	switch {
	case p.fault == "RQ-STEAL-HALF":
		k = (n + 3) / 4
	case p.fault == "RQ-STEAL-NONE" && n == 1:
		k = 0
	case p.fault == "RQ-STEAL-RUNNEXT":
		next = true
	}
	if k == 0 {
		id := p.next
		if !next || id == 0 || n > 0 {
			return 0, false
		}
		p.next = 0
		return id, true
	}
	loot := slices.Clone(p.ring[:k])
	p.ring = p.ring[k:]
	id, loot := loot[k-1], loot[:k-1]
	switch {
	case p.fault == "RQ-STEAL-ORDER":
		slices.Reverse(loot)
	case p.fault == "RQ-RUNNEXT-OWNER" && len(loot) > 0 && to.next == 0:
		to.next, loot = loot[0], loot[1:]
	}
	to.ring = append(to.ring, loot...)
	return id, true
}

func (p *sliceP) Drain(buf []record.ID) []record.ID {
	if p.next != 0 && p.fault != "RQ-DRAIN" {
		buf = append(buf, p.next)
		p.next = 0
	}
	buf = append(buf, p.ring...)
	p.ring = nil
	return buf
}

func (p *sliceP) Empty() bool {
	switch {
	case p.fault == "RQ-EMPTY-TRUE":
		return len(p.ring) == 0
	case p.fault == "RQ-EMPTY-FALSE", p.fault == "RQ-WRAP" && p.start != 0:
		return false
	}
	return len(p.ring) == 0 && p.next == 0
}

func (p *sliceP) Len() int {
	n := len(p.ring)
	if p.next != 0 && p.fault != "RQ-LEN" {
		n++
	}
	return n
}
