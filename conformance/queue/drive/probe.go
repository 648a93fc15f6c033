package drive

import (
	"fmt"

	"github.com/spindle-go/spindle/conformance/queue"
)

// Probe makes a set and reads its capabilities off it. Quiet, Misses and Holds are always there.
// Resize and Start cannot be seen from outside: Start is taken to come with Resize, and
// Resize is found by asking for another capacity.
func Probe(f queue.Factory) (queue.Capabilities, error) {
	set, err := Make(f, queue.Options{Ps: 1})
	if err != nil {
		return queue.Capabilities{}, err
	}
	c := queue.Capabilities{Quiet: true, Misses: true, Holds: true} // this package makes the calls
	q := set.P(0)
	_, c.RunNext = q.(queue.RunNext)
	_, c.Batch = q.(queue.BatchStealer)
	_, c.PutBatch = q.(queue.BatchPutter)
	_, c.Drain = q.(queue.Drainer)
	_, c.Len = q.(queue.Sized)
	_, c.Moves = q.(queue.Mover)
	_, c.Take = q.(queue.Taker)
	_, c.Close = q.(queue.Closer)
	_, c.Show = q.(queue.Shower)
	_, c.Global = set.(queue.GlobalQueue)
	c.Capacity = queue.CapacityOf(set)
	if _, bounded := q.(queue.Bounded); bounded && c.Capacity < 1 {
		return c, fmt.Errorf("%w: Cap: expected at least 1, saw %d", ErrFactory, c.Capacity)
	}
	if c.Capacity > 0 {
		other := 4
		if c.Capacity == other {
			other = 8
		}
		c.Resize = honoured(f, other)
	}
	for _, size := range []int{1, 2, 4} {
		if c.Resize && honoured(f, size) {
			c.Sizes = append(c.Sizes, size)
		}
	}
	_, c.Start = q.(queue.Starter)
	return c, nil
}

// honoured reports whether f makes rings of that capacity.
func honoured(f queue.Factory, capacity int) bool {
	set, err := Make(f, queue.Options{Ps: 1, Capacity: capacity})
	return err == nil && queue.CapacityOf(set) == capacity
}
