package drive

import "github.com/spindle-go/spindle/conformance/queue"

// Probe makes a set and reads its capabilities off it. Resize and Start cannot
// be seen from outside: Start is taken to come with Resize, and Resize is found
// by asking for another capacity.
func Probe(f queue.Factory) (queue.Capabilities, error) {
	set, err := Make(f, queue.Options{Ps: 1})
	if err != nil {
		return queue.Capabilities{}, err
	}
	var c queue.Capabilities
	q := set.P(0)
	_, c.RunNext = q.(queue.RunNext)
	_, c.Batch = q.(queue.BatchStealer)
	_, c.PutBatch = q.(queue.BatchPutter)
	_, c.Drain = q.(queue.Drainer)
	_, c.Len = q.(queue.Sized)
	_, c.Moves = q.(queue.Mover)
	_, c.Show = q.(queue.Shower)
	_, c.Global = set.(queue.GlobalQueue)
	if b, ok := q.(queue.Bounded); ok {
		c.Capacity = b.Cap()
		other := 4
		if c.Capacity == other {
			other = 8
		}
		if set, err := Make(f, queue.Options{Ps: 1, Capacity: other}); err == nil {
			b, _ := set.P(0).(queue.Bounded)
			c.Resize = b != nil && b.Cap() == other
		}
	}
	_, c.Start = q.(queue.Starter)
	return c, nil
}
