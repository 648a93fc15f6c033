package sync

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

func panics(f func()) (message string) {
	defer func() {
		if p := recover(); p != nil {
			message = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// mapAsOriginal calls the methods of a Map and those of an original n times with
// random arguments, and compares.
func mapAsOriginal(n int, fail func(string, ...any)) {
	r := rand.New(rand.NewPCG(1, 2))
	var original sync.Map
	var ours, at Map
	names := []string{"Load", "Store", "LoadOrStore", "LoadAndDelete", "Delete", "Swap", "CompareAndSwap", "CompareAndDelete", "Clear"}
	any1 := func() reflect.Value {
		v := reflect.New(reflect.TypeFor[any]()).Elem()
		all := []any{1, 2, "one", 3.5, nil, []int{1}}
		n := 4
		if r.IntN(20) == 0 {
			n = len(all)
		}
		if x := all[r.IntN(n)]; x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return v
	}
	call := func(m any, name string, args []reflect.Value) (result string) {
		var words []string
		if p := panics(func() {
			for _, v := range reflect.ValueOf(m).MethodByName(name).Call(args) {
				words = append(words, fmt.Sprintf("%#v", v.Interface()))
			}
		}); p != "" {
			return "panic: " + p
		}
		return strings.Join(words, ", ")
	}
	for range n {
		name := names[r.IntN(len(names))]
		if name == "Clear" && r.IntN(10) > 0 {
			continue
		}
		var args []reflect.Value
		for range reflect.ValueOf(&original).MethodByName(name).Type().NumIn() {
			args = append(args, any1())
		}
		want := call(&original, name, args)
		if got := call(&ours, name, args); got != want {
			fail("%s%v: %s, want %s", name, args, got, want)
		}
		if got := call(&at, name+"At", append([]reflect.Value{reflect.ValueOf(Site(7))}, args...)); got != want {
			fail("%sAt%v: %s, want %s", name, args, got, want)
		}
		var all [3][]string
		for i, rng := range []func(func(any, any) bool){original.Range, ours.Range, func(f func(any, any) bool) { at.RangeAt(7, f) }} {
			rng(func(k, v any) bool { all[i] = append(all[i], fmt.Sprint(k, v)); return true })
			slices.Sort(all[i])
		}
		if !slices.Equal(all[0], all[1]) || !slices.Equal(all[0], all[2]) {
			fail("Range after %s%v: %v", name, args, all)
		}
	}
}

func TestMapAsOriginal(t *testing.T) { mapAsOriginal(3000, t.Errorf) }

func TestMapAsOriginalInThread(t *testing.T) {
	one(t, func(x *engine.Exec) {
		x.Go("a", func() { mapAsOriginal(500, x.Fatalf) })
	})
}

func TestCondOutside(t *testing.T) {
	var m Mutex
	for _, c := range []*Cond{NewCond(&m), {L: &m}} {
		var order []int
		var wg WaitGroup
		waiting := 0
		for i := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				m.Lock()
				waiting++
				c.WaitAt(1)
				order = append(order, i)
				m.Unlock()
			}()
			for n := 0; n != i+1; runtime.Gosched() {
				m.Lock()
				n = waiting
				m.Unlock()
			}
		}
		for i := range 2 {
			m.Lock()
			c.SignalAt(1)
			m.Unlock()
			for n := 0; n != i+1; runtime.Gosched() {
				m.Lock()
				n = len(order)
				m.Unlock()
			}
		}
		m.Lock()
		c.BroadcastAt(1)
		m.Unlock()
		wg.Wait()
		if !slices.Equal(order, []int{0, 1, 2}) {
			t.Error(order)
		}
	}
	type holder struct{ c Cond }
	var h holder
	h.c.Signal()
	copied := reflect.New(reflect.TypeFor[holder]()).Elem()
	copied.Set(reflect.ValueOf(&h).Elem())
	if p := panics(func() { copied.Addr().Interface().(*holder).c.Signal() }); p != "sync.Cond is copied" {
		t.Errorf("a copied Cond: %q", p)
	}
}

func TestOnceOutside(t *testing.T) {
	failed := errors.New("failed")
	calls := 0
	f := OnceFunc(func() { calls++; panic(failed) })
	for range 2 {
		if p := panics(f); p != "failed" {
			t.Errorf("OnceFunc panics with %q", p)
		}
	}
	v := OnceValue(func() int { calls++; return 5 })
	vs := OnceValues(func() (int, error) { calls++; return 6, failed })
	for range 2 {
		a := v()
		b, err := vs()
		if a != 5 || b != 6 || err != failed {
			t.Error(a, b, err)
		}
	}
	if p := panics(OnceFunc(nil)); p != panics(sync.OnceFunc(nil)) {
		t.Errorf("OnceFunc(nil) panics with %q", p)
	}
	var o Once
	if p := panics(func() { o.DoAt(1, func() { calls++; panic("once") }) }); p != "once" {
		t.Error(p)
	}
	o.Do(func() { calls++ })
	if calls != 4 {
		t.Errorf("%d calls, want 4", calls)
	}
}

func TestPoolOutside(t *testing.T) {
	p := Pool{New: func() any { return "new" }}
	p.PutAt(1, nil)
	if x := p.GetAt(1); x != "new" {
		t.Errorf("an empty Pool with New gives %v", x)
	}
	var q Pool
	if x := q.Get(); x != nil {
		t.Errorf("an empty Pool gives %v", x)
	}
	kept := 0
	for range 100 { // the original drops some under the race detector
		q.Put("x")
		if q.Get() == "x" {
			kept++
		}
	}
	if kept == 0 {
		t.Error("nothing is kept")
	}
	q.Put(new([1 << 10]int))
	runtime.GC()
	q.Get()
	runtime.GC()
	runtime.GC()
}

func TestWaitGroupOutside(t *testing.T) {
	var wg WaitGroup
	var n int
	var m Mutex
	wg.GoAt(1, func() { m.LockAt(1); n++; m.UnlockAt(1) })
	wg.Go(func() { m.Lock(); n++; m.Unlock() })
	wg.WaitAt(1)
	if n != 2 {
		t.Error(n)
	}
	if p := panics(func() { wg.DoneAt(1) }); p != "sync: negative WaitGroup counter" {
		t.Errorf("a negative counter: %q", p)
	}
}

// Stress under the race detector: what is written inside locks, and the state of
// the lock, which must be that of the original.
func TestStress(t *testing.T) {
	var (
		m     Mutex
		rw    RWMutex
		wg    WaitGroup
		sum   int
		sites = Site(3)
	)
	deadline := time.Now().Add(100 * time.Millisecond)
	for i := range 4 {
		wg.Go(func() {
			for j := 0; time.Now().Before(deadline); j++ {
				switch (i + j) % 4 {
				case 0:
					rw.LockAt(sites)
					sum++
					rw.UnlockAt(sites)
				case 1:
					rw.RLock()
					_ = sum
					rw.RUnlockAt(sites)
				case 2:
					l := rw.RLocker()
					l.Lock()
					_ = sum
					l.Unlock()
				case 3:
					if m.TryLockAt(sites) {
						if rw.TryLock() {
							sum++
							rw.Unlock()
						} else if rw.TryRLockAt(sites) {
							_ = sum
							rw.RUnlock()
						}
						m.Unlock()
					}
				}
			}
		})
	}
	wg.Wait()
	if !m.TryLock() || !rw.TryLock() || sum == 0 {
		t.Error("locked at the end, or never")
	}
}
