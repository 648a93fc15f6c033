package queue_test

import (
	"fmt"

	"github.com/spindle-go/spindle/conformance/queue"
)

// A stack is a queue for one thread: it shows which methods there are.
type stack struct{ ids []uint64 }

func (s *stack) Put(id uint64) bool { s.ids = append(s.ids, id); return true }

func (s *stack) Get() (id uint64, ok bool) {
	if n := len(s.ids); n > 0 {
		id, ok = s.ids[n-1], true
		s.ids = s.ids[:n-1]
	}
	return id, ok
}

func (s *stack) Steal() (uint64, bool) { return s.Get() }
func (s *stack) Empty() bool           { return len(s.ids) == 0 }

// Len makes it a Sized queue, which is checked as well.
func (s *stack) Len() int { return len(s.ids) }

// A factory makes a fresh set of queues for each run.
func ExampleSingle() {
	factory := queue.Single(func() *stack { return new(stack) })
	set, err := factory(queue.Options{Ps: 2})
	q := set.P(1)
	q.Put(7)
	q.Put(8)
	id, ok := q.Steal()
	_, sized := q.(queue.Sized)
	fmt.Println(err, id, ok, q.Empty(), sized)
	// Output: <nil> 8 true false true
}

// A set whose capacity is chosen says how many ids each queue holds.
func ExampleOfCapacity() {
	factory := queue.OfCapacity(256, func(capacity int) *stack { return &stack{make([]uint64, 0, capacity)} })
	usual, _ := factory(queue.Options{Ps: 1})
	small, _ := factory(queue.Options{Ps: 1, Capacity: 2})
	fmt.Println(queue.CapacityOf(usual), queue.CapacityOf(small))
	// Output: 256 2
}
