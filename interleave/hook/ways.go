package hook

import (
	"reflect"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/list"
)

// Which method a type has by which field is looked up as the specification of Go has
// it: the field at the least depth. What a type declares itself cannot be asked of
// it, and so is told by rewritten code.

// Declared are the methods that a type declares. A name that is not exported has its
// package before it.
type Declared struct {
	Type      string // "example.com/queue.Ring", without type arguments
	Value     string // the names of methods with a value receiver, with spaces between
	Pointer   string // with a pointer receiver
	Interface string // of an interface
	Twice     bool   // a type within a function may have the same name
	Of        any    // a pointer to the type, if one within a function has the same name
}

// methods are the methods of a type, by their names.
type methods struct {
	ends  map[string]end
	twice bool
	of    reflect.Type // the type, if there may be another of its name
}

var declared = map[string]*methods{}

// Methods says what types declare.
func Methods(all ...Declared) {
	for _, d := range all {
		m := &methods{ends: make(map[string]end), twice: d.Twice}
		if d.Of != nil {
			m.of = reflect.TypeOf(d.Of).Elem()
		}
		for names, end := range map[string]end{d.Value: atValue, d.Pointer: atPointer, d.Interface: atInterface} {
			for _, name := range strings.Fields(names) {
				m.ends[name] = end
			}
		}
		declared[d.Type] = m
	}
}

// methodsOf returns what t is known to declare, nil if it is not known.
func methodsOf(t reflect.Type) *methods {
	name, _, _ := strings.Cut(t.Name(), "[")
	m := declared[t.PkgPath()+"."+name]
	if m != nil && m.of != nil && m.of != t {
		return new(methods) // within a function: types there declare nothing
	}
	return m
}

type wayKey struct {
	t    reflect.Type
	site Site // of one method
}

var ways = map[wayKey]*way{}

// wayTo returns the way from a value of t to its method.
func wayTo(site Site, name string, t reflect.Type) *way {
	key := wayKey{t, site}
	w := ways[key]
	if w == nil {
		w = newWay(name, t)
		ways[key] = w
	}
	return w
}

func newWay(name string, t reflect.Type) *way {
	w := lookUp(name, t)
	w.name = name
	pointers := list.ContainsFunc(w.hops, func(h hop) bool { return h.pointer })
	if w.unseen {
		return w
	}
	if w.end == atPointer && !pointers || w.end == atValue && !pointers && t.Kind() != reflect.Pointer {
		w.end = atNothing // an address, or a copy of a copy
	}
	return w
}

// A field is where the search has come to.
type field struct {
	t    reflect.Type // not a pointer
	hops []hop
}

// lookUp searches t and its embedded fields for a method, level by level.
func lookUp(name string, t reflect.Type) *way {
	top := pointedTo(t)
	seen := map[reflect.Type]bool{}
	for level := []field{{t: top}}; len(level) > 0; {
		var found, unsure []*way
		var next []field
		for _, f := range level {
			if seen[f.t] {
				continue
			}
			seen[f.t] = true
			end, sure := endOf(name, f.t)
			w := &way{hops: f.hops, end: end, holder: f.t, unseen: engine.IsUnseen(f.t) && f.t.Kind() != reflect.Interface}
			if !sure {
				unsure = append(unsure, w)
			} else if end != atNothing {
				found = append(found, w)
			}
			next = append(next, embedded(f)...)
		}
		switch {
		case len(found) == 1:
			return found[0]
		case len(found)+len(unsure) == 1:
			return unsure[0]
		case len(found)+len(unsure) > 1:
			return &way{end: atSome, holder: top}
		}
		level = next
	}
	return &way{}
}

func embedded(f field) (all []field) {
	if f.t.Kind() != reflect.Struct {
		return nil
	}
	for i := range f.t.NumField() {
		if e := f.t.Field(i); e.Anonymous {
			all = append(all, field{pointedTo(e.Type), append(f.hops[:len(f.hops):len(f.hops)], hopOf(e))})
		}
	}
	return all
}

// endOf returns what a type has of a name: atNothing if it does not declare it.
func endOf(name string, t reflect.Type) (e end, sure bool) {
	path := t.PkgPath()
	if t.Name() == "" || path == "" { // or one of the universe
		if t.Kind() == reflect.Interface {
			return atInterface, t.Name() == "error" && name == "Error"
		}
		return atNothing, true
	}
	m := methodsOf(t)
	switch {
	case m != nil && m.twice:
		return atSome, false
	case m != nil:
		return m.ends[name], true
	case engine.IsRewritten(path):
		return atNothing, true
	case strings.HasPrefix(path, ours):
		return atNothing, false // its operations say what they do
	}
	return atMethod, false
}

// waysOf returns the ways to all methods that a type has.
func waysOf(t reflect.Type) (all []*way) {
	names := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var collect func(f field)
	collect = func(f field) {
		if seen[f.t] {
			return
		}
		seen[f.t] = true
		if m := methodsOf(f.t); m != nil {
			for name := range m.ends {
				names[name] = true
			}
		}
		for _, e := range embedded(f) {
			collect(e)
		}
	}
	collect(field{t: pointedTo(t)})
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	list.Sort(sorted, strings.Compare)
	for _, name := range sorted {
		all = append(all, newWay(name, t))
	}
	return all
}
