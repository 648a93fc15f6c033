package race

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

// memory is what is ordered before what in one execution.
type memory struct {
	now       [order.MaxThreads]Past // what is ordered before a thread's next access
	objects   []released             // by location
	byReaders []Past
	cells     order.Table // of Acquire and Release
	kept      []cell
}

// A Past says what is ordered before something: by the operations that are steps, and beside it by what code does for itself of which the
// operations are none.
type Past struct {
	order.Clock
	inner  order.Clock
	deep   bool         // inner has something
	tables *order.Clock // by what guards tables of the standard library as well; others may have the same, it is not written
}

// Join makes p the later of p and o, for the first width threads.
func (p *Past) Join(o *Past, width int) {
	p.Clock.Join(&o.Clock, width)
	if o.deep {
		p.inner.Join(&o.inner, width)
		p.deep = true
	}
	if o.tables != nil && o.tables != p.tables {
		p.joinTables(o.tables, width)
	}
}

func (p *Past) joinTables(o *order.Clock, width int) {
	joined := *o
	if p.tables != nil {
		joined.Join(p.tables, width)
	}
	p.tables = &joined
}

// released is what an object passes on.
type released struct {
	Past
	readers int32   // 1 more than the index of what RUnlock has released, to writers only
	words   int32   // in the shadow: see occupy
	at      touched // all operations have touched this
}

type cell struct {
	keep unsafe.Pointer // so that no other cell has its address
	Past
}

func (m *memory) reset() {
	m.objects, m.byReaders = m.objects[:0], m.byReaders[:0]
	m.cells.Clear()
	clear(m.kept)
	m.kept = m.kept[:0]
}

// Start says that a thread begins, which another one has started; -1: it was there from the beginning.
func (m *memory) Start(thread, parent int) {
	p := &m.now[thread]
	*p = Past{}
	if parent >= 0 {
		*p = m.now[parent]
		m.now[parent].Clock[parent]++
	}
	p.Clock[thread] = 1
}

// Now is what is ordered before the next access of a thread.
func (m *memory) Now(thread int) *Past { return &m.now[thread] }

// Next has what a thread does from now on not be ordered before who acquires what it has done so far.
func (m *memory) Next(thread int) { m.now[thread].Clock[thread]++ }

func (m *memory) readers(r *released) *Past {
	if r.readers == 0 {
		m.byReaders = append(m.byReaders, Past{})
		r.readers = int32(len(m.byReaders))
	}
	return &m.byReaders[r.readers-1]
}

func (m *memory) object(loc int32) *released {
	for int(loc) >= len(m.objects) {
		m.objects = append(m.objects, released{})
	}
	return &m.objects[loc]
}

// Nothing says that the event that was added last has no part in data races, and orders nothing.
func (d *Detector) Nothing() {
	d.touched.addr = nil
	d.epochs = append(d.epochs, 0)
}

// Operation carries the order that an operation of a thread makes, and notes the access that
// it is. Like the race detector's, the access of an operation that writes comes before
// what it acquires: it has been ordered by something else, or it could have come
// before the plain access that it is checked against.
//
// Step says that it is the event that was added last; else it is none of the execution's. Checked says that races are looked for.
func (d *Detector) Operation(t *order.Thread, ev *order.Event, step, checked bool) {
	touched := d.touched
	d.touched.addr = nil
	now := &d.now[t.ID]
	width := d.x.Width
	if ev.Kind == object.Load {
		now.Join(&d.object(ev.Loc).Past, width)
	}
	epoch := int32(0)
	if touched.addr != nil && checked {
		epoch = now.Clock[t.ID]
		if t.Owner != nil {
			epoch = now.Clock[t.Owner.ID]
		}
		if o := d.object(ev.Loc); !step || roleOf(ev) > AtomicWrite || !d.occupy(o, ev.Loc, touched) {
			d.note(ev.Loc)
			o.words = noted
			d.access(touched.addr, touched.size, now, d.accessOf(ev, epoch))
		}
	}
	if step {
		d.epochs = append(d.epochs, epoch)
	}
	released := releases(ev)
	d.pass(d.object(ev.Loc), now, ev, released, width)
	if released {
		now.Clock[t.ID]++
	}
}

// pass is what an operation acquires and releases.
func (m *memory) pass(o *released, now *Past, ev *order.Event, released bool, width int) {
	switch ev.Kind {
	case object.Store:
		o.Past = *now
	case object.Swap, object.CompareAndSwap, object.Add, object.And, object.Or:
		now.Join(&o.Past, width)
		if released {
			o.Past = *now
		}
	case object.Lock:
		now.Join(&o.Past, width)
	case object.TryLock:
		if ev.Write {
			now.Join(&o.Past, width)
		}
	case object.RLock:
		now.Join(&o.Past, width)
	case object.TryRLock:
		if ev.Read != ev.Wrote {
			now.Join(&o.Past, width)
		}
	case object.WLock, object.WDrain:
		now.Join(&o.Past, width)
		now.Join(m.readers(o), width)
	case object.TryWLock:
		if ev.Read != ev.Wrote {
			now.Join(&o.Past, width)
			now.Join(m.readers(o), width)
		}
	case object.RUnlock:
		m.readers(o).Join(now, width)
	case object.Wait:
		now.Join(&o.Past, width)
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

func roleOf(ev *order.Event) Role {
	switch {
	case ev.Kind == object.Load:
		return AtomicRead
	case ev.Kind == object.Count && ev.Read == 0 && int64(ev.Wrote) > 0:
		return GroupAdd
	case ev.Kind == object.Wait:
		return GroupWait
	}
	return AtomicWrite
}

// Acquire orders what was released to the cell before what the thread
// does next, for operations on a part of an object: a key of a Map, a value in a
// Pool, a thread that waits for a Cond. A cell is any address that has no other
// use. It is no operation itself.
func (d *Detector) Acquire(thread int, cell unsafe.Pointer) {
	d.now[thread].Join(&d.cell(cell).Past, d.x.Width)
}

// Release orders what the thread has done before what acquires the cell
// from now on. It takes the place of what was released to it before.
func (d *Detector) Release(thread int, cell unsafe.Pointer) {
	now := &d.now[thread]
	d.cell(cell).Past = *now
	now.Clock[thread]++
}

func (m *memory) cell(addr unsafe.Pointer) *cell {
	i, ok := m.cells.Find(uintptr(addr))
	if !ok {
		i = int32(len(m.kept))
		m.kept = append(m.kept, cell{keep: addr})
		m.cells.Put(uintptr(addr), i)
	}
	return &m.kept[i]
}

// Inside is an operation of a thread on a word that code makes for itself, and that is no step. Table says that it guards a table of the standard library: then it orders
// nothing but accesses of that. Releases says that it does not only acquire.
func (d *Detector) Inside(thread int, word unsafe.Pointer, table, releases bool) {
	width := d.x.Width
	now, passed := &d.now[thread], d.cell(unsafe.Add(word, 1)) // words of steps have no odd address
	if table {
		now.joinTables(&passed.Clock, width)
		now.joinTables(&passed.inner, width)
	} else {
		now.inner.Join(&passed.Clock, width)
		now.inner.Join(&passed.inner, width)
		now.deep = true
	}
	if passed.tables != nil {
		now.joinTables(passed.tables, width)
	}
	if releases {
		passed.Past = *now
		now.Clock[thread]++
	}
}
