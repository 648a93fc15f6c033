package stress

import (
	"iter"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/sync"
)

// What TestOperations is told.
const (
	operationsVar = "SPINDLE_INTERNAL_OPERATIONS" // how many; unset: 200,000
	besideVar     = "SPINDLE_INTERNAL_BESIDE"     // 1: a goroutine beside allocates all the time
	collectVar    = "SPINDLE_INTERNAL_COLLECT"    // 1: threads have the collector run, now and then
)

// seen is what the threads have seen, in the order in which they saw it. They take turns, so it needs no lock.
var seen struct {
	digest               uint64
	operations, switches int
	last                 int
}

// saw notes what the calling thread has seen.
func saw(thread int, v int64) {
	seen.digest = (seen.digest ^ uint64(v)<<8 ^ uint64(thread)) * 0x100000001b3
	seen.operations++
	if seen.last != thread {
		seen.switches++
	}
	seen.last = thread
}

// A node is what the collector may not lose while its thread waits for its turn.
type node struct {
	next *node
	v    int64
	pad  [4]*node
}

// keeps calls f between the making of a list and the look at it.
func keeps(x *engine.Exec, n int, f func()) {
	var head *node
	for i := range n {
		head = &node{next: head, v: int64(i)}
		head.pad[i%4] = head
	}
	f()
	for i := n - 1; i >= 0; i-- {
		if head == nil || head.v != int64(i) || head.pad[i%4] != head {
			x.Fatalf("node %d of a list is not what it was", i)
		}
		head = head.next
	}
	if head != nil {
		x.Fatalf("a list of %d nodes has grown", n)
	}
}

const rounds = 12

// operations is a body in which most operations come after a switch.
func operations(x *engine.Exec) {
	var words [3]atomic.Int64
	var mu sync.Mutex
	total := int64(0)
	at := int(engine.Execution())
	add := func(thread, i int) {
		saw(thread, words[(thread+i)%3].Add(1))
		total++
	}
	x.Go("grows", func() {
		for i := range rounds {
			deep((at+i*i)%64, func() { add(0, i) })
		}
	})
	x.Go("keeps", func() {
		for i := range rounds {
			keeps(x, 8*((at+i)%5), func() { add(1, i) })
		}
	})
	x.Go("pulls", func() {
		next, stop := iter.Pull(func(yield func(int) bool) {
			for i := 0; ; i++ {
				if add(2, i); !yield(i) {
					return
				}
			}
		})
		defer stop()
		for i := range rounds {
			if v, ok := next(); v != i || !ok {
				x.Fatalf("pulled %d, %v", v, ok)
			}
			add(2, i)
		}
	})
	x.Go("leaves", func() {
		defer add(3, 1)
		for i := range rounds {
			add(3, i)
		}
		runtime.Goexit()
	})
	x.Go("starts", func() {
		for i := range rounds {
			if i%6 == 0 {
				child := func() { deep((at+i)%256, func() { add(5, i) }); add(5, i) }
				if engine.Hosted {
					go child()
				} else {
					engine.Spawn(0, child)
				}
			}
			if add(4, i); i == 3 && collects && at%16 == 0 {
				runtime.GC()
			}
		}
	})
	x.Daemon("is left", func() {
		defer func() { recover(); x.Fatalf("a thread that can never go on has a deferred call run") }()
		mu.Lock()
		for i := range rounds {
			keeps(x, 30, func() { add(6, i) })
		}
		mu.Lock()
	})
	x.Finally(func() {
		if n := words[0].Load() + words[1].Load() + words[2].Load(); n != total {
			x.Fatalf("%d additions, saw %d", total, n)
		}
	})
}

var collects = os.Getenv(collectVar) == "1"

// TestOperations explores by chance, with seeds from 1, until there were as many operations as asked for, and prints what the threads
// have seen, as a digest: it is the same whatever the collector and the stacks do meanwhile.
func TestOperations(t *testing.T) {
	want := 200_000
	if v := os.Getenv(operationsVar); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s: expected a number from 1, saw %q", operationsVar, v)
		}
		want = n
	}
	if os.Getenv(besideVar) == "1" {
		begun, end, ended := make(chan bool), make(chan bool), make(chan bool)
		defer func() { close(end); <-ended }()
		go func() {
			defer close(ended)
			close(begun)
			all := make([][]*node, 64)
			for i := 0; ; i++ {
				select {
				case <-end:
					return
				default:
					all[i%64] = make([]*node, i%1000)
					for j := range all[i%64] {
						all[i%64][j] = new(node)
					}
				}
			}
		}()
		<-begun
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen.digest, seen.operations, seen.switches = 0xcbf29ce484222325, 0, 0
	executions := 0
	for seed := uint64(1); seen.operations < want; seed++ {
		c, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: seed, Executions: 1000}, operations)
		if f != nil || err != nil || c.Executions != 1000 || c.Cuts.Threads != 0 {
			t.Fatalf("seed %d: expected 1000 executions without a finding, saw %d, %+v, %v", seed, c.Executions, f, err)
		}
		executions += c.Executions
	}
	if seen.switches < seen.operations/2 {
		t.Errorf("expected most of %d operations to come after a switch, saw %d", seen.operations, seen.switches)
	}
	runtime.ReadMemStats(&after)
	t.Logf("operations: %d in %d executions, %d after a switch, digest %016x; %d collections", seen.operations, executions, seen.switches, seen.digest, after.NumGC-before.NumGC)
}
