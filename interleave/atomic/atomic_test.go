package atomic

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// types has one of each type, the original first. The third is for the At
// variants.
func types() [][3]any {
	return [][3]any{
		{new(atomic.Bool), new(Bool), new(Bool)},
		{new(atomic.Int32), new(Int32), new(Int32)},
		{new(atomic.Int64), new(Int64), new(Int64)},
		{new(atomic.Uint32), new(Uint32), new(Uint32)},
		{new(atomic.Uint64), new(Uint64), new(Uint64)},
		{new(atomic.Uintptr), new(Uintptr), new(Uintptr)},
		{new(atomic.Pointer[int]), new(Pointer[int]), new(Pointer[int])},
		{new(atomic.Value), new(Value), new(Value)},
	}
}

var functions = [][2]any{
	{atomic.AddInt32, AddInt32}, {atomic.AddInt64, AddInt64},
	{atomic.AddUint32, AddUint32}, {atomic.AddUint64, AddUint64},
	{atomic.AddUintptr, AddUintptr},
	{atomic.AndInt32, AndInt32}, {atomic.AndInt64, AndInt64},
	{atomic.AndUint32, AndUint32}, {atomic.AndUint64, AndUint64},
	{atomic.AndUintptr, AndUintptr},
	{atomic.OrInt32, OrInt32}, {atomic.OrInt64, OrInt64},
	{atomic.OrUint32, OrUint32}, {atomic.OrUint64, OrUint64},
	{atomic.OrUintptr, OrUintptr},
	{atomic.LoadInt32, LoadInt32}, {atomic.LoadInt64, LoadInt64},
	{atomic.LoadUint32, LoadUint32}, {atomic.LoadUint64, LoadUint64},
	{atomic.LoadUintptr, LoadUintptr}, {atomic.LoadPointer, LoadPointer},
	{atomic.StoreInt32, StoreInt32}, {atomic.StoreInt64, StoreInt64},
	{atomic.StoreUint32, StoreUint32}, {atomic.StoreUint64, StoreUint64},
	{atomic.StoreUintptr, StoreUintptr}, {atomic.StorePointer, StorePointer},
	{atomic.SwapInt32, SwapInt32}, {atomic.SwapInt64, SwapInt64},
	{atomic.SwapUint32, SwapUint32}, {atomic.SwapUint64, SwapUint64},
	{atomic.SwapUintptr, SwapUintptr}, {atomic.SwapPointer, SwapPointer},
	{atomic.CompareAndSwapInt32, CompareAndSwapInt32},
	{atomic.CompareAndSwapInt64, CompareAndSwapInt64},
	{atomic.CompareAndSwapUint32, CompareAndSwapUint32},
	{atomic.CompareAndSwapUint64, CompareAndSwapUint64},
	{atomic.CompareAndSwapUintptr, CompareAndSwapUintptr},
	{atomic.CompareAndSwapPointer, CompareAndSwapPointer},
}

var cells [3]int

// argument returns one of a few values of a type, so that comparisons succeed
// now and then.
func argument(t reflect.Type, r *rand.Rand) reflect.Value {
	cell := &cells[r.IntN(len(cells))]
	if r.IntN(4) == 0 {
		cell = nil
	}
	switch t.Kind() {
	case reflect.Interface: // of a Value: now and then what it does not take
		all := []any{1, 2, 300, 1, 2, nil, "one", []int{1}}
		n := 5
		if r.IntN(6) == 0 {
			n = len(all)
		}
		v := reflect.New(t).Elem()
		if x := all[r.IntN(n)]; x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return v
	case reflect.Bool:
		return reflect.ValueOf(r.IntN(2) == 0)
	case reflect.Pointer:
		return reflect.ValueOf(cell)
	case reflect.UnsafePointer:
		return reflect.ValueOf(unsafe.Pointer(cell))
	default:
		all := []int64{0, 1, -1, 3, 1 << 31, -1 << 63, 0x5555_5555_5555}
		return reflect.ValueOf(all[r.IntN(len(all))]).Convert(t)
	}
}

// call words what a call returns, or panics with.
func call(f reflect.Value, args []reflect.Value) (result string) {
	defer func() {
		if p := recover(); p != nil {
			result = fmt.Sprint("panic: ", p)
		}
	}()
	var words []string
	for _, v := range f.Call(args) {
		words = append(words, fmt.Sprintf("%#v", v.Interface()))
	}
	return strings.Join(words, ", ")
}

var site = reflect.ValueOf(Site(7))

// asOriginal calls every method and function n times with random arguments, as
// well as its original, and compares.
func asOriginal(r *rand.Rand, n int, fail func(string, ...any)) {
	for _, x := range types() {
		original, ours, at := reflect.ValueOf(x[0]), reflect.ValueOf(x[1]), reflect.ValueOf(x[2])
		for range n * original.NumMethod() {
			m := original.Type().Method(r.IntN(original.NumMethod()))
			var args []reflect.Value
			for i := 1; i < m.Type.NumIn(); i++ {
				args = append(args, argument(m.Type.In(i), r))
			}
			want := call(original.MethodByName(m.Name), args)
			if got := call(ours.MethodByName(m.Name), args); got != want {
				fail("%v.%s%v: %s, want %s", ours.Type(), m.Name, args, got, want)
			}
			at := at.MethodByName(m.Name + "At")
			if !at.IsValid() {
				continue
			}
			if got := call(at, append([]reflect.Value{site}, args...)); got != want {
				fail("%v.%sAt%v: %s, want %s", ours.Type(), m.Name, args, got, want)
			}
		}
	}
	for _, f := range functions {
		original, ours := reflect.ValueOf(f[0]), reflect.ValueOf(f[1])
		for range n {
			var args [2][]reflect.Value
			word := original.Type().In(0).Elem()
			before := argument(word, r)
			for i := range args {
				addr := reflect.New(word)
				addr.Elem().Set(before)
				args[i] = append(args[i], addr)
			}
			for i := 1; i < original.Type().NumIn(); i++ {
				a := argument(original.Type().In(i), r)
				for j := range args {
					args[j] = append(args[j], a)
				}
			}
			want := call(original, args[0]) + " leaves " + fmt.Sprint(args[0][0].Elem())
			if got := call(ours, args[1]) + " leaves " + fmt.Sprint(args[1][0].Elem()); got != want {
				fail("%v of %v %v: %s, want %s", ours.Type(), before, args[0][1:], got, want)
			}
		}
	}
}

func TestAsOriginal(t *testing.T) {
	asOriginal(rand.New(rand.NewPCG(1, 2)), 300, t.Errorf)
}

// A thread that is alone sees what it would see outside.
func TestAsOriginalInThread(t *testing.T) {
	explore(t, func() {
		asOriginal(rand.New(rand.NewPCG(1, 2)), 20, func(format string, args ...any) { panic(fmt.Sprintf(format, args...)) })
	})
}

func TestSizes(t *testing.T) {
	for _, x := range types() {
		original, ours := reflect.TypeOf(x[0]).Elem(), reflect.TypeOf(x[1]).Elem()
		if ours.Size() != original.Size() || ours.Align() != original.Align() || ours.FieldAlign() != original.FieldAlign() {
			t.Errorf("%v has size %d and alignment %d, the original %d and %d", ours, ours.Size(), ours.Align(), original.Size(), original.Align())
		}
		if ours.Comparable() != original.Comparable() {
			t.Errorf("%v can be compared: %t", ours, ours.Comparable())
		}
	}
}

func TestStress(t *testing.T) {
	const n = 2000
	var (
		sum   Int64
		bits  Uint32
		plain uint64
		top   Pointer[node]
		value Value
		wg    sync.WaitGroup
	)
	for i := range 4 {
		wg.Go(func() {
			for j := range n {
				sum.Add(1)
				bits.Or(1 << (8*i + j%8))
				AddUint64(&plain, 2)
				x := &node{n: j}
				for {
					x.next = top.Load()
					if top.CompareAndSwap(x.next, x) {
						break
					}
				}
				value.Store(x)
				if value.Load().(*node).n < 0 {
					t.Error("a Value came apart")
				}
			}
		})
	}
	wg.Wait()
	length := 0
	for x := top.Load(); x != nil; x = x.next {
		length++
	}
	if sum.Load() != 4*n || plain != 8*n || length != 4*n || bits.Load() != 1<<32-1 {
		t.Error(sum.Load(), plain, length, bits.Load())
	}
}

type node struct {
	n    int
	next *node
}

// explore runs f as the only thread.
func explore(t testing.TB, f func()) {
	o := engine.Options{Strategy: engine.DFS, Bound: -1, Steps: 1 << 30}
	c, failure, err := engine.Explore(o, func(x *engine.Exec) { x.Go("a", f) })
	if failure != nil || err != nil || c.Executions != 1 {
		t.Fatal(c, failure, err)
	}
}
