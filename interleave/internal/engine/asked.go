//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// What the runtime asks of what is left open, and of what goes by chance.

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
