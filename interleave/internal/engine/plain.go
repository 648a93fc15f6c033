package engine

import (
	"fmt"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Data races.
//
// Two accesses to one place race if at least one is plain, at least one writes,
// and nothing orders them: no chain of program order, go statements, and
// operations of which the later sees what the earlier did (ordered.go has that
// order; the method is that of FastTrack, Flanagan and Freund, PLDI 2009, with
// cells as ThreadSanitizer has them). Plain accesses are no steps: if one of two
// that race comes first in some execution, they race in the one at hand as well,
// whatever the order in which they ran. So a program without a race in any class
// needs no more executions for its plain accesses.
//
// An operation of sync or sync/atomic is an access as well, of the bytes that
// Touches says. So a plain access beside an atomic one is seen, and so is an
// assignment to a struct over a lock that somebody uses.
//
// The same argument makes it right that the reduction knows nothing of plain
// accesses: where a plain access and an operation conflict, either the program
// orders them in every execution of the class, or they race and that is said.

// A role says what an access does, in the eyes of another.
type role uint8

const (
	plainRead role = iota
	plainWrite
	channelSend // to a channel of which nothing orders the closing panics, if it comes later
	channelClose
	atomicRead  // by an operation; so are those below
	atomicWrite // a CompareAndSwap that failed is one: so has it the race detector of Go
	groupAdd    // to the counter of a WaitGroup that is zero
	groupWait
	rangeOver // of a sync.Map, and a change of what is in it: see Ranges
	rangeChange
)

func (r role) writes() bool {
	return r != plainRead && r != channelSend && r != atomicRead && r != rangeOver
}
func (r role) plain() bool { return r <= channelClose }

// races reports whether two accesses of these roles race if nothing orders them.
// Operations do not, but for one pair: an Add that makes a counter positive must
// happen before a Wait, or after it, by the documentation of sync.WaitGroup.
func (r role) races(o role) bool {
	if r.plain() || o.plain() {
		return r.writes() || o.writes()
	}
	return r == groupAdd && o == groupWait || r == groupWait && o == groupAdd
}

// An access is a cell of a word's shadow.
type access struct {
	thread uint8
	role   role
	bytes  uint8       // of the word's eight
	kind   object.Kind // of an operation
	loc    int32       // of an operation
	epoch  int32
	site   Site
}

type shadowWord struct {
	keep      unsafe.Pointer // so that the memory is not another object's before the execution ends
	addr      uintptr        // in words
	cells     []access
	occupants []occupant // see lazy.go
}

// A stretch is an access to so many words that each of them having a cell would
// take too long.
type stretch struct {
	keep        unsafe.Pointer
	first, last uintptr // bytes
	access
}

// mostWords is how many words an access has cells in.
const mostWords = 64

// plainState is what is known of accesses in one execution.
type plainState struct {
	table     order.Table
	words     []shadowWord
	stretches []stretch
	touched   touched
	epochs    []int32 // by event: its thread's, where it touched something
	own       []int32 // see note
	hiddenCalls
	memoryOrder
}

func (p *plainState) reset() {
	p.words = p.words[:0]
	p.stretches = p.stretches[:0]
	p.table.Clear()
	p.touched = touched{}
	p.epochs = p.epochs[:0]
	p.hiddenCalls.reset()
	p.memoryOrder.reset()
}

// PlainAccesses says whether the program reports its plain accesses, from the
// first on: set by whoever explores in an instrumented binary.
var PlainAccesses bool

// Unsure says why it is not known whether this binary has the code that is under test,
// "" if that is known. It is set before the first exploration.
var Unsure string

// touched is the memory that the operation under way works on.
type touched struct {
	addr unsafe.Pointer
	size uintptr
}

// Touches says between Begin and End which bytes the operation works on. One of
// which nothing is said has no part in data races.
func Touches(addr unsafe.Pointer, size uintptr) {
	if PlainAccesses {
		touches(addr, size)
	}
}

func touches(addr unsafe.Pointer, size uintptr) { current.plain.touched = touched{addr, size} }

func plain(addr unsafe.Pointer, size uintptr, site Site, r role) {
	if !insider() {
		return
	}
	s := current
	if !PlainAccesses || s.unwinding || s.failure != nil || size == 0 {
		if s.unwinding {
			s.endOutside()
		}
		return
	}
	t := s.running
	if r.writes() {
		t.repetition.reset()
		t.loop.fresh = t.loop.tick + 1
	}
	now := &s.plain.now[t.ID]
	s.plain.access(s, addr, size, now, access{thread: uint8(t.ID), role: r, epoch: now.Clock[t.ID], site: site})
}

// access checks an access against those that are not ordered before it by now,
// and notes it.
func (p *plainState) access(s *scheduler, addr unsafe.Pointer, size uintptr, now *happened, mine access) {
	first := uintptr(addr)
	last := first + size - 1
	p.besideHidden(s, now, &mine)
	for i := range p.stretches {
		if c := &p.stretches[i]; c.first <= last && first <= c.last && s.meets(&c.access, &mine, now) {
			return
		}
	}
	if last>>3-first>>3 >= mostWords {
		p.stretch(s, addr, first, last, now, mine)
		return
	}
	for w := first >> 3; w <= last>>3; w++ {
		mine.bytes = bytesOf(w, first, last)
		if !p.accessWord(s, addr, w, now, mine) {
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

func (p *plainState) stretch(s *scheduler, addr unsafe.Pointer, first, last uintptr, now *happened, mine access) {
	for i := range p.words {
		w := &p.words[i]
		if w.addr < first>>3 || w.addr > last>>3 {
			continue
		}
		p.noteAll(s, int32(i))
		w = &p.words[i]
		bytes := bytesOf(w.addr, first, last)
		for n := range w.cells {
			if c := &w.cells[n]; c.bytes&bytes != 0 && s.meets(c, &mine, now) {
				return
			}
		}
	}
	for i := range p.stretches {
		c := &p.stretches[i]
		if c.first >= first && c.last <= last && c.thread == mine.thread && c.role == mine.role {
			*c = stretch{addr, first, last, mine}
			return
		}
	}
	p.stretches = append(p.stretches, stretch{addr, first, last, mine})
}

// accessWord is access of bytes of one word. It reports whether all is right.
func (p *plainState) accessWord(s *scheduler, addr unsafe.Pointer, word uintptr, now *happened, mine access) bool {
	return p.check(s, p.shadow(addr, word), now, mine)
}

// shadow returns the index of a word's shadow.
func (p *plainState) shadow(addr unsafe.Pointer, word uintptr) int32 {
	i, ok := p.table.Find(word)
	if !ok {
		i = int32(len(p.words))
		if len(p.words) < cap(p.words) {
			p.words = p.words[:i+1]
			p.words[i].cells, p.words[i].occupants = p.words[i].cells[:0], p.words[i].occupants[:0]
		} else {
			p.words = append(p.words, shadowWord{})
		}
		p.words[i].keep, p.words[i].addr = addr, word
		p.table.Put(word, i)
	}
	return i
}

// check checks an access against the cells of a word, and notes it.
func (p *plainState) check(s *scheduler, i int32, now *happened, mine access) bool {
	p.noteAll(s, i)
	w := &p.words[i]
	for n := range w.cells {
		if c := &w.cells[n]; c.bytes&mine.bytes != 0 && s.meets(c, &mine, now) {
			return false
		}
	}
	w.put(s, mine)
	return true
}

// meets looks at two accesses of which bytes are the same, the second after what
// clock says, and reports whether something is wrong.
func (s *scheduler) meets(then, now *access, clock *happened) bool {
	if then.thread == now.thread || then.epoch <= clock.Clock[then.thread] {
		return false
	}
	switch {
	case then.role >= rangeOver || now.role >= rangeOver:
		if then.role != now.role {
			defer handsBack(takesOver()) // the texts are the engine's
			s.doubts.add(NotSeen, DuringRange, both(placeOf(then.site), placeOf(now.site)))
		}
		return false
	case then.role.races(now.role):
		if s.unordered {
			s.doubts.add(NotSeen, "what orders the accesses of threads that begin in code of which not all is seen", "")
			return false
		}
		if clock.deep && then.epoch <= clock.inner[then.thread] {
			s.orderedInside(then, now)
			return false
		}
		if clock.tables != nil && then.epoch <= clock.tables[then.thread] && ofLibrary(then.site) && ofLibrary(now.site) {
			s.orderedInside(then, now)
			return false
		}
		s.fail(&Failure{Kind: DataRace, Thread: s.name(int(now.thread)), Message: s.wordAccess(then) + ", " + s.wordAccess(now) + ", and nothing orders the two"})
	case !then.role.plain() && !now.role.plain() && then.loc != now.loc:
		// Two words for the reduction, which would take them for independent.
		if s.sorry == nil {
			s.sorry = fmt.Errorf("%w: two words of different places or sizes overlap: %s, %s", ErrUncontrolled, s.wordAccess(then), s.wordAccess(now))
		}
	default:
		return false
	}
	return true
}

// orderedInside: what orders two accesses is what code does for itself of which the operations are no steps. Between accesses of that code it is as it should be.
// Others might not be ordered if threads came there in another order, which is not tried.
func (s *scheduler) orderedInside(then, now *access) {
	a, b := packageOfSite(then.site), packageOfSite(now.site)
	if a == "" || a != b || !s.isOneStep(a) { // what orders them is another package's
		s.doubts.add(NotSeen, "whether accesses are ordered but by what a package does for itself", both(placeOf(then.site), placeOf(now.site)))
	}
}

// kept is p without its content, of another exploration.
func (p *plainState) kept() plainState {
	return plainState{
		table: p.table, words: p.words[:0], epochs: p.epochs[:0], own: p.own[:0], stretches: p.stretches[:0],
		memoryOrder: memoryOrder{objects: p.objects[:0], byReaders: p.byReaders[:0], cells: p.cells, kept: p.memoryOrder.kept[:0]},
	}
}

// wordAccess words an access: "reader reads p.n at p.go:17".
func (s *scheduler) wordAccess(a *access) string {
	p := placeOf(a.site)
	what := [...]string{plainRead: "reads", plainWrite: "writes", channelSend: "sends to", channelClose: "closes", atomicRead: "calls", atomicWrite: "calls", groupAdd: "calls", groupWait: "calls"}[a.role]
	if !a.role.plain() {
		what += " " + a.kind.String() + " of"
	}
	if p.Expr != "" {
		what += " " + p.Expr
	} else if !a.role.plain() {
		what += " something"
	}
	where := fmt.Sprintf("%s:%d", base(p.File), p.Line)
	if p.Caller != "" {
		where += ", called at " + p.Caller
	}
	return s.name(int(a.thread)) + " " + what + " at " + where
}
