package engine

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// What a call can get at through its receiver and its arguments.

// mostReached bounds how many objects of one call are looked at.
const mostReached = 2000

type reacher struct {
	s     *scheduler
	site  Site
	write bool
	deep  bool
	flat  bool // the object itself, without what is in it
	spare bool // of slices what is behind the elements, too, up to the capacity
	words bool // what has a method that puts it into words is read by that
	kept  bool // within what a package that is not rewritten has made
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
		if v.IsNil() || skipped(t.Elem()) && !variable(t.Elem()) {
			return
		}
		if depth > 0 && !r.deep {
			if !r.words || !IsUnseen(t) || !wordsItself(t) {
				return
			}
			r.deep = true
			defer func() { r.deep = false }()
		}
		if r.touch(v.UnsafePointer(), t.Elem().Size(), t.Elem()) && !r.flat {
			r.value(v.Elem(), depth+1)
		}
	case reflect.Slice:
		n := v.Len()
		if r.spare {
			n = v.Cap()
		}
		if n > 0 && r.touch(v.UnsafePointer(), uintptr(n)*t.Elem().Size(), t) && !r.flat && pointed(t.Elem()) {
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
		// What a package keeps for itself it only calls methods of, which say what they do.
		// What it is given it may look into, by reflection.
		if e := v.Elem(); depth == 0 || !e.IsValid() || !isRewritten(e.Type()) || !r.kept && (t.NumMethod() == 0 || isRewritten(t)) {
			r.value(e, depth)
		} else if r.deep && MethodsOf != nil {
			if !e.CanInterface() && v.CanAddr() { // of a field that is not exported
				e = reflect.NewAt(t, unsafe.Pointer(v.UnsafeAddr())).Elem().Elem()
			}
			if may := r.s.may; e.CanInterface() {
				MethodsOf(r.site, e)
				r.s.may = may
			}
		}
	case reflect.Struct:
		if IsUnseen(t) {
			kept := r.kept
			r.kept = true
			defer func() { r.kept = kept }()
		}
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
	case reflect.Func:
		r.function(v)
	case reflect.Chan, reflect.UnsafePointer:
		if r.deep {
			r.touch(v.UnsafePointer(), 1, t)
		}
	}
}

// MethodsOf says of a value that the methods may be called which the compiler made, of an
// embedded field's. Package hook sets it.
var MethodsOf func(site Site, v reflect.Value)

// wordsItself reports whether package fmt puts values of t into words by a method.
func wordsItself(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[fmt.Stringer]()) || t.Implements(reflect.TypeFor[error]()) || t.Implements(reflect.TypeFor[fmt.Formatter]())
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
// the test, and those whose values do not change what they point to: times and types.
func skipped(t reflect.Type) bool {
	path := t.PkgPath()
	switch path {
	case "":
		return false
	case "internal/abi":
		return true
	case "os":
		return true // what is written to a file, nobody reads back
	case "time", "reflect":
		return t.Kind() == reflect.Struct && t.Name() != "Value"
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return std.Immutable(path, name) || strings.HasPrefix(path, own)
}

// Reaches reports whether values of t can reach memory that others know.
func Reaches(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer && skipped(t.Elem()) {
		return variable(t.Elem())
	}
	return pointed(t) && !skipped(t)
}

// variable reports whether a pointer to what is skipped is followed to it all the same.
func variable(t reflect.Type) bool {
	name, _, _ := strings.Cut(t.Name(), "[")
	return std.Variable(t.PkgPath(), name)
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
// parameter, is called: v's own type decides whether that was seen. The method is the
// one that the site names.
func CallsMethod(site Site, v any) {
	defer handsBack(takesOver())
	if v == nil || !Exploring() {
		return
	}
	pkg, name := MethodOf(reflect.TypeOf(v), placeOf(site).Unseen)
	p := unseenPackages[pkg]
	if p == nil {
		return
	}
	e := std.Of(pkg, name)
	if !e.Quiet {
		Reached(site, pkg)
	}
	Does(site, v, e.On(0))
}

// MethodOf returns the package of a type, or of what it points to, and the bare name of
// its method.
func MethodOf(t reflect.Type, method string) (pkg, name string) {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	of, _, _ := strings.Cut(t.Name(), "[")
	return t.PkgPath(), of + "." + method[strings.LastIndexByte(method, '.')+1:]
}

// IsUnseen reports whether t, or what it points to, has a name in a package that is
// not rewritten.
func IsUnseen(t reflect.Type) bool { return unseenPackages[packageOfType(t)] != nil }

// MayRead is Read by code that was not seen, and that may not do it.
func MayRead(addr unsafe.Pointer, size uintptr, site Site) {
	if Controlled() {
		current.may = true
		plain(addr, size, site, false)
		current.may = false
	}
}

// MayWrite is Write by code that was not seen, and that may not do it.
func MayWrite(addr unsafe.Pointer, size uintptr, site Site) {
	if Controlled() {
		current.may = true
		plain(addr, size, site, true)
		current.may = false
	}
}

// CallsFunc says that f, a value of a function type, is called: by its code it is
// told whether that was seen.
func CallsFunc(site Site, f any) {
	defer handsBack(takesOver())
	s := current
	if !Exploring() {
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
	c := codeOf(v.Pointer())
	if c.in != nil {
		reachedAs(site, c.in.Package, c.name)
	}
	at := closureOf(f)
	m, known := madeAt(at)
	if !controlled || !PlainAccesses || s.failure != nil || s.unwinding {
		return
	}
	s.may = true
	switch {
	case known:
		(&reacher{s: s, site: site}).again(at, m)
	case c.in != nil && c.captures && !c.controls:
		plain(at, 1, site, true) // stands for what it has captured
		s.doubts.add(NotSeen, "what "+c.name+" has captured", "called "+where(site))
	}
	s.may = false
}
