package engine_test

import (
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// asInstrumented has the operations of a test at a known place, and plain accesses
// looked at.
func asInstrumented(t *testing.T) {
	PlainAccesses, here = true, somewhere
	t.Cleanup(func() { PlainAccesses, here = false, 0 })
}

// forever is a loop that goes on as long as round says so. What lives across its
// iterations is none of its own.
func forever(round func() bool) {
	for l := new(int); ; {
		if Head(l, 0); !round() {
			return
		}
	}
}

func always(f func()) func() bool { return func() bool { f(); return true } }

// does is an operation of some kind.
func does(addr unsafe.Pointer, k Kind, read, wrote uint64, changed bool) {
	Begin(addr, k, here)
	End(read, wrote, changed)
}

// TestInVain has loops of one thread that nobody else can end. If an iteration is in
// vain that is a livelock; if it changes something it is known to go on for ever only
// when the bound of steps has been reached.
func TestInVain(t *testing.T) {
	asInstrumented(t)
	var a, b, c uint64
	p := unsafe.Pointer(&a)
	for _, e := range []struct {
		name string
		want FailureKind
		body func() func() bool
	}{
		{"looks", Livelock, func() func() bool { w := new(word); return always(func() { w.load() }) }},
		{"adds and takes back", Livelock, func() func() bool { w := new(word); return always(func() { w.add(3); w.add(^uint64(2)) }) }},
		{"adds and takes back too little", StepBound, func() func() bool { w := new(word); return always(func() { w.add(3); w.add(^uint64(1)) }) }},
		{"stores what is there", Livelock, func() func() bool { w := new(word); return always(func() { w.store(0) }) }},
		{"swaps a pointer there and back", StepBound, func() func() bool {
			w := new(word)
			swap := func(from, to *uint64) {
				Begin(unsafe.Pointer(w), Swap, here)
				EndPointer(unsafe.Pointer(from), unsafe.Pointer(to), true)
			}
			return always(func() { swap(&b, &c); swap(&c, &b) })
		}},
		{"locks and unlocks", Livelock, func() func() bool { m := new(mutex); return always(func() { m.lock(); m.unlock() }) }},
		{"tries what is taken", Livelock, func() func() bool { m := &mutex{locked: true}; return always(func() { m.tryLock() }) }},
		{"takes a lock and gives up", "", func() func() bool { m := new(mutex); return m.tryLock }},
		{"takes a lock for writers and gives up", "", func() func() bool { m := new(rwmutex); return m.tryLock }},
		{"one reader more each time", StepBound, func() func() bool { m := new(rwmutex); return always(m.rlock) }},
		{"one reader more each time, by trying", StepBound, func() func() bool { m := new(rwmutex); return m.tryRLock }},
		{"one reader less each time", StepBound, func() func() bool { m := &rwmutex{readers: 1000}; return always(m.runlock) }},
		{"tries to read what a writer has", Livelock, func() func() bool {
			m := &rwmutex{writer: true}
			return always(func() { m.tryRLock() })
		}},
		{"tries to write what a reader has", Livelock, func() func() bool {
			m := &rwmutex{readers: 1}
			return always(func() { m.tryLock() })
		}},
		{"writes and gives back", Livelock, func() func() bool { m := new(rwmutex); return always(func() { m.lock(); m.unlock() }) }},
		{"signals nobody", Livelock, func() func() bool { return always(func() { does(p, Signal, 0, 0, true) }) }},
		{"signals somebody", StepBound, func() func() bool { return always(func() { does(p, Signal, 1, 0, true) }) }},
		{"queues up", StepBound, func() func() bool { return always(func() { does(p, Enqueue, 0, 0, false) }) }},
		{"reads a map", Livelock, func() func() bool { return always(func() { does(p, MapRead, 0, 0, false) }) }},
		{"writes a map", StepBound, func() func() bool { return always(func() { does(p, MapWrite, 0, 0, true) }) }},
		{"yields", Livelock, func() func() bool { return always(func() { does(nil, Gosched, 0, 0, false) }) }},
		{"writes plainly", StepBound, func() func() bool {
			w := new(word)
			return always(func() { w.load(); Write(unsafe.Pointer(&b), 8, here) })
		}},
		{"counts", Livelock, func() func() bool {
			w, n := new(word), new(word)
			return always(func() { w.load(); n.addAt(tallySite, 1) })
		}},
		{"counts and reads the count", StepBound, func() func() bool {
			n := new(word)
			return always(func() { n.addAt(tallySite, 1); n.load() })
		}},
	} {
		_, f := explore(t, Options{Strategy: Exhaustive, Steps: 60}, func(x *Exec) { x.Go("a", func() { forever(e.body()) }) })
		if got := kindOf(f); got != e.want {
			t.Errorf("%s: expected %q; observed %q", e.name, e.want, got)
		}
	}
	// A store into a buffer changes something, though not memory.
	_, f := explore(t, Options{Strategy: Exhaustive, Steps: 60, TSO: true}, func(x *Exec) {
		w := new(word)
		x.Go("a", func() { forever(always(func() { w.release(0) })) })
	})
	wants(t, f, StepBound, "")
	// So does who starts a thread.
	_, _, err := Explore(Options{Strategy: Exhaustive}, func(x *Exec) {
		w := new(word)
		x.Go("a", func() {
			forever(func() bool { Spawn(here, func() { w.store(1) }); return w.load() == 0 })
		})
	})
	if err == nil {
		t.Error("a loop that starts threads: expected that there are too many; observed an end")
	}
}

// TestVariablesOfLoops: what is another one in each round of a loop makes the rounds new.
func TestVariablesOfLoops(t *testing.T) {
	asInstrumented(t)
	for grows, want := range map[uint64]FailureKind{0: Livelock, 1: StepBound} {
		_, f := explore(t, Options{Strategy: Exhaustive, Steps: 60}, func(x *Exec) {
			w := new(word)
			x.Go("a", func() {
				l := new(int)
				for i := uint64(0); ; i++ {
					Head(l, i*grows)
					w.load()
				}
			})
		})
		if kindOf(f) != want {
			t.Errorf("%d more each round: expected %q; observed %+v", grows, want, f)
		}
	}
}

func kindOf(f *Failure) FailureKind {
	if f == nil {
		return ""
	}
	return f.Kind
}

// TestUnseenLoops has code without marks at its loops, where a thread that repeats
// itself is held back.
func TestUnseenLoops(t *testing.T) {
	outcomes := func(o Options, body func(*Exec, func(string))) (map[string]bool, certificate.Certificate) {
		seen := make(map[string]bool)
		what := ""
		o.Each = func(v *View) bool {
			if v.Failure() == nil {
				seen[what] = true
			}
			return true
		}
		c, _ := explore(t, o, func(x *Exec) { what = ""; body(x, func(s string) { what += s }) })
		return seen, c
	}
	// What it reads is another value each time: it does not repeat itself.
	seen, _ := outcomes(Options{Strategy: Exhaustive}, func(x *Exec, say func(string)) {
		w := new(word)
		x.Go("reads", func() {
			for v := w.load(); v < 5; v = w.load() {
				say(string(rune('0' + v)))
			}
		})
		x.Go("counts", func() { w.store(1); w.store(2); w.store(3); w.store(4); w.store(5) })
	})
	if !seen["01234"] {
		t.Errorf("a value after another: outcomes %v", seen)
	}
	// What it does each time changes something: it does not repeat itself.
	if c, _ := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		w, own := new(word), new(word)
		x.Go("adds", func() {
			for range 5 {
				w.load()
				w.load()
				own.add(1)
			}
		})
		x.Go("writes", func() { w.store(1) })
	}); c.Cuts.Iterations != 0 || c.Executions != 11 {
		t.Errorf("changes something: %v", c)
	}
	// It looks twice and goes on elsewhere.
	if c, _ := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		var words [4]word
		w := &words[0]
		x.Go("looks", func() {
			for _, i := range []int{0, 0, 1, 2, 2, 3} {
				words[i].load()
			}
		})
		x.Go("writes", func() { w.store(1) })
	}); c.Cuts.Iterations != 0 || c.Executions != 3 {
		t.Errorf("goes on elsewhere: %v", c)
	}
	// Who waits for a lock when those held back are let go may have had it earlier.
	seen, _ = outcomes(Options{Strategy: Exhaustive, Patience: 3}, func(x *Exec, say func(string)) {
		m, w := new(mutex), new(word)
		x.Go("spins", func() {
			m.lock()
			for w.load() == 0 {
			}
			m.unlock()
			say("s")
		})
		x.Go("sets", func() { m.lock(); w.store(1); m.unlock() })
	})
	if !seen["s"] {
		t.Errorf("locks first: outcomes %v", seen)
	}
}

// TestTurnOfEachLoop has two loops that count themselves in and out. The first ends if it looks while the second has counted itself in, and the
// second ends after the first. A search by chance must let each loop have its turn before it says livelock.
func TestTurnOfEachLoop(t *testing.T) {
	asInstrumented(t)
	for seed := range uint64(20) {
		_, f, err := Explore(Options{Strategy: Random, Executions: 20, Seed: seed}, func(x *Exec) {
			var w, other word
			x.Go("second", func() { // after the first, which leaves -2
				forever(func() bool {
					if w.addAt(here, 1) == 0 {
						return false
					}
					w.addAt(here, ^uint64(0))
					return true
				})
			})
			x.Go("elsewhere", func() { other.store(1) })
			x.Go("first", func() { // beside the second
				forever(func() bool {
					if w.addAt(here, 1) == 2 {
						return false
					}
					w.addAt(tallySite, ^uint64(0))
					return true
				})
				w.addAt(here, ^uint64(1))
			})
		})
		if err != nil || f != nil {
			t.Fatalf("seed %d: %v, %v; the end can always be reached", seed, f, err)
		}
	}
}
