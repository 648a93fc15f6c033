package structures

import "sync/atomic"

// A TicketLock serves those who wait in the order in which they came
// (Mellor-Crummey and Scott, Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors, TOCS 1991).
type TicketLock struct {
	next, serving atomic.Uint32
	flaw          Flaw
}

// Flaws of a TicketLock.
const (
	// SameTicket draws a ticket by a load and a store, so that two may have the
	// same.
	SameTicket Flaw = "a ticket drawn by a load and a store"
	// ServesNobody serves the ticket that is still to be drawn, which is right
	// only if nobody waits.
	ServesNobody Flaw = "a ticket served that nobody has"
)

// NewTicketLock makes a lock that is free.
func NewTicketLock(flaw Flaw) *TicketLock { return &TicketLock{flaw: flaw} }

// Lock waits for its turn.
func (l *TicketLock) Lock() {
	var mine uint32
	if l.flaw == SameTicket {
		mine = l.next.Load()
		l.next.Store(mine + 1)
	} else {
		mine = l.next.Add(1) - 1
	}
	for l.serving.Load() != mine {
	}
}

// Unlock lets the next in.
func (l *TicketLock) Unlock() {
	if l.flaw == ServesNobody {
		l.serving.Store(l.next.Load())
		return
	}
	l.serving.Add(1)
}
