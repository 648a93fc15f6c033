package engine

import "unsafe"

// A clock counts, by thread, the events that happen before something in the
// sense of partial-order reduction: same thread, or conflicting operations on
// one object. (The clocks of data races are others: see plain.go.)
type clock [MaxThreads]int32

// An event is an operation that was carried out.
type event struct {
	thread  uint8
	kind    Kind
	write   bool // it wrote: a CompareAndSwap that failed is a read
	pointer bool
	waits   bool // it is of a kind that may have to wait
	own     bool // a load of what is in its thread's own buffer
	ord     int32
	alone   int32 // of one that waits: index into scheduler.alone
	prev    int32 // the thread's event before, or -1
	loc     int32
	site    Site
	read    uint64
	wrote   uint64
	// What a CompareAndSwap compares with, if compares is set.
	expected uint64
	compares bool
}

// A location is an object that operations are on.
type location struct {
	addr  unsafe.Pointer // keeps it from being used again while the execution lasts
	write int32          // the last event that wrote, or -1
	reads []int32        // the events that read since
	all   []int32        // all events, where some may have to wait
	// A read lock was given back by a thread that did not hold one: see lends.
	lent bool
	// What it was when it was first seen: see Peek.
	held, readers, count int
}

var mayWrite = [Fence + 1]bool{
	Store: true, Swap: true, CompareAndSwap: true, Add: true, And: true, Or: true,
	Lock: true, TryLock: true, Unlock: true,
	RUnlock: true, WLock: true, WDrain: true, TryWLock: true, WUnlock: true,
	Enqueue: true, Signal: true, Broadcast: true,
	Count: true, MapWrite: true, PoolGet: true, PoolPut: true,
}

// writes are the kinds that conflict with all others on their object, whatever
// they changed.
var writes = [Fence + 1]bool{
	Lock: true, Unlock: true, WLock: true, WDrain: true, WUnlock: true, TryWLock: true,
	Enqueue: true, Signal: true, Broadcast: true, Count: true,
}

// lock reports whether k is of an object of package sync whose operations may
// have to wait.
func (k Kind) lock() bool { return k >= Lock && k <= Wait }

// locate returns the index of the object at addr, a new one if it was not seen
// in this execution. Objects are numbered in the order in which they are
// announced, which is the same in all executions that begin alike.
func (s *scheduler) locate(addr unsafe.Pointer) int32 {
	if i, ok := s.table.find(uintptr(addr)); ok {
		return i
	}
	i := int32(len(s.locs))
	if len(s.locs) < cap(s.locs) {
		s.locs = s.locs[:i+1]
		l := &s.locs[i]
		l.addr, l.write, l.reads, l.all, l.held = addr, -1, l.reads[:0], l.all[:0], 0
		l.readers, l.count, l.lent = 0, 0, false
	} else {
		s.locs = append(s.locs, location{addr: addr, write: -1})
	}
	s.table.put(uintptr(addr), i)
	return i
}

func end(read, wrote uint64, changed, pointer bool) {
	s := current
	if s.muted {
		s.unmute(read, wrote, changed)
		return
	}
	s.record(s.running, read, wrote, changed, pointer)
}

// record adds the operation that t has announced to the events.
func (s *scheduler) record(t *thread, read, wrote uint64, changed, pointer bool) {
	o := &t.op
	i := len(s.events)
	if i < cap(s.events) {
		s.events = s.events[:i+1]
	} else {
		s.events = append(s.events, event{})
	}
	ev := &s.events[i]
	old := *ev
	ev.thread, ev.kind, ev.write, ev.pointer, ev.waits = uint8(t.id), o.kind, o.write && (changed || writes[o.kind]), pointer, o.ready != nil
	ev.ord, ev.prev, ev.loc, ev.site, ev.read, ev.wrote = t.count+1, t.last, o.loc, o.site, read, wrote
	ev.expected, ev.compares, ev.own = s.expected, s.compares, s.forwarded
	s.compares, s.forwarded = false, false
	if o.kind == RUnlock {
		ev.write = s.lends(t, ev)
	}
	if i < s.known && differs(&old, ev) {
		s.unsteady(i, old, *ev)
	}
	t.count++
	t.last = int32(i)
	if s.clocked {
		if o.loc >= 0 {
			s.order(t, ev, int32(i))
		}
		t.clock[t.id] = t.count
		if i < len(s.clocks) {
			s.clocks[i] = t.clock
		} else {
			s.clocks = append(s.clocks, t.clock)
		}
	} else if o.loc >= 0 && o.kind.lock() {
		l := &s.locs[o.loc]
		l.all = append(l.all, int32(i))
	}
	if s.pcs != nil {
		s.pcs = append(s.pcs, callerOf(o.site))
	}
	if changed && (read != wrote || o.kind.lock()) {
		s.changed = true
	}
	s.chain(int32(i), o.loc)
	if len(t.loop.stack) == 0 && !s.coda.toEnd {
		s.coda.moved = true
	}
	if !marked(o.site) {
		t.repetition.note(ev, s.looks)
	}
	if PlainAccesses {
		s.orderPlain(t, ev)
	}
}

// lends reports whether ev, a thread's RUnlock, may give back a lock that another
// thread took. Then it comes after what the other did, or fails, and it is taken for
// a write. A thread that gives back its own leaves other readers as they were. Once
// somebody's lock was given back by another, nobody knows whose is whose.
func (s *scheduler) lends(t *thread, ev *event) bool {
	l := &s.locs[ev.loc]
	own := 0
	for _, x := range l.all {
		if e := &s.events[x]; int(e.thread) == t.id && e.wrote != e.read {
			switch e.kind {
			case RLock, TryRLock:
				own++
			case RUnlock:
				own--
			}
		}
	}
	if own <= 0 {
		l.lent = true
	}
	return l.lent
}

// order puts the event among those on its object: what conflicts with it and
// came before happens before it.
func (s *scheduler) order(t *thread, ev *event, i int32) {
	l := &s.locs[ev.loc]
	pairs := s.pairs
	if pairs && ev.waits {
		ev.alone = int32(len(s.alone))
		s.alone = append(s.alone, t.clock)
		s.racesOfWaiting(&t.clock, ev, i, i, l)
		pairs = false
	}
	if ev.kind.lock() {
		l.all = append(l.all, i)
	}
	if !ev.write {
		if l.write >= 0 {
			s.after(t, l.write, i, pairs)
		}
		l.reads = append(l.reads, i)
		return
	}
	if len(l.reads) == 0 {
		if l.write >= 0 {
			s.after(t, l.write, i, pairs)
		}
	} else {
		if pairs && len(l.reads) > 1 {
			s.racesOfWrite(t, i, l)
			pairs = false
		}
		for _, r := range l.reads {
			s.after(t, r, i, pairs)
		}
		l.reads = l.reads[:0]
	}
	l.write = i
}

// after notes that event x happens before event i of t, which is about to be
// made, and if pairs is set that the two race.
func (s *scheduler) after(t *thread, x, i int32, pairs bool) {
	e := &s.events[x]
	if t.clock[e.thread] >= e.ord {
		return
	}
	if pairs {
		s.races = append(s.races, race{x, i})
	}
	t.clock.join(&s.clocks[x], s.width)
}

// racesOfWaiting notes the races of an operation that may have to wait, with
// those before it that it could do without: feasible says which.
func (s *scheduler) racesOfWaiting(before *clock, ev *event, i, limit int32, l *location) {
	from := len(s.races)
next:
	for n := len(l.all) - 1; n >= 0; n-- {
		x := l.all[n]
		e := &s.events[x]
		if x >= limit || e.thread == ev.thread || before[e.thread] >= e.ord || !e.write && !ev.write {
			continue
		}
		for _, r := range s.races[from:] {
			if s.before(x, r.first) {
				continue next
			}
		}
		if s.feasible(l, x, limit, ev.kind, ev.thread) {
			s.races = append(s.races, race{x, i})
		}
	}
}

// A waiter is a thread that was at an operation which it could not carry out
// when nobody else could go on.
type waiter struct {
	event event // as if
	clock clock
	at    int32 // how many events there were
}

// noteWaiters notes who waits, at the end or when threads are let go.
func (s *scheduler) noteWaiters() {
	if !s.pairs {
		return
	}
	for _, t := range s.threads {
		if o := &t.op; !t.done && o.ready != nil && !t.loop.held {
			w := waiter{event{thread: uint8(t.id), kind: o.kind, write: o.write, waits: true, ord: t.count + 1, prev: t.last, loc: o.loc, site: o.site}, t.clock, int32(len(s.events))}
			if o.drain && t.flusher != nil {
				w.clock.join(&t.flusher.clock, s.width) // it comes after what its thread has stored
			}
			w.event.alone = int32(len(s.alone))
			s.alone = append(s.alone, w.clock)
			w.clock[t.id] = t.count + 1
			s.waiters = append(s.waiters, w)
		}
	}
}

// waitingRaces notes the races of those who waited: what they could not do may
// be possible earlier. Their operations are put behind the events.
func (s *scheduler) waitingRaces() {
	for i := range s.waiters {
		w := &s.waiters[i]
		n := int32(len(s.events))
		s.events = append(s.events, w.event)
		s.clocks = append(s.clocks[:n], w.clock)
		s.racesOfWaiting(&w.clock, &w.event, n, w.at, &s.locs[w.event.loc])
	}
}

// racesOfWrite notes the races of a write with several reads: those that no
// other of them comes after.
func (s *scheduler) racesOfWrite(t *thread, i int32, l *location) {
next:
	for n, x := range l.reads {
		e := &s.events[x]
		if t.clock[e.thread] >= e.ord {
			continue
		}
		for _, y := range l.reads[n+1:] {
			if s.clocks[y][e.thread] >= e.ord && int(s.events[y].thread) != t.id {
				continue next
			}
		}
		s.races = append(s.races, race{x, i})
	}
}

// join makes c the later of c and o, for the first width threads.
func (c *clock) join(o *clock, width int) {
	to, from := c[:width], o[:width]
	for i := range to {
		to[i] = max(to[i], from[i])
	}
}

// before reports whether event x happens before event y or is it.
func (s *scheduler) before(x, y int32) bool {
	e := &s.events[x]
	return s.clocks[y][e.thread] >= e.ord
}

// differs reports whether two runs of one schedule did different things.
func differs(a, b *event) bool {
	if a.thread != b.thread || a.kind != b.kind || a.loc != b.loc || a.site != b.site || a.write != b.write {
		return true
	}
	return !a.pointer && (a.read != b.read || a.wrote != b.wrote)
}
