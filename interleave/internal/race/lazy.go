package race

import "github.com/spindle-go/spindle/interleave/internal/order"

// Operations in the shadow.
//
// An operation is an access, but most words that operations work on are touched by
// nothing else, and operations do not race with each other. So the accesses of an
// object are not noted in the shadow of its words as long as nothing else was there:
// they can be read off the events. They are put in, as if they had always been, when
// something else comes: a plain access, an operation that works on other bytes of the
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
func (d *Detector) occupy(o *released, loc int32, at touched) bool {
	if o.words != 0 {
		return o.words > 0 && o.at == at
	}
	first := uintptr(at.addr)
	last := first + at.size - 1
	if last>>3-first>>3 >= mostWords || len(d.stretches) > 0 {
		o.words = noted
		return false
	}
	for w := first >> 3; w <= last>>3; w++ {
		word := &d.words[d.shadow(at.addr, w)]
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
func (d *Detector) note(loc int32) {
	o := d.object(loc)
	if o.words <= 0 {
		return
	}
	words := o.words
	o.words = noted
	d.own = d.own[:0]
	for i := d.x.Objects[loc].Last; i >= 0; i = d.x.Events[i].Before {
		if int(i) < len(d.epochs) && d.epochs[i] != 0 {
			d.own = append(d.own, i)
		}
	}
	first := uintptr(o.at.addr)
	last := first + o.at.size - 1
	for w := range uintptr(words) {
		word := d.shadow(o.at.addr, first>>3+w)
		for n := len(d.own) - 1; n >= 0; n-- {
			ev := &d.x.Events[d.own[n]]
			mine := d.accessOf(ev, d.epochs[d.own[n]])
			mine.bytes = bytesOf(first>>3+w, first, last)
			d.words[word].put(mine)
		}
	}
}

// accessOf is the access of an operation. That of a buffer is its thread's, when it
// stored.
func (d *Detector) accessOf(ev *order.Event, epoch int32) Access {
	thread := ev.Thread
	if o := d.x.Threads[thread].Owner; o != nil {
		thread = uint8(o.ID)
	}
	return Access{Thread: thread, Role: roleOf(ev), Kind: ev.Kind, loc: ev.Loc, epoch: epoch, Site: ev.Site}
}

// put notes an access in the word's cells.
func (w *shadowWord) put(mine Access) {
	for n := range w.cells {
		c := &w.cells[n]
		if c.Thread == mine.Thread && c.Role == mine.Role && c.loc == mine.loc && c.bytes&mine.bytes != 0 && c.bytes&^mine.bytes == 0 {
			*c = mine // this one covers it
			return
		}
	}
	w.cells = append(w.cells, mine)
}

// noteAll puts all that occupies a word into the shadow.
func (d *Detector) noteAll(word int32) {
	for len(d.words[word].occupants) > 0 {
		list := d.words[word].occupants
		loc := list[len(list)-1].loc
		d.words[word].occupants = list[:len(list)-1]
		d.note(loc)
	}
}
