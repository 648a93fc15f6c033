package checks

import (
	"context"
	"fmt"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// controlledRing is the control of the explorer: a ring of four whose get moves
// head by a store. It uses the explorer's own atomics, so that it is controlled
// in a binary that is not instrumented.
type controlledRing struct {
	head, tail atomic.Uint32
	slots      [4]atomic.Uint64
}

func wrongControlled() queue.Factory {
	return queue.Single(func() queue.Queue { return new(controlledRing) })
}

func (q *controlledRing) slot(i uint32) *atomic.Uint64 { return &q.slots[i%uint32(len(q.slots))] }

func (q *controlledRing) Put(id record.ID) bool {
	t := q.tail.Load()
	if t-q.head.Load() == uint32(len(q.slots)) {
		return false
	}
	q.slot(t).Store(id)
	q.tail.Store(t + 1)
	return true
}

func (q *controlledRing) Get() (record.ID, bool) {
	h := q.head.Load()
	if h == q.tail.Load() {
		return 0, false
	}
	id := q.slot(h).Load()
	q.head.Store(h + 1) // wrong: a thief may have moved head meanwhile
	return id, true
}

func (q *controlledRing) Steal() (record.ID, bool) {
	for {
		h := q.head.Load()
		if q.tail.Load() == h {
			return 0, false
		}
		id := q.slot(h).Load()
		if q.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (q *controlledRing) Empty() bool { return q.head.Load() == q.tail.Load() }

// tellingOf returns a target that explores its executions itself, as a child may, by the
// explorer of this process.
func tellingOf(name string, profile spec.Profile, f queue.Factory) (Target, error) {
	t, err := inProcessOf(name, profile, f, false)
	if err != nil {
		return nil, err
	}
	return &selfExplored{t.(*inProcess)}, nil
}

type selfExplored struct{ *inProcess }

func (t *selfExplored) Explores() string { return "interleave" }

func (t *selfExplored) Explore(ctx context.Context, s record.Scenario, executions int) (*queue.Exploration, error) {
	plan, err := drive.Prepare(s)
	if err != nil {
		return nil, err
	}
	var out queue.Exploration
	seen := make(map[uint64]bool)
	r, err := interleave.Explore(func(exec *interleave.Exec) {
		p, err := drive.NewProgram(t.factory, plan, func() int64 { return int64(harness.Count(exec)) })
		if err != nil {
			exec.Fatalf("%v", err)
		}
		for i := range s.Threads {
			exec.Go(fmt.Sprintf("T%d", i), func() { p.Thread(i) })
		}
		exec.Finally(func() {
			h, err := p.History()
			if err != nil {
				exec.Fatalf("%v", err)
			}
			if h = restamped(h); !seen[fingerprint(h)] {
				seen[fingerprint(h)] = true
				out.Histories = append(out.Histories, h)
			}
		})
	}, interleave.Exhaustive(), interleave.Executions(executions), harness.Until(ctx), harness.Outside(quietTime))
	c := &r.Certificate
	out.Executions, out.Complete = c.Executions, c.Complete() && c.Cuts.Iterations == 0 && len(c.Doubts) == 0
	if err == nil && r.Failure != nil {
		return &out, &queue.CrashError{Text: r.Failure.Message, Stack: r.Failure.Stack}
	}
	return &out, err
}
