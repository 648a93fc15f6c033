//go:build spindle_runtime

package engine

import (
	"os"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
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
func spindleObjectsMade() []rounds.Made

//go:linkname spindleForget runtime.spindleForget
func spindleForget()

// forget forgets what was reported since the last operation: it is the engine's own.
func forget() { spindleForget() }

// hides keeps writes of explored code from the rounds of loops: a test of shadow rounds.
var hides = os.Getenv("SPINDLE_INTERNAL_HIDE") != ""

// drain notes what the running thread has read and written since its last operation.
func (s *scheduler) drain() {
	all, lost := spindleAccesses()
	if t := s.running; t != nil && !t.engaged {
		t.loop.Makes(spindleObjectsMade())
		if n := spindleCoros; n != s.house.coros { // what is on the stack of another coroutine is not compared
			s.house.coros = n
			t.loop.Changes()
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
			}
			if a.what&1 != 0 && !(hides && place.OfExplored(site)) {
				t.loop.Writes(&rounds.Write{Addr: uintptr(a.addr), Size: a.what >> 2, Old: a.old, Late: reportsLate[c.Package], Site: site, Last: t.Last}, spindleExtent)
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
		t.loop.Changes()
	}
	return t
}

func handsBack(t *thread) {
	if t != nil {
		forget()
		t.engaged = false
	}
}

// reportsLate are packages that report a write when they have made it: what was there before is not known.
var reportsLate = map[string]bool{"strconv": true, "syscall": true}

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
