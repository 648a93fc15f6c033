package sync

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

var (
	programs = flag.Int("programs", 200, "random programs to explore")
	seed     = flag.Uint64("seed", 1, "of the random programs; 0 is by the clock")
)

// objects are what the threads of a random program share.
type objects struct {
	m    Mutex
	rw   RWMutex
	c    *Cond
	wg   WaitGroup
	o    Once
	pool Pool
	all  Map
	word atomic.Int32
}

// An action is one of a thread of a random program. It returns what it has seen.
type action struct {
	name string
	do   func(*objects) any
}

var actions = []action{
	{"load", func(o *objects) any { return o.word.Load() }},
	{"add", func(o *objects) any { return o.word.Add(1) }},
	{"lock", func(o *objects) any {
		o.m.Lock()
		defer o.m.Unlock()
		return o.word.Add(1)
	}},
	{"trylock", func(o *objects) any {
		if !o.m.TryLock() {
			return false
		}
		defer o.m.Unlock()
		return o.word.Add(1)
	}},
	{"rlock", func(o *objects) any {
		o.rw.RLock()
		defer o.rw.RUnlock()
		return o.word.Load()
	}},
	{"rlock twice", func(o *objects) any {
		o.rw.RLock()
		defer o.rw.RUnlock()
		o.rw.RLock()
		defer o.rw.RUnlock()
		return o.word.Load()
	}},
	{"tryrlock", func(o *objects) any {
		if !o.rw.TryRLock() {
			return false
		}
		defer o.rw.RUnlock()
		return true
	}},
	{"wlock", func(o *objects) any {
		o.rw.Lock()
		defer o.rw.Unlock()
		return o.word.Add(1)
	}},
	{"trywlock", func(o *objects) any {
		if !o.rw.TryLock() {
			return false
		}
		defer o.rw.Unlock()
		return true
	}},
	{"both", func(o *objects) any {
		o.m.Lock()
		defer o.m.Unlock()
		o.rw.RLock()
		defer o.rw.RUnlock()
		return nil
	}},
	{"both, reversed", func(o *objects) any {
		o.rw.Lock()
		defer o.rw.Unlock()
		o.m.Lock()
		defer o.m.Unlock()
		return nil
	}},
	{"wait", func(o *objects) any {
		o.m.Lock()
		defer o.m.Unlock()
		if o.word.Load() == 0 {
			o.c.Wait()
		}
		return o.word.Load()
	}},
	{"signal", func(o *objects) any { o.c.Signal(); return nil }},
	{"broadcast", func(o *objects) any { o.word.Add(1); o.c.Broadcast(); return nil }},
	{"count", func(o *objects) any { o.wg.Add(1); defer o.wg.Done(); return o.word.Load() }},
	{"wait for all", func(o *objects) any { o.wg.Wait(); return o.word.Load() }},
	{"once", func(o *objects) any { o.o.Do(func() { o.word.Add(1) }); return o.word.Load() }},
	{"put", func(o *objects) any { o.pool.Put("x"); return nil }},
	{"get", func(o *objects) any { return o.pool.Get() }},
	{"map", func(o *objects) any {
		v, loaded := o.all.LoadOrStore("k", 1)
		return fmt.Sprint(v, loaded, o.all.CompareAndSwap("k", 1, 2))
	}},
	{"unmap", func(o *objects) any { v, loaded := o.all.LoadAndDelete("k"); return fmt.Sprint(v, loaded) }},
}

// prepared is how the objects may be when the threads begin. The first thread
// undoes it at its end.
var prepared = []struct {
	name    string
	prepare func(*objects)
	undo    func(*objects)
}{
	{"nothing", func(*objects) {}, func(*objects) {}},
	{"locked", func(o *objects) { o.m.Lock() }, func(o *objects) { o.m.Unlock() }},
	{"locked for reading", func(o *objects) { o.rw.RLock() }, func(o *objects) { o.rw.RUnlock() }},
	{"locked for writing", func(o *objects) { o.rw.Lock() }, func(o *objects) { o.rw.Unlock() }},
	{"counted", func(o *objects) { o.wg.Add(1) }, func(o *objects) { o.wg.Done() }},
}

// TestRandom explores random programs by brute force and by the reduction, which
// must see the same outcomes: a drop-in that tells the scheduler less than it
// does would have it leave out orders that matter.
func TestRandom(t *testing.T) {
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	most, brute, reduced := 0, 0, 0
	for i := range *programs {
		r := rand.New(rand.NewPCG(s, uint64(i)))
		first := prepared[max(0, r.IntN(2*len(prepared))-len(prepared))]
		text := fmt.Sprintf("seed %d, program %d: %s", s, i, first.name)
		threads := make([][]action, 2+r.IntN(2))
		for j := range threads {
			text += ";"
			for range 1 + r.IntN(4-len(threads)+1) {
				a := actions[r.IntN(len(actions))]
				threads[j] = append(threads[j], a)
				text += " " + a.name + ","
			}
		}
		body := func(x *engine.Exec) func() string {
			o := new(objects)
			o.c = NewCond(&o.m)
			first.prepare(o)
			saw := make([][]any, len(threads))
			for j, actions := range threads {
				x.Go(fmt.Sprint(j), func() {
					for _, a := range actions {
						saw[j] = append(saw[j], a.do(o))
					}
					if j == 0 {
						first.undo(o)
					}
				})
			}
			return func() string { return fmt.Sprint(saw) }
		}
		seen := func(st engine.Strategy) (map[string]int, engine.Certificate) {
			all := make(map[string]int)
			var word func() string
			c, _, err := engine.Explore(engine.Options{Strategy: st, Bound: -1, Executions: 3_000, Each: func(v *engine.View) bool {
				all[outcome(v, word)+" "+word()]++
				return true
			}}, func(x *engine.Exec) { word = body(x) })
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return all, c
		}
		all, c := seen(engine.DFS)
		if !c.Exhausted.Classes {
			continue
		}
		few, d := seen(engine.Exhaustive)
		if !d.Exhausted.Classes {
			t.Errorf("%s: %v", text, d)
		}
		if want, got := slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(few)); !slices.Equal(want, got) {
			t.Errorf("%s\nthe reduction sees %q\nbrute force %q", text, got, want)
		}
		most = max(most, c.Executions)
		brute += c.Executions
		reduced += d.Executions
	}
	t.Logf("%d executions by brute force, at most %d of one program; %d by the reduction", brute, most, reduced)
}
