package engine

import (
	"bytes"
	"hash/maphash"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// What package-level variables reach.
//
// Before the first execution all memory that can be reached from them by their
// types is noted, with a copy of it. After each execution it must be as it was. An
// object that was put in the place of another shows by the pointer to it; so
// nothing has to be followed a second time.
//
// An execution that changes such state makes the next one another program: a
// failure. In an object of a package that is not rewritten it may be no more than
// a cache, so there it is a doubt; and so is what cannot be followed.

// mostKept bounds the bytes that are noted: they are compared after each
// execution. It takes some 30 microseconds for all of them.
const mostKept = 1 << 20

// reachable is what package-level variables reach.
type reachable struct {
	regions []region
	maps    []mapState
	seen    map[reached]bool
	// functions that have captured something, and the variable that they are in
	functions map[unsafe.Pointer]string
	size      uintptr
	doubts    *doubts
	name      string // of the variable that is being followed
	over      bool
}

type region struct {
	at   unsafe.Pointer
	size uintptr
	copied
	name    string
	foreign string // the package that it is of, if that is not rewritten
}

// A mapState is a map, a sync.Map or a channel, with a sum of what is in it.
type mapState struct {
	sum  func() uint64
	was  uint64
	name string
	put  func() // puts back what was in it; nil if that cannot be done
}

// reach notes what the variables reach.
func reach(all []Global, d *doubts) *reachable {
	r := &reachable{seen: make(map[reached]bool), doubts: d}
	for _, g := range all {
		if g.Pointer == nil {
			continue
		}
		r.name, r.over = g.Name, false
		v := reflect.ValueOf(g.Pointer)
		r.seen[reached{v.UnsafePointer(), v.Type().Elem()}] = true // its own bytes are compared elsewhere
		r.value(v.Elem())
	}
	for i := range r.regions { // at last: to look into a sync.Map changes it once
		g := &r.regions[i]
		if g.bytes = bytes.Clone(unsafe.Slice((*byte)(g.at), g.size)); g.of.IsValid() {
			g.copy()
		}
	}
	return r
}

// note adds an object. It reports whether it was not there.
func (r *reachable) note(at unsafe.Pointer, size uintptr, t reflect.Type) bool {
	key := reached{at, t}
	if r.seen[key] || r.over {
		return false
	}
	r.seen[key] = true
	if size == 0 {
		return true
	}
	if r.size+size > mostKept {
		r.over = true
		r.doubts.add(NotCompared, "all that package-level variable "+r.name+" reaches", "")
		return false
	}
	r.size += size
	foreign := ""
	if path := packageOfType(t); unseenPackages[path] != nil {
		foreign = path
	}
	g := region{at: at, size: size, name: r.name, foreign: foreign}
	if t.Kind() == reflect.Slice { // the array of one
		t = reflect.ArrayOf(int(size/t.Elem().Size()), t.Elem())
	}
	if foreign == "" {
		g.of = reflect.NewAt(t, at).Elem()
	}
	r.regions = append(r.regions, g)
	return true
}

// What the runtime calls a function literal or a method value, and a literal of the
// package level.
var (
	literalOrValue = regexp.MustCompile(`\.(func|gowrap)?\d+(\.\d+)*$|-fm$`)
	ofPackage      = regexp.MustCompile(`\.(init|glob\.)\.func\d+$`)
)

func (r *reachable) value(v reflect.Value) {
	if r.over || !v.IsValid() {
		return
	}
	t := v.Type()
	switch path := t.PkgPath(); {
	case path == own+"sync" && t.Name() == "Map" && v.CanAddr():
		r.syncMap(v)
		return
	case path == own+"atomic" && (t.Name() == "Value" || strings.HasPrefix(t.Name(), "Pointer[")):
		r.value(v.Field(0))
		return
	case path == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer["):
		p := v.FieldByName("v").UnsafePointer()
		if elem := t.Field(0).Type.Elem().Elem(); p != nil && r.note(p, elem.Size(), elem) {
			r.value(reflect.NewAt(elem, p).Elem())
		}
		return
	case skipped(t):
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if e := t.Elem(); !v.IsNil() && (!skipped(e) || strings.HasPrefix(e.PkgPath(), own)) && r.note(v.UnsafePointer(), e.Size(), e) {
			r.value(v.Elem())
		}
	case reflect.Slice:
		if v.Cap() > 0 && r.note(v.UnsafePointer(), uintptr(v.Cap())*t.Elem().Size(), t) && pointed(t.Elem()) {
			for i := range v.Len() {
				r.value(v.Index(i))
			}
		}
	case reflect.Map:
		if !v.IsNil() && r.note(v.UnsafePointer(), 0, t) {
			r.mapOf(v)
		}
	case reflect.Chan:
		if !v.IsNil() && v.CanAddr() && r.note(v.UnsafePointer(), 0, t) {
			r.channel(reflect.NewAt(t, v.Addr().UnsafePointer()).Elem())
		}
	case reflect.Interface:
		r.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if pointed(t.Field(i).Type) {
				r.value(v.Field(i))
			}
		}
	case reflect.Array:
		if pointed(t.Elem()) {
			for i := range v.Len() {
				r.value(v.Index(i))
			}
		}
	case reflect.Func:
		// What it has captured cannot be followed, and matters if it is called: see
		// CallsFunc. A literal of the package level captures nothing.
		if f := runtime.FuncForPC(v.Pointer()); !v.IsNil() && f != nil {
			if n := f.Name(); literalOrValue.MatchString(n) && !ofPackage.MatchString(n) {
				if r.functions == nil {
					r.functions = make(map[unsafe.Pointer]string)
				}
				r.functions[v.UnsafePointer()] = r.name
			}
		}
	case reflect.UnsafePointer:
		if !v.IsNil() {
			r.doubts.add(NotCompared, "what an unsafe.Pointer in package-level variable "+r.name+" points to", "")
		}
	}
}

func (r *reachable) mapOf(v reflect.Value) {
	t := v.Type()
	if r.size += uintptr(v.Len()) * (t.Key().Size() + t.Elem().Size()); r.size > mostKept {
		r.over = true
		r.doubts.add(NotCompared, "all that package-level variable "+r.name+" reaches", "")
		return
	}
	sum := func() (n uint64) {
		for i := v.MapRange(); i.Next(); {
			n += pairSum(i.Key(), i.Value())
		}
		return n + uint64(v.Len())
	}
	var put func()
	if v.CanAddr() {
		m, kept := reflect.NewAt(t, v.Addr().UnsafePointer()).Elem(), reflect.MakeMap(t)
		fill(kept, m)
		put = func() {
			m.Clear()
			fill(m, kept)
		}
	}
	r.maps = append(r.maps, mapState{sum, sum(), r.name, put})
	if pointed(t.Key()) || pointed(t.Elem()) {
		for i := v.MapRange(); i.Next(); {
			r.value(i.Key())
			r.value(i.Value())
		}
	}
}

// closedChannel reports whether a channel is closed; nil where that cannot be asked.
var closedChannel func(c unsafe.Pointer) bool

// channel notes how many values are in a channel, and whether it is closed. What was put into one that was empty can be taken out.
func (r *reachable) channel(v reflect.Value) {
	c := v.UnsafePointer()
	sum := func() uint64 {
		n := uint64(reflect.NewAt(v.Type(), unsafe.Pointer(&c)).Elem().Len())
		if closedChannel != nil && closedChannel(c) {
			n = ^n
		}
		return n
	}
	var put func()
	if was := sum(); was == 0 && v.Type().ChanDir()&reflect.RecvDir != 0 {
		put = func() {
			for v.Len() > 0 {
				v.TryRecv()
			}
		}
	}
	r.maps = append(r.maps, mapState{sum, sum(), r.name, put})
}

// fill puts all that is in one map into another.
func fill(m, from reflect.Value) {
	for i := from.MapRange(); i.Next(); {
		m.SetMapIndex(i.Key(), i.Value())
	}
}

func (r *reachable) syncMap(v reflect.Value) {
	m, ok := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(interface {
		Range(func(key, value any) bool)
	})
	if !ok || !r.note(v.Addr().UnsafePointer(), 0, nil) {
		return
	}
	sum := func() (n uint64) {
		m.Range(func(k, v any) bool {
			n += pairSum(reflect.ValueOf(k), reflect.ValueOf(v))
			return true
		})
		return n
	}
	kept, original := make(map[any]any), (*sync.Map)(v.Addr().UnsafePointer())
	m.Range(func(k, v any) bool {
		kept[k] = v
		return true
	})
	r.maps = append(r.maps, mapState{sum, sum(), r.name, func() {
		original.Range(func(k, _ any) bool { // Clear would change more than what is in it
			original.Delete(k)
			return true
		})
		for k, v := range kept {
			original.Store(k, v)
		}
	}})
	m.Range(func(k, v any) bool {
		r.value(reflect.ValueOf(k))
		r.value(reflect.ValueOf(v))
		return !r.over
	})
}

var seed = maphash.MakeSeed()

// pairSum is a sum of a key and its value.
func pairSum(k, v reflect.Value) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	write(&h, k)
	write(&h, v)
	return h.Sum64()
}

// write writes a value into a sum: pointers as they are.
func write(h *maphash.Hash, v reflect.Value) {
	word := func(n uint64) {
		for range 8 {
			h.WriteByte(byte(n))
			n >>= 8
		}
	}
	switch v.Kind() {
	case reflect.Invalid:
	case reflect.String:
		word(uint64(v.Len()))
		h.WriteString(v.String())
	case reflect.Interface:
		write(h, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			write(h, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			write(h, v.Index(i))
		}
	case reflect.Slice:
		word(uint64(v.Len()))
		word(uint64(v.Pointer()))
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		word(uint64(v.Pointer()))
	case reflect.Bool:
		if v.Bool() {
			h.WriteByte(1)
		}
	case reflect.Float32, reflect.Float64:
		maphash.WriteComparable(h, v.Float())
	case reflect.Complex64, reflect.Complex128:
		maphash.WriteComparable(h, v.Complex())
	default:
		if v.CanInt() {
			word(uint64(v.Int()))
		} else {
			word(v.Uint())
		}
	}
}

// changed returns the variable of which something has changed, and the package it
// is of if that is not rewritten.
func (r *reachable) changed() (name, foreign string) {
	for i := range r.regions {
		if g := &r.regions[i]; g.differs(g.at) {
			if g.foreign == "" {
				return g.name, ""
			}
			name, foreign = g.name, g.foreign
		}
	}
	for i := range r.maps {
		if m := &r.maps[i]; m.sum() != m.was {
			return m.name, ""
		}
	}
	return name, foreign
}
