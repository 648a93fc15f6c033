package hook

import (
	"io"
	"reflect"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/std"
)

// A method that is called through an interface, or by an expression (*T).Method, may
// be reached by a function that the compiler writes: it follows the pointers among
// the embedded fields, and copies the receiver if the method wants a value. These
// are plain reads, which stand nowhere in the source. Which they are, the dynamic
// type decides.

// Method is an operand whose method is called, where its dynamic type decides
// which: an interface, or a type parameter. Mark is a site of what is not seen, site
// one of the reads. An empty name says that the reads are told elsewhere.
func Method[T any](mark, site Site, name string, v T) T {
	if engine.Exploring() {
		called := any(v)
		if name == "" {
			engine.CallsMethod(mark, called)
		} else if called != nil {
			wayTo(site, name, reflect.TypeOf(called)).take(mark, site, reflect.ValueOf(called), engine.Read)
		}
	}
	return v
}

// Copied is Method of a deferred call: it is deferred behind it, and so comes right
// before it.
func Copied(mark, site Site, name string, v any) { Method(mark, site, name, v) }

// Keep notes an operand.
func Keep[T any](to *any, v T) T {
	if engine.Exploring() {
		*to = v
	}
	return v
}

// held is what Hold was given last. One thread runs at a time, and between Hold and
// the Bound around it there is nothing but the evaluation of a method value.
var held any

// Hold is the operand of a method value, for Bound:
//
//	hook.Bound(17, 18, "Len", hook.Hold(i).Len)
func Hold[T any](v T) T {
	if engine.Exploring() {
		held = v
	}
	return v
}

// Bound is a method value of an interface or a type parameter. What is read on the way
// to the method is read by each call, and what the method does, if it is not seen, is
// told then.
func Bound[F any](mark, site Site, name string, f F) F {
	v := reflect.ValueOf(held)
	held = nil
	if !engine.Exploring() || !v.IsValid() {
		return f
	}
	w := wayTo(site, name, v.Type())
	if w.free() {
		return f
	}
	take := func() { w.take(mark, site, v, engine.Read) }
	fv := reflect.ValueOf(f)
	if w.unseen {
		u := &unseenFunc{site: mark, f: fv, call: take, args: w.args(v.Type(), name, fv.Type(), 0)}
		return u.told().Interface().(F)
	}
	return reflect.MakeFunc(fv.Type(), func(args []reflect.Value) []reflect.Value {
		take()
		return call(fv, args)
	}).Interface().(F)
}

// Passed is a method value of an interface, of which only what the method does with its
// arguments is to be told: for a deferred call.
func Passed[F any](mark, site Site, name string, f F) F {
	v := reflect.ValueOf(held)
	held = nil
	if !engine.Exploring() || !v.IsValid() {
		return f
	}
	if w := wayTo(site, name, v.Type()); w.unseen {
		fv := reflect.ValueOf(f)
		u := &unseenFunc{site: mark, f: fv, args: w.args(v.Type(), name, fv.Type(), 0)}
		return u.told().Interface().(F)
	}
	return f
}

// Expression is a method expression, whose first argument is the receiver.
func Expression[F any](mark, site Site, name string, f F) F {
	fv := reflect.ValueOf(f)
	return reflect.MakeFunc(fv.Type(), func(args []reflect.Value) []reflect.Value {
		v := args[0]
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if !engine.Exploring() || !v.IsValid() {
			return call(fv, args)
		}
		w := wayTo(site, name, v.Type())
		w.take(mark, site, v, engine.Read)
		if !w.unseen {
			return call(fv, args)
		}
		u := &unseenFunc{site: mark, f: fv, args: append([]std.Effect{std.Nothing}, w.args(v.Type(), name, fv.Type(), 1)...)}
		return u.do(args)
	}).Interface().(F)
}

// args returns the effects of a method that is not seen, of a value of t, on its
// arguments: those of f from the first on.
func (w *way) args(t reflect.Type, name string, f reflect.Type, first int) (effects []std.Effect) {
	e := std.Of(engine.MethodOf(w.holder, name))
	n := 0
	if engine.Reaches(t) { // the receiver comes first
		n = 1
	}
	for i := first; i < f.NumIn(); i++ {
		if in := f.In(i); in.Kind() == reflect.Func || !engine.Reaches(in) {
			effects = append(effects, std.Nothing)
			continue
		}
		effects = append(effects, e.On(n))
		n++
	}
	if name == "Write" && t.Implements(reflect.TypeFor[io.Writer]()) && len(effects) == 1 {
		effects[0] = std.MayRead // it must not modify the slice, says the documentation, and not keep it
	}
	return effects
}

// Along is v, a struct or a pointer to one, of which embedded fields are followed
// that cannot be named where it stands: its pointers are read, and if whole is set
// what the last field has, or points to.
func Along[T any](site Site, whole bool, v T, fields ...int) T {
	if engine.Controlled() {
		w := &way{end: atPointer}
		if whole {
			w.end = atValue
		}
		w.holder = followed(reflect.TypeOf(v), fields, w)
		w.take(0, site, reflect.ValueOf(v), engine.Read)
	}
	return v
}

// followed adds the fields to a way, and returns what type it comes to.
func followed(t reflect.Type, fields []int, w *way) reflect.Type {
	t = pointedTo(t)
	for _, i := range fields {
		f := t.Field(i)
		w.hops = append(w.hops, hopOf(f))
		t = pointedTo(f.Type)
	}
	return t
}

// pointedTo is the type that a pointer points to, or t if it is none.
func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// A hop is an embedded field.
type hop struct {
	offset  uintptr
	pointer bool
}

func hopOf(f reflect.StructField) hop {
	return hop{f.Offset, f.Type.Kind() == reflect.Pointer}
}

// An end is what a way comes to.
type end uint8

const (
	atNothing   end = iota // all that is read is told by others
	atPointer              // a method that wants a pointer
	atValue                // a method that wants a value: it is copied
	atInterface            // a field that is an interface
	atMethod               // a method of which nothing more is known
	atSome                 // it is not known which field has the method
)

// A way leads from a value to what has the method.
type way struct {
	name   string
	hops   []hop
	end    end
	holder reflect.Type // that has the method
	unseen bool         // and is of a package that is not rewritten
}

// free reports whether nothing is to be told.
func (w *way) free() bool { return w.end == atNothing && !w.unseen }

// take tells what is read on the way from v, and what the method does if it is not
// seen. Reads are told by read.
func (w *way) take(mark, site Site, v reflect.Value, read reader) {
	if w.unseen && len(w.hops) == 0 {
		defer engine.CallsMethod(mark, v.Interface())
	}
	if w.end == atNothing {
		return
	}
	p, memory := start(v)
	for _, h := range w.hops {
		if p == nil {
			return // the call panics
		}
		p = unsafe.Add(p, h.offset)
		if h.pointer {
			if memory {
				read(p, unsafe.Sizeof(p), site)
			}
			p, memory = *(*unsafe.Pointer)(p), true
		}
	}
	if p == nil {
		return
	}
	if memory && (w.end == atValue || w.end == atInterface) {
		read(p, w.holder.Size(), site)
	}
	switch {
	case w.end == atInterface:
		if v := reflect.NewAt(w.holder, p).Elem().Elem(); v.IsValid() {
			wayTo(site, w.name, v.Type()).take(mark, site, v, read)
		}
	case w.end == atSome:
		engine.Does(mark, reflect.NewAt(w.holder, p).Interface(), std.MayReadAll)
	case w.unseen && len(w.hops) > 0:
		engine.CallsMethod(mark, reflect.NewAt(w.holder, p).Interface())
	}
}

// A reader tells of a read: engine.Read, or engine.MayRead.
type reader func(addr unsafe.Pointer, size uintptr, site Site)

// start returns the address of what v points to, or of a copy of v, which is then no
// memory that others know.
func start(v reflect.Value) (p unsafe.Pointer, memory bool) {
	if v.Kind() == reflect.Pointer {
		return v.UnsafePointer(), true
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.UnsafePointer(), false
}
