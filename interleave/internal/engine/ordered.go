package engine

import "unsafe"

// The order of plain accesses: the happens-before relation of the Go memory model
// and of the documentation of package sync. Where these leave room, it is what
// the race detector of Go makes of it.
//
// It is not the order of the reduction. That a load came before a store makes two
// executions different, and orders nothing for the program.
//
//	operation                  acquires from                   releases to
//	Load, CAS that failed      who wrote what it reads         -
//	Store                      -                               who reads it
//	Swap, CAS, Add, And, Or    who wrote what it reads         who reads it
//	Lock, TryLock              every Unlock before             -
//	RLock, TryRLock            every Unlock of a writer        -
//	Lock of a RWMutex          every Unlock and RUnlock        -
//	Unlock                     -                               every later lock
//	RUnlock                    -                               every later Lock of a writer
//	Add of less than 0, Done   -                               every later Wait
//	Wait of a WaitGroup        every Add of less than 0        -
//	Signal, Broadcast          -                               the Waits that they end
//	Map, Pool                  see Acquire and Release: by key and value
//	go                         -                               the new thread
//
// A try that failed orders nothing. Once is made of a word and a Mutex.

// An order is what is ordered before what in one execution.
type order struct {
	now       [MaxThreads]clock // what is ordered before a thread's next access
	objects   []released        // by location
	byReaders []clock
	cells     addressTable // of Acquire and Release
	kept      []cell
}

// released is what an object passes on.
type released struct {
	clock
	readers int32 // 1 more than the index of what RUnlock has released, to writers only
	shadow  int32 // 1 more than the index of its word's shadow, if it is of one word
}

type cell struct {
	keep unsafe.Pointer // so that no other cell has its address
	clock
}

func (o *order) reset() {
	o.objects, o.byReaders = o.objects[:0], o.byReaders[:0]
	o.cells.clear()
	clear(o.kept)
	o.kept = o.kept[:0]
}

func (o *order) start(t *thread, parent int) {
	c := &o.now[t.id]
	*c = clock{}
	if parent >= 0 {
		*c = o.now[parent]
		o.now[parent][parent]++
	}
	c[t.id] = 1
}

func (o *order) readers(r *released) *clock {
	if r.readers == 0 {
		o.byReaders = append(o.byReaders, clock{})
		r.readers = int32(len(o.byReaders))
	}
	return &o.byReaders[r.readers-1]
}

func (o *order) object(loc int32) *released {
	for int(loc) >= len(o.objects) {
		o.objects = append(o.objects, released{})
	}
	return &o.objects[loc]
}

// orderPlain carries the order that an operation makes, and notes the access that
// it is. Like the detector's, the access of an operation that writes comes before
// what it acquires: it has been ordered by something else, or it could have come
// before the plain access that it is checked against.
func (s *scheduler) orderPlain(t *thread, ev *event) {
	p := &s.plain
	touched := p.touched
	p.touched.addr = nil
	if ev.loc < 0 {
		return
	}
	now := &p.now[t.id]
	if ev.kind == Load {
		now.join(&p.object(ev.loc).clock, s.width)
	}
	if touched.addr != nil && s.failure == nil {
		mine := access{thread: uint8(t.id), role: roleOf(ev), kind: ev.kind, loc: ev.loc, epoch: int32(now[t.id]), site: ev.site}
		if t.owner != nil { // a buffer: the access is that of its thread, when it stored
			mine.thread, mine.epoch = uint8(t.owner.id), int32(now[t.owner.id])
		}
		p.touch(s, touched, now, mine)
	}
	released := releases(ev)
	p.pass(p.object(ev.loc), now, ev, released, s.width)
	if released {
		now[t.id]++
	}
}

// touch is access by an operation. Most are of one word, the same each time.
func (p *plainState) touch(s *scheduler, at touched, now *clock, mine access) {
	first := uintptr(at.addr)
	last := first + at.size - 1
	if first>>3 != last>>3 || len(p.stretches) > 0 {
		p.access(s, at.addr, at.size, now, mine)
		return
	}
	o := p.object(mine.loc)
	if o.shadow == 0 {
		o.shadow = p.shadow(at.addr, first>>3) + 1
	}
	mine.bytes = bytesOf(first>>3, first, last)
	p.check(s, o.shadow-1, now, mine)
}

// pass is what an operation acquires and releases.
func (p *order) pass(o *released, now *clock, ev *event, released bool, width int) {
	switch ev.kind {
	case Store:
		o.clock = *now
	case Swap, CompareAndSwap, Add, And, Or:
		now.join(&o.clock, width)
		if released {
			o.clock = *now
		}
	case Lock:
		now.join(&o.clock, width)
	case TryLock:
		if ev.write {
			now.join(&o.clock, width)
		}
	case RLock:
		now.join(&o.clock, width)
	case TryRLock:
		if ev.read != ev.wrote {
			now.join(&o.clock, width)
		}
	case WLock, WDrain:
		now.join(&o.clock, width)
		now.join(p.readers(o), width)
	case TryWLock:
		if ev.read != ev.wrote {
			now.join(&o.clock, width)
			now.join(p.readers(o), width)
		}
	case RUnlock:
		p.readers(o).join(now, width)
	case Wait:
		now.join(&o.clock, width)
	case Unlock, WUnlock, Count:
		if released {
			o.join(now, width)
		}
	}
}

// releases reports whether an operation passes on what is before it.
func releases(ev *event) bool {
	switch ev.kind {
	case Store, Swap, Add, And, Or, Unlock, WUnlock, RUnlock:
		return true
	case CompareAndSwap:
		return ev.write
	case Count:
		return int64(ev.wrote-ev.read) < 0
	}
	return false
}

func roleOf(ev *event) role {
	switch {
	case ev.kind == Load:
		return atomicRead
	case ev.kind == Count && ev.read == 0 && int64(ev.wrote) > 0:
		return groupAdd
	case ev.kind == Wait:
		return groupWait
	}
	return atomicWrite
}

// Acquire orders what was released to the cell before what the running thread
// does next, for operations on a part of an object: a key of a Map, a value in a
// Pool, a thread that waits for a Cond. A cell is any address that has no other
// use; it is called between Begin and End. It is no operation itself.
func Acquire(cell unsafe.Pointer) {
	if PlainAccesses && controlled {
		s := current
		s.plain.now[s.running.id].join(&s.plain.cell(cell).clock, s.width)
	}
}

// Release orders what the running thread has done before what acquires the cell
// from now on. It takes the place of what was released to it before.
func Release(cell unsafe.Pointer) {
	if PlainAccesses && controlled {
		s := current
		now := &s.plain.now[s.running.id]
		s.plain.cell(cell).clock = *now
		now[s.running.id]++
	}
}

func (o *order) cell(addr unsafe.Pointer) *cell {
	i, ok := o.cells.find(uintptr(addr))
	if !ok {
		i = int32(len(o.kept))
		o.kept = append(o.kept, cell{keep: addr})
		o.cells.put(uintptr(addr), i)
	}
	return &o.kept[i]
}
