//go:build spindle_runtime

package engine

import (
	"runtime"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
	"github.com/spindle-go/spindle/interleave/internal/variables"
)

// Goroutines of the program that run beside the exploration: a package has started them as it was initialised, or the test before it explored.
//
// The runtime notes which memory they access, and which the body does. Of threads it is known. If they, and an execution, access the same word, and one of them writes
// it, then orders of the two are left out: a doubt. If they do not, they are another program's.

//go:linkname spindleNotes runtime.spindleNotes
func spindleNotes(g unsafe.Pointer) (alive bool)

//go:linkname spindleWordsOf runtime.spindleWordsOf
func spindleWordsOf(others bool) (entries []uintptr, count uint32, lost bool)

//go:linkname spindleWordsBegin runtime.spindleWordsBegin
func spindleWordsBegin(body bool)

//go:linkname spindleStuck runtime.spindleStuck
func spindleStuck(g unsafe.Pointer) bool

//go:linkname spindleWordsOn runtime.spindleWordsOn
func spindleWordsOn()

//go:linkname spindleWordsSpare runtime.spindleWordsSpare
func spindleWordsSpare()

//go:linkname spindleWorks runtime.spindleWorks
func spindleWorks(at unsafe.Pointer)

// noting says that it is noted what others than threads do.
var noting bool

// others are what goroutines beside an exploration have to do with it.
type others struct {
	around map[unsafe.Pointer]beside // as they were when it began; nil: it has not
	noted  uint32
	words  map[uintptr]bool   // that they have accessed, by number, and whether one has written there
	left   map[uintptr]string // words that an execution has changed, and that are not put back, with the variable that holds them
	met    string             // where an execution accesses such a word; "": nowhere
	lost   bool               // it is not known what they access
}

// A beside is a goroutine that is none of the exploration.
type beside struct {
	turns  uint8
	moving bool
}

// ofFresh is set in the entry of a word of an object that such a goroutine has made itself.
const ofFresh = 2

// mostWordsLeft is how many words are looked after that are not put back.
const mostWordsLeft = 1 << 12

// besides notes the goroutines that are none of the exploration, so that movers can say which of them have run. Those that have just begun have a
// moment to come to where they wait, and those whose accesses are noted from now on one to make some.
func (s *scheduler) besides() {
	before := spindleMark(0) // to sleep
	defer spindleMark(before)
	o := &s.house.others
	*o = others{around: make(map[unsafe.Pointer]beside), words: make(map[uintptr]bool), left: make(map[uintptr]string), lost: !PlainAccesses}
	fresh := make(map[unsafe.Pointer]uint8) // those of which nothing was noted, and their turns then
	noting = false
	for n := range 200 {
		waits := false
		spindleBeside(func(g unsafe.Pointer, start uintptr, turns uint8, moving, noted bool) {
			o.around[g] = beside{turns, moving}
			if g == s.house.caller || !place.OfProgram(start) || !spindleNotes(g) {
				return
			}
			noting = true
			if !noted {
				fresh[g] = turns
			}
			was, is := fresh[g]
			waits = waits || moving && n < 20 || is && was == turns && !spindleStuck(g)
		})
		if !waits {
			break
		}
		time.Sleep(100 * time.Microsecond)
	}
	spindleWordsBegin(noting)
}

// movers leaves a doubt for each goroutine of a program that has run beside the exploration, and may have accessed what threads do, or the body.
func (s *scheduler) movers() {
	s.meetsOthers()
	o := &s.house.others
	_, _, lost := spindleWordsOf(true)
	_, _, bodyLost := spindleWordsOf(false)
	lost = lost || bodyLost || o.lost
	spindleBeside(func(g unsafe.Pointer, start uintptr, turns uint8, moving, noted bool) {
		if g == s.house.caller || !place.OfProgram(start) {
			return
		}
		name := runtime.FuncForPC(start).Name()
		b := o.around[g]
		switch moved := moving || b.moving || b.turns != turns; {
		case moved && (lost || !noted || mayHide(place.PackageOf(name))):
			s.doubts.Add(certificate.NotSeen, "goroutine "+name+", which runs beside the threads", "")
		case o.met != "" && noted && (moved || spindleNotes(g)):
			s.doubts.Add(certificate.NotSeen, "goroutine "+name+", which runs beside the threads, and may access the same memory", o.met)
		}
	})
}

// mayHide reports whether a package may come to code of which not all accesses are noted.
func mayHide(path string) bool {
	return unseen.Hiding[path] || unseen.Packages[path] != ""
}

// putState puts back what package-level variables held when the exploration began.
func (s *scheduler) putState() {
	s.meetsOthers()
	o := &s.house.others
	s.house.held.PutBack(o.accesses, func(r *variables.Region) {
		if !o.leaves(r) {
			s.changedForGood(r.Name, "")
		}
	})
	if s.house.held.Over {
		s.doubts.Add(certificate.NotCompared, "all that package-level variables hold", "")
	}
	if err := variables.Unread(); err != nil {
		s.doubts.Add(certificate.NotCompared, "package-level variables: "+err.Error(), "")
	}
}

// meetsOthers is called at the end of an execution, before its state is put back.
func (s *scheduler) meetsOthers() {
	if !PlainAccesses {
		return
	}
	o := &s.house.others
	entries, count, _ := spindleWordsOf(true)
	if count != o.noted {
		o.noted = count
		for _, e := range entries {
			if e != 0 && e&ofFresh == 0 {
				o.words[e>>2] = o.words[e>>2] || e&1 != 0
			}
		}
	}
	if o.met == "" {
		for word, written := range o.words {
			if where := s.accessed(word, written); where != "" {
				o.met = where
				break
			}
		}
	}
	for word, name := range o.left {
		if where := s.accessed(word, true); where != "" {
			s.changedForGood(name, where)
			delete(o.left, word)
		}
	}
	spindleWordsSpare()
}

func (s *scheduler) changedForGood(name, where string) {
	s.doubts.Add(certificate.NotCompared, "what package-level variable "+name+" holds, which others hold, too, and which was changed", where)
}

// accessed returns where the execution accesses a word, "" if it does not. Where it is not written by others, only writes count.
func (s *scheduler) accessed(word uintptr, written bool) string {
	switch a, operated := s.races.Accessed(word, !written); {
	case a != nil:
		return place.Where(a.Site)
	case operated:
		return "by an operation of a thread"
	}
	if _, is := s.house.talk.cases[unsafe.Add(unsafe.Pointer(nil), word<<3)]; is {
		return "by an operation on a channel"
	}
	entries, count, _ := spindleWordsOf(false)
	for i := word * 0x9e3779b97f4a7c15 >> 32; count > 0; i++ { // as the runtime puts them there
		switch e := entries[i%uintptr(len(entries))]; {
		case e == 0:
			return ""
		case e>>2 == word && (written || e&1 != 0):
			return "by the body"
		}
	}
	return ""
}

// leaves notes that an execution has changed memory that is not put back: later ones may not access it. It reports whether it is noted.
func (o *others) leaves(r *variables.Region) bool {
	noting = true
	spindleWordsOn()
	now := r.Now()
	for at := uintptr(0); at < r.Size; at += 8 {
		n := min(8, r.Size-at)
		if string(r.Was[at:at+n]) != string(now[at:at+n]) {
			o.left[(uintptr(r.At)+at)>>3] = r.Name
		}
	}
	return len(o.left) <= mostWordsLeft
}

// accesses reports whether goroutines beside the exploration have accessed memory.
func (o *others) accesses(r *variables.Region) bool {
	for word := range o.words {
		if first := uintptr(r.At) >> 3; first <= word && word <= (uintptr(r.At)+r.Size-1)>>3 {
			return true
		}
	}
	return false
}
