package runq

import "sync/atomic"

// grab copies the older half of p's ring, rounded up, into batch from index
// batchHead on, and takes it. It returns how many Gs it took. With stealNext it
// takes the G in runnext if the ring is empty. Anyone may call it. (runqgrab)
func (p *P) grab(batch []atomic.Uint32, batchHead uint32, stealNext bool) uint32 {
	mask := uint32(len(batch) - 1)
	for {
		h := p.head.Load() // RunQueue!GrabLoadHead
		t := p.tail.Load() // RunQueue!GrabLoadTail
		n := t - h
		n -= n / 2
		if n == 0 {
			if !stealNext {
				return 0
			}
			next := p.next.Load() // RunQueue!GrabLoadNext
			if next == 0 {
				return 0
			}
			if p.config.BeforeStealNext != nil {
				p.config.BeforeStealNext(p)
			}
			if !p.next.CompareAndSwap(next, 0) { // RunQueue!GrabCASNext
				continue
			}
			batch[batchHead&mask].Store(next) // with RunQueue!GrabCASNext: the thief's own slot, not published
			return 1
		}
		if n > uint32(len(p.slots)/2) { // head and tail are not of one moment
			continue
		}
		for i := range n {
			ref := p.slot(h + i).Load()          // RunQueue!GrabCopySlot
			batch[(batchHead+i)&mask].Store(ref) // with RunQueue!GrabCopySlot: the thief's own slot, not published
		}
		if p.head.CompareAndSwap(h, h+n) { // RunQueue!GrabCASHead
			return n
		}
	}
}

// Steal takes half of victim's ring, and its runnext if stealNext is set and
// the ring is empty. The newest of the Gs taken is returned, the others are put
// in p's ring in order. Nil means that victim's ring was seen empty and, if
// stealNext is set, that runnext was seen empty later: not that both were empty
// at once. Called by p's owner, whose ring must have room for half of victim's.
// Both rings must have the same length. (runqsteal)
func (p *P) Steal(victim *P, stealNext bool) *G {
	t := p.tail.Load() // with RunQueue!GrabLoadHead: only the owner writes tail
	n := victim.grab(p.slots, t, stealNext)
	if n == 0 {
		return nil
	}
	n--
	ref := p.slot(t + n).Load() // with RunQueue!GrabCASHead: the thief's own slot, not published
	g := p.g(ref)
	if n == 0 {
		return g
	}
	h := p.head.Load() // RunQueue!StealLoadHead
	if t-h+n >= uint32(len(p.slots)) {
		panic("runq: Steal into a ring without room")
	}
	p.tail.Store(t + n) // RunQueue!StealStoreTail
	return g
}

// Empty reports whether the queue was empty, ring and runnext both, at one
// moment of the call. It says nothing of the moment after, nor of Gs that are
// in somebody's hands: kicked and not yet put, stolen and not yet published.
// (runqempty)
func (p *P) Empty() bool {
	// Seeing head equal to tail and then runnext empty is not enough: in
	// between, the owner may have kicked runnext into the ring and taken the
	// new one. A put moves tail, so an unmoved tail rules that out.
	for {
		head := p.head.Load()      // RunQueue!EmptyLoadHead
		tail := p.tail.Load()      // RunQueue!EmptyLoadTail
		next := p.next.Load()      // RunQueue!EmptyLoadNext
		if tail == p.tail.Load() { // RunQueue!EmptyReloadTail
			return head == tail && next == 0
		}
	}
}

// Len returns the number of Gs in the ring and in runnext. It is exact while
// nobody else is at work, and else only somewhere near.
func (p *P) Len() int {
	h := p.head.Load() // RunQueue!LenLoadHead
	t := p.tail.Load() // RunQueue!LenLoadTail
	n := int(t - h)
	if n > len(p.slots) { // not of one moment
		n = len(p.slots)
	}
	if p.next.Load() != 0 { // RunQueue!LenLoadNext
		n++
	}
	return n
}
