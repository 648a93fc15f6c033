package drive

import (
	"fmt"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// A Caller makes calls on a set of queues, one at a time, as the owner of a P or as a
// thread without one, and writes down in a log what was called and returned.
type Caller struct {
	set   queue.Set
	ps    int
	own   int // its P or None
	log   *recorder.Log
	next  *record.ID // to be put
	batch []record.ID
	loot  []record.ID
	mover queue.Mover // of its own P
	move  func(from, to record.Place, ids ...record.ID)
	held  int // Gs in its own ring at most, as far as it knows
	moves int // that its last call has told of
	most  int // of these
	waits *waits
}

// mostMoves bounds what one call may tell of: no scenario puts so many Gs. A queue that goes on telling would fill the memory.
const mostMoves = 1 << 20

// NewCaller returns the caller of the owner of P own, or of a thread without a P, on
// a set of ps queues. It puts the ids from *next, and counts them there: callers may
// share that, and the log, if one thread makes all the calls.
func NewCaller(set queue.Set, ps, own int, log *recorder.Log, next *record.ID) *Caller {
	c := &Caller{set: set, ps: ps, own: own, log: log, next: next, most: mostMoves}
	c.move = func(from, to record.Place, ids ...record.ID) {
		if c.moves++; c.moves > c.most {
			panic(fmt.Sprintf("Moved tells of more than %d moves of one call", c.most))
		}
		if to.Object == record.Ring && to.P == own {
			c.held += len(ids)
		}
		log.Move(from, to, ids...)
	}
	if own != record.None {
		c.mover, _ = set.P(own).(queue.Mover)
	}
	return c
}

// loots reports whether the call brings Gs to the caller's own ring, beside the one
// that it gives.
func (c *Caller) loots(in record.Instr) bool {
	switch in.Kind {
	case record.GlobalGet:
		return true
	case record.Steal, record.StealNext:
		_, batch := c.set.P(in.Victim(c.own, c.ps)).(queue.BatchStealer)
		return batch && c.own != record.None
	}
	return false
}

// Call makes one call and reports whether it gave a G. The part between Call
// and Return is the target's alone.
func (c *Caller) Call(in record.Instr) (took bool) {
	l := c.log
	c.moves = 0
	switch k := in.Kind; k {
	case record.Put, record.PutNext:
		q, id := c.set.P(c.own), c.take(1)[0]
		var ok bool
		if k == record.Put {
			l.Call(k, c.own, record.None, 0, id)
			ok = q.Put(id)
		} else {
			next := q.(queue.RunNext)
			l.Call(k, c.own, record.None, 0, id)
			ok = next.PutNext(id)
		}
		l.Return()
		n := 0
		if ok {
			n = 1
		}
		c.held += n
		c.waits.put(n)
		l.Result(ok, n, false)
		c.moved()
	case record.PutBatch:
		q, ids := c.set.P(c.own).(queue.BatchPutter), c.take(max(1, in.Arg))
		l.Call(k, c.own, record.None, 0, ids...)
		n := q.PutBatch(ids)
		l.Return()
		c.held += n
		c.waits.put(n)
		l.Result(n == len(ids), n, false)
		c.moved()
	case record.Get:
		q := c.set.P(c.own)
		var id record.ID
		var next, ok bool
		if rn, has := q.(queue.RunNext); has {
			l.Call(k, c.own, record.None, 0)
			id, next, ok = rn.GetNext()
		} else {
			l.Call(k, c.own, record.None, 0)
			id, ok = q.Get()
		}
		l.Return()
		c.took(id, next, ok)
		if ok {
			c.held--
		}
		return ok
	case record.Take:
		q := c.set.P(c.own).(queue.Taker)
		l.Call(k, c.own, record.None, 0)
		c.waits.taking(1)
		id, ok := q.Take()
		c.waits.taking(-1)
		l.Return()
		c.took(id, false, ok)
		if ok {
			c.held--
		}
		return ok
	case record.CloseQueue:
		v := in.Victim(c.own, c.ps)
		q := c.set.P(v).(queue.Closer)
		l.Call(k, v, record.None, 0)
		q.Close()
		l.Return()
		l.Result(true, 0, false)
		c.waits.close()
	case record.Steal, record.StealNext:
		c.steal(in)
	case record.Drain:
		q := c.set.P(c.own).(queue.Drainer)
		l.Call(k, c.own, record.None, 0)
		c.loot = q.Drain(c.loot[:0])
		l.Return()
		c.held = 0
		c.waits.put(-len(c.loot))
		l.Result(len(c.loot) > 0, 0, false, c.loot...)
	case record.Empty:
		v := in.Victim(c.own, c.ps)
		q := c.set.P(v)
		l.Call(k, v, record.None, 0)
		ok := q.Empty()
		l.Return()
		l.Result(ok, 0, false)
	case record.Len:
		v := in.Victim(c.own, c.ps)
		q := c.set.P(v).(queue.Sized)
		l.Call(k, v, record.None, 0)
		n := q.Len()
		l.Return()
		l.Result(true, n, false)
	case record.GlobalPut:
		g, id := c.set.(queue.GlobalQueue), c.take(1)[0]
		l.Call(k, record.None, record.None, 0, id)
		g.GlobalPut(id)
		l.Return()
		l.Result(true, 1, false)
	case record.GlobalGet:
		g, most := c.set.(queue.GlobalQueue), max(1, in.Arg)
		l.Call(k, c.own, record.None, most)
		id, ok := g.GlobalGet(c.own, most)
		l.Return()
		c.took(id, false, ok)
		c.moved()
	}
	return false
}

func (c *Caller) steal(in record.Instr) {
	v := in.Victim(c.own, c.ps)
	q := c.set.P(v)
	var id record.ID
	var ok bool
	batch, has := q.(queue.BatchStealer)
	if has && c.own != record.None {
		thief := c.set.P(c.own)
		c.log.Call(in.Kind, v, c.own, 0)
		id, ok = batch.StealInto(thief, in.Kind == record.StealNext)
	} else {
		c.log.Call(in.Kind, v, record.None, 0)
		id, ok = q.Steal()
	}
	c.log.Return()
	c.took(id, false, ok)
	if c.moved(); ok && c.mover == nil && c.own != record.None {
		c.held++ // how many came besides is not known
	}
	if m, has := q.(queue.StealMover); has && ok && c.own == record.None {
		m.StealMoved(id, c.move)
	}
}

func (c *Caller) took(id record.ID, next, ok bool) {
	if ok {
		c.waits.put(-1)
		c.log.Result(true, 0, next, id)
	} else {
		c.log.Result(false, 0, false)
	}
}

func (c *Caller) moved() {
	if c.mover != nil {
		c.mover.Moved(c.move)
	}
}

// take returns the next n ids.
func (c *Caller) take(n int) []record.ID {
	c.batch = c.batch[:0]
	for range n {
		c.batch = append(c.batch, *c.next)
		*c.next++
	}
	return c.batch
}
