//go:build spindle_runtime

package engine

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// Where the runtime, or package sync, is called from that asks the engine.

// tables are packages of which the operations guard tables, of types and the like: they order nothing but what these packages do themselves.
var tables = map[string]bool{"reflect": true, "internal/reflectlite": true, "encoding/json": true}

// calls are known places, by return address.
var calls = struct {
	sync.Mutex
	at     map[uintptr]*place.Call
	recent [1 << 8]struct { // some of these, by the address
		pc uintptr
		is *place.Call
	}
}{at: make(map[uintptr]*place.Call)}

// siteOfCall returns the site of the operation that the running thread is about to make, and whether it is a step: what the standard library does for itself is
// none. Package reflect may be between: it makes operations on channels for others, and has locks of its own.
func siteOfCall(others place.Via) (Site, bool) {
	return siteOf(called(others))
}

// siteOf is siteOfCall of a place.
func siteOf(c *place.Call) (Site, bool) {
	if c == nil || c.Own {
		return 0, false
	}
	if len(current.oneStep) > 0 && list.Contains(current.oneStep, c.Package) {
		current.goesBy("what package " + c.Package + " does for itself is no step")
		return c.Site, false
	}
	return c.Site, c.Seen
}

// called returns the place that the runtime, or package sync, was called from which asks: the caller of this was called there. It is nil if that is far away.
func called(others place.Via) *place.Call {
	if !onThread() {
		if !lockCalls() {
			return nil
		}
		defer calls.Unlock()
	}
	// To ask where one is takes long. It is near, most often.
	var frames [4 + mostFar]uintptr
	near := frames[:4+mostNear]
	if spindleCallers(near) == 0 { // frames have no pointers
		c, _ := calledIn(callers(mostFar), others)
		return c
	}
	asked := uint64(others)
	o := nears.Find(asked, near)
	if o != nil && o.Is != farAway {
		return o.Is
	}
	if o == nil {
		c, is := calledIn(callers(mostNear), others)
		if is {
			nears.Add(asked, near, c)
			return c
		}
		nears.Add(asked, near, farAway)
	}
	spindleCallers(frames[:])
	if o = fars.Find(asked, frames[:]); o != nil {
		return o.Is
	}
	c, _ := calledIn(callers(mostFar), others)
	fars.Add(asked, frames[:], c)
	return c
}

// callers is runtime.Callers, of the caller of called, which is the caller of this.
func callers(most int) []uintptr {
	n := runtime.Callers(5, found[:most])
	return found[:n]
}

var found [mostFar]uintptr

// calledIn is called, of these return addresses. It reports whether they say it.
func calledIn(pcs []uintptr, others place.Via) (*place.Call, bool) {
	adds := false
	for _, pc := range pcs {
		c := at(pc)
		if !c.Inner && c.Via&others == 0 {
			if adds && c.Counts {
				return nil, true
			}
			return c, true
		}
		adds = c.Adds
	}
	return nil, false
}

// How many frames are looked at.
const (
	mostNear = 4
	mostFar  = 16
)

// What called says, by where the frames return to that called it, and by what it was asked: a frame may be of several functions, which are part of
// one, but never of less than one. And how operations pass.
var (
	nears, fars place.ByFrames[*place.Call]
	passes      place.ByFrames[place.Passing]
	farAway     = new(place.Call) // said of frames of which all are asked on behalf of others
)

//go:linkname spindleCallers runtime.spindleCallers
//go:noescape
func spindleCallers(pcs []uintptr) int

// beyond returns the first place outside of the standard library that the caller of called was called from, nil if it is far away.
func beyond() *place.Call {
	var pcs [32]uintptr
	c, _ := firstBeyond(pcs[:runtime.Callers(4, pcs[:])], "")
	return c
}

// firstBeyond is beyond, of these return addresses. It also reports whether a package was met before that place.
func firstBeyond(pcs []uintptr, pkg string) (first *place.Call, met bool) {
	if !onThread() {
		if !lockCalls() {
			return nil, false
		}
		defer calls.Unlock()
	}
	for _, pc := range pcs {
		c := at(pc)
		if !c.Inner && !c.Std && c.Seen {
			return c, met
		}
		met = met || c.Package == pkg
	}
	return nil, met
}

// Here is the site of the code that is explored as it is and has called package hook; 0 outside of an exploration.
func Here() Site {
	if !Exploring() {
		return 0
	}
	if b := beyond(); b != nil {
		return b.Site
	}
	return 0
}

// lockCalls locks the table of places for a goroutine that is no thread: others may run beside the body. It reports whether it has: not where threads have begun
// meanwhile, see onlyThreads.
func lockCalls() bool {
	calls.Lock()
	if controlled {
		calls.Unlock()
		return false
	}
	return true
}

func at(pc uintptr) *place.Call {
	recent := &calls.recent[pc%uintptr(len(calls.recent))]
	if recent.pc != pc || recent.is == nil {
		c := calls.at[pc]
		if c == nil {
			c = place.At(pc)
			calls.at[pc] = c
		}
		recent.pc, recent.is = pc, c
	}
	return recent.is
}

// Steps is asked where package sync, or sync/atomic, is about to make an operation on an object. It reports whether that is a step of a
// thread; CalledAt then says where it is.
func Steps(object unsafe.Pointer) bool {
	s := current
	if !onThread() {
		s.breaksHere()
		return false
	}
	if !s.takesPart() || s.running.engaged {
		return false
	}
	defer handsBack(takesOver())
	site, seen := siteHere()
	s.house.called = site
	if !seen && site != 0 && object != nil {
		s.passesInside(object, passingHere(), tables[place.Package(site)])
	}
	return seen
}

// siteHere is siteOfCall, for Steps. The stack that it walks over is kept for visits.
func siteHere() (Site, bool) {
	w := &current.house.walk
	w.Walk = rounds.Look()
	p := w.Shape
	if p == nil {
		return siteOfCall(0)
	}
	if !p.Asked {
		p.Called, _ = calledIn(found[:runtime.Callers(3, found[:])], 0)
		p.Asked = true
	}
	site, seen := siteOf(p.Called)
	if w.site = site; !p.Near() { // the operation is made further up
		w.Shape = nil
	}
	return site, seen
}

// passingHere returns how the operation passes that the caller of Steps was asked from.
func passingHere() place.Passing {
	var frames [4 + mostNear]uintptr
	known := spindleCallers(frames[:]) > 0
	if o := passes.Find(0, frames[:]); o != nil && known {
		return o.Is
	}
	order := place.AcquiresAndReleases
	var pcs [mostNear]uintptr
	for _, pc := range pcs[:runtime.Callers(4, pcs[:])] {
		if f := at(pc); !f.Hook {
			order = f.Order
			break
		}
	}
	if known {
		passes.Add(0, frames[:], order)
	}
	return order
}

// takesPart reports whether the caller, a goroutine of the exploration, is the running thread, or while no thread runs the body, a function given to Finally, or what
// these have started. What they have started may go on beside threads: then it has no part.
func (s *scheduler) takesPart() bool {
	if s == nil || s.unwinding {
		return false
	}
	if onThread() {
		return controlled && s.running != nil
	}
	return !controlled && s.outside
}

// onlyThreads is called when threads begin. Goroutines that run beside the body may be asking just now: they are let come to an end. From now on they have no part.
func (s *scheduler) onlyThreads() {
	for _, l := range []sync.Locker{&calls, &s.house.talk, &s.house.clock} {
		l.Lock()
		l.Unlock()
	}
}

// CalledAt returns the site of the operation that Steps was asked about last.
func CalledAt() Site { return current.house.called }
