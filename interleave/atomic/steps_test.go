package atomic

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// expected says for each operation, on what holds 5, which step it is: the kind, what
// it reads and writes, and whether it changes anything. The reduction goes by that.
var expected = []struct {
	name string
	args []int64
	kind object.Kind
	step string
}{
	{"Load", nil, object.Load, "5 0"},
	{"Store", []int64{6}, object.Store, "5 6 changed"},
	{"Swap", []int64{6}, object.Swap, "5 6 changed"},
	{"CompareAndSwap", []int64{5, 6}, object.CompareAndSwap, "5 6 changed"},
	{"CompareAndSwap", []int64{6, 6}, object.CompareAndSwap, "5 5"},
	{"Add", []int64{3}, object.Add, "5 8 changed"},
	{"And", []int64{6}, object.And, "5 4 changed"},
	{"Or", []int64{8}, object.Or, "5 13 changed"},
}

// stands returns what stands for 5 or 6 in a type, and what a step calls it.
func stands(t reflect.Type, n int64) (reflect.Value, string) {
	switch t.Kind() {
	case reflect.Bool:
		return reflect.ValueOf(n == 5), map[int64]string{5: "1", 6: "0"}[n]
	case reflect.Pointer:
		return reflect.ValueOf(&cells[n-5]), fmt.Sprint(n - 4) // the first pointer, the second
	case reflect.UnsafePointer:
		return reflect.ValueOf(unsafe.Pointer(&cells[n-5])), fmt.Sprint(n - 4)
	case reflect.Interface:
		v := reflect.New(t).Elem()
		v.Set(reflect.ValueOf(int(n)))
		return v, fmt.Sprint(n - 4)
	}
	return reflect.ValueOf(n).Convert(t), fmt.Sprint(n)
}

// TestSteps calls each method and function, with a site and without.
func TestSteps(t *testing.T) {
	calls := 0
	// check has a thread call f, with the word, and a site if it takes one.
	check := func(name string, f reflect.Value, object func() reflect.Value, method bool) {
		of, at := strings.CutSuffix(name, "At")
		for _, e := range expected {
			if e.name != of {
				continue
			}
			calls++
			want := e.kind.String() + " " + e.step
			var addr reflect.Value
			called := false
			var last []engine.Step
			_, failure, err := engine.Explore(engine.Options{Each: func(v *engine.View) bool {
				last = v.Steps()
				return false
			}}, func(x *engine.Exec) {
				addr = object()
				args := []reflect.Value{addr}
				if at && method {
					args = append(args, site)
				}
				for _, n := range e.args {
					v, _ := stands(f.Type().In(len(args)), n)
					args = append(args, v)
				}
				x.Go("a", func() { f.Call(args); called = true })
			})
			if err != nil || failure != nil || len(last) != 1 || !called {
				t.Errorf("%s: %v, %v, %v", name, last, failure, err)
				continue
			}
			word := addr.Type().Elem()
			if method {
				load, _ := addr.Type().MethodByName("Load")
				word = load.Type.Out(0)
			}
			if word.Kind() < reflect.Int || word.Kind() > reflect.Uintptr {
				words := strings.Fields(want)
				for i, w := range words[1:] {
					if w == "5" || w == "6" {
						_, words[i+1] = stands(word, int64(w[0]-'0'))
					}
				}
				want = strings.Join(words, " ")
			}
			s := last[0]
			got := fmt.Sprintf("%s %d %d", s.Kind, s.Read, s.Wrote)
			if s.Changed {
				got += " changed"
			}
			if got != want || (s.Site == 7) != at {
				t.Errorf("%s of %v: %s at site %d, want %s", name, word, got, s.Site, want)
			}
		}
	}
	for _, x := range types() {
		typ := reflect.TypeOf(x[1])
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			check(m.Name, m.Func, func() reflect.Value {
				object := reflect.New(typ.Elem())
				store := object.MethodByName("Store")
				five, _ := stands(store.Type().In(0), 5)
				store.Call([]reflect.Value{five})
				return object
			}, true)
		}
	}
	for _, f := range functions {
		for _, f := range f[1:] {
			f := reflect.ValueOf(f)
			full := runtime.FuncForPC(f.Pointer()).Name()
			name := full[strings.LastIndexByte(full, '.')+1:]
			word := f.Type().In(0).Elem()
			for _, typ := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Pointer"} {
				name = strings.TrimSuffix(name, typ)
			}
			check(name, f, func() reflect.Value {
				object := reflect.New(word)
				five, _ := stands(word, 5)
				object.Elem().Set(five)
				return object
			}, false)
		}
	}
	if calls < 90 {
		t.Errorf("only %d operations", calls)
	}
}

// TestForetold: whether a CompareAndSwap will succeed is known before, and those that
// fail are in no order. So of three threads that try the same, one is first, and then
// one more, tries to take it back.
func TestForetold(t *testing.T) {
	for _, x := range types() {
		typ := reflect.TypeOf(x[1])
		if typ == reflect.TypeFor[*Value]() {
			continue // of which it is not foretold
		}
		var executions [2]int
		var seen [2]string
		for i, st := range []engine.Strategy{engine.Exhaustive, engine.DFS} {
			all := make(map[string]bool)
			c, f, err := engine.Explore(engine.Options{Strategy: st, Bound: -1}, func(x *engine.Exec) {
				object := reflect.New(typ.Elem())
				swap := object.MethodByName("CompareAndSwap")
				five, _ := stands(swap.Type().In(0), 5)
				six, _ := stands(swap.Type().In(0), 6)
				object.MethodByName("Store").Call([]reflect.Value{five})
				won := make([]bool, 4)
				for n := range 3 {
					x.Go(fmt.Sprint(n), func() { won[n] = swap.Call([]reflect.Value{five, six})[0].Bool() })
				}
				x.Go("back", func() { won[3] = swap.Call([]reflect.Value{six, five})[0].Bool() })
				x.Finally(func() { all[fmt.Sprint(won)] = true })
			})
			if f != nil || err != nil || !c.Complete() {
				t.Errorf("%v: %v, %v, %v", typ, c, f, err)
			}
			executions[i], seen[i] = c.Executions, fmt.Sprint(all)
		}
		// The one that takes back fails first, or one of five orders follows the first that wins.
		if executions != [2]int{18, 24} || seen[0] != seen[1] {
			t.Errorf("%v: %v executions, want 18 of 24; the reduction sees %s, brute force %s", typ, executions, seen[0], seen[1])
		}
	}
}
