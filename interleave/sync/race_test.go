package sync

import (
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// TestWhatOrders: one thread after the other; what a Map or a Pool passes on is of
// one key, or one value.
func TestWhatOrders(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	one, two := new(int), new(int)
	for _, c := range []struct {
		name          string
		race          bool
		first, second func(m *Map, p *Pool)
	}{
		{"the key", false, func(m *Map, _ *Pool) { m.Store("a", 1) }, func(m *Map, _ *Pool) { m.Load("a") }},
		{"another key", true, func(m *Map, _ *Pool) { m.Store("a", 1) }, func(m *Map, _ *Pool) { m.Load("b") }},
		{"another store", true, func(m *Map, _ *Pool) { m.Store("a", 1) }, func(m *Map, _ *Pool) { m.Store("a", 2) }},
		{"a swap", false, func(m *Map, _ *Pool) { m.Store("a", 1) }, func(m *Map, _ *Pool) { m.Swap("a", 2) }},
		{"a load", true, func(m *Map, _ *Pool) { m.Load("a") }, func(m *Map, _ *Pool) { m.Swap("a", 2) }},
		{"a key that went", false, func(m *Map, _ *Pool) { m.Delete("a") }, func(m *Map, _ *Pool) { m.Load("a") }},
		{"a store that found a value", true, func(m *Map, _ *Pool) { m.LoadOrStore("a", 1) }, func(m *Map, _ *Pool) { m.Load("a") }},
		{"a map that was cleared", false, func(m *Map, _ *Pool) { m.Clear() }, func(m *Map, _ *Pool) { m.Load("a") }},
		{"a range", false, func(m *Map, _ *Pool) { m.Store("a", 1) }, func(m *Map, _ *Pool) { m.Range(func(any, any) bool { return true }) }},
		{"the value", false, func(_ *Map, p *Pool) { p.Put(one) }, func(_ *Map, p *Pool) { p.Get() }},
		{"another value", true, func(_ *Map, p *Pool) { p.Put(one); p.Get() }, func(_ *Map, p *Pool) { p.Put(two); p.Get() }},
	} {
		_, f, err := engine.Explore(engine.Options{Strategy: engine.DFS, Bound: 0, Executions: 1}, func(x *engine.Exec) {
			m, p, shared := new(Map), new(Pool), new(int)
			m.Store("a", 0)
			x.Go("first", func() {
				engine.Begin(unsafe.Pointer(new(int)), object.Load, 0)
				engine.End(0, 0, false)
				engine.Write(unsafe.Pointer(shared), 8, 0)
				c.first(m, p)
			})
			x.Go("second", func() { c.second(m, p); engine.Read(unsafe.Pointer(shared), 8, 0) })
		})
		if err != nil || (f != nil) != c.race || f != nil && f.Kind != engine.DataRace {
			t.Errorf("%s: %v, %v, expected a race: %v", c.name, f, err, c.race)
		}
	}
}

// TestWhatSignalOrders: what is done before a Signal, or a Broadcast, comes before what
// those do that it wakes; nothing else does.
func TestWhatSignalOrders(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	for _, c := range []struct {
		name   string
		race   bool
		signal func(c *Cond, write func())
	}{
		{"before a signal", false, func(c *Cond, write func()) { write(); c.Signal() }},
		{"after a signal", true, func(c *Cond, write func()) { c.Signal(); write() }},
		{"before a broadcast", false, func(c *Cond, write func()) { write(); c.Broadcast() }},
		{"after a broadcast", true, func(c *Cond, write func()) { c.Broadcast(); write() }},
	} {
		_, f, err := engine.Explore(engine.Options{Strategy: engine.DFS, Bound: 0, Executions: 1}, func(x *engine.Exec) {
			var m Mutex
			cond, shared := NewCond(&m), new(int)
			x.Go("waits", func() {
				m.Lock()
				cond.Wait()
				m.Unlock()
				engine.Read(unsafe.Pointer(shared), 8, 0)
			})
			x.Go("signals", func() { c.signal(cond, func() { engine.Write(unsafe.Pointer(shared), 8, 0) }) })
		})
		if err != nil || (f != nil) != c.race || f != nil && f.Kind != engine.DataRace {
			t.Errorf("%s: %v, %v, expected a race: %v", c.name, f, err, c.race)
		}
	}
}
