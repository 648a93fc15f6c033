package checks

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The positive controls of takes that wait. They use the explorer's own locks, as
// controlledRing does. A queue without such takes does not pay for them.

// ofTakes is a control that is judged where its check is, under a contract that has closes.
func ofTakes(k suite.Control, target func(string, spec.Profile, queue.Factory) (Target, error), b takesBug) suite.Control {
	f := queue.Single(func() queue.Queue {
		q := &badTakes{bug: b}
		q.some = sync.NewCond(&q.mu)
		return q
	})
	k.With = true
	k.Open = func() (suite.Target, error) {
		return target("control", "fifo,puts=any,gets=any,bound=grows,closed=drains,closed-put=refuse", f)
	}
	return k
}

type takesBug int

const (
	closedFirst takesBug = iota // takes look first whether it is closed
	forgets                     // the close drops what is there
	wakesOne                    // the close wakes one take
)

// badTakes is a queue with takes that wait, with one of the bugs above.
type badTakes struct {
	bug    takesBug
	mu     sync.Mutex
	some   *sync.Cond
	ids    []record.ID
	closed bool
}

func (q *badTakes) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.ids = append(q.ids, id)
	q.some.Signal()
	return true
}

func (q *badTakes) Take() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.ids) == 0 && !q.closed {
		q.some.Wait()
	}
	if q.closed && q.bug == closedFirst { // wrong: something may be there
		return 0, false
	}
	return q.first()
}

func (q *badTakes) first() (record.ID, bool) {
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *badTakes) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if q.bug == forgets {
		q.ids = nil // wrong: takes are to give it
	}
	if q.bug == wakesOne {
		q.some.Signal() // wrong: all of them wait for it
	} else {
		q.some.Broadcast()
	}
}

func (q *badTakes) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first()
}

func (q *badTakes) Steal() (record.ID, bool) { return q.Get() }

func (q *badTakes) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}
