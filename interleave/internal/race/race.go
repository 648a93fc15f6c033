// Package race finds data races in one execution, by the happens-before relation of the Go memory model and of the documentation of package sync.
//
// Two accesses to one place race if at least one is plain, at least one writes, and nothing orders them: no chain of program order, go statements, and
// operations of which the later sees what the earlier did (see Past for that order; the method is that of FastTrack, Flanagan and Freund, PLDI 2009, with
// cells as ThreadSanitizer has them). Plain accesses are no steps: if one of two that race comes first in some execution, they race in the one at hand as
// well, whatever the order in which they ran. So a program without a race in any class needs no more executions for its plain accesses.
//
// An operation of sync or sync/atomic is an access as well, of the bytes that Touches says. So a plain access beside an atomic one is seen, and so is an
// assignment to a struct over a lock that a thread uses.
//
// The same argument makes it right that the reduction knows nothing of plain accesses: where a plain access and an operation conflict, either the program
// orders them in every execution of the class, or they race and that is said.
//
// The package knows of no scheduler: what it finds it tells a Reporter.
package race

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// A Role says what an access does, in the eyes of another.
type Role uint8

// The roles.
const (
	Read Role = iota
	Write
	Send // to a channel of which nothing orders the closing panics, if it comes later
	Close
	AtomicRead  // by an operation; so are those below
	AtomicWrite // a CompareAndSwap that failed is one: so has it the race detector of Go
	GroupAdd    // to the counter of a WaitGroup that is zero
	GroupWait
	RangeOver // of a sync.Map, and a change of what is in it
	RangeChange
)

// Writes reports whether an access of this role races with a plain read.
func (r Role) Writes() bool {
	return r != Read && r != Send && r != AtomicRead && r != RangeOver
}

// Plain reports whether it is that of no operation.
func (r Role) Plain() bool { return r <= Close }

// races reports whether two accesses of these roles race if nothing orders them.
// Operations do not, but for one pair: an Add that makes a counter positive must
// happen before a Wait, or after it, by the documentation of sync.WaitGroup.
func (r Role) races(o Role) bool {
	if r.Plain() || o.Plain() {
		return r.Writes() || o.Writes()
	}
	return r == GroupAdd && o == GroupWait || r == GroupWait && o == GroupAdd
}

// An Access is one, as a cell of a word's shadow has it.
type Access struct {
	Thread uint8
	Role   Role
	bytes  uint8       // of the word's eight
	Kind   object.Kind // of an operation
	loc    int32       // of an operation
	epoch  int32
	Site   order.Site
}

// A Finding says what is between two accesses that the operations of the program do not order.
type Finding uint8

// The findings.
const (
	Race     Finding = iota // they race
	Inside                  // they would, but code orders them by operations that are no steps
	ByTables                // or by what guards tables of the standard library
	Ranging                 // a Range over a sync.Map, and a change of it
	Overlap                 // two operations, on different objects that overlap
)

// A Reporter is told what is found. Found reports whether it makes the execution wrong: then nothing more is looked for in this access.
type Reporter interface {
	Found(then, now *Access, f Finding) (wrong bool)
	Hidden(c *Hidden, beside *Access) // beside what another thread does; nil: that is hidden, too
}

type shadowWord struct {
	keep      unsafe.Pointer // so that the memory is not another object's before the execution ends
	addr      uintptr        // in words
	cells     []Access
	occupants []occupant // see lazy.go
}

// A stretch is an access to so many words that each of them having a cell would
// take too long.
type stretch struct {
	keep        unsafe.Pointer
	first, last uintptr // bytes
	Access
}

// mostWords is how many words an access has cells in.
const mostWords = 64

// A Detector knows the accesses of one execution.
type Detector struct {
	x         *order.Execution
	report    Reporter
	table     order.Table
	words     []shadowWord
	stretches []stretch
	touched   touched
	epochs    []int32 // by event: its thread's, where it touched something
	own       []int32 // see note
	hidden    hiddenCalls
	memory
}

// Begin makes d one of which nothing has happened yet, for an execution that begins.
func (d *Detector) Begin(x *order.Execution, r Reporter) {
	d.x, d.report = x, r
	d.words = d.words[:0]
	d.stretches = d.stretches[:0]
	d.table.Clear()
	d.touched = touched{}
	d.epochs = d.epochs[:0]
	d.hidden.reset()
	d.memory.reset()
}

// Kept is d without its content, for another exploration.
func (d *Detector) Kept() Detector {
	return Detector{
		table: d.table, words: d.words[:0], epochs: d.epochs[:0], own: d.own[:0], stretches: d.stretches[:0],
		memory: memory{objects: d.objects[:0], byReaders: d.byReaders[:0], cells: d.cells, kept: d.kept[:0]},
	}
}

// touched is the memory that the operation under way works on.
type touched struct {
	addr unsafe.Pointer
	size uintptr
}

// Touches says which bytes the operation works on that Operation is told of next. One of
// which nothing is said has no part in data races.
func (d *Detector) Touches(addr unsafe.Pointer, size uintptr) { d.touched = touched{addr, size} }

// Access checks an access of a thread against those that are not ordered before it by now, and notes it. Size is in bytes.
func (d *Detector) Access(addr unsafe.Pointer, size uintptr, thread int, r Role, site order.Site) {
	now := &d.now[thread]
	d.access(addr, size, now, Access{Thread: uint8(thread), Role: r, epoch: now.Clock[thread], Site: site})
}

func (d *Detector) access(addr unsafe.Pointer, size uintptr, now *Past, mine Access) {
	first := uintptr(addr)
	last := first + size - 1
	d.besideHidden(now, &mine)
	for i := range d.stretches {
		if c := &d.stretches[i]; c.first <= last && first <= c.last && d.meets(&c.Access, &mine, now) {
			return
		}
	}
	if last>>3-first>>3 >= mostWords {
		d.stretch(addr, first, last, now, mine)
		return
	}
	for w := first >> 3; w <= last>>3; w++ {
		mine.bytes = bytesOf(w, first, last)
		if !d.check(d.shadow(addr, w), now, mine) {
			return
		}
	}
}

// bytesOf returns which bytes of a word lie between first and last.
func bytesOf(word, first, last uintptr) uint8 {
	bytes := uint8(0xff)
	if word == first>>3 {
		bytes &= 0xff << (first & 7)
	}
	if word == last>>3 {
		bytes &= 0xff >> (7 - last&7)
	}
	return bytes
}

func (d *Detector) stretch(addr unsafe.Pointer, first, last uintptr, now *Past, mine Access) {
	for i := range d.words {
		w := &d.words[i]
		if w.addr < first>>3 || w.addr > last>>3 {
			continue
		}
		d.noteAll(int32(i))
		w = &d.words[i]
		bytes := bytesOf(w.addr, first, last)
		for n := range w.cells {
			if c := &w.cells[n]; c.bytes&bytes != 0 && d.meets(c, &mine, now) {
				return
			}
		}
	}
	for i := range d.stretches {
		c := &d.stretches[i]
		if c.first >= first && c.last <= last && c.Thread == mine.Thread && c.Role == mine.Role {
			*c = stretch{addr, first, last, mine}
			return
		}
	}
	d.stretches = append(d.stretches, stretch{addr, first, last, mine})
}

// shadow returns the index of a word's shadow.
func (d *Detector) shadow(addr unsafe.Pointer, word uintptr) int32 {
	i, ok := d.table.Find(word)
	if !ok {
		i = int32(len(d.words))
		if len(d.words) < cap(d.words) {
			d.words = d.words[:i+1]
			d.words[i].cells, d.words[i].occupants = d.words[i].cells[:0], d.words[i].occupants[:0]
		} else {
			d.words = append(d.words, shadowWord{})
		}
		d.words[i].keep, d.words[i].addr = addr, word
		d.table.Put(word, i)
	}
	return i
}

// check checks an access against the cells of a word, and notes it. It reports whether all is right.
func (d *Detector) check(i int32, now *Past, mine Access) bool {
	d.noteAll(i)
	w := &d.words[i]
	for n := range w.cells {
		if c := &w.cells[n]; c.bytes&mine.bytes != 0 && d.meets(c, &mine, now) {
			return false
		}
	}
	w.put(mine)
	return true
}

// meets looks at two accesses of which bytes are the same, the second after what
// is past, and reports whether something is wrong.
func (d *Detector) meets(then, now *Access, past *Past) bool {
	if then.Thread == now.Thread || then.epoch <= past.Clock[then.Thread] {
		return false
	}
	switch {
	case then.Role >= RangeOver || now.Role >= RangeOver:
		return then.Role != now.Role && d.report.Found(then, now, Ranging)
	case then.Role.races(now.Role):
		f := Race
		switch {
		case past.deep && then.epoch <= past.inner[then.Thread]:
			f = Inside
		case past.tables != nil && then.epoch <= past.tables[then.Thread]:
			f = ByTables
		}
		return d.report.Found(then, now, f)
	case !then.Role.Plain() && !now.Role.Plain() && then.loc != now.loc:
		// Two words for the reduction, which would take them for independent.
		return d.report.Found(then, now, Overlap)
	}
	return false
}

// Accessed returns an access of the execution to a word, the number of eight bytes, nil if there is none. Writes says that only those count that write. Operated reports
// that it is one of an operation that is not told.
func (d *Detector) Accessed(word uintptr, writes bool) (a *Access, operated bool) {
	counts := func(a *Access) bool { return !writes || a.Role.Writes() }
	if i, ok := d.table.Find(word); ok {
		for n := range d.words[i].cells {
			if a := &d.words[i].cells[n]; counts(a) {
				return a, false
			}
		}
		if len(d.words[i].occupants) > 0 {
			return nil, true
		}
	}
	for i := range d.stretches {
		if c := &d.stretches[i]; c.first>>3 <= word && word <= c.last>>3 && counts(&c.Access) {
			return &c.Access, false
		}
	}
	return nil, false
}
