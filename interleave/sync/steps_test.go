package sync

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// The kinds by the names that they have in the code.
var kinds = map[object.Kind]string{
	object.Load: "Load", object.Store: "Store", object.Lock: "Lock", object.TryLock: "TryLock", object.Unlock: "Unlock",
	object.RLock: "RLock", object.TryRLock: "TryRLock", object.RUnlock: "RUnlock", object.WLock: "WLock",
	object.WDrain: "WDrain", object.TryWLock: "TryWLock", object.WUnlock: "WUnlock", object.Enqueue: "Enqueue",
	object.Wake: "Wake", object.Signal: "Signal", object.Broadcast: "Broadcast", object.Count: "Count",
	object.Wait: "Wait", object.MapRead: "MapRead", object.MapWrite: "MapWrite", object.PoolGet: "PoolGet", object.PoolPut: "PoolPut",
}

// TestSteps holds which steps each operation is made of, at which site, and what
// they say to have read, to have written, and whether they changed anything: the
// reduction goes by that.
func TestSteps(t *testing.T) {
	const s Site = 7
	type all struct {
		m    Mutex
		rw   RWMutex
		c    Cond
		wg   WaitGroup
		o    Once
		pool Pool
		all  Map
	}
	for _, p := range []struct {
		name  string
		setup func(*all)
		do    func(*all)
		want  string
	}{
		{"lock", nil, func(a *all) { a.m.LockAt(s); a.m.UnlockAt(s) }, "Lock 0 1 changed, Unlock 1 0 changed"},
		{"try", nil, func(a *all) { a.m.TryLockAt(s); a.m.TryLockAt(s) }, "TryLock 0 1 changed, TryLock 1 1"},
		{"write", nil, func(a *all) { a.rw.LockAt(s); a.rw.UnlockAt(s) }, "WLock 0 1 changed, WUnlock 1 0 changed"},
		{"try to write", nil, func(a *all) { a.rw.TryLockAt(s) }, "TryWLock 0 1 changed"},
		{"try to read", nil, func(a *all) { a.rw.TryRLockAt(s); a.rw.RUnlockAt(s) }, "TryRLock 0 1, RUnlock 1 0"},
		{"try to read in vain", func(a *all) { a.rw.Lock() }, func(a *all) { a.rw.TryRLockAt(s) }, "TryRLock 0 0"},
		{"read", nil, func(a *all) { a.rw.RLockAt(s); a.rw.RLockAt(s) }, "RLock 0 1, RLock 0 1"},
		{"rlocker", nil, func(a *all) { l := a.rw.RLocker().(lockerAt); l.LockAt(s); l.UnlockAt(s) }, "RLock 0 1, RUnlock 1 0"},
		{"signal", nil, func(a *all) { a.c.SignalAt(s); a.c.BroadcastAt(s) }, "Signal 0 0 changed, Broadcast 0 0 changed"},
		{"group", nil, func(a *all) { a.wg.AddAt(s, 2); a.wg.DoneAt(s); a.wg.AddAt(s, -1); a.wg.WaitAt(s) },
			"Count 0 2 changed, Count 2 1 changed, Count 1 0 changed, Wait 0 0"},
		{"go", nil, func(a *all) { a.wg.GoAt(s, func() {}); a.wg.WaitAt(s) }, "Count 0 1 changed, Count 1 0 changed, Wait 0 0"},
		{"once", nil, func(a *all) { a.o.DoAt(s, func() { a.m.LockAt(s) }); a.o.DoAt(s, nil) },
			"Load 0 0, Lock 0 1 changed, Load 0 0, Lock 0 1 changed, Store 0 1 changed, Unlock 1 0 changed, Load 1 0"},
		{"pool", nil, func(a *all) { a.pool.PutAt(s, nil); a.pool.PutAt(s, a); a.pool.GetAt(s); a.pool.GetAt(s) },
			"PoolPut 0 1 changed, PoolGet 1 0 changed, PoolGet 0 0"},
		{"map", nil, func(a *all) { a.all.StoreAt(s, 1, a); a.all.LoadAt(s, 1); a.all.SwapAt(s, 1, t) },
			"MapWrite 0 1 changed, MapRead 1 0, MapWrite 1 2 changed"},
		{"map, load or store", nil, func(a *all) { a.all.LoadOrStoreAt(s, 1, a); a.all.LoadOrStoreAt(s, 1, t) },
			"MapWrite 0 1 changed, MapWrite 1 1"},
		{"map, delete", func(a *all) { a.all.Store(1, a) }, func(a *all) { a.all.DeleteAt(s, 1); a.all.LoadAndDeleteAt(s, 1) },
			"MapWrite 1 0 changed, MapWrite 0 0"},
		{"map, compare", func(a *all) { a.all.Store(1, a) },
			func(a *all) { a.all.CompareAndSwapAt(s, 1, t, t); a.all.CompareAndSwapAt(s, 1, a, t) },
			"MapWrite 1 1, MapWrite 1 2 changed"},
		{"map, compare and delete", func(a *all) { a.all.Store(1, a) },
			func(a *all) { a.all.CompareAndDeleteAt(s, 1, t); a.all.CompareAndDeleteAt(s, 1, a) },
			"MapWrite 1 1, MapWrite 1 0 changed"},
		{"map, range", func(a *all) { a.all.Store(1, a); a.all.Store(2, t) },
			func(a *all) { a.all.RangeAt(s, func(_, _ any) bool { return true }) }, "MapRead 2 0, MapRead 1 0, MapRead 2 0"},
		{"map, clear", func(a *all) { a.all.Store(1, a) }, func(a *all) { a.all.ClearAt(s); a.all.ClearAt(s) }, "MapWrite 1 0 changed, MapWrite 0 0"},
	} {
		var steps []string
		var last []engine.Step
		_, _, err := engine.Explore(engine.Options{Each: func(v *engine.View) bool {
			last = v.Steps()
			return false
		}}, func(x *engine.Exec) {
			a := new(all)
			if p.setup != nil {
				p.setup(a)
			}
			x.Go("a", func() { p.do(a) })
		})
		if err != nil {
			t.Fatal(p.name, err)
		}
		for _, e := range last {
			step := fmt.Sprintf("%s %d %d", kinds[e.Kind], e.Read, e.Wrote)
			if e.Changed {
				step += " changed"
			}
			if e.Site != s {
				step += fmt.Sprintf(" at site %d", e.Site)
			}
			steps = append(steps, step)
		}
		if got := strings.Join(steps, ", "); got != p.want {
			t.Errorf("%s:\n%s\nwant\n%s", p.name, got, p.want)
		}
	}
}

// A thread that waits for a Cond, and one that waits for readers.
func TestStepsOfWaiting(t *testing.T) {
	var seen [][]string
	_, _, err := engine.Explore(engine.Options{Each: func(v *engine.View) bool {
		var all []string
		for _, e := range v.Steps() {
			if e.Thread == 0 {
				all = append(all, kinds[e.Kind])
				if e.Site != 7 {
					t.Errorf("%s at site %d", kinds[e.Kind], e.Site)
				}
			}
		}
		seen = append(seen, all)
		return true
	}}, func(x *engine.Exec) {
		var rw RWMutex
		c := Cond{L: rw.RLocker()}
		x.Go("a", func() { rw.RLockAt(7); c.WaitAt(7); rw.RUnlockAt(7); rw.LockAt(7) })
		x.Go("b", func() { rw.RLock(); c.Signal(); rw.RUnlock() })
	})
	want := strings.Fields("RLock Enqueue RUnlock Wake RLock RUnlock WLock")
	drains := append(slices.Clone(want), "WDrain")
	has := func(want []string) bool {
		return slices.ContainsFunc(seen, func(k []string) bool { return slices.Equal(k, want) })
	}
	if err != nil || !has(want) || !has(drains) {
		t.Errorf("%v, want among them %v and %v (%v)", seen, want, drains, err)
	}
}
