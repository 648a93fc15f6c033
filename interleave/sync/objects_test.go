package sync

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestCondLockers has one thread wait for another, with lockers of several
// kinds.
func TestCondLockers(t *testing.T) {
	for _, lockers := range []func() (reads, writes Locker){
		func() (Locker, Locker) { m := new(Mutex); return m, m },
		func() (Locker, Locker) { m := new(RWMutex); return m, m },
		func() (Locker, Locker) { m := new(RWMutex); return m.RLocker(), m },
		func() (Locker, Locker) { m := new(struct{ Mutex }); return m, m },
		func() (Locker, Locker) { m := foreign{new(Mutex)}; return m, m },
	} {
		check(t, outcomes(t, func(x *engine.Exec) func() string {
			reads, writes := lockers()
			c := Cond{L: reads}
			ready := 0
			wait := func() {
				reads.Lock()
				for ready == 0 {
					c.WaitAt(1)
				}
				reads.Unlock()
			}
			x.Go("a", wait)
			x.Go("b", wait)
			x.Go("c", func() {
				writes.Lock()
				ready = 1
				writes.Unlock()
				c.Broadcast()
			})
			return func() string { writes.Lock(); return fmt.Sprint(ready) }
		}), "1")
	}
}

// foreign is a locker of another package.
type foreign struct{ m *Mutex }

func (f foreign) Lock()   { f.m.Lock() }
func (f foreign) Unlock() { f.m.Unlock() }

// TestCondFIFO holds that those who wait are woken in the order in which they
// came.
func TestCondFIFO(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Mutex
		c := NewCond(&m)
		var came, woken []string
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() {
				m.Lock()
				came = append(came, name)
				c.Wait()
				woken = append(woken, name)
				if len(woken) == 1 {
					c.SignalAt(1)
				}
				m.Unlock()
			})
		}
		x.Go("c", func() {
			m.Lock()
			if len(came) == 2 {
				c.Signal()
			} else {
				c.BroadcastAt(1)
				x.Errorf("too early")
			}
			m.Unlock()
		})
		return func() string { return fmt.Sprint(came, woken) }
	}), "[a b] [a b]", "[b a] [b a]", "assertion: too early")
}

// TestCondAny: under AnyChoice each of those that wait may be the one that is woken, of this Cond and not of another.
func TestCondAny(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		x.AnyChoice()
		var m Mutex
		c, other := NewCond(&m), NewCond(&m)
		var came, at []int // who waits, in the order in which they came; who of these was woken
		all := 0
		for i := range 3 {
			x.Go(fmt.Sprint(i), func() {
				m.Lock()
				came = append(came, i)
				all++
				c.Wait()
				k := slices.Index(came, i)
				came, at = slices.Delete(came, k, k+1), append(at, k)
				c.SignalAt(1)
				m.Unlock()
			})
		}
		x.Daemon("other", func() { m.Lock(); all++; other.Wait() })
		x.Go("signals", func() {
			m.Lock()
			if all == 4 {
				c.Signal()
			} else {
				c.BroadcastAt(1)
				x.Errorf("too early")
			}
			m.Unlock()
		})
		return func() string { return fmt.Sprint(at) }
	}), "[0 0 0]", "[0 1 0]", "[1 0 0]", "[1 1 0]", "[2 0 0]", "[2 1 0]", "assertion: too early")
}

// TestTwoConds: who waits for one Cond is not woken by another, and is there for its
// own.
func TestTwoConds(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Mutex
		one, two := NewCond(&m), NewCond(&m)
		came, woken := 0, ""
		wait := func(name string, c *Cond) func() {
			return func() {
				m.Lock()
				came++
				c.Wait()
				woken += name
				m.Unlock()
			}
		}
		x.Daemon("one", wait("one", one))
		x.Daemon("two", wait("two", two))
		x.Go("signals", func() {
			m.Lock()
			both := came == 2
			m.Unlock()
			if both {
				two.SignalAt(1)
			}
		})
		return func() string { return woken }
	}), "", "two")
}

// queue is a bounded buffer of one place, as in textbooks.
type queue struct {
	m     Mutex
	c     *Cond
	full  bool
	loose bool // Signal where Broadcast is needed
}

func (q *queue) change(to bool) {
	q.m.Lock()
	for q.full == to {
		q.c.Wait()
	}
	q.full = to
	if q.loose {
		q.c.Signal()
	} else {
		q.c.Broadcast()
	}
	q.m.Unlock()
}

func TestCondWakeUps(t *testing.T) {
	program := func(loose bool) []string {
		return outcomes(t, func(x *engine.Exec) func() string {
			q := &queue{loose: loose}
			q.c = NewCond(&q.m)
			x.Go("put", func() { q.change(true) })
			x.Go("put", func() { q.change(true) })
			x.Go("get", func() { q.change(false); q.change(false) })
			return func() string { return fmt.Sprint(q.full) }
		})
	}
	check(t, program(false), "false")

	check(t, outcomes(t, func(x *engine.Exec) func() string { // signals without the lock
		var m Mutex
		var ready atomic.Bool
		c := NewCond(&m)
		x.Go("waits", func() {
			m.Lock()
			for !ready.Load() {
				c.Wait()
			}
			m.Unlock()
		})
		x.Go("signals", func() { ready.Store(true); c.Signal() })
		return func() string { return "fine" }
	}), "deadlock", "fine")
}

func TestWaitGroup(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var wg WaitGroup
		var n atomic.Int32
		wg.Add(1) // by the body
		x.Go("a", func() { n.Add(1); wg.Done() })
		x.Go("b", func() {
			wg.Go(func() { n.Add(1) })
			wg.WaitAt(1)
			if n.Load() != 2 {
				x.Fatalf("%d when Wait has returned", n.Load())
			}
		})
		return func() string { wg.Wait(); return fmt.Sprint(n.Load()) }
	}), "2")
	check(t, outcomes(t, func(x *engine.Exec) func() string { // Add inside: too late
		var wg WaitGroup
		var n, seen atomic.Int32
		x.Go("a", func() { wg.Add(1); n.Add(1); wg.Done() })
		x.Go("b", func() { wg.Wait(); seen.Store(n.Load()) })
		return func() string { return fmt.Sprint(seen.Load()) }
	}), "0", "1")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var wg WaitGroup
		x.Go("a", func() {
			wg.Go(func() { panic("oh") })
			wg.Wait()
			x.Errorf("went on after the panic")
		})
		return func() string { return "fine" }
	}), "panic: oh")
}

func TestOnce(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var o Once
		var calls, ended atomic.Int32
		for _, name := range []string{"a", "b", "c"}[:2] {
			x.Go(name, func() {
				o.Do(func() { calls.Add(1); ended.Add(1) })
				if ended.Load() != 1 {
					x.Fatalf("Do has returned before f")
				}
			})
		}
		return func() string { o.Do(func() { calls.Add(1) }); return fmt.Sprint(calls.Load()) }
	}), "1")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		calls := 0
		f := OnceValue(func() int { calls++; panic("oh") })
		var caught [2]string
		for i := range caught {
			x.Go(fmt.Sprint(i), func() { caught[i] = panics(func() { f() }) })
		}
		return func() string { return fmt.Sprint(calls, caught) }
	}), "1 [oh oh]")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var o Once
		x.Go("a", func() { o.Do(func() { o.Do(func() {}) }) })
		return func() string { return "fine" }
	}), "deadlock")
}

var pool Pool

func TestPool(t *testing.T) {
	pool.Put("from before")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		if got := pool.Get(); got != nil {
			x.Fatalf("%v has outlived its execution", got)
		}
		pool.Put("body")
		var got [2]any
		pool.New = func() any { return "new" }
		x.Go("a", func() { got[0] = pool.GetAt(1); pool.PutAt(1, "a") })
		x.Go("b", func() { got[1] = pool.Get() })
		return func() string {
			pool.New = nil
			left := fmt.Sprintf("%v %v %v", got, pool.Get(), pool.Get())
			pool.Put("left behind")
			return left
		}
	}), "[body a] <nil> <nil>", "[body new] a <nil>", "[new a] body <nil>", "[new body] a <nil>", "[new new] a body")
	if x := pool.Get(); x != nil && x != "from before" {
		t.Errorf("%v has outlived the exploration", x)
	}
}

// TestPoolGivesAnythingOrNothing: a Pool gives any of what was put, each thing once, or
// nothing. The first that is tried is what was put last.
func TestPoolGivesAnythingOrNothing(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var p Pool
		p.Put("first")
		var got [2]any
		x.Go("a", func() {
			p.Put("second")
			got[0], got[1] = p.Get(), p.Get()
		})
		return func() string { return fmt.Sprint(got) }
	}), "[<nil> <nil>]", "[<nil> first]", "[<nil> second]", "[first <nil>]", "[first second]", "[second <nil>]", "[second first]")
	body := func(x *engine.Exec) {
		var p Pool
		x.Go("a", func() {
			p.Put("first")
			p.Put("second")
			if got := p.Get(); got != "second" {
				x.Fatalf("%v", got)
			}
		})
	}
	c, f, err := engine.Explore(engine.Options{Strategy: engine.Exhaustive}, body)
	if err != nil || f == nil || f.Message != "first" || f.Schedule != "0a.2a=1" || f.Switches != 0 || c.Executions != 2 {
		t.Fatalf("expected the second execution to get what was put first, by 0a.2a=1; observed %v, %+v, %v", c, f, err)
	}
	if g, _, err := engine.Shrink(engine.Options{}, body, f); err != nil || g.Message != "first" {
		t.Errorf("shrunk: %+v, %v", g, err)
	}
	for schedule, want := range map[string]string{"0a.2a=1": "first", "0a.2a=2": "<nil>", "0a": ""} {
		trace, err := engine.Explain(engine.Options{}, body, schedule)
		if err != nil || want == "" && trace.Failure != nil || want != "" && (trace.Failure == nil || trace.Failure.Message != want) {
			t.Errorf("%s: expected %q; observed %+v, %v", schedule, want, trace, err)
		}
	}
	if _, _, err := engine.Explore(engine.Options{Strategy: engine.Replay, Schedule: "0a.2a=3"}, body); err == nil || !strings.Contains(err.Error(), "it may do 3") {
		t.Errorf("a schedule of more than there is to choose from: %v", err)
	}
}

func TestMap(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Map
		var got [2]any
		for i := range got {
			x.Go(fmt.Sprint(i), func() { got[i], _ = m.LoadOrStore("key", i) })
		}
		return func() string { return fmt.Sprint(got) }
	}), "[0 0]", "[1 1]")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Map
		m.Store("n", 0)
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() {
				n, _ := m.Load("n")
				if !m.CompareAndSwap("n", n, n.(int)+1) {
					m.CompareAndDelete("n", 1)
				}
			})
		}
		return func() string { n, _ := m.Load("n"); return fmt.Sprint(n) }
	}), "2", "<nil>")
}

// Range goes through the keys in the order in which they came, or two runs of
// one schedule would differ: a Map has a random seed, and pointers have no order.
func TestMapRange(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Map
		keys := [5]*int{}
		for i := range keys {
			keys[i] = new(int)
			m.Store(keys[i], i)
		}
		var got []any
		x.Go("a", func() { m.Range(func(_, v any) bool { got = append(got, v); return v != 3 }) })
		x.Go("b", func() { m.Delete(keys[1]); m.Store(keys[1], 7) })
		return func() string { return fmt.Sprint(got) }
	}), "[0 1 2 3]", "[0 2 3]", "[0 7 2 3]")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Map
		m.Store(1, 1)
		n := 0
		x.Go("a", func() { m.ClearAt(1); m.Swap(2, 2) })
		x.Go("b", func() { m.Range(func(_, _ any) bool { n++; return true }) })
		return func() string { _, ok := m.Load(1); return fmt.Sprint(n, ok) }
	}), "0 false", "1 false")
}
