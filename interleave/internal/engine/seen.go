//go:build spindle_runtime

package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// Plain accesses. The compiler has it report them, and the runtime keeps them until the thread's next operation.

// Seen reports whether they are reported.
const Seen = true

// A seenAccess is one. Its layout is the runtime's.
type seenAccess struct {
	addr unsafe.Pointer
	pc   uintptr
	what uintptr    // four times the size, or 0 if it is not known; and 1 if it is a write, 2 if it is of the thread's own stack
	old  [3]uintptr // what the words had that were about to be written, if they are no more: a slice has three
}

// spindleCoros is how often threads have switched to another coroutine.
//
//go:linkname spindleCoros runtime.spindleCoros
var spindleCoros int

//go:linkname spindleExtent runtime.spindleExtent
func spindleExtent(addr uintptr) uintptr

//go:linkname spindleAccesses runtime.spindleAccesses
func spindleAccesses() (all []seenAccess, lost bool)

//go:linkname spindleDeepIs runtime.spindleDeepIs
func spindleDeepIs(deep bool)

//go:linkname spindleStackOf runtime.spindleStackOf
func spindleStackOf(n int) []uintptr

//go:linkname spindleObjectsMade runtime.spindleObjectsMade
func spindleObjectsMade() []madeObject

//go:linkname spindleForget runtime.spindleForget
func spindleForget()

// forget forgets what was reported since the last operation: it is the engine's own.
func forget() { spindleForget() }

// drain notes what the running thread has read and written since its last operation.
func (s *scheduler) drain() {
	all, lost := spindleAccesses()
	if t := s.running; t != nil && !t.engaged {
		t.loop.makes(spindleObjectsMade())
		if n := spindleCoros; n != s.house.coros { // what is on the stack of another coroutine is not compared
			s.house.coros, t.loop.fresh = n, t.loop.tick+1
		}
	}
	if t := s.running; len(all) == 0 && !lost || t == nil || t.engaged {
		forget()
		return
	}
	s.running.engaged = true // nothing that the engine does here is the thread's
	defer handsBack(s.running)
	if t := s.running; PlainAccesses && !s.unwinding && s.failure == nil {
		if lost {
			s.doubts.Add(certificate.NotSeen, "some of very many accesses between two operations of thread "+t.name, "")
		}
		s.races.OrdersHidden(t.ID)
		for i := range all {
			a := &all[i]
			if a.addr == nil {
				s.enters(t, a.pc, a.what>>2, a.what&1 != 0)
				continue
			}
			c := at(a.pc)
			if c.Silent {
				continue
			}
			if a.what&2 != 0 {
				continue
			}
			size := max(1, a.what>>2)
			role, site := race.Read, c.Access(a.what&1 != 0)
			if s.pcs != nil {
				site = calledBy(site, spindleStackOf(i))
			}
			if a.what&1 != 0 {
				role = race.Write
				t.loop.writes(a, site, t.Last, reportsLate[c.Package])
			}
			if s.races.Access(a.addr, size, t.ID, role, site); s.failure != nil {
				break
			}
		}
	}
}

// takesOver says that what the running thread does from here on is the engine's own, until handsBack is called with what it returns.
func takesOver() *thread {
	s := current
	if s == nil || !onThread() || !controlled || s.running == nil || s.running.engaged {
		return nil
	}
	s.drain()
	s.running.engaged = true
	return s.running
}

// changes says that t, if it is one, comes to what is not seen, as what goes by the clock: an iteration with it is not in vain.
func (t *thread) changes() *thread {
	if t != nil {
		t.loop.fresh = t.loop.tick + 1
	}
	return t
}

func handsBack(t *thread) {
	if t != nil {
		forget()
		t.engaged = false
	}
}

// A madeObject is as package runtime has it.
type madeObject struct{ addr, size uintptr }

// An ownObject is one that a thread has made. What it writes there, nobody else sees: that an object is kept is another write, or
// shows in the variables of the loop.
type ownObject struct {
	madeObject
	tick  int // when it was made
	wrote int // the tick at which the thread has written there last, as of loop.fresh
}

// mostMade is how many of them are noted.
const mostMade = 256

func (l *loop) makes(all []madeObject) {
	if n := len(l.mine) + len(all) - mostMade; n > 0 {
		l.mine = append(l.mine[:0], l.mine[min(n, len(l.mine)):]...)
	}
	for _, o := range all[max(0, len(all)-mostMade):] {
		l.mine = append(l.mine, ownObject{madeObject: o, tick: l.tick})
	}
}

// A writtenWord is a word that a thread has written, with what it had before, and what it had when the thread came to its next operation. The same of the two behind it, if it may
// be the first of a string, an interface or a slice: the compiler reports one address of these, and no size. What others write meanwhile does not count: in another order
// of the same execution it would come later.
type writtenWord struct {
	addr     uintptr
	old, now [3]uintptr
	words    int   // how many of these count
	made     int   // the tick at which the thread made the object; -1: it is none of its own
	tick     int   // as of loop.fresh
	last     int32 // the event before
	site     Site
}

// mostWritten is how many of them are noted.
const mostWritten = 128

// own returns the object of the thread's own that an address is in, nil if it is in none.
func (l *loop) own(addr uintptr) *ownObject {
	for i := len(l.mine) - 1; i >= 0; i-- {
		if o := &l.mine[i]; addr-o.addr < o.size {
			return o
		}
	}
	return nil
}

// reportsLate are packages that report a write when they have made it: what was there before is not known.
var reportsLate = map[string]bool{"strconv": true, "syscall": true}

// writes notes a plain write. Late says that it was reported when it had been made.
func (l *loop) writes(a *seenAccess, site Site, last int32, late bool) {
	addr, size := uintptr(a.addr), a.what>>2
	o := l.own(addr)
	if o != nil && o.tick == l.tick { // no round has begun since
		return
	}
	const word = unsafe.Sizeof(addr)
	w := writtenWord{addr: addr &^ (word - 1), old: a.old, words: 1, made: -1, tick: l.tick + 1, last: last, site: site}
	if o != nil {
		w.made = o.tick
	}
	switch extent := int(spindleExtent(w.addr)); {
	case size == 0 && addr%(word/2) == 0:
		w.words = extent
	case size == 1: // of a map, and what else says that it is written: there is more
		w.words = 0
	case size > 0:
		if w.words = int((addr%word + size + word - 1) / word); w.words > extent {
			w.words = 0
		}
	}
	if late || w.words == 0 {
		if l.grows = (growth{site: site}); o != nil {
			o.wrote = l.tick + 1
		} else {
			l.fresh = l.tick + 1
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
func (l *loop) wroteLast() int {
	if n := len(l.written); n > 0 {
		return l.written[n-1].tick
	}
	return 0
}

// restored reports whether the words that t has written since a tick have what they had then, and whether no other thread may have seen them with something else: t has released
// nothing meanwhile.
func (s *scheduler) restored(t *thread, tick int) bool {
	l := &t.loop
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
			if n > 0 && w.old[n] == w.now[n] || s.wordRestored(since, w.addr+uintptr(n)*unsafe.Sizeof(n)) {
				continue
			}
			l.grows = growth{site: w.site}
			return false
		}
	}
	return true
}

// wordRestored is restored of one word, by what its thread has written since.
func (s *scheduler) wordRestored(since []writtenWord, addr uintptr) bool {
	const word = unsafe.Sizeof(addr)
	met, differs := false, false
	was, last := uintptr(0), int32(0) // what it had at first, and the event before it was written last
	for k := range since {
		o := &since[k]
		n := (addr - o.addr) / word
		if n >= uintptr(o.words) || n > 0 && o.old[n] == o.now[n] {
			continue
		}
		if differs && s.released(last, o.last) {
			return false
		}
		if !met {
			met, was = true, o.old[n]
		}
		differs, last = o.now[n] != was, o.last
	}
	return !differs
}

// released reports whether a thread has done something by which others may see what it has written, behind an event up to another one of its.
func (s *scheduler) released(after, until int32) bool {
	for i := until; i > after; i = s.Events[i].Prev {
		switch ev := &s.Events[i]; {
		case !ev.Write, ev.Kind == object.Gosched, ev.Kind == object.Lock, ev.Kind == object.RLock:
		default:
			return true
		}
	}
	return false
}

// same reports whether t has changed nothing for good since a tick, nor an object that it had made before.
func (l *loop) same(tick int) bool {
	for i := range l.mine {
		if o := &l.mine[i]; o.tick < tick && o.wrote > tick {
			return false
		}
	}
	return l.fresh <= tick
}

// since returns the objects that were made since a tick.
func (l *loop) since(tick int) []ownObject {
	i := len(l.mine)
	for i > 0 && l.mine[i-1].tick >= tick {
		i--
	}
	return l.mine[i:]
}

// calledBy returns the site of an access in code that is not explored, with where explored code has called it.
func calledBy(site Site, stack []uintptr) Site {
	if place.OfExplored(site) {
		return site
	}
	for _, pc := range stack {
		if c := at(pc); place.Explored(c.Package) {
			key := siteOfCaller{site, c.Short()}
			if sitesOfCallers[key] == 0 {
				p := place.Of(site)
				p.Caller = c.Short()
				sitesOfCallers[key] = place.Make(p, place.Package(site))
			}
			return sitesOfCallers[key]
		}
	}
	return site
}

type siteOfCaller struct {
	site   Site
	caller string
}

var sitesOfCallers = make(map[siteOfCaller]Site)

// passesInside is an operation on a word that code makes for itself of which the operations are no steps. That of a table orders nothing but accesses of the
// standard library.
func (s *scheduler) passesInside(addr unsafe.Pointer, order place.Passing, table bool) {
	if !PlainAccesses || s.unwinding || order == place.OfParts {
		return
	}
	s.races.Inside(s.running.ID, addr, table, order == place.AcquiresAndReleases)
}
