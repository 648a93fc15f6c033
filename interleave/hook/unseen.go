package hook

import (
	"fmt"
	"reflect"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// What rewritten code says of calls of code that is not rewritten: see the
// engine's file of the same name. Each function but the last two returns what it was
// given: the operand of a call.

// An Unseen is a package that is not rewritten.
type Unseen = engine.Unseen

// UnseenPackages says which packages are not rewritten.
func UnseenPackages(all ...Unseen) { engine.RegisterUnseen(all...) }

// Reads is an operand that the call reads what is behind of, and Writes one that
// it writes.
func Reads[T any](site Site, v T) T {
	if engine.Controlled() {
		engine.TouchesBehind(site, v, false)
	}
	return v
}

// Writes: see Reads.
func Writes[T any](site Site, v T) T {
	if engine.Controlled() {
		engine.TouchesBehind(site, v, true)
	}
	return v
}

// MayRead is an operand that the call may read what is behind of, MayWrite one
// that it may write.
func MayRead[T any](site Site, v T) T {
	if engine.Controlled() {
		engine.MayTouch(site, v, false, false)
	}
	return v
}

// MayWrite: see MayRead.
func MayWrite[T any](site Site, v T) T {
	if engine.Controlled() {
		engine.MayTouch(site, v, true, false)
	}
	return v
}

// MayReadAll is MayRead of all that can be reached from the operand, and
// MayWriteAll is MayWrite of that.
func MayReadAll[T any](site Site, v T) T {
	if engine.Controlled() {
		engine.MayTouch(site, v, false, true)
	}
	return v
}

// MayWriteAll: see MayReadAll.
func MayWriteAll[T any](site Site, v T) T {
	if engine.Controlled() {
		engine.MayTouch(site, v, true, true)
	}
	return v
}

// Formats is an operand that package fmt words: by its own method if it has one,
// and else by what it reads of it.
func Formats[T any](site Site, v T) T {
	if engine.Controlled() {
		switch any(v).(type) {
		case fmt.Formatter, fmt.Stringer, error:
			mayCall(site, v)
		default:
			engine.MayTouch(site, v, false, false)
		}
	}
	return v
}

// Calls is an operand whose methods the call may come to.
func Calls[T any](site Site, v T) T {
	if engine.Exploring() {
		engine.CallsMethod(site, v)
		mayCall(site, v)
	}
	return v
}

// mayCall says that methods of v may be called by what is not seen.
func mayCall(site Site, v any) {
	if v == nil {
		return
	}
	t := reflect.TypeOf(v)
	key := wayKey{t, site}
	all, ok := waysBy[key]
	if !ok {
		all = waysOf(t)
		waysBy[key] = all
	}
	for _, w := range all {
		w.take(site, site, reflect.ValueOf(v), engine.MayRead)
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

// Func is a function value that is called.
func Func[F any](site Site, f F) F {
	engine.CallsFunc(site, f)
	return f
}

// Later is a function or method that is not rewritten, as a value: of package pkg,
// of receiver, nil for none. Each of its calls is like one that stands in the source.
func Later[F any](site Site, pkg, chance string, receiver any, f F) F {
	fv := reflect.ValueOf(f)
	return reflect.MakeFunc(fv.Type(), func(args []reflect.Value) []reflect.Value {
		if chance != "" {
			engine.Chanced(site, chance)
		}
		engine.Reached(site, pkg)
		if engine.Controlled() {
			if receiver != nil {
				engine.MayTouch(site, receiver, true, true)
			}
			for _, a := range args {
				if a.CanInterface() {
					engine.MayTouch(site, a.Interface(), true, true)
				}
			}
		}
		return call(fv, args)
	}).Interface().(F)
}
