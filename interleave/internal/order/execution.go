// Package order says of an execution what happens before what: its events, the
// order that the reduction goes by (same thread, or conflicting operations on one
// object), the races in it, and its class. It is pure data: it knows of no
// goroutine, and of nobody who chooses. (The order of the Go memory model, by which
// plain accesses race, is another: see package race.)
package order

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Site is a place in the source that makes an operation: a number that the
// instrumented code passes. 0 is unknown.
type Site uint32

// An Event is an operation that was carried out.
type Event struct {
	object.Op
	Waits  bool  // it is of a kind that may have to wait
	Ord    int32 // of its thread's events, from 1
	Prev   int32 // the thread's event before, or -1
	Before int32 // the event before on its object, or -1
	Past   int32 // the last event that happens before it, or -1
	Loc    int32 // index of its object, or -1
	Site   Site
	alone  int32 // of one that waits: index into Execution.alone
}

// An Object is what operations are on.
type Object struct {
	Addr  unsafe.Pointer // keeps it from being used again while the execution lasts
	All   []int32        // all events, where some may have to wait
	First object.State   // what it was when it was first seen
	Last  int32          // its last event, or -1
	write int32          // the last event that wrote, or -1
	reads []int32        // the events that read since
	parts []int32        // of channels: by part, the last event that touched it, or -1
	lent  bool           // a read lock was given back by a thread that did not hold one: see lends
}

// A Next is an operation that a thread has announced.
type Next struct {
	Kind  object.Kind
	Write bool // it may write
	Waits bool // it may have to wait
	Site  Site
	Loc   int32 // index of its object, or -1
}

// A Thread is what the order needs to know of one.
type Thread struct {
	ID     int
	Parent int     // who made it; -1: nobody, it was there from the beginning
	Nth    int     // of its parent, from 0; a buffer is -1
	Born   int32   // how many events its parent had
	Owner  *Thread // of what empties a store buffer: whose
	Buffer *Thread // what empties its own
	Last   int32   // its last event, or -1
	Count  int32   // its events
	Clock  Clock   // what happens before its next event
	Past   int32   // the last event of that, or -1
	Next   Next
}

// Bit is the set of t alone.
func (t *Thread) Bit() ThreadSet { return 1 << (t.ID & 31) }

// An Execution is a sequence of events, with what happens before what. Begin makes
// it empty; its slices are used again.
type Execution struct {
	Events  []Event
	Clocks  []Clock // by event, where Clocked is set
	Objects []Object
	Races   []Race // where Pairs is set
	Threads [MaxThreads]*Thread
	IDs

	Clocked bool // somebody wants clocks
	Pairs   bool // and races
	// Events before this one are those of the execution before: whoever chooses
	// says so.
	Fresh int
	// Blocked says of an execution that it ended with threads that could go on, and
	// are held back.
	Blocked bool

	table   Table
	waiters []waiter
	alone   []Clock // by event that waits: what happens before it but for its object
}

// New returns an empty execution.
func New() Execution {
	return Execution{Events: make([]Event, 0, 64), Clocks: make([]Clock, 0, 64), Races: make([]Race, 0, 32), Objects: make([]Object, 0, 8)}
}

// Kept is x without its content, for another exploration.
func (x *Execution) Kept() Execution {
	return Execution{Events: x.Events[:0], Clocks: x.Clocks[:0], Races: x.Races[:0], Objects: x.Objects[:0], table: x.table, waiters: x.waiters[:0], alone: x.alone[:0]}
}

// Begin makes x an execution of which nothing has happened. Threads keep their IDs.
func (x *Execution) Begin() {
	x.Events, x.Objects, x.Races = x.Events[:0], x.Objects[:0], x.Races[:0]
	x.waiters, x.alone = x.waiters[:0], x.alone[:0]
	x.Blocked = false
	x.table.Clear()
}

// Start makes t a thread that has no event yet. ID, Parent, Nth and Owner are set.
func (x *Execution) Start(t *Thread) {
	t.Last, t.Count, t.Born, t.Clock, t.Past, t.Buffer = -1, 0, 0, Clock{}, -1, nil
	if t.Parent >= 0 && t.Owner == nil {
		p := x.Threads[t.Parent]
		t.Clock, t.Past, t.Born = p.Clock, p.Past, p.Count
	}
	x.Threads[t.ID] = t
}

// Follow makes what t does next happen after what clock says, of which past is the
// last event.
func (x *Execution) Follow(t *Thread, clock *Clock, past int32) {
	t.Clock.Join(clock, x.Width)
	t.Past = max(t.Past, past)
}

// Locate returns the index of the object at addr, a new one if it was not seen
// in this execution. Objects are numbered in the order in which they are
// announced, which is the same in all executions that begin alike.
func (x *Execution) Locate(addr unsafe.Pointer) (loc int32, fresh bool) {
	if i, ok := x.table.Find(uintptr(addr)); ok {
		return i, false
	}
	i := int32(len(x.Objects))
	if len(x.Objects) < cap(x.Objects) {
		x.Objects = x.Objects[:i+1]
		o := &x.Objects[i]
		*o = Object{Addr: addr, Last: -1, write: -1, reads: o.reads[:0], All: o.All[:0], parts: o.parts[:0]}
	} else {
		x.Objects = append(x.Objects, Object{Addr: addr, Last: -1, write: -1})
	}
	x.table.Put(uintptr(addr), i)
	return i, true
}

// Number returns the index of the object at addr, or -1 if it was not seen.
func (x *Execution) Number(addr unsafe.Pointer) int {
	if i, ok := x.table.Find(uintptr(addr)); ok {
		return int(i)
	}
	return -1
}

// Before reports whether event a happens before event b or is it.
func (x *Execution) Before(a, b int32) bool {
	e := &x.Events[a]
	return x.Clocks[b][e.Thread] >= e.Ord
}

// Cut forgets the events from n on, and races. Clocks of threads stay as they are.
func (x *Execution) Cut(n, races int) {
	for i := range x.Objects {
		o := &x.Objects[i]
		for int(o.Last) >= n {
			o.Last = x.Events[o.Last].Before
		}
		for l := len(o.All); l > 0 && int(o.All[l-1]) >= n; l-- {
			o.All = o.All[:l-1]
		}
	}
	x.Events, x.Races = x.Events[:n], x.Races[:races]
}
