package talks

import (
	"sync"
	"sync/atomic"
)

var (
	lock  sync.Mutex
	inUse int
	uses  atomic.Int32
)

// use counts who uses something, while f runs.
func use(f func()) {
	lock.Lock()
	inUse++
	lock.Unlock()
	uses.Add(1)
	f()
	uses.Add(-1)
	lock.Lock()
	inUse--
	lock.Unlock()
}
