package hook

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/std"
)

// What rewritten code says of calls of code that is not rewritten: see the
// engine's file of the same name. Each function returns what it was given, the operand of
// a call, or a function that does the same and tells of it.

// An Unseen is a package that is not rewritten.
type Unseen = engine.Unseen

// UnseenPackages says which packages are not rewritten.
func UnseenPackages(all ...Unseen) { engine.RegisterUnseen(all...) }

// Hiding says that from a package code may be called that writes without a report.
func Hiding(path string) { engine.Hiding[path] = true }

// NoRace says that a function, as the runtime names it without type arguments, says //go:norace.
func NoRace(name string) { engine.NoRace[name] = true }

// Given is an operand, with which the call does what effect says, the text of a
// std.Effect.
func Given[T any](site Site, effect std.Effect, v T) T {
	if engine.Exploring() {
		given(site, effect, v)
	}
	return v
}

func given(site Site, effect std.Effect, v any) {
	switch effect {
	case std.Formats: // by its own method if it has one, and else by what is read of it
		switch v := v.(type) {
		case []any: // each is an operand
			engine.Does(site, v, std.MayRead)
			for _, v := range v {
				given(site, effect, v)
			}
		case fmt.Formatter, fmt.Stringer, error:
			if !engine.IsUnseen(reflect.TypeOf(v)) {
				mayCall(site, v)
				return
			}
			engine.Does(site, v, std.MayReadAll)
		default:
			engine.Does(site, v, std.Formats)
		}
	case std.Calls:
		if v == nil {
			return
		}
		if engine.IsUnseen(reflect.TypeOf(v)) {
			engine.CallsMethod(site, v)
			engine.Does(site, v, std.MayWriteAll)
		}
		mayCall(site, v)
	default:
		engine.Does(site, v, effect)
	}
}

// mayCall says that methods of v may be called by what is not seen.
func mayCall(site Site, v any) {
	if v == nil {
		return
	}
	mayCallOf(site, reflect.ValueOf(v))
}

func init() { engine.MethodsOf = mayCallOf }

func mayCallOf(site Site, v reflect.Value) {
	t := v.Type()
	key := wayKey{t, site}
	all, ok := waysBy[key]
	if !ok {
		all = waysOf(t)
		waysBy[key] = all
	}
	for _, w := range all {
		w.take(site, site, v, engine.MayRead)
	}
}

var waysBy = map[wayKey][]*way{}

// Reached is an operand of a call in a package that has something inside.
func Reached[T any](site Site, pkg string, v T) T {
	engine.Reached(site, pkg)
	return v
}

// Chance is an operand of a call of what goes by chance, or time.
func Chance[T any](site Site, what string, v T) T {
	engine.Chanced(site, what)
	return v
}

// Func is a function value that is called, or ranged over.
func Func[F any](site Site, f F) F {
	if !engine.Exploring() {
		return f
	}
	unseen, _ := engine.MadeUnseen(f)
	if !unseen {
		engine.CallsFunc(site, f)
		return f
	}
	u := &unseenFunc{site: site, f: reflect.ValueOf(f), call: func() { engine.CallsFunc(site, f) }}
	return u.told().Interface().(F)
}

// Later is a function or method that is not rewritten, of package pkg if it comes to what
// that has inside. What its calls do is told when they come: effects are of the
// receiver, which is what [Hold] was given, and of the arguments.
func Later[F any](site Site, pkg, chance string, recv std.Effect, args string, f F) F {
	u := &unseenFunc{site: site, f: reflect.ValueOf(f), chance: chance, pkg: pkg}
	for _, word := range strings.Fields(args) {
		u.args = append(u.args, std.Effect(word))
	}
	switch {
	case recv == "":
	case engine.Exploring():
		u.receiver = []engine.Given{{Value: reflect.ValueOf(held), Effect: recv}}
		held = nil
	default: // it was not noted
		u.call = func() { engine.DoesUnnoted(site) }
	}
	return u.told().Interface().(F)
}

// An unseenFunc is a function that is not rewritten, and what is told of its calls.
type unseenFunc struct {
	site        Site
	f           reflect.Value
	chance, pkg string
	receiver    []engine.Given
	args        []std.Effect // those that are missing are by the rule of package std
	call        func()       // tells of what the function itself is
}

// told is the function that tells.
func (u *unseenFunc) told() reflect.Value {
	return reflect.MakeFunc(u.f.Type(), func(args []reflect.Value) []reflect.Value {
		return u.do(args)
	})
}

func (u *unseenFunc) do(args []reflect.Value) []reflect.Value {
	if u.chance != "" {
		engine.Chanced(u.site, u.chance)
	}
	if u.pkg != "" {
		engine.Reached(u.site, u.pkg)
	}
	all := u.receiver
	for i, a := range args {
		all = append(all[:len(all):len(all)], engine.Given{Value: a, Effect: u.effect(i, a)})
	}
	tell := func() {
		if u.call != nil {
			u.call()
		}
		if engine.Exploring() {
			for _, g := range all {
				if g.Value.IsValid() && g.Value.CanInterface() {
					given(u.site, g.Effect, g.Value.Interface())
				}
			}
		}
	}
	tell()
	if engine.Controls(u.f, args) {
		return call(u.f, args)
	}
	for i, a := range args {
		if a.Kind() == reflect.Func && !a.IsNil() && engine.Exploring() {
			if unseen, _ := engine.MadeUnseen(a.Interface()); !unseen {
				args[i] = calledBack(a, all, tell)
			}
		}
	}
	results := call(u.f, args)
	made(results, all)
	return results
}

// effect is the effect on an argument.
func (u *unseenFunc) effect(i int, a reflect.Value) std.Effect {
	switch {
	case a.Kind() == reflect.Func:
		return std.MayReadAll // of what it was made, if it is not seen
	case len(u.args) == 0:
		return std.MayWriteAll
	}
	return u.args[min(i, len(u.args)-1)]
}

// calledBack is a function that is seen and is passed to one that is not: when it has
// done an operation, the call of which it is a part may go on with all that it was given.
func calledBack(f reflect.Value, all []engine.Given, tell func()) reflect.Value {
	return reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
		made(args, all)
		before := engine.LastEvent()
		results := call(f, args)
		if engine.LastEvent() != before {
			tell()
		}
		return results
	})
}

// made tells of functions that code which is not seen has made.
func made(values []reflect.Value, of []engine.Given) {
	for _, v := range values {
		if v.Kind() == reflect.Func && !v.IsNil() {
			if unseen := engine.Untold(v.Interface()); unseen {
				engine.Made(v.Interface(), of)
			}
		}
	}
}
