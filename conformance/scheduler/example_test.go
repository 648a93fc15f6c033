package scheduler_test

import (
	"fmt"

	"github.com/spindle-go/spindle/conformance/scheduler"
)

// A scheduler that runs each task at once, in Submit. It has two methods, and its tasks have one more.
type inline struct{}

func (s inline) Submit(task func(scheduler.Task)) error { task(running{s}); return nil }
func (inline) Close() error                             { return nil }

// running is what a task gets. Spawn makes it a Spawner.
type running struct{ s inline }

func (r running) Spawn(task func(scheduler.Task)) error { return r.s.Submit(task) }

// The optional methods of a task are found on the value that it gets.
func Example() {
	s := scheduler.Of(func(workers int) inline { return inline{} })(4)
	s.Submit(func(t scheduler.Task) {
		fmt.Println("first:", scheduler.CapabilitiesOf(s, t).Words())
		t.(scheduler.Spawner).Spawn(func(scheduler.Task) { fmt.Println("second") })
	})
	fmt.Println(s.Close())
	// Output:
	// first: [spawn]
	// second
	// <nil>
}
