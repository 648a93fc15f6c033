package hunt

import (
	"cmp"
	"fmt"
	"os"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/queue/drive"
)

// A guard ends the process if one execution takes too long, or too much memory. Nothing
// else ends a call at a quiet moment that does not return, or a loop without an operation.
// Each execution begins with queues or a scheduler of its own, and so the guard sees it.
type guard struct {
	limits Alone
	crash  string // the requirement that is broken then
	made   atomic.Uint64

	mu       sync.Mutex
	out      *os.File
	number   int
	hunting  bool
	scenario string // "" before the first
}

// tick is how often the guard looks.
const tick = 50 * time.Millisecond

func newGuard(out *os.File, limits Alone, crash string) *guard {
	limits.Time = cmp.Or(limits.Time, 3*time.Second)
	limits.Memory = cmp.Or(limits.Memory, 1<<30)
	drive.FactoryTimeout = 10 * limits.Time // the guard comes first
	g := &guard{out: out, limits: limits, crash: crash}
	go g.look()
	return g
}

// executes says that an execution begins.
func (g *guard) executes() { g.made.Add(1) }

func (g *guard) watch(s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.scenario = s
	g.made.Add(1)
}

func (g *guard) begin(n int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.number, g.hunting, g.scenario = n, true, ""
	g.made.Add(1)
	return write(g.out, Line{Number: n, Begin: true})
}

func (g *guard) end(l Line) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hunting = false
	return write(g.out, l)
}

// look ends the process when it must. Time is counted in ticks, which do not come while
// the process has no processor.
func (g *guard) look() {
	last, still := uint64(0), time.Duration(0)
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(tick) {
		n := g.made.Load()
		if still += tick; n != last {
			last, still = n, 0
		}
		metrics.Read(heap)
		switch used := heap[0].Value.Uint64(); {
		case used > g.limits.Memory:
			g.die(fmt.Sprintf("an execution takes more than %d MiB of memory", g.limits.Memory>>20))
		case still >= g.limits.Time:
			g.die(fmt.Sprintf("an execution has no end within %v", g.limits.Time))
		}
	}
}

// die ends the process with a result for whose turn it is.
func (g *guard) die(why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.hunting {
		return
	}
	if err := write(g.out, Line{Number: g.number, Died: true, Searched: crashed(g.crash, cmp.Or(g.scenario, unmade), why)}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(3)
}
