package engine_test

import (
	"fmt"
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// TestHeldBack has programs of threads that wait in loops, with what comes of them.
func TestHeldBack(t *testing.T) {
	asInstrumented(t)
	for _, e := range []struct {
		name           string
		ended, blocked int
		failures       map[FailureKind]int
		cuts           bool
		some           string // an outcome that must be
		body           func(x *Exec, say func(any))
	}{
		{name: "reads under a waiting writer", ended: 3, blocked: 2, body: func(x *Exec, _ func(any)) {
			m := new(rwmutex)
			x.Go("reads", func() {
				forever(func() bool { return !m.tryRLock() })
				m.runlock()
			})
			x.Go("writes", func() { m.lock(); m.unlock() })
		}},
		{name: "goes round until an operation does something else", ended: 1, blocked: 1, body: func(x *Exec, _ func(any)) {
			w := new(word)
			x.Go("", func() {
				forever(func() bool {
					Begin(unsafe.Pointer(w), PoolGet, here)
					k := Pick(2)
					End(uint64(k), 0, false)
					return k == 0
				})
			})
		}},
		{name: "goes round whatever an operation does", failures: map[FailureKind]int{Livelock: 2}, body: func(x *Exec, _ func(any)) {
			w := new(word)
			x.Go("", func() {
				forever(func() bool {
					Begin(unsafe.Pointer(w), PoolGet, here)
					k := Pick(2)
					End(uint64(k), 0, false)
					return k < 2
				})
			})
		}},
		{name: "looks under a lock for what nobody does", failures: map[FailureKind]int{Livelock: 2}, body: func(x *Exec, _ func(any)) {
			m, w := new(mutex), new(word)
			for range 2 {
				x.Go("", func() { forever(func() bool { m.lock(); v := w.load(); m.unlock(); return v == 0 }) })
			}
		}},
		{name: "looks as a reader for what nobody does", failures: map[FailureKind]int{Livelock: 1}, body: func(x *Exec, _ func(any)) {
			m, w := new(rwmutex), new(word)
			for range 2 {
				x.Go("", func() { forever(func() bool { m.rlock(); v := w.load(); m.runlock(); return v == 0 }) })
			}
		}},
		{name: "spins with a lock that another needs first", ended: 1, failures: map[FailureKind]int{Livelock: 1}, body: func(x *Exec, _ func(any)) {
			m, w := new(mutex), new(word)
			x.Go("spins", func() { m.lock(); forever(func() bool { return w.load() == 0 }); m.unlock() })
			x.Go("sets", func() { m.lock(); w.store(1); m.unlock() })
		}},
		{name: "what it added is seen", some: "11 10", body: func(x *Exec, say func(any)) {
			n, told := new(word), new(word)
			x.Go("adds", func() {
				forever(func() bool {
					n.add(1)
					if told.load() == 1 {
						return false
					}
					n.add(^uint64(0))
					return true
				})
			})
			x.Go("sees", func() { say(n.add(10)); say(n.load()); told.store(1) })
		}},
		{name: "what it locked is seen", some: "false true", body: func(x *Exec, say func(any)) {
			m, told := new(rwmutex), new(word)
			x.Go("locks", func() {
				forever(func() bool {
					m.lock()
					if told.load() == 1 {
						return false
					}
					m.unlock()
					return true
				})
			})
			x.Go("sees", func() { say(m.tryRLock()); say(m.tryRLock()); m.runlock(); told.store(1) })
		}},
		{name: "two spin locks in opposite orders, with a count of tries", ended: 8, blocked: 6, cuts: true, failures: map[FailureKind]int{Livelock: 6}, body: func(x *Exec, _ func(any)) {
			a, b, tries := new(word), new(word), new(word)
			take := func(w *word) {
				forever(func() bool {
					if w.cas(0, 1) {
						return false
					}
					tries.addAt(tallySite, 1)
					return true
				})
			}
			x.Go("ab", func() { take(a); take(b); b.store(0); a.store(0) })
			x.Go("ba", func() { take(b); take(a); a.store(0); b.store(0) })
		}},
		{name: "waits until another has tried a hundred times", blocked: 3, cuts: true, body: func(x *Exec, _ func(any)) {
			tries, w := new(word), new(word)
			x.Go("tries", func() {
				forever(func() bool { tries.addAt(tallySite, 1); return w.load() == 0 })
			})
			x.Go("waits", func() {
				forever(func() bool { return tries.load() < 100 })
				w.store(1)
			})
		}},
		{name: "a daemon spins", ended: 1, body: func(x *Exec, _ func(any)) {
			w := new(word)
			x.Daemon("spins", func() { forever(func() bool { return w.load() == 0 }) })
			x.Go("ends", func() { new(word).load() })
		}},
	} {
		what := ""
		n := struct {
			ended, blocked int
			failures       map[FailureKind]int
			outcomes       map[string]int
		}{failures: make(map[FailureKind]int), outcomes: make(map[string]int)}
		c, _ := explore(t, Options{Strategy: Exhaustive, Steps: 60, Each: func(v *View) bool {
			switch f := v.Failure(); {
			case f != nil:
				n.failures[f.Kind]++
			case v.Waits():
				n.blocked++
			default:
				n.ended++
				n.outcomes[what]++
			}
			return true
		}}, func(x *Exec) {
			what = ""
			e.body(x, func(v any) {
				if what != "" {
					what += " "
				}
				what += fmt.Sprint(v)
			})
		})
		if e.some != "" {
			if n.outcomes[e.some] == 0 {
				t.Errorf("%s: expected %s among the outcomes; observed %v; %v", e.name, e.some, n.outcomes, c)
			}
			continue
		}
		if n.ended != e.ended || n.blocked != e.blocked || fmt.Sprint(n.failures) != fmt.Sprint(e.failures) || c.Blocked != n.blocked || c.Cuts.Iterations > 0 != e.cuts {
			t.Errorf("%s: expected %d ended, %d blocked, %v; observed %+v; %v", e.name, e.ended, e.blocked, e.failures, n, c)
		}
	}
}

// TestBlockedAreCountedAnew: where an object lies elsewhere in each execution, what was
// taken for it is not, and the search begins anew. It counts anew, too.
func TestBlockedAreCountedAnew(t *testing.T) {
	asInstrumented(t)
	var array [12]word
	search := func(moves bool) (c certificate.Certificate, executions int) {
		n := 0
		c, _ = explore(t, Options{Strategy: Exhaustive, Each: func(*View) bool { executions++; return true }}, func(x *Exec) {
			n++
			at := func(i int) *word {
				w := &array[i]
				if moves {
					w = &array[([4]int{1, 5, 7, 11}[n%4]*i+n)%len(array)]
				}
				w.v = 0
				return w
			}
			u, v, told, m := at(0), at(1), new(word), new(mutex)
			x.Go("waits", func() { forever(func() bool { return told.load() == 0 }) })
			x.Go("a", func() { // it gets no further if nobody has locked m
				Begin(unsafe.Pointer(m), Unlock, here)
				Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
				if !m.locked {
					End(0, 0, false)
					return
				}
				m.locked = false
				End(1, 0, true)
				u.store(1)
			})
			x.Go("b", func() {
				v.load()
				Spawn(here, func() { u.store(1) })
			})
			x.Go("c", func() { m.lock() })
			x.Go("d", func() { v.store(2); told.store(1) })
		})
		return c, executions
	}
	still, _ := search(false)
	moving, executions := search(true)
	if executions == moving.Classes {
		t.Errorf("%d executions: the search has not begun anew", executions)
	}
	if moving.Blocked != still.Blocked || moving.Classes != still.Classes {
		t.Errorf("expected %v; observed %v", still, moving)
	}
}
