//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// Where the runtime, or package sync, is called from that asks the engine: code that is not rewritten has no sites of its own.

// A caller is what is known of a place where one is called.
type calledFrom struct {
	inner bool // it is one of those that are called themselves
	own   bool // it is the engine, or a drop-in
	seen  bool // operations that are made there are steps
	file  string
	line  int
	site  Site // the first of its own; 0 where it has none yet
	near  Site // of a rewritten line: the site that has its object's name
}

// calls are known places, by return address.
var calls = map[uintptr]*calledFrom{}

// siteOfCall returns the site of the operation that the running thread is about to make, and whether it is a step: what the standard library does for itself is none.
func siteOfCall() (Site, bool) {
	var pcs [12]uintptr
	for _, pc := range pcs[:runtime.Callers(3, pcs[:])] {
		c := calls[pc]
		if c == nil {
			c = callAt(pc)
			calls[pc] = c
		}
		switch {
		case c.own:
			return 0, false
		case c.inner:
			continue
		}
		if near := current.near; near != c.near {
			if p := placeOf(near); near != 0 && p.Line == c.line && p.File == c.file {
				c.near, c.site = near, near
			}
		}
		return c.site, c.seen
	}
	return 0, false
}

func callAt(pc uintptr) *calledFrom {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	pkg := packageOf(f.Function)
	std := strings.HasPrefix(f.File, root)
	c := &calledFrom{file: f.File, line: f.Line}
	switch {
	case std && (pkg == "runtime" || pkg == "sync" || pkg == "sync/atomic" || pkg == "reflect" || strings.HasPrefix(pkg, "internal/")):
		c.inner = true
	case ours(f.Function):
		c.own = true
	case std && !stepwise[pkg]:
	default:
		c.seen = true
		madeSites = append(madeSites, Place{File: f.File, Line: f.Line, Func: strings.TrimPrefix(f.Function, pkg+".")})
		c.site = firstMade + Site(len(madeSites)-1)
	}
	return c
}

// stepwise are packages of the standard library whose operations are steps of threads, as those of a program are. What others do for themselves, as fmt with its
// pools, is not.
var stepwise = map[string]bool{"context": true, "io": true, "time": true}

// Steps is asked where package sync, or sync/atomic, is about to make an operation in code that is not rewritten. It reports whether that is a step of a
// thread; CalledAt then says where it is.
func Steps() bool {
	s := current
	if !controlled || s == nil || s.running == nil || s.unwinding {
		return false
	}
	site, seen := siteOfCall()
	s.called = site
	return seen
}

// yields is asked where a thread calls runtime.Gosched in code that is not rewritten. It reports whether that was a step.
func yields() bool {
	if !Steps() {
		return false
	}
	begin(nil, object.Gosched, CalledAt(), nil, nil)
	end(0, 0, false, false)
	return true
}

// CalledAt returns the site of the operation that Steps was asked about last.
func CalledAt() Site { return current.called }
