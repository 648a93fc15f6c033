//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"
	"sync"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// Where the runtime, or package sync, is called from that asks the engine: code that is not rewritten has no sites of its own.

// A calledFrom is what is known of a place where one is called.
type calledFrom struct {
	inner bool // it is one of those that are called themselves
	via   via  // what package it is of, if it is one that calls for others
	own   bool // it is the engine, or a drop-in
	seen  bool // operations that are made there are steps
	knows bool // all is known of what the package does for itself
	adds  bool // it is Add of an atomic.Int32
	tally bool // what it adds to so is for the package's own tests, and outlives an execution: package context counts goroutines
	file  string
	line  int
	site  Site
	named bool // its object has a name
}

// A via is a set of packages that call for others.
type via uint8

const (
	viaReflect via = 1 << iota
	viaTime
	reflectOrTime = viaReflect | viaTime
)

var vias = map[string]via{"reflect": viaReflect, "internal/reflectlite": viaReflect, "time": viaTime}

// calls are known places, by return address.
var calls = struct {
	sync.Mutex
	at map[uintptr]*calledFrom
}{at: make(map[uintptr]*calledFrom)}

// siteOfCall returns the site of the operation that the running thread is about to make, and whether it is a step: what the standard library does for itself is
// none. Package reflect may be between: it makes operations on channels for others, and has locks of its own.
func siteOfCall(others via) (Site, bool) {
	c := called(others)
	if c == nil || c.own {
		return 0, false
	}
	if near := current.running.near; near != 0 && !c.named {
		if p := placeOf(near); p.Line == c.line && p.File == c.file {
			made := &madeSites[c.site-firstMade]
			c.named, made.Expr, made.Action, made.Func = true, p.Expr, p.Action, p.Func
		}
	}
	return c.site, c.seen
}

// called returns the place that the runtime, or package sync, was called from which asks: the caller of this was called there. It is nil if that is far away.
func called(others via) *calledFrom {
	var pcs [16]uintptr
	n := runtime.Callers(4, pcs[:4]) // it is near, most often, and to look far takes long
	if !onThread() {                 // goroutines may run beside the body
		calls.Lock()
		defer calls.Unlock()
		if controlled { // threads have begun meanwhile: see onlyThreads
			return nil
		}
	}
	adds := false
	for i := 0; i < n; i++ {
		c := at(pcs[i])
		if !c.inner && c.via&others == 0 {
			if adds && c.tally {
				return nil
			}
			return c
		}
		adds = c.adds
		if i == 3 {
			n = runtime.Callers(4, pcs[:])
		}
	}
	return nil
}

// beyond returns the first place outside of the standard library that the caller of called was called from, nil if it is far away.
func beyond() *calledFrom {
	var pcs [32]uintptr
	n := runtime.Callers(4, pcs[:])
	if !onThread() {
		calls.Lock()
		defer calls.Unlock()
		if controlled {
			return nil
		}
	}
	for _, pc := range pcs[:n] {
		if c := at(pc); !c.inner && !c.knows && c.seen {
			return c
		}
	}
	return nil
}

func at(pc uintptr) *calledFrom {
	c := calls.at[pc]
	if c == nil {
		c = callAt(pc)
		calls.at[pc] = c
	}
	return c
}

func callAt(pc uintptr) *calledFrom {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	pkg := packageOf(f.Function)
	std := strings.HasPrefix(f.File, root)
	c := &calledFrom{file: f.File, line: f.Line}
	switch {
	case std:
		c.via = vias[pkg]
	case pkg == own+"hook": // it calls function values for a program, by package reflect
		c.via = reflectOrTime
	}
	switch {
	case std && (pkg == "runtime" || pkg == "sync" || pkg == "sync/atomic" || pkg == "internal/sync" || strings.HasPrefix(pkg, "internal/runtime/")):
		c.inner, c.adds = true, f.Function == "sync/atomic.(*Int32).Add"
	case ours(f.Function), strings.HasPrefix(pkg, suite), strings.HasPrefix(pkg, helpers), alongside[pkg]:
		c.own = true
	default:
		c.tally = std && pkg == "context"
		c.seen, c.knows = !std || stepwise[pkg], std && knownInside(f.Function)
		at := Place{File: f.File, Line: f.Line, Func: strings.TrimPrefix(f.Function, pkg+".")}
		madeSites = append(madeSites, madeSite{at, Instrumented() && !std && unseenPackages[pkg] == nil})
		c.site = firstMade + Site(len(madeSites)-1)
	}
	return c
}

// alongside are packages, besides those of the suite, that run on threads and are not what is explored.
var alongside = map[string]bool{
	"github.com/spindle-go/spindle/interleave": true, own + "harness": true, "github.com/spindle-go/spindle/linearizability": true,
	"github.com/spindle-go/spindle/linearizability/recorder": true,
}

// Steps is asked where package sync, or sync/atomic, is about to make an operation in code that is not rewritten. It reports whether that is a step of a
// thread; CalledAt then says where it is.
func Steps() bool {
	s := current
	if !onThread() || !s.takesPart() {
		return false
	}
	site, seen := siteOfCall(0)
	s.house.called = site
	return seen
}

// yields is asked where a thread calls runtime.Gosched in code that is not rewritten. It reports whether that was a step.
func yields() bool {
	s := current
	if !onThread() || !s.takesPart() {
		return false
	}
	var pc [1]uintptr
	if runtime.Callers(4, pc[:]); pc[0] == 0 {
		return false
	}
	c := at(pc[0])
	if !c.seen { // the runtime yields, too
		return false
	}
	begin(nil, object.Gosched, c.site, nil, nil)
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

// ranges is asked where a thread goes over a map with more than one key, in code that is not rewritten: in one order of many.
func ranges() {
	s := current
	if !onThread() || !s.takesPart() {
		return
	}
	if c := called(0); c != nil && c.seen && !marked(c.site) { // of code that is rewritten it is known which order it takes
		s.doubts.add(Chance, "the order of a map", where(c.site))
	}
}

// random returns the next random number of the running thread, or the body, the same in each execution, for what the runtime draws: seeds of maps, where it begins to go over
// one, and what package math/rand gives.
func random() (uint64, bool) {
	s := current
	if !s.takesPart() {
		return 0, false
	}
	thread := onThread()
	if thread { // a map may be made here, too
		inside(true)
		defer inside(false)
	}
	c := called(reflectOrTime)
	if c == nil || c.own {
		return 0, false
	}
	var id, n uint64
	if thread {
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

// CalledAt returns the site of the operation that Steps was asked about last.
func CalledAt() Site { return current.house.called }
