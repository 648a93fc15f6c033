package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The drop-ins: each of these does something else than the package that it stands in
// for, or tells the explorer something else than what it does.
var dropIn = []Judge{
	// Store buffers, tso.go.
	buffering("J-166", "a thread sees the oldest of its own stores to a word",
		"Forward", `for i := len(t.buffer) - 1; i >= 0; i-- {`, `for i := range t.buffer {`),
	buffering("J-167", "a thread sees its own stores to other words",
		"Forward", `if t.buffer[i].addr == addr {`, `{`),
	buffering("J-168", "stores leave a buffer the last first",
		"scheduler.flush", `	b := t.buffer[0]
	t.buffer = t.buffer[1:]`, `	b := t.buffer[len(t.buffer)-1]
	t.buffer = t.buffer[:len(t.buffer)-1]`),
	drained("J-169", "a fence does not wait for the buffer", "nothing.go", `name: "Fence", drains: true`, `name: "Fence"`),
	drained("J-170", "what writes does not wait for the buffer of its thread", "kind.go", `return k.MayWrite() || rulesOf[k].drains`, `return rulesOf[k].drains`),
	drained("J-171", "RLock does not wait for the buffer of its thread", "rwmutex.go", `ready: free, drains: true`, `ready: free`),

	// Package sync.
	locking("J-172", "a Pool always gives something",
		"pool.go", "Pool.take", `engine.Pick(n + 1)`, `engine.Pick(n)`),
	locking("J-173", "a Pool gives what the execution before has put",
		"sync.go", "current", `if n := engine.Execution(); latest.number != n {`, `if n := engine.Execution(); latest.number == 0 {`),
	locking("J-174", "who gets from a Pool comes after nobody",
		"pool.go", "Pool.take", `if got.put != nil {`, `if false {`),
	locking("J-175", "Signal wakes all who wait",
		"cond.go", "Cond.wake", `			n--
`, ``),
	locking("J-176", "Signal wakes who waits for another Cond",
		"cond.go", "Cond.wake", `if t.cond == c && n > 0 {`, `if n > 0 {`),
	locking("J-177", "Wait gives the lock back before it is noted as waiting",
		"cond.go", "Cond.WaitAt", `	engine.Begin(unsafe.Pointer(c), object.Enqueue, site)
	c.touch()
	x := current()
	x.waiters = append(x.waiters, t)
	n := c.waiting()
	engine.End(n-1, n, true)

	l, at := c.L.(lockerAt)
	if at {
		l.UnlockAt(site)
	} else {
		c.L.Unlock()
	}
`, `	l, at := c.L.(lockerAt)
	if at {
		l.UnlockAt(site)
	} else {
		c.L.Unlock()
	}
	engine.Begin(unsafe.Pointer(c), object.Enqueue, site)
	c.touch()
	x := current()
	x.waiters = append(x.waiters, t)
	n := c.waiting()
	engine.End(n-1, n, true)
`),
	locking("J-178", "a thread that waited for a Cond comes after nobody",
		"cond.go", "Cond.WaitAt", `	engine.Acquire(unsafe.Pointer(t))
`, ``),
	locking("J-179", "Wait returns without the lock",
		"cond.go", "Cond.WaitAt", `	if at {
		l.LockAt(site)`, `	if at {
		_ = site`),
	locking("J-180", "a writer does not wait for the readers that are in",
		"rwmutex.go", "RWMutex.LockAt", `if readers != 0 {`, `if false {`),
	locking("J-181", "a reader that leaves is not told to the writer that waits",
		"rwmutex.go", "RWMutex.RUnlockAt", `		w.readerWait--
`, ``),
	locking("J-182", "a writer that waits for readers lets others in",
		"rwmutex.go", "noWriter", `readerCount >= 0 }`, `readerCount >= 0 || (*RWMutex)(rw).words().readerWait > 0 }`),
	locking("J-183", "RLock says how many readers there are",
		"rwmutex.go", "RWMutex.RLockAt", `engine.End(0, 1, true) // not`, `engine.End(0, uint64(rw.words().readerCount), true) // not`),
	locking("J-184", "a TryRLock that failed says that it locked",
		"rwmutex.go", "RWMutex.TryRLockAt", `engine.End(0, 0, false)`, `engine.End(0, 1, false)`),
	locking("J-185", "a TryLock that failed says that it changed something",
		"mutex.go", "Mutex.TryLockAt", `engine.End(1, 1, false)`, `engine.End(1, 1, true)`),
	locking("J-186", "the unlock of what is not locked is let pass",
		"mutex.go", "Mutex.UnlockAt", `		engine.End(0, 0, false)
		engine.Fatal("sync: unlock of unlocked mutex")
`, `		engine.End(0, 0, false)
		return
`),
	locking("J-187", "Unlock is no access to the lock",
		"mutex.go", "Mutex.UnlockAt", `	engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
`, ``),
	locking("J-188", "of a RWMutex only the first word is an access of RLock",
		"rwmutex.go", "RWMutex.RLockAt", `engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))`, `engine.Touches(unsafe.Pointer(rw), 8)`),
	locking("J-189", "that the body has locked for reading is not seen",
		"peek.go", "peek", `s.Readers = int((*RWMutex)(addr).words().readerCount)`, `_ = s.Readers`),
	locking("J-190", "that the body has locked is not seen",
		"peek.go", "peek", `			s.Held = 1
`, `			s.Held = 0
`),
	locking("J-191", "what the body has added to a WaitGroup is not seen",
		"peek.go", "peek", `s.Count = int((*WaitGroup)(addr).counter())`, `s.Count = 0`),
	locking("J-192", "Wait of a WaitGroup does not wait",
		"waitgroup.go", "counterZero", `.counter() == 0 }`, `.counter() >= 0 }`),
	locking("J-193", "a Once is done before its function has returned",
		"once.go", "Once.slow", `		defer o.done.StoreAt(site, true)
		f()`, `		o.done.StoreAt(site, true)
		f()`),
	locking("J-194", "a Once whose function has panicked calls it again",
		"once.go", "Once.slow", `		defer o.done.StoreAt(site, true)
		f()`, `		f()
		o.done.StoreAt(site, true)`),
	locking("J-195", "a Map goes through its keys in an order of chance",
		"map.go", "Map.inOrder", `< came[mapKey{m: m, key: keys[j]}]`, `< 0`),
	locking("J-196", "Range goes through all keys at one step",
		"map.go", "Map.RangeAt", `v, ok := m.LoadAt(site, key); ok`, `v, ok := m.m.Load(key); ok`),
	locking("J-197", "a Store to a Map comes after who stored before",
		"map.go", "Map.StoreAt", `m.put(site, key, value, false)`, `m.put(site, key, value, true)`),
	locking("J-198", "a Load of a Map comes after nobody",
		"map.go", "Map.LoadAt", `m.order(site, key, true, false)`, `m.order(site, key, false, false)`),
	locking("J-199", "what a Map orders is one for all keys",
		"map.go", "Map.order", `mapKey{m: m, key: key}`, `mapKey{m: m}`),
	locking("J-200", "Clear of a Map orders nothing",
		"map.go", "Map.ClearAt", `			m.order(site, key, false, true)
`, `			_ = key
`),
	locking("J-201", "a Clear of a Map that has keys says that it changes nothing",
		"map.go", "Map.ClearAt", `len(keys) > 0)`, `false)`),

	// Package atomic.
	word("J-202", "a load does not look into the buffer of its thread",
		"atomic.go", "load", `if engine.Buffering {`, `if false {`),
	word("J-203", "a store that may be late writes twice its size",
		"release.go", "StoreRelease", `if unsafe.Sizeof(v) == 4 {`, `if unsafe.Sizeof(v) == 0 {`),
	word("J-204", "Fence is nothing",
		"release.go", "Fence", `		engine.FenceNow(0)
`, ``),
	word("J-205", "an operation that writes a word is no access",
		"atomic.go", "write", `	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
`, ``),
	word("J-206", "a CompareAndSwap of a Bool is no access",
		"bool.go", "Bool.compareAndSwap", `	engine.Touches(unsafe.Pointer(x), unsafe.Sizeof(*x))
`, ``),
	word("J-207", "of a Value only the first half is an access of Store",
		"value.go", "Value.StoreAt", `unsafe.Sizeof(*v)`, `unsafe.Sizeof(*v)/2`),
	word("J-208", "Add returns what was there before",
		"atomic.go", "add", `return old + delta }) + delta`, `return old + delta })`),
	word("J-209", "a CompareAndSwap that fails writes all the same",
		"atomic.go", "compareAndSwap", `	if was == old {
		*addr = new
	}`, `	*addr = new`),
	word("J-210", "a CompareAndSwap that succeeds says that it changed nothing",
		"atomic.go", "compareAndSwap", `uint64(*addr), was == old)`, `uint64(*addr), false)`),
	word("J-211", "a Swap of a Pointer is a load for the explorer",
		"pointer.go", "swapPointer", `object.Swap, site)`, `object.Load, site)`),
	word("J-212", "a Store of a Pointer says that it changed nothing",
		"pointer.go", "storePointer", `engine.EndPointer(old, val, true)`, `engine.EndPointer(old, val, false)`),
	word("J-213", "an operation of an integer is not announced",
		"uint32.go", "Uint32.OrAt", `if engine.Controlled() {`, `if false {`),
	word("J-214", "a Load of a Value that holds nothing is not announced",
		"value.go", "Value.LoadAt", `if !engine.Controlled() {`, `if !engine.Controlled() || v.v.Load() == nil {`),
	word("J-215", "a CompareAndSwap of an integer expects something else for the explorer",
		"atomic.go", "compareAndSwap", `engine.Compare(uint64(old))`, `engine.Compare(uint64(new))`),
	word("J-216", "a Swap of a Bool says what it wrote for what it read",
		"bool.go", "Bool.swap", `engine.End(word(old), word(new), true)`, `engine.End(word(new), word(new), true)`),
}

const (
	syncRoom   = "./interleave/sync"
	atomicRoom = "./interleave/atomic"
)

func buffering(id, title, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: engine("tso.go", fn, old, new), Room: "./interleave/internal/engine", Tests: "^TestLitmus$"}
}

// locking is a change of the drop-in for package sync that its own tests must see.
func locking(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "interleave/sync/" + file, Func: fn, Old: old, New: new}},
		Room: syncRoom, Tests: "^Test(Mutex|RW|Two|Recursive|Unlock|Cond|WaitGroup|Once|Pool|Map|What|Steps|Every)",
	}
}

// word is a change of the drop-in for package sync/atomic that its own tests must see.
func word(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "interleave/atomic/" + file, Func: fn, Old: old, New: new}},
		Room: atomicRoom, Tests: "^Test(AsOriginal|Every|Release|Steps|Foretold)",
	}
}

// drained is a change of which operations wait for the buffer of their thread.
func drained(id, title, file, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: internal("object/"+file, "", old, new), Room: "./interleave/internal/engine", Tests: "^TestLitmus$"}
}
