package engine

import (
	"fmt"
	"unsafe"
)

// Data races.
//
// Two plain accesses to one place, one of them a write, race if nothing orders
// them: no chain of program order, go statements, and operations of which the
// later sees what the earlier wrote (the Go memory model; the method is that of
// FastTrack, Flanagan and Freund, PLDI 2009, with cells as ThreadSanitizer has
// them). Accesses are no steps: if one of two that race comes first in some
// execution, they race in the one at hand as well, whatever the order in which
// they ran. So a program without a race in any class needs no more executions
// for its plain accesses.
//
// The clocks are not those of the reduction. That a load came before a store
// makes the two executions different, and orders nothing for the program.

// An access is a cell of a word's shadow.
type access struct {
	thread uint8
	write  bool
	bytes  uint8 // of the word's eight
	epoch  int16
	site   Site
}

type shadowWord struct {
	keep  unsafe.Pointer // so that the memory is not another object's before the execution ends
	cells []access
}

// plainState is what is known of plain accesses in one execution.
type plainState struct {
	table    addressTable
	words    []shadowWord
	now      [MaxThreads]clock // what is ordered before a thread's next access
	released []clock           // by object: what is ordered before who reads it
}

func (p *plainState) reset() {
	p.words = p.words[:0]
	p.table.clear()
	p.released = p.released[:0]
}

func (p *plainState) start(t *thread, parent int) {
	c := &p.now[t.id]
	*c = clock{}
	if parent >= 0 {
		*c = p.now[parent]
		p.now[parent][parent]++
	}
	c[t.id] = 1
}

// orderPlain carries the order that an operation makes.
func (s *scheduler) orderPlain(t *thread, ev *event) {
	p := &s.plain
	if ev.loc < 0 {
		return
	}
	for int(ev.loc) >= len(p.released) {
		p.released = append(p.released, clock{})
	}
	rel, now := &p.released[ev.loc], &p.now[t.id]
	if ev.kind != Store {
		now.join(rel, s.width)
	}
	switch {
	case ev.kind == Store:
		*rel = *now
	case ev.write || ev.kind == RUnlock || ev.kind == Count:
		rel.join(now, s.width)
	default:
		return
	}
	now[t.id]++
}

// PlainAccesses says whether the program reports its plain accesses, from the
// first on: set by whoever explores in an instrumented binary.
var PlainAccesses bool

// mostWords bounds how much of a large access is looked at.
const mostWords = 64

func plain(addr unsafe.Pointer, size uintptr, site Site, write bool) {
	s := current
	if !PlainAccesses || s.unwinding || s.failure != nil || size == 0 {
		return
	}
	t := s.running
	if write {
		t.repetition.reset()
		t.loop.wrote(uintptr(addr), size, site)
	} else {
		t.loop.read(uintptr(addr), size, site)
	}
	a := uintptr(addr)
	last := min((a+size-1)>>3, a>>3+mostWords)
	for w := a >> 3; w <= last; w++ {
		bytes := uint8(0xff)
		if w == a>>3 {
			bytes &= 0xff << (a & 7)
		}
		if w == last && last == (a+size-1)>>3 {
			bytes &= 0xff >> (7 - (a+size-1)&7)
		}
		s.plain.access(s, t, addr, w, bytes, site, write)
	}
}

func (p *plainState) access(s *scheduler, t *thread, addr unsafe.Pointer, word uintptr, bytes uint8, site Site, write bool) {
	i, ok := p.table.find(word)
	if !ok {
		i = int32(len(p.words))
		if len(p.words) < cap(p.words) {
			p.words = p.words[:i+1]
			p.words[i].cells = p.words[i].cells[:0]
		} else {
			p.words = append(p.words, shadowWord{})
		}
		p.words[i].keep = addr
		p.table.put(word, i)
	}
	w := &p.words[i]
	now := &p.now[t.id]
	mine := access{uint8(t.id), write, bytes, now[t.id], site}
	at := -1
	for n := range w.cells {
		c := &w.cells[n]
		if c.bytes&bytes == 0 {
			continue
		}
		if int(c.thread) == t.id {
			if c.write == write && c.bytes&^bytes == 0 {
				at = n // this one covers it
			}
			continue
		}
		if (c.write || write) && c.epoch > now[c.thread] {
			s.raced(t, &mine, c)
			return
		}
	}
	if at >= 0 {
		w.cells[at] = mine
	} else {
		w.cells = append(w.cells, mine)
	}
}

func (s *scheduler) raced(t *thread, now, then *access) {
	word := func(a *access) string {
		p := placeOf(a.site)
		what := "reads"
		if a.write {
			what = "writes"
		}
		if p.Expr != "" {
			what += " " + p.Expr
		}
		return fmt.Sprintf("%s %s at %s:%d", s.name(int(a.thread)), what, base(p.File), p.Line)
	}
	s.fail(&Failure{Kind: DataRace, Thread: t.name, Message: word(then) + ", " + word(now) + ", and nothing orders the two"})
}
