package published

// Waiting returns the programs in which a thread waits in a loop, or looks so many
// times. GenMC counts the executions in which every loop that waits has ended:
// looks in vain that change nothing are one execution that is blocked, and not
// counted.
func Waiting() []Program {
	return []Program{
		{Name: "spinlock 2", Source: GenMC, Count: 4, New: func() []func() { return locking(2, new(spinLock)) }},
		{Name: "ttaslock 2", Source: GenMC, Count: 4, New: func() []func() { return locking(2, new(ttasLock)) }},
		{Name: "ticketlock 2", Source: GenMC, Count: 2, New: func() []func() { return locking(2, new(ticketLock)) }},
		{Name: "peterson", Source: GenMC, Count: 4, New: peterson},
		{Name: "lamport 2", Source: GenMC, Count: 16, New: func() []func() { return lamport(2) }},
		{Name: "szymanski", Source: GenMCHere, Count: 47, New: func() []func() { return szymanski(false) }},
		{Name: "linuxrwlocks 2", Source: GenMC, Count: 14, New: func() []func() { return rwLocks(2) }},
		{Name: "seqlock", Source: GenMC, Count: 2, New: seqlock},
		{Name: "mpmc-queue", Source: GenMC, Count: 3, New: boundedQueue},
		{Name: "doubleloop", Source: GenMC, Count: 4, New: doubleLoop},
		{Name: "fr+w+w+w+reads in a loop", Source: GenMC, Count: 210, New: readsInALoop},
		{Name: "publish 40", Source: GenMC, Count: 42, New: func() []func() { return publish(40) }},
		{Name: "SharedPtr 100", Source: GenMC, Count: 410, New: func() []func() { return sharedPointer(100) }},
		{Name: "spin-counter 4", Source: GenMC, Count: 6, New: func() []func() { return countedLooks(4) }},
	}
}

// Livelock returns a published program that is wrong: Szymanski's algorithm as the
// test suites have it. GenMC counts 6 executions that end and 25 that are blocked,
// among them one in which both threads wait for ever.
func Livelock() Program {
	return Program{Name: "szymanski, polite", Source: GenMC, Count: 6, New: func() []func() { return szymanski(true) }}
}
