package engine

import "github.com/spindle-go/spindle/interleave/internal/order"

// Operations in the shadow.
//
// An operation is an access, but most words that operations work on are touched by
// nothing else, and operations do not race with each other. So the accesses of an
// object are not noted in the shadow of its words as long as nothing else was there:
// they can be read off the events. They are put in, as if they had always been, when
// somebody else comes: a plain access, an operation that works on other bytes of the
// object or is on an object that lies over it, or one for which the roles of groups
// matter.

// An occupant is an object whose operations are not in the shadow.
type occupant struct {
	loc   int32
	bytes uint8 // of the word
}

// noted says that the accesses of an object's operations are in the shadow.
const noted = -1

// occupy reports whether an operation on the object of o needs no note: it touches
// at, as all others on the object have, and nothing else was there.
func (p *plainState) occupy(o *released, loc int32, at touched) bool {
	if o.words != 0 {
		return o.words > 0 && o.at == at
	}
	first := uintptr(at.addr)
	last := first + at.size - 1
	if last>>3-first>>3 >= mostWords || len(p.stretches) > 0 {
		o.words = noted
		return false
	}
	for w := first >> 3; w <= last>>3; w++ {
		word := &p.words[p.shadow(at.addr, w)]
		bytes := bytesOf(w, first, last)
		free := len(word.cells) == 0
		for _, other := range word.occupants {
			free = free && other.bytes&bytes == 0
		}
		if !free {
			o.words = noted // those that it occupies by now say nothing
			return false
		}
		word.occupants = append(word.occupants, occupant{loc, bytes})
	}
	o.words, o.at = int32(last>>3-first>>3+1), at
	return true
}

// note puts the accesses of an object's operations so far into the shadow.
func (p *plainState) note(s *scheduler, loc int32) {
	o := p.object(loc)
	if o.words <= 0 {
		return
	}
	words := o.words
	o.words = noted
	p.own = p.own[:0]
	for i := s.lastOn[loc]; i >= 0; i = s.links[i].before {
		if int(i) < len(p.epochs) && p.epochs[i] != 0 {
			p.own = append(p.own, i)
		}
	}
	first := uintptr(o.at.addr)
	last := first + o.at.size - 1
	for w := range uintptr(words) {
		word := p.shadow(o.at.addr, first>>3+w)
		for n := len(p.own) - 1; n >= 0; n-- {
			ev := &s.Events[p.own[n]]
			mine := s.accessOf(ev, p.epochs[p.own[n]])
			mine.bytes = bytesOf(first>>3+w, first, last)
			p.words[word].put(s, mine)
		}
	}
}

// accessOf is the access of an operation. That of a buffer is its thread's, when it
// stored.
func (s *scheduler) accessOf(ev *order.Event, epoch int32) access {
	thread := ev.Thread
	if o := s.byID[thread].Owner; o != nil {
		thread = uint8(o.ID)
	}
	return access{thread: thread, role: roleOf(ev), kind: ev.Kind, loc: ev.Loc, epoch: epoch, site: ev.Site}
}

// put notes an access in the word's cells.
func (w *shadowWord) put(s *scheduler, mine access) {
	for n := range w.cells {
		c := &w.cells[n]
		if c.thread == mine.thread && c.role == mine.role && c.loc == mine.loc && c.bytes&mine.bytes != 0 && c.bytes&^mine.bytes == 0 {
			*c = mine // this one covers it
			return
		}
	}
	w.cells = append(w.cells, mine)
}

// noteAll puts all that occupies a word into the shadow.
func (p *plainState) noteAll(s *scheduler, word int32) {
	for len(p.words[word].occupants) > 0 {
		list := p.words[word].occupants
		loc := list[len(list)-1].loc
		p.words[word].occupants = list[:len(list)-1]
		p.note(s, loc)
	}
}
