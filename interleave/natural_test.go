package interleave_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

// A natural is a loop that waits, as programs have them: one thread makes ready, others wait until it has.
type natural struct {
	name string
	says string // how its certificate begins; or, what it has
	body func(x *interleave.Exec)
}

// flagged is a program of one thread that waits until a flag is set, in some way.
func flagged(name, says string, wait func(f *atomic.Bool)) natural {
	return natural{name, says, func(x *interleave.Exec) {
		var f atomic.Bool
		n := 0
		x.Go("waits", func() {
			wait(&f)
			if n != 1 {
				x.Fatalf("n is %d", n)
			}
		})
		x.Go("sets", func() {
			n = 1
			f.Store(true)
		})
	}}
}

// locked is a program of two threads that exclude each other by a lock.
func locked(name, says string, make func() (lock, unlock func(me int))) natural {
	return natural{name, says, func(x *interleave.Exec) {
		lock, unlock := make()
		n := 0
		for me := range 2 {
			x.Go(fmt.Sprint("t", me), func() {
				lock(me)
				n++
				unlock(me)
			})
		}
		x.Finally(func() {
			if n != 2 {
				x.Fatalf("n is %d", n)
			}
		})
	}}
}

// handed is a program in which one thread gives two values to another.
func handed(name, says string, make func() (give func(int), take func() int)) natural {
	return natural{name, says, func(x *interleave.Exec) {
		give, take := make()
		x.Go("gives", func() {
			give(1)
			give(2)
		})
		x.Go("takes", func() {
			if a, b := take(), take(); a+b != 3 {
				x.Fatalf("got %d and %d", a, b)
			}
		})
	}}
}

type queueLock struct {
	next   atomic.Pointer[queueLock]
	locked atomic.Bool
}

type item struct {
	v    int
	next atomic.Pointer[item]
}

type looker interface{ ready() bool }

type ofFlag struct{ f *atomic.Bool }

func (o ofFlag) ready() bool { return o.f.Load() }

func until(f *atomic.Bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for !f.Load() {
			if !yield(0) {
				return
			}
		}
	}
}

func waitsDeep(f *atomic.Bool) {
	if !f.Load() {
		waitsDeep(f)
		runtime.KeepAlive(f)
	}
}

const complete = "complete: "

// naturals are 54 such loops.
var naturals = []natural{
	flagged("a flag", complete, func(f *atomic.Bool) {
		for !f.Load() {
		}
	}),
	flagged("a flag, and Gosched", complete, func(f *atomic.Bool) {
		for !f.Load() {
			runtime.Gosched()
		}
	}),
	flagged("a flag, and Sleep", complete, func(f *atomic.Bool) {
		for !f.Load() {
			time.Sleep(time.Millisecond)
		}
	}),
	flagged("a flag through an interface", complete, func(f *atomic.Bool) {
		var l looker = ofFlag{f}
		for !l.ready() {
		}
	}),
	flagged("a flag through a closure", complete, func(f *atomic.Bool) {
		ready := func() bool { return f.Load() }
		for {
			if ready() {
				return
			}
		}
	}),
	flagged("a flag through a method value", complete, func(f *atomic.Bool) {
		ready := f.Load
		for !ready() {
		}
	}),
	flagged("a flag through an iterator", complete, func(f *atomic.Bool) {
		for range until(f) {
		}
	}),
	flagged("a flag, with a pause of a few rounds", complete, func(f *atomic.Bool) {
		for !f.Load() {
			for i := 0; i < 30; i++ {
				runtime.KeepAlive(i)
			}
		}
	}),
	flagged("a flag, with a pause that grows up to a limit", "", func(f *atomic.Bool) {
		for pause := 1; !f.Load(); pause = min(2*pause, 8) {
			for range pause {
				runtime.Gosched()
			}
		}
	}),
	flagged("a flag, with a sleep that grows up to a limit", "", func(f *atomic.Bool) {
		for d := time.Millisecond; !f.Load(); d = min(2*d, 8*time.Millisecond) {
			time.Sleep(d)
		}
	}),
	flagged("a flag, and what each round makes is thrown away", complete, func(f *atomic.Bool) {
		for !f.Load() {
			_ = fmt.Sprint("waiting for ", 3)
		}
	}),
	flagged("a flag, and a buffer that is used again", complete, func(f *atomic.Bool) {
		var b bytes.Buffer
		for !f.Load() {
			b.Reset()
			b.WriteString("waiting")
		}
	}),
	flagged("a flag, looked at in a deferred call", complete, func(f *atomic.Bool) {
		done := false
		for !done {
			func() {
				defer func() { done = f.Load() }()
			}()
		}
	}),
	flagged("a flag, by labels", complete, func(f *atomic.Bool) {
	again:
		if !f.Load() {
			goto again
		}
	}),
	flagged("some spins, then Gosched", complete, func(f *atomic.Bool) {
		for {
			for range 4 {
				if f.Load() {
					return
				}
			}
			runtime.Gosched()
		}
	}),
	flagged("a flag, and how often is counted", "a variable", func(f *atomic.Bool) {
		tries := 0
		for !f.Load() {
			tries++
		}
		runtime.KeepAlive(tries)
	}),
	flagged("a flag, and the looks are collected", "another", func(f *atomic.Bool) {
		var looks []bool
		for !f.Load() {
			looks = append(looks, false)
		}
		runtime.KeepAlive(looks)
	}),
	flagged("a flag, and a text that grows", "another", func(f *atomic.Bool) {
		text := ""
		for !f.Load() {
			text += "."
		}
		runtime.KeepAlive(text)
	}),
	flagged("a flag, and a stack that grows", "another", waitsDeep),
	flagged("a flag, and an atomic that counts the rounds", "complete up to repeated iterations: ", func(f *atomic.Bool) {
		var rounds atomic.Int64
		for !f.Load() {
			rounds.Add(1)
		}
	}),
	{"a channel, by select and default", complete, func(x *interleave.Exec) {
		done := make(chan struct{})
		x.Go("waits", func() {
			for {
				select {
				case <-done:
					return
				//lint:ignore SA5004 it is to spin
				default:
				}
			}
		})
		x.Go("closes", func() { close(done) })
	}},
	{"a channel, by its length", complete, func(x *interleave.Exec) {
		c := make(chan int, 1)
		x.Go("waits", func() {
			for len(c) == 0 {
			}
			if v := <-c; v != 7 {
				x.Fatalf("got %d", v)
			}
		})
		x.Go("sends", func() { c <- 7 })
	}},
	{"a channel, or a while", complete, func(x *interleave.Exec) {
		done := make(chan struct{})
		x.Go("waits", func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
		x.Go("closes", func() { close(done) })
	}},
	{"a context, by Err", complete, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		x.Go("waits", func() {
			for ctx.Err() == nil {
			}
		})
		x.Go("cancels", cancel)
	}},
	{"a context, by Done and default", complete, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		x.Go("waits", func() {
			for {
				select {
				case <-ctx.Done():
					return
				default:
					runtime.Gosched()
				}
			}
		})
		x.Go("cancels", cancel)
	}},
	{"a value under a Mutex", complete, func(x *interleave.Exec) {
		var mu sync.Mutex
		ready := false
		x.Go("waits", func() {
			for {
				mu.Lock()
				r := ready
				mu.Unlock()
				if r {
					return
				}
			}
		})
		x.Go("sets", func() {
			mu.Lock()
			defer mu.Unlock()
			ready = true
		})
	}},
	{"a value under a RWMutex, in a function that defers", complete, func(x *interleave.Exec) {
		var mu sync.RWMutex
		n := 0
		get := func() int {
			mu.RLock()
			defer mu.RUnlock()
			return n
		}
		x.Go("waits", func() {
			for get() < 2 {
			}
		})
		x.Go("sets", func() {
			for range 2 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}},
	{"a key of a map under a Mutex", complete, func(x *interleave.Exec) {
		var mu sync.Mutex
		m := make(map[string]int)
		x.Go("waits", func() {
			for {
				mu.Lock()
				_, ok := m["a"]
				mu.Unlock()
				if ok {
					return
				}
			}
		})
		x.Go("sets", func() {
			mu.Lock()
			m["a"] = 1
			mu.Unlock()
		})
	}},
	{"a buffer under a Mutex", complete, func(x *interleave.Exec) {
		var mu sync.Mutex
		var b strings.Builder
		x.Go("waits", func() {
			for {
				mu.Lock()
				s := b.String()
				mu.Unlock()
				if strings.Contains(s, "ready") {
					return
				}
			}
		})
		x.Go("writes", func() {
			mu.Lock()
			b.WriteString("not yet ")
			mu.Unlock()
			mu.Lock()
			b.WriteString("ready")
			mu.Unlock()
		})
	}},
	{"a key of a sync.Map", complete, func(x *interleave.Exec) {
		var m sync.Map
		x.Go("waits", func() {
			for {
				if v, ok := m.Load("a"); ok && v == 1 {
					return
				}
			}
		})
		x.Go("stores", func() { m.Store("a", 1) })
	}},
	{"an atomic.Value", complete, func(x *interleave.Exec) {
		var v atomic.Value
		x.Go("waits", func() {
			for {
				if s, _ := v.Load().(string); strings.HasPrefix(s, "re") {
					return
				}
			}
		})
		x.Go("stores", func() { v.Store("ready") })
	}},
	{"the sum of two counters", complete, func(x *interleave.Exec) {
		var a, b atomic.Int32
		x.Go("waits", func() {
			for a.Load()+b.Load() < 2 {
			}
		})
		x.Go("adds to a", func() { a.Add(1) })
		x.Go("adds to b", func() { b.Add(1) })
	}},
	{"all of some flags", complete, func(x *interleave.Exec) {
		var all [3]atomic.Bool
		x.Go("waits", func() {
			for {
				n := 0
				for i := range all {
					if all[i].Load() {
						n++
					}
				}
				if n == len(all) {
					return
				}
			}
		})
		x.Go("sets", func() {
			for i := range all {
				all[i].Store(true)
			}
		})
	}},
	{"one flag, and then another", complete, func(x *interleave.Exec) {
		var f [2]atomic.Bool
		x.Go("waits", func() {
			for state := 0; state < 2; {
				if f[state].Load() {
					state++
				}
			}
		})
		x.Go("sets", func() {
			f[1].Store(true)
			f[0].Store(true)
		})
	}},
	{"a number of goroutines", complete, func(x *interleave.Exec) {
		x.Go("waits", func() {
			for runtime.NumGoroutine() > 1 {
			}
		})
		x.Go("ends", func() {})
	}},
	{"a moment", complete, func(x *interleave.Exec) {
		x.Go("waits", func() {
			for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
				time.Sleep(100 * time.Microsecond)
			}
		})
	}},
	{"a TryLock", complete, func(x *interleave.Exec) {
		var mu sync.Mutex
		n := 0
		for range 2 {
			x.Go("", func() {
				for !mu.TryLock() {
				}
				n++
				mu.Unlock()
			})
		}
	}},
	locked("test and set", complete, func() (lock, unlock func(int)) {
		var l atomic.Bool
		return func(int) {
			for !l.CompareAndSwap(false, true) {
			}
		}, func(int) { l.Store(false) }
	}),
	locked("test, and test and set", complete, func() (lock, unlock func(int)) {
		var l atomic.Int32
		return func(int) {
			for {
				for l.Load() != 0 {
				}
				if l.Swap(1) == 0 {
					return
				}
			}
		}, func(int) { l.Store(0) }
	}),
	locked("a ticket lock", complete, func() (lock, unlock func(int)) {
		var next, serving atomic.Uint32
		return func(int) {
			for mine := next.Add(1) - 1; serving.Load() != mine; {
				runtime.Gosched()
			}
		}, func(int) { serving.Add(1) }
	}),
	locked("Peterson's lock", complete, func() (lock, unlock func(int)) {
		var wants [2]atomic.Bool
		var turn atomic.Int32
		return func(me int) {
			wants[me].Store(true)
			turn.Store(int32(1 - me))
			for wants[1-me].Load() && turn.Load() == int32(1-me) {
			}
		}, func(me int) { wants[me].Store(false) }
	}),
	locked("Dekker's lock", complete, func() (lock, unlock func(int)) {
		var wants [2]atomic.Bool
		var turn atomic.Int32
		return func(me int) {
			wants[me].Store(true)
			for wants[1-me].Load() {
				if turn.Load() != int32(me) {
					wants[me].Store(false)
					for turn.Load() != int32(me) {
					}
					wants[me].Store(true)
				}
			}
		}, func(me int) { turn.Store(int32(1 - me)); wants[me].Store(false) }
	}),
	locked("a queue lock (Mellor-Crummey and Scott)", complete, func() (lock, unlock func(int)) {
		var tail atomic.Pointer[queueLock]
		var mine [2]queueLock
		return func(me int) {
				n := &mine[me]
				n.locked.Store(true)
				if before := tail.Swap(n); before != nil {
					before.next.Store(n)
					for n.locked.Load() {
					}
				}
			}, func(me int) {
				n := &mine[me]
				if tail.CompareAndSwap(n, nil) {
					return
				}
				for n.next.Load() == nil {
				}
				n.next.Load().locked.Store(false)
			}
	}),
	locked("a semaphore of one", complete, func() (lock, unlock func(int)) {
		var free atomic.Int32
		free.Store(1)
		return func(int) {
			for {
				if n := free.Load(); n > 0 && free.CompareAndSwap(n, n-1) {
					return
				}
			}
		}, func(int) { free.Add(1) }
	}),
	locked("a lock of readers and writers", complete, func() (lock, unlock func(int)) {
		var state atomic.Int32 // -1: a writer
		return func(int) {
			for !state.CompareAndSwap(0, -1) {
				runtime.Gosched()
			}
		}, func(int) { state.Store(0) }
	}),
	handed("a slot", complete, func() (give func(int), take func() int) {
		var full atomic.Bool
		slot := 0
		return func(v int) {
				for full.Load() {
				}
				slot = v
				full.Store(true)
			}, func() int {
				for !full.Load() {
				}
				v := slot
				full.Store(false)
				return v
			}
	}),
	handed("a ring", complete, func() (give func(int), take func() int) {
		var head, tail atomic.Uint32
		var ring [2]int
		return func(v int) {
				for tail.Load()-head.Load() == 2 {
				}
				ring[tail.Load()%2] = v
				tail.Add(1)
			}, func() int {
				for tail.Load() == head.Load() {
				}
				v := ring[head.Load()%2]
				head.Add(1)
				return v
			}
	}),
	handed("a stack (Treiber)", complete, func() (give func(int), take func() int) {
		var top atomic.Pointer[item]
		return func(v int) {
				n := &item{v: v}
				for {
					t := top.Load()
					n.next.Store(t)
					if top.CompareAndSwap(t, n) {
						return
					}
				}
			}, func() int {
				for {
					if t := top.Load(); t != nil && top.CompareAndSwap(t, t.next.Load()) {
						return t.v
					}
				}
			}
	}),
	handed("a queue of one reader (Vyukov)", complete, func() (give func(int), take func() int) {
		var tail atomic.Pointer[item]
		head := &item{}
		tail.Store(head)
		return func(v int) {
				n := &item{v: v}
				tail.Swap(n).next.Store(n)
			}, func() int {
				for head.next.Load() == nil {
				}
				head = head.next.Load()
				return head.v
			}
	}),
	handed("a sequence lock", complete, func() (give func(int), take func() int) {
		var seq, value atomic.Uint64
		last := uint64(0)
		return func(v int) {
				for seq.Load()%4 != 0 { // the one before was not taken
				}
				seq.Add(1)
				value.Store(uint64(v))
				seq.Add(1)
			}, func() int {
				for {
					s := seq.Load()
					v := value.Load()
					if s%4 == 2 && seq.Load() == s && s != last {
						last = s
						seq.Add(2)
						return int(v)
					}
				}
			}
	}),
	{"a barrier with a sense", complete, func(x *interleave.Exec) {
		var count atomic.Int32
		var sense atomic.Bool
		n := [2]int{}
		for me := range 2 {
			x.Go(fmt.Sprint("t", me), func() {
				n[me] = 1
				mine := !sense.Load()
				if count.Add(1) == 2 {
					count.Store(0)
					sense.Store(mine)
				} else {
					for sense.Load() != mine {
					}
				}
				if n[1-me] != 1 {
					x.Fatalf("the other has not come")
				}
			})
		}
	}},
	{"a value that is made once", complete, func(x *interleave.Exec) {
		var state atomic.Int32
		value := 0
		for me := range 2 {
			x.Go(fmt.Sprint("t", me), func() {
				if state.CompareAndSwap(0, 1) {
					value = 7
					state.Store(2)
				}
				for state.Load() != 2 {
				}
				if value != 7 {
					x.Fatalf("it is %d", value)
				}
			})
		}
	}},
	{"until readers have left", complete, func(x *interleave.Exec) {
		var readers atomic.Int32
		var current atomic.Pointer[int]
		a, b := 1, 2
		current.Store(&a)
		x.Go("reads", func() {
			readers.Add(1)
			if v := *current.Load(); v == 0 {
				x.Fatalf("it was freed")
			}
			readers.Add(-1)
		})
		x.Go("replaces", func() {
			current.Store(&b)
			for readers.Load() != 0 {
			}
			a = 0
		})
	}},
	{"until work is done, or it is told to stop", complete, func(x *interleave.Exec) {
		var jobs, done atomic.Int32
		var stop atomic.Bool
		x.Go("works", func() {
			for !stop.Load() {
				if n := jobs.Load(); n > 0 && jobs.CompareAndSwap(n, n-1) {
					done.Add(1)
				}
			}
		})
		x.Go("asks", func() {
			jobs.Add(1)
			for done.Load() == 0 {
			}
			stop.Store(true)
		})
	}},
}

// TestNaturalLoops: loops that wait, as programs have them, are explored to their end, or the certificate names what is another one in each round.
func TestNaturalLoops(t *testing.T) {
	var programs []func(*interleave.Exec)
	naturals := naturals
	if !tier.Full(t) { // a loop of which the state is another one each time is gone round a thousand times, in many executions
		naturals = slices.DeleteFunc(slices.Clone(naturals), func(n natural) bool { return n.says == "another" })
	}
	for _, n := range naturals {
		programs = append(programs, n.body)
	}
	complete := 0
	for i, r := range explored(t, programs) {
		n, c := naturals[i], r.Certificate.String()
		switch {
		case r.Failure != nil:
			t.Errorf("%s: expected a right program, saw %s", n.name, r.Text(""))
		case !strings.Contains(c, n.says):
			t.Errorf("%s: expected %q, saw %s", n.name, n.says, c)
		case strings.HasPrefix(c, "complete: "):
			complete++
		default:
			t.Logf("%s: %s", n.name, c)
		}
	}
	t.Logf("%d of %d are complete", complete, len(naturals))
}

// TestLengthThatPasses: a loop that waits for one length of a channel may come too late. Then it never ends. A loop that waits for at least that length ends always.
func TestLengthThatPasses(t *testing.T) {
	program := func(ready func(n int) bool) func(*interleave.Exec) {
		return func(x *interleave.Exec) {
			c := make(chan int, 3)
			x.Go("waits", func() {
				for !ready(len(c)) {
				}
			})
			x.Go("sends", func() {
				for i := range 3 {
					c <- i
				}
			})
		}
	}
	all := explored(t, []func(*interleave.Exec){
		program(func(n int) bool { return n == 1 }),
		program(func(n int) bool { return n >= 1 }),
		func(x *interleave.Exec) { // what the looks before have seen decides
			c, last := make(chan int, 3), 0
			x.Go("waits", func() {
				for n := len(c); n < 3; n = len(c) {
					last = n
				}
				if last == 2 {
					x.Fatalf("reached")
				}
			})
			x.Go("sends", func() {
				for i := range 3 {
					c <- i
				}
			})
		},
	})
	if len(all) != 3 {
		t.Fatalf("expected 3 reports, saw %d", len(all))
	}
	if f := all[0].Failure; f == nil || f.Kind != interleave.Livelock && f.Kind != interleave.Deadlock {
		t.Errorf("one length: expected a livelock, saw %s", all[0].Text(""))
	}
	if c := all[1].Certificate.String(); all[1].Failure != nil || !strings.HasPrefix(c, "complete") {
		t.Errorf("at least: expected a right program, saw %s", all[1].Text(""))
	}
	if f := all[2].Failure; f == nil || !strings.Contains(f.Message, "reached") {
		t.Errorf("what was seen before: expected that it is reached, saw %s", all[2].Text(""))
	}
}
