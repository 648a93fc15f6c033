package conformance_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
)

// A queue with a lock and a slice: four methods are enough.
type guarded struct {
	mu  sync.Mutex
	ids []uint64
	max int
}

func (q *guarded) Put(id uint64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == q.max {
		return false
	}
	q.ids = append(q.ids, id)
	return true
}

func (q *guarded) Get() (id uint64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ok = len(q.ids) > 0; ok {
		id, q.ids = q.ids[0], q.ids[1:]
	}
	return id, ok
}

func (q *guarded) Steal() (uint64, bool) { return q.Get() }

func (q *guarded) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}

func newGuarded(capacity int) *guarded { return &guarded{max: capacity} }

// This is the body of a test: func TestMyQueue(t *testing.T) { ... }.
func ExampleTestQueue() {
	var t *testing.T // the test's own
	conformance.TestQueue(t, func() *guarded { return newGuarded(256) })
}

// The suite chooses the capacities: faults at the ends of a ring need few calls there.
func ExampleTestBounded() {
	var t *testing.T // the test's own
	conformance.TestBounded(t, newGuarded, conformance.Under(conformance.Contract{Order: spec.FirstIn, Bound: spec.Exact}))
}

// The factory makes several queues for each run; those that know each other may steal from one another.
func ExampleTestSet() {
	var t *testing.T // the test's own
	conformance.TestSet(t, queue.OfCapacity(256, newGuarded), conformance.Profile(spec.FIFO))
}

// A scheduler that starts a goroutine for each task.
type goroutines struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

func (g *goroutines) Submit(task func(scheduler.Task)) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errors.New("closed")
	}
	g.tasks.Go(func() { task(nil) })
	return nil
}

func (g *goroutines) Close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.tasks.Wait()
	return nil
}

func ExampleTestScheduler() {
	var t *testing.T // the test's own
	conformance.TestScheduler(t, func(workers int) *goroutines { return new(goroutines) })
}

// A contract states what differs from the profile core, and can be written as one line.
func ExampleContract() {
	c := conformance.Contract{Order: spec.FirstIn, StealMiss: spec.Beside}
	p, err := c.Profile()
	fmt.Println(p, err)
	// Output: fifo,steal-miss=beside <nil>
}
