package engine

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// What a call can get at through its receiver and its arguments.

// MayTouch says that the running thread passes v, at site, to code that was not
// seen and that may read or write what is behind it: the object itself, or with
// deep all that can be reached from it.
func MayTouch(site Site, v any, write, deep bool) {
	if controlled && PlainAccesses && current.failure == nil && !current.unwinding {
		r := reacher{s: current, site: site, write: write, deep: deep}
		current.may = true
		r.value(reflect.ValueOf(v), 0)
		current.may = false
	}
}

// TouchesBehind says that the running thread calls what reads or writes the object
// behind v, and nothing else can be: it is a plain access.
func TouchesBehind(site Site, v any, write bool) {
	if controlled && PlainAccesses {
		r := reacher{s: current, site: site, write: write, flat: true}
		r.value(reflect.ValueOf(v), 0)
	}
}

// mostReached bounds how many objects of one call are looked at.
const mostReached = 2000

type reacher struct {
	s     *scheduler
	site  Site
	write bool
	deep  bool
	flat  bool // the object itself, without what is in it
	seen  map[reached]bool
	over  bool
}

type reached struct {
	at unsafe.Pointer
	t  reflect.Type
}

// touch is an access of an object. It reports whether it is the first.
func (r *reacher) touch(at unsafe.Pointer, size uintptr, t reflect.Type) bool {
	if at == nil || r.over {
		return false
	}
	key := reached{at, t}
	if r.seen[key] {
		return false
	}
	if r.seen == nil {
		r.seen = make(map[reached]bool)
	}
	if r.seen[key] = true; len(r.seen) > mostReached {
		r.over = true
		p := placeOf(r.site)
		r.s.doubts.add(NotSeen, "all that "+p.Unseen+" can reach from "+p.Expr, place(p))
		return false
	}
	plain(at, size, r.site, r.write)
	return true
}

// value follows v. Depth counts the pointers that were followed.
func (r *reacher) value(v reflect.Value, depth int) {
	if !v.IsValid() || r.over {
		return
	}
	t := v.Type()
	if skipped(t) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 && !r.deep || v.IsNil() || skipped(t.Elem()) {
			return
		}
		if r.touch(v.UnsafePointer(), t.Elem().Size(), t.Elem()) && !r.flat {
			r.value(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if v.Len() > 0 && r.touch(v.UnsafePointer(), uintptr(v.Len())*t.Elem().Size(), t) && !r.flat && pointed(t.Elem()) {
			for i := range v.Len() {
				r.value(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if !v.IsNil() && r.touch(v.UnsafePointer(), 1, t) && !r.flat && (pointed(t.Key()) || pointed(t.Elem())) {
			for i := v.MapRange(); i.Next() && !r.over; {
				r.value(i.Key(), depth+1)
				r.value(i.Value(), depth+1)
			}
		}
	case reflect.Interface:
		if e := v.Elem(); depth == 0 || !e.IsValid() || !isRewritten(e.Type()) {
			r.value(e, depth)
		} // or its methods say what they do
	case reflect.Struct:
		for i := range v.NumField() {
			if pointed(t.Field(i).Type) {
				r.value(v.Field(i), max(depth, 1))
			}
		}
	case reflect.Array:
		if pointed(t.Elem()) {
			for i := range v.Len() {
				r.value(v.Index(i), max(depth, 1))
			}
		}
	case reflect.Chan, reflect.UnsafePointer: // a function says what it does when it is called
		if r.deep {
			r.touch(v.UnsafePointer(), 1, t)
		}
	}
}

// pointed reports whether values of t can point to something.
func pointed(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if pointed(t.Field(i).Type) {
				return true
			}
		}
	case reflect.Array:
		return t.Len() > 0 && pointed(t.Elem())
	}
	return false
}

// skipped are types whose own operations say what is read and written, those of
// the test, and those whose values never change: times and types.
func skipped(t reflect.Type) bool {
	switch path := t.PkgPath(); path {
	case "":
		return false
	case "testing", "internal/abi":
		return true
	case "os":
		return true // what is written to a file, nobody reads back
	case "time", "reflect":
		return t.Kind() == reflect.Struct && t.Name() != "Value"
	default:
		return strings.HasPrefix(path, own)
	}
}

// isRewritten reports whether t, or what it points to, has a name in a package that is
// rewritten.
func isRewritten(t reflect.Type) bool {
	path := packageOfType(t)
	return path != "" && unseenPackages[path] == nil
}

func packageOfType(t reflect.Type) string {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t.PkgPath()
}

// own begins the import paths of the explorer.
const own = "github.com/spindle-go/spindle/interleave/"

// CallsMethod says that a method of v, a value of an interface or of a type
// parameter, is called: v's own type decides whether that was seen.
func CallsMethod(site Site, v any) {
	s := current
	if s == nil || !controlled && !s.outside || v == nil {
		return
	}
	p := unseenPackages[packageOfType(reflect.TypeOf(v))]
	if p == nil {
		return
	}
	Reached(site, p.Package)
	MayTouch(site, v, !p.Quiet, !p.Quiet)
}

// IsUnseen reports whether t, or what it points to, has a name in a package that is
// not rewritten.
func IsUnseen(t reflect.Type) bool { return unseenPackages[packageOfType(t)] != nil }

// MayRead is Read by code that was not seen, and that may not do it.
func MayRead(addr unsafe.Pointer, size uintptr, site Site) {
	if controlled {
		current.may = true
		plain(addr, size, site, false)
		current.may = false
	}
}

// MayWrite is Write by code that was not seen, and that may not do it.
func MayWrite(addr unsafe.Pointer, size uintptr, site Site) {
	if controlled {
		current.may = true
		plain(addr, size, site, true)
		current.may = false
	}
}

// CallsFunc says that f, a value of a function type, is called: by its code it is
// told whether that was seen.
func CallsFunc(site Site, f any) {
	s := current
	if s == nil || !controlled && !s.outside {
		return
	}
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return
	}
	if s.reached != nil {
		if name, ok := s.reached.functions[v.UnsafePointer()]; ok {
			s.doubts.add(NotCompared, "what a function in package-level variable "+name+" has captured", "called "+where(site))
		}
	}
	pc := v.Pointer()
	c, ok := codes[pc]
	if !ok {
		// What reflection has made says itself what it calls.
		if f := runtime.FuncForPC(pc); f != nil && !strings.HasPrefix(f.Name(), "reflect.") {
			c = code{unseenPackages[packageOf(f.Name())], functionOf(f.Name())}
		}
		if codes == nil {
			codes = make(map[uintptr]code)
		}
		codes[pc] = c
	}
	p := c.in
	if p == nil {
		return
	}
	reachedAs(site, p.Package, c.name)
	if !p.Quiet && controlled && PlainAccesses {
		s.may = true
		plain(v.UnsafePointer(), 1, site, true) // stands for what it has captured
		s.may = false
	}
}

// A code is what is known of a function's code, by its address.
type code struct {
	in   *unseenPackage // nil if it was seen
	name string
}

var codes map[uintptr]code
