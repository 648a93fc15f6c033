package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

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

// A memoryOrder is what is ordered before what in one execution.
type memoryOrder struct {
	now       [order.MaxThreads]happened // what is ordered before a thread's next access
	objects   []released                 // by location
	byReaders []happened
	cells     order.Table // of Acquire and Release
	kept      []cell
}

// happened says what is ordered before something: by the operations that are steps, and beside it by what code does for itself of which the
// operations are none.
type happened struct {
	order.Clock
	inner  order.Clock
	deep   bool         // inner has something
	tables *order.Clock // by what guards tables of the standard library as well; others may have the same, it is not written
}

// Join makes h the later of h and o, for the first width threads.
func (h *happened) Join(o *happened, width int) {
	h.Clock.Join(&o.Clock, width)
	if o.deep {
		h.inner.Join(&o.inner, width)
		h.deep = true
	}
	if o.tables != nil && o.tables != h.tables {
		h.joinTables(o.tables, width)
	}
}

func (h *happened) joinTables(o *order.Clock, width int) {
	joined := *o
	if h.tables != nil {
		joined.Join(h.tables, width)
	}
	h.tables = &joined
}

// released is what an object passes on.
type released struct {
	happened
	readers int32   // 1 more than the index of what RUnlock has released, to writers only
	words   int32   // in the shadow: see occupy
	at      touched // all operations have touched this
}

type cell struct {
	keep unsafe.Pointer // so that no other cell has its address
	happened
}

func (o *memoryOrder) reset() {
	o.objects, o.byReaders = o.objects[:0], o.byReaders[:0]
	o.cells.Clear()
	clear(o.kept)
	o.kept = o.kept[:0]
}

func (o *memoryOrder) start(t *thread, parent int) {
	c := &o.now[t.ID]
	*c = happened{}
	if parent >= 0 {
		*c = o.now[parent]
		o.now[parent].Clock[parent]++
	}
	c.Clock[t.ID] = 1
}

func (o *memoryOrder) readers(r *released) *happened {
	if r.readers == 0 {
		o.byReaders = append(o.byReaders, happened{})
		r.readers = int32(len(o.byReaders))
	}
	return &o.byReaders[r.readers-1]
}

func (o *memoryOrder) object(loc int32) *released {
	for int(loc) >= len(o.objects) {
		o.objects = append(o.objects, released{})
	}
	return &o.objects[loc]
}

// orderPlain carries the order that an operation makes, and notes the access that
// it is. Like the detector's, the access of an operation that writes comes before
// what it acquires: it has been ordered by something else, or it could have come
// before the plain access that it is checked against.
func (s *scheduler) orderPlain(t *thread, ev *order.Event) {
	p := &s.plain
	touched := p.touched
	p.touched.addr = nil
	if ev.Loc < 0 || ev.Site == counted || ev.On != nil {
		if !s.muted {
			p.epochs = append(p.epochs, 0)
		}
		return
	}
	now := &p.now[t.ID]
	if ev.Kind == object.Load {
		now.Join(&p.object(ev.Loc).happened, s.Width)
	}
	epoch := int32(0)
	if touched.addr != nil && s.failure == nil {
		epoch = now.Clock[t.ID]
		if t.Owner != nil {
			epoch = now.Clock[t.Owner.ID]
		}
		if o := p.object(ev.Loc); s.muted || roleOf(ev) > atomicWrite || !p.occupy(o, ev.Loc, touched) {
			p.note(s, ev.Loc)
			o.words = noted
			p.access(s, touched.addr, touched.size, now, s.accessOf(ev, epoch))
		}
	}
	if !s.muted {
		p.epochs = append(p.epochs, epoch)
	}
	released := releases(ev)
	p.pass(p.object(ev.Loc), now, ev, released, s.Width)
	if released {
		now.Clock[t.ID]++
	}
}

// pass is what an operation acquires and releases.
func (p *memoryOrder) pass(o *released, now *happened, ev *order.Event, released bool, width int) {
	switch ev.Kind {
	case object.Store:
		o.happened = *now
	case object.Swap, object.CompareAndSwap, object.Add, object.And, object.Or:
		now.Join(&o.happened, width)
		if released {
			o.happened = *now
		}
	case object.Lock:
		now.Join(&o.happened, width)
	case object.TryLock:
		if ev.Write {
			now.Join(&o.happened, width)
		}
	case object.RLock:
		now.Join(&o.happened, width)
	case object.TryRLock:
		if ev.Read != ev.Wrote {
			now.Join(&o.happened, width)
		}
	case object.WLock, object.WDrain:
		now.Join(&o.happened, width)
		now.Join(p.readers(o), width)
	case object.TryWLock:
		if ev.Read != ev.Wrote {
			now.Join(&o.happened, width)
			now.Join(p.readers(o), width)
		}
	case object.RUnlock:
		p.readers(o).Join(now, width)
	case object.Wait:
		now.Join(&o.happened, width)
	case object.Unlock, object.WUnlock, object.Count:
		if released {
			o.Join(now, width)
		}
	}
}

// releases reports whether an operation passes on what is before it.
func releases(ev *order.Event) bool {
	switch ev.Kind {
	case object.Store, object.Swap, object.Add, object.And, object.Or, object.Unlock, object.WUnlock, object.RUnlock:
		return true
	case object.CompareAndSwap:
		return ev.Write
	case object.Count:
		return int64(ev.Wrote-ev.Read) < 0
	}
	return false
}

func roleOf(ev *order.Event) role {
	switch {
	case ev.Kind == object.Load:
		return atomicRead
	case ev.Kind == object.Count && ev.Read == 0 && int64(ev.Wrote) > 0:
		return groupAdd
	case ev.Kind == object.Wait:
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
		s.plain.now[s.running.ID].Join(&s.plain.cell(cell).happened, s.Width)
	}
}

// Release orders what the running thread has done before what acquires the cell
// from now on. It takes the place of what was released to it before.
func Release(cell unsafe.Pointer) {
	if PlainAccesses && controlled {
		s := current
		now := &s.plain.now[s.running.ID]
		s.plain.cell(cell).happened = *now
		now.Clock[s.running.ID]++
	}
}

func (o *memoryOrder) cell(addr unsafe.Pointer) *cell {
	i, ok := o.cells.Find(uintptr(addr))
	if !ok {
		i = int32(len(o.kept))
		o.kept = append(o.kept, cell{keep: addr})
		o.cells.Put(uintptr(addr), i)
	}
	return &o.kept[i]
}
