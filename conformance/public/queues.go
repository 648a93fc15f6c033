// Package public judges queues of other people, each under the contract that its own
// documentation states. README.md has what came of it.
//
// Each file has the adapters of one module: what the suite calls Put, Get, Steal and
// Empty, in terms of what that module offers. An adapter adds nothing that could mend or
// break the queue; where it must add something, its comment says what.
package public

import (
	"fmt"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
)

// A Subject is a queue that is judged.
type Subject struct {
	Module   string // its path
	Contract conformance.Contract
	Factory  queue.Factory
	Falls    []string // the requirements that are known not to hold, if any
	Only     string   // the checks of TestOnThreads, if not all
}

// sized makes a factory of queues that have a capacity: what is asked for, or usual. One
// that is smaller than least is refused.
func sized[Q queue.Queue](least, usual int, make func(capacity int) Q) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		c := o.Capacity
		if c == 0 {
			c = usual
		}
		if c < least {
			return nil, fmt.Errorf("public: capacity: expected at least %d, saw %d", least, c)
		}
		return queue.Single(func() Q { return make(c) })(o)
	}
}

// A count is what an adapter knows of a queue that does not say whether it is empty. It is
// true at quiet moments.
type count struct{ n atomic.Int64 }

func (c *count) put(ok bool) bool {
	if ok {
		c.n.Add(1)
	}
	return ok
}

func (c *count) took(ok bool) {
	if ok {
		c.n.Add(-1)
	}
}

// Empty reports whether as many were taken as were put.
func (c *count) Empty() bool { return c.n.Load() <= 0 }
