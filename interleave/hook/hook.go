// Package hook is what instrumented code calls. It is not for use by hand: the
// calls are put into a temporary copy of the source by interleave, which passes
// it to the go command as an overlay.
//
// Each function carries the number of the place that it was put at, its site.
// Outside of an exploration the functions do what the code did before, at the
// cost of a test of one word.
package hook

import (
	"reflect"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Site is a place in the source; see [Register].
type Site = engine.Site

// A Place says what a site is.
type Place = engine.Place

// A Global is a package-level variable.
type Global = engine.Global

var registered bool

// Register says what the sites from first on are. The init function of every
// rewritten package calls it.
func Register(first Site, places []Place) {
	registered = true
	engine.Register(first, places)
}

// Registered reports whether anything called [Register], which is so in an
// instrumented binary only.
func Registered() bool { return registered }

// Globals says which package-level variables a rewritten package has.
func Globals(globals ...Global) { engine.RegisterGlobals(globals...) }

// Go is a go statement of a call without arguments and results.
func Go(site Site, f func()) {
	if engine.Controlled() {
		engine.Spawn(site, f)
		return
	}
	if engine.SpawnOutside(site, f) {
		return
	}
	engine.RefuseOutside(site, "a go statement of the body, or of a function given to Finally: threads are started by Go of the Exec,")
	go f()
}

// Call is a go statement of any other call: what it returns has the type of f
// and starts f with the arguments that it is called with. So the function and
// the arguments are evaluated, and converted, where the go statement stood.
func Call[F any](site Site, f F) F {
	fv := reflect.ValueOf(f)
	t := fv.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		Go(site, func() { call(fv, args) })
		return zeros(t)
	}).Interface().(F)
}

// Gosched is runtime.Gosched, which is passed so that its import stays in use.
func Gosched(site Site, original func()) {
	if !engine.Controlled() {
		original()
		return
	}
	engine.Begin(nil, object.Gosched, site)
	engine.End(0, 0, false)
}

// Refuse stands before a statement that cannot be controlled.
func Refuse(site Site, what string) { engine.Refuse(site, what) }

// Refused is v, an operand of something that cannot be controlled: a channel
// that is about to be sent on, a function that is about to be called.
func Refused[T any](site Site, what string, v T) T {
	engine.Refuse(site, what)
	return v
}

// Uncontrolled is f as a value, which is refused where it is called.
func Uncontrolled[F any](site Site, what string, f F) F {
	fv := reflect.ValueOf(f)
	return reflect.MakeFunc(fv.Type(), func(args []reflect.Value) []reflect.Value {
		engine.Refuse(site, what)
		return call(fv, args)
	}).Interface().(F)
}

// call calls f with what a function of MakeFunc was given, where the last
// argument of a variadic function is a slice.
func call(f reflect.Value, args []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

func zeros(f reflect.Type) []reflect.Value {
	out := make([]reflect.Value, f.NumOut())
	for i := range out {
		out[i] = reflect.Zero(f.Out(i))
	}
	return out
}

// word returns the word that a map, which is a pointer, consists of.
func word[M any](m M) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&m)) }
