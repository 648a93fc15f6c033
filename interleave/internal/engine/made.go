package engine

import (
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// Functions that code makes which was not seen: an iterator over a slice, the function
// that cancels a context. What such a function has captured cannot be followed, so the
// call that made it is remembered: each call of the function, and each call of what was
// not seen that it is passed to, may do again what that call may do.

// A Given is what a call was given, and what the call may do with it.
type Given struct {
	Value  reflect.Value
	Effect std.Effect
}

// made is a function by what it was made of.
type made struct {
	given []Given
	write bool // it may change what it has captured
	keep  any  // so that its address is not another's
}

// Functions that were made outside of an exploration are kept for good, the others
// until the execution ends.
var (
	madeBefore sync.Map // the goroutines of a test may do so at once
	madeNow    map[unsafe.Pointer]made
	madeIn     uint64 // the execution of madeNow
)

// Made says that code which was not seen has made f, a function, of what it was given.
func Made(f any, given []Given) {
	defer handsBack(takesOver())
	at := closureOf(f)
	if at == nil {
		return
	}
	m := made{given: given, keep: f}
	for _, g := range given {
		m.write = m.write || g.Effect.Changes()
	}
	if !Exploring() {
		madeBefore.Store(at, m)
		return
	}
	if madeNow == nil || madeIn != current.execution {
		madeNow, madeIn = make(map[unsafe.Pointer]made), current.execution
	}
	madeNow[at] = m
}

func madeAt(at unsafe.Pointer) (m made, ok bool) {
	if current != nil && madeIn == current.execution {
		if m, ok = madeNow[at]; ok {
			return m, true
		}
	}
	before, ok := madeBefore.Load(at)
	if !ok {
		return made{}, false
	}
	return before.(made), true
}

// closureOf returns what is one for each function value, nil for none.
func closureOf(f any) unsafe.Pointer {
	if reflect.TypeOf(f).Kind() != reflect.Func {
		return nil
	}
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
}

// closureIn is closureOf of a value that may be of a field that is not exported. It
// reports whether it can be told.
func closureIn(v reflect.Value) (unsafe.Pointer, bool) {
	switch {
	case v.CanInterface():
		return closureOf(v.Interface()), true
	case v.CanAddr():
		return *(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr())), true
	}
	return nil, false
}

// MadeUnseen reports whether f was made by code that was not seen, or is such code, and
// whether a call of it may change something.
func MadeUnseen(f any) (unseen, changes bool) {
	at := closureOf(f)
	if at == nil {
		return false, false
	}
	if m, ok := madeAt(at); ok {
		return true, m.write
	}
	c := codeOf(reflect.ValueOf(f).Pointer())
	return c.in != nil && !c.controls, c.in != nil && !c.controls
}

// Controls reports whether f, of a package that is not rewritten, only switches to what it
// is given, which says itself what it does: iter.Pull of a function that is seen.
func Controls(f reflect.Value, given []reflect.Value) bool {
	if len(given) != 1 || given[0].Kind() != reflect.Func || given[0].IsNil() || !codeOf(f.Pointer()).controls {
		return false
	}
	unseen, _ := MadeUnseen(given[0].Interface())
	return !unseen
}

// Untold reports whether f does not say itself what its calls do: no function that tells
// of another has been put in its place.
func Untold(f any) bool {
	return !reflected.MatchString(runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name())
}

// LastEvent is the number of the last operation of the running thread.
func LastEvent() int32 {
	if !Controlled() {
		return 0
	}
	return current.running.Last
}

// A code is what is known of a function's code, by its address.
type code struct {
	in       *unseenPackage // nil if it was seen
	name     string
	captures bool // it may have captured something
	controls bool // it is of package iter, whose coroutines are controlled
}

var codes map[uintptr]code

// capturing matches what the runtime calls a function that may have captured something:
// a literal, a method value.
var capturing = regexp.MustCompile(`\.(func|gowrap|deferwrap)?\d+$|-fm$|-range\d+$`)

func codeOf(pc uintptr) code {
	c, ok := codes[pc]
	if !ok {
		// What reflection has made says itself what it calls.
		if f := runtime.FuncForPC(pc); f != nil && !reflected.MatchString(f.Name()) {
			name := strings.ReplaceAll(f.Name(), "[...]", "")
			pkg := packageOf(name)
			c = code{in: unseenPackages[pkg], name: functionOf(name), captures: capturing.MatchString(name) && !ofPackageLevel.MatchString(name), controls: pkg == "iter"}
		}
		if codes == nil {
			codes = make(map[uintptr]code)
		}
		codes[pc] = c
	}
	return c
}

// ofPackageLevel matches a literal that stands outside of functions.
var ofPackageLevel = regexp.MustCompile(`\.(init|glob\.)\.func\d+$`)

var reflected = regexp.MustCompile(`^reflect\.(makeFuncStub|methodValueCall)`)

// function tells what a call of v may do, a function that is passed to code which was
// not seen.
func (r *reacher) function(v reflect.Value) {
	if v.IsNil() {
		return
	}
	at, known := closureIn(v)
	if m, ok := madeAt(at); known && ok {
		r.again(at, m)
		return
	}
	if c := codeOf(v.Pointer()); r.deep && c.in != nil && c.captures && !c.controls {
		r.s.doubts.add(NotSeen, "what "+c.name+" has captured", where(r.site))
	}
}

// again is an access of all that a function was made of.
func (r *reacher) again(at unsafe.Pointer, m made) {
	key := reached{at, nil}
	if r.seen[key] || r.over {
		return
	}
	if r.seen == nil {
		r.seen = make(map[reached]bool)
	}
	r.seen[key] = true
	if m.write {
		plain(at, 1, r.site, true) // stands for what it has captured
	}
	for _, g := range m.given {
		r.s.does(r.site, g.Value, g.Effect, map[reached]bool{key: true})
	}
}
