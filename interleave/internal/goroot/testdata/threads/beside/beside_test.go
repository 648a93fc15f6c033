// Package beside has goroutines that run beside the threads.
package beside

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// A goroutine that init has started comes to operations, and to plain accesses. It is no thread. Where a test accesses the same memory, it is named.
var (
	ticks  atomic.Int64
	count  int
	total  int // which it reads
	table  = map[int]int{}
	buffer bytes.Buffer
	lock   sync.Mutex
	word   = make(chan int, 1)
	asked  int // which a goroutine does that the goroutine starts
)

// notice has plain accesses.
func notice(n *int64) { *n++ }

var rounds atomic.Int64

func init() {
	go func() {
		n := new(int64)
		for i := 0; ; i++ {
			ticks.Add(1)
			notice(n)
			count++
			ticks.Add(int64(total))
			table[i&7]++
			buffer.Reset()
			buffer.WriteString("tick")
			lock.Lock()
			lock.Unlock() //nolint:staticcheck // it is the lock that is looked at
			select {
			case word <- 1:
			case <-word:
			}
			done := make(chan bool)
			go func() {
				asked++
				done <- true
			}()
			<-done
			rounds.Add(1)
			time.Sleep(10 * time.Microsecond)
		}
	}()
}

// pair explores two threads with f, and a body that has made its word with make.
func pair(t *testing.T, make func() int, f func()) {
	interleave.Test(t, func(x *interleave.Exec) { x.Go("", func() {}) }) // from now on it is noted what it accesses
	for n := rounds.Load(); rounds.Load() < n+3; {
		time.Sleep(time.Millisecond)
	}
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		n.Store(int32(make()))
		for range 2 {
			x.Go("", func() {
				n.Add(1)
				n.Add(1)
			})
		}
		x.Go("f", f)
		x.Finally(func() {})
	})
}

func none() int { return 0 }

// want PASS: complete
func TestGoOfInit(t *testing.T) { pair(t, none, func() {}) }

// want PASS: complete
func TestBothRead(t *testing.T) { pair(t, func() int { return total }, func() { notice(new(int64)) }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBothAdd(t *testing.T) { pair(t, none, func() { ticks.Store(0) }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBothCount(t *testing.T) { pair(t, none, func() { count++ }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestItReads(t *testing.T) { pair(t, none, func() { total = 0 }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBothLook(t *testing.T) { pair(t, none, func() { _ = len(table) }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBothBuffer(t *testing.T) { pair(t, none, func() { buffer.Len() }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBothLock(t *testing.T) {
	pair(t, none, func() {
		if lock.TryLock() {
			lock.Unlock()
		}
	})
}

// want PASS: which runs beside the threads, and may access the same memory
func TestBothTalk(t *testing.T) { pair(t, none, func() { _ = len(word) }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestItsOwn(t *testing.T) { pair(t, none, func() { asked++ }) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBody(t *testing.T) { pair(t, func() int { return count & 0 }, func() {}) }

// want PASS: which runs beside the threads, and may access the same memory
func TestBodyAsks(t *testing.T) { pair(t, func() int { return int(ticks.Load() & 0) }, func() {}) }
