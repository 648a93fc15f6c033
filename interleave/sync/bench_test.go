package sync

//lint:file-ignore SA2001 it is what is measured

import (
	"sync"
	"testing"
)

// What the drop-ins cost outside of an exploration, each beside its original.

func pair(b *testing.B, name string, original, ours func(n int)) {
	for _, f := range []struct {
		whose string
		run   func(n int)
	}{{"original", original}, {"ours", ours}} {
		b.Run(name+"/"+f.whose, func(b *testing.B) { f.run(b.N) })
	}
}

func BenchmarkOutside(b *testing.B) {
	var m1 sync.Mutex
	var m2 Mutex
	pair(b, "Mutex", func(n int) {
		for range n {
			m1.Lock()
			m1.Unlock()
		}
	}, func(n int) {
		for range n {
			m2.LockAt(1)
			m2.UnlockAt(1)
		}
	})
	var rw1 sync.RWMutex
	var rw2 RWMutex
	pair(b, "RLock", func(n int) {
		for range n {
			rw1.RLock()
			rw1.RUnlock()
		}
	}, func(n int) {
		for range n {
			rw2.RLockAt(1)
			rw2.RUnlockAt(1)
		}
	})
	c1 := sync.NewCond(&m1)
	c2 := NewCond(&m2)
	pair(b, "Signal", func(n int) {
		for range n {
			c1.Signal()
		}
	}, func(n int) {
		for range n {
			c2.SignalAt(1)
		}
	})
	var wg1 sync.WaitGroup
	var wg2 WaitGroup
	pair(b, "WaitGroup", func(n int) {
		for range n {
			wg1.Add(1)
			wg1.Done()
		}
	}, func(n int) {
		for range n {
			wg2.AddAt(1, 1)
			wg2.DoneAt(1)
		}
	})
	var o1 sync.Once
	var o2 Once
	pair(b, "Once", func(n int) {
		for range n {
			o1.Do(func() {})
		}
	}, func(n int) {
		for range n {
			o2.DoAt(1, func() {})
		}
	})
	var p1 sync.Pool
	var p2 Pool
	pair(b, "Pool", func(n int) {
		for range n {
			p1.Put(b)
			p1.Get()
		}
	}, func(n int) {
		for range n {
			p2.PutAt(1, b)
			p2.GetAt(1)
		}
	})
	var all1 sync.Map
	var all2 Map
	all1.Store("k", b)
	all2.Store("k", b)
	pair(b, "MapLoad", func(n int) {
		for range n {
			all1.Load("k")
		}
	}, func(n int) {
		for range n {
			all2.LoadAt(1, "k")
		}
	})
}
