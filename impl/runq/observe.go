package runq

// What follows lets an owner, or anyone while nobody is at work, look at the
// queue without changing it. No operation of the queue uses it.

// Indices returns the free-running indices.
func (p *P) Indices() (head, tail uint32) {
	head = p.head.Load() //interleave:invisible observation
	tail = p.tail.Load() //interleave:invisible observation
	return head, tail
}

// At returns the G in the slot of index i, also one that has been taken since
// and not been overwritten.
func (p *P) At(i uint32) *G {
	ref := p.slot(i).Load() //interleave:invisible observation
	return p.g(ref)
}

// Next returns the G in runnext, or nil.
func (p *P) Next() *G {
	ref := p.next.Load() //interleave:invisible observation
	return p.g(ref)
}

// Overflowed returns the G for which the last overflow found no room, or nil if there
// was none. Of a queue that randomises it is any of those that were moved. Owner
// only.
func (p *P) Overflowed() *G {
	ref := p.batch[len(p.batch)-1]
	if ref == 0 {
		return nil
	}
	return p.g(ref)
}
