package atomic

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestEveryOperationIsAnAccess: each operation, beside a plain access of another thread
// to the first or the last byte of what it works on, is a data race, unless both
// read.
func TestEveryOperationIsAnAccess(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	// check has one thread call f, and others look at what it works on.
	check := func(name string, size uintptr, f func() (of unsafe.Pointer, call func())) {
		reads := strings.Contains(name, "Load")
		for _, at := range []uintptr{0, size - 1, size} {
			for _, writes := range []bool{false, true} {
				race := at < size && (writes || !reads)
				_, failure, err := engine.Explore(engine.Options{Strategy: engine.DFS, Executions: 1}, func(x *engine.Exec) {
					of, call := f()
					x.Go("calls", call)
					x.Go("plain", func() {
						access := engine.Read
						if writes {
							access = engine.Write
						}
						access(unsafe.Add(of, at), 1, 0)
					})
				})
				if err != nil || (failure != nil) != race || race && failure.Kind != engine.DataRace {
					t.Errorf("%s, beside byte %d of %d (writes: %v): %v, %v, expected a data race: %v", name, at, size, writes, failure, err, race)
				}
			}
		}
	}
	arguments := func(of reflect.Type, from int, list ...reflect.Value) []reflect.Value {
		for i := from; i < of.NumIn(); i++ {
			switch in := of.In(i); {
			case in == site.Type():
				list = append(list, site)
			case in.Kind() == reflect.Interface:
				list = append(list, reflect.ValueOf(1))
			default:
				list = append(list, reflect.Zero(in))
			}
		}
		return list
	}
	calls := 0
	for _, x := range types() {
		typ := reflect.TypeOf(x[1])
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			calls++
			check(typ.Elem().Name()+"."+m.Name, typ.Elem().Size(), func() (unsafe.Pointer, func()) {
				two := reflect.New(reflect.ArrayOf(2, typ.Elem())) // a byte behind it must be there
				object := two.Elem().Index(0).Addr()
				return object.UnsafePointer(), func() { m.Func.Call(arguments(m.Type, 1, object)) }
			})
		}
	}
	for _, f := range functions {
		for _, f := range f[1:] {
			calls++
			f := reflect.ValueOf(f)
			word := f.Type().In(0).Elem()
			name := f.Type().String()
			if f.Type().NumOut() == 1 && f.Type().NumIn() == 1 {
				name = "Load " + name
			}
			check(name, word.Size(), func() (unsafe.Pointer, func()) {
				two := reflect.New(reflect.ArrayOf(2, word))
				object := two.Elem().Index(0).Addr()
				return object.UnsafePointer(), func() { f.Call(arguments(f.Type(), 1, object)) }
			})
		}
	}
	if calls < 80 {
		t.Errorf("only %d operations", calls)
	}
}
