package rounds

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// What a round has written. Variables of the stack need no note of that, since all of it is compared. Objects that the thread has made before the round do, and memory that
// others may reach: words that are put back are no change.

// A Made is an object that a thread has made. Its layout is the runtime's.
type Made struct{ Addr, Size uintptr }

// An Object is one that a thread has made. What it writes there, nobody else sees: that an object is kept is another write, or
// shows in the variables of the loop. Its layout is the runtime's, as far as Made.
type Object struct {
	Made
	tick  int // when it was made
	wrote int // the tick at which the thread has written there last, as of Loops.fresh
}

// mostMade is how many of them are noted.
const mostMade = 256

// Makes notes objects that the thread has made.
func (l *Loops) Makes(all []Made) {
	if n := len(l.mine) + len(all) - mostMade; n > 0 {
		l.mine = append(l.mine[:0], l.mine[min(n, len(l.mine)):]...)
	}
	for _, o := range all[max(0, len(all)-mostMade):] {
		l.mine = append(l.mine, Object{Made: o, tick: l.tick})
	}
}

// mostWords is how many words an address is reported for that says no size: it may be that of a string, an interface or a slice.
const mostWords = 3

// A wordWrite is a word that a thread has written, with what it had before, and what it had when the thread came to its next operation. The same of the two behind it, if it may
// be the first of a string, an interface or a slice: the compiler reports one address of these, and no size. What others write meanwhile does not count: in another order
// of the same execution it would come later.
type wordWrite struct {
	addr     uintptr
	old, now [mostWords]uintptr
	words    int   // how many of these count
	made     int   // the tick at which the thread made the object; -1: it is none of its own
	tick     int   // as of Loops.fresh
	last     int32 // the event before
	site     order.Site
}

// mostWritten is how many of them are noted.
const mostWritten = 128

// own returns the object of the thread's own that an address is in, nil if it is in none.
func (l *Loops) own(addr uintptr) *Object {
	for i := len(l.mine) - 1; i >= 0; i-- {
		if o := &l.mine[i]; addr-o.Addr < o.Size {
			return o
		}
	}
	return nil
}

// A Write is a plain write that was reported.
type Write struct {
	Addr, Size uintptr            // bytes; 0: not known, 1: there is more that is written
	Old        [mostWords]uintptr // what the words had before
	Late       bool               // it was reported when it had been made
	Site       order.Site
	Last       int32 // the thread's event before
}

// Writes notes one. Extent says how many words there are from an address on, up to 3, of what may be one variable.
func (l *Loops) Writes(a *Write, extent func(addr uintptr) uintptr) {
	addr, size := a.Addr, a.Size
	o := l.own(addr)
	if o != nil && o.tick == l.tick { // no round has begun since
		return
	}
	const word = unsafe.Sizeof(addr)
	w := wordWrite{addr: addr &^ (word - 1), old: a.Old, words: 1, made: -1, tick: l.tick + 1, last: a.Last, site: a.Site}
	if o != nil {
		w.made = o.tick
	}
	switch extent := int(extent(w.addr)); {
	case size == 0 && addr%(word/2) == 0:
		w.words = extent
	case size == 1: // of a map, and what else says that it is written: there is more
		w.words = 0
	case size > 0:
		if w.words = int((addr%word + size + word - 1) / word); w.words > extent {
			w.words = 0
		}
	}
	if a.Late || w.words == 0 {
		if l.Grows = (Growth{site: a.Site}); o != nil {
			o.wrote = l.tick + 1
		} else {
			l.Changes()
		}
		return
	}
	if len(l.written) == mostWritten { // those that are forgotten have changed something for good
		half := l.written[:mostWritten/2]
		l.fresh = max(l.fresh, half[len(half)-1].tick)
		l.written = append(l.written[:0], l.written[len(half):]...)
	}
	at := unsafe.Slice(*(**uintptr)(unsafe.Pointer(&w.addr)), len(w.now))
	copy(w.now[:w.words], at)
	l.written = append(l.written, w)
}

// wroteLast returns the tick at which a word was written last.
func (l *Loops) wroteLast() int {
	if n := len(l.written); n > 0 {
		return l.written[n-1].tick
	}
	return 0
}

// unchanged reports whether the thread has changed nothing for good since a tick.
func (g *Log) unchanged(l *Loops, tick int) bool { return l.same(tick) && g.restored(l, tick) }

// restored reports whether the words that the thread has written since a tick have what they had then, and whether no other thread may have seen them with something else: it has
// released nothing meanwhile.
func (g *Log) restored(l *Loops, tick int) bool {
	from := len(l.written)
	for from > 0 && l.written[from-1].tick > tick {
		from--
	}
	since := l.written[from:]
	for i := range since {
		w := &since[i]
		if w.made >= tick { // another one in each round
			continue
		}
		for n := range w.words {
			if n > 0 && w.old[n] == w.now[n] || g.wordRestored(since, w.addr+uintptr(n)*unsafe.Sizeof(n)) {
				continue
			}
			l.Grows = Growth{site: w.site}
			return false
		}
	}
	return true
}

// wordRestored is restored of one word, by what its thread has written since. A write of several words may have been overwritten in part before the next operation: then it
// says what the word had, and no change.
func (g *Log) wordRestored(since []wordWrite, addr uintptr) bool {
	const word = unsafe.Sizeof(addr)
	met, differs := false, false
	was, last := uintptr(0), int32(0)   // what it had at first, and the event before it was written last
	before, of := uintptr(0), int32(-2) // what it had behind an event
	for k := range since {
		o := &since[k]
		n := (addr - o.addr) / word
		if n >= uintptr(o.words) {
			continue
		}
		if of != o.last {
			before, of = o.old[n], o.last
		}
		if n > 0 && o.old[n] == o.now[n] {
			continue
		}
		if differs && g.released(last, o.last) {
			return false
		}
		if !met {
			met, was = true, before
		}
		differs, last = o.now[n] != was, o.last
	}
	return !differs
}

// released reports whether a thread has done something by which others may see what it has written, behind an event up to another one of its.
func (g *Log) released(after, until int32) bool {
	for i := until; i > after; i = g.x.Events[i].Prev {
		switch ev := &g.x.Events[i]; {
		case !ev.Write, ev.Kind == object.Gosched, ev.Kind == object.Lock, ev.Kind == object.RLock:
		default:
			return true
		}
	}
	return false
}

// same reports whether the thread has done nothing since a tick that is not undone, nor written to an object that it had made before.
func (l *Loops) same(tick int) bool {
	for i := range l.mine {
		if o := &l.mine[i]; o.tick < tick && o.wrote > tick {
			return false
		}
	}
	return l.fresh <= tick
}

// since returns the objects that were made since a tick.
func (l *Loops) since(tick int) []Object {
	i := len(l.mine)
	for i > 0 && l.mine[i-1].tick >= tick {
		i--
	}
	return l.mine[i:]
}
