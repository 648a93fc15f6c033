//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
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

// yields is asked where a thread calls runtime.Gosched. It reports whether that was a step.
func yields() bool {
	defer handsBack(takesOver())
	s := current
	if !onThread() || !s.takesPart() {
		return false
	}
	var pc [1]uintptr
	if runtime.Callers(4, pc[:]); pc[0] == 0 {
		return false
	}
	c := at(pc[0])
	if !c.Seen { // the runtime yields, too
		return false
	}
	begin(nil, object.Gosched, c.Site, nil, nil)
	end(0, 0, false, false)
	return true
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

// ranges is asked where a thread goes over a map with more than one key: in one order of many.
func ranges() {
	defer handsBack(takesOver())
	s := current
	if !onThread() || !s.takesPart() {
		return
	}
	if c := called(0); c != nil && c.Seen {
		site := c.Site
		if c.Package == "maps" || strings.HasPrefix(c.File, place.Root+"maps/") { // it may be inlined
			if name, _, _ := strings.Cut(place.Of(site).Func, "["); name == "Copy" || name == "Clone" || strings.HasPrefix(name, "Equal") {
				return // all come to the same
			}
			if inOrder() {
				return
			}
			if b := beyond(); b != nil {
				site = b.Site
			}
		}
		s.doubts.Add(certificate.Chance, "the order of a map", place.Where(site))
	}
}

// inOrder reports whether what an iterator of package maps gives is put in order, or into a map.
func inOrder() bool {
	var pcs [32]uintptr
	for _, pc := range pcs[:runtime.Callers(4, pcs[:])] {
		switch c := at(pc); c.Package {
		case "maps", "slices":
			name, _, _ := strings.Cut(strings.TrimPrefix(runtime.FuncForPC(pc-1).Name(), c.Package+"."), "[")
			if strings.HasPrefix(name, "Sorted") || name == "Collect" && c.Package == "maps" || name == "Insert" && c.Package == "maps" {
				return true
			}
		default:
			if c.Seen && !c.Std {
				return false
			}
		}
	}
	return false
}

// random returns the next random number of the running thread, or the body, the same in each execution, for what the runtime draws: seeds of maps, where it begins to go over
// one, and what package math/rand gives.
func random() (uint64, bool) {
	defer handsBack(takesOver())
	s := current
	if !s.takesPart() {
		return 0, false
	}
	thread, draws := onThread(), s.house.draws
	s.house.draws = false
	if thread { // a map may be made here, too
		inside(true)
		defer inside(false)
	}
	c := called(place.Reflect | place.Timers)
	if c == nil || c.Own {
		return 0, false
	}
	if drawing[c.Package] {
		if b := beyond(); b != nil && place.Explored(b.Package) && c.Package != "hash/maphash" {
			s.doubts.Add(certificate.Chance, "what package "+c.Package+" gives", place.Where(b.Site))
		}
		s.goesBy(oneDraw)
		if thread {
			s.running.changes()
		}
	}
	var id, n uint64
	if !drawing[c.Package] && !draws { // a seed of a map, or where a range begins: a map that is made anew in each round is the same one
		n = 1 << 40
	} else if thread {
		s.running.drawn++
		id, n = uint64(s.running.ID)+1, s.running.drawn
	} else if spindleSelf() == s.house.clock.body {
		s.house.drawn++
		n = s.house.drawn
	} else { // a goroutine beside the body, or one of an exploration before
		id, n = 1<<31, s.house.beside.Add(1)
	}
	// Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
	z := (id<<32 + n) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31, true
}

// chances is asked where a thread, or the body, is about to draw a random number by a way that only the runtime should take: then what is "". Else it says what may be
// different in another run of the process.
func chances(what string) {
	switch s := current; {
	case !s.takesPart():
	case what == "":
		s.house.draws = true
		s.goesBy(oneDraw)
	default:
		var pcs [32]uintptr
		b, met := firstBeyond(pcs[:runtime.Callers(3, pcs[:])], "unique")
		switch {
		case met: // its tables lose nothing that is in use
		case b != nil && place.Explored(b.Package):
			s.doubts.Add(certificate.Chance, what, place.Where(b.Site))
		default:
			s.doubts.Add(certificate.Chance, what, "")
		}
	}
}

// oneDraw is a rule.
const oneDraw = "random numbers are the same in each execution"

// drawing are packages that draw random numbers for their callers.
var drawing = map[string]bool{"math/rand": true, "math/rand/v2": true, "hash/maphash": true}

// CalledAt returns the site of the operation that Steps was asked about last.
func CalledAt() Site { return current.house.called }
