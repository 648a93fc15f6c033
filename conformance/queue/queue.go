// Package queue has the interfaces that a run queue offers to the suite, and drives one
// through a scenario.
//
// Four methods are enough. Everything else is an optional
// interface, found by type assertion: a method that the queue has is called
// and checked, one that it lacks is not.
//
//interleave:off
package queue

import (
	"fmt"

	"github.com/spindle-go/spindle/spec/record"
)

// A Queue is the run queue of one P. IDs are opaque and never 0. Put, Get and
// whatever an optional interface marks "owner" are called by one thread at a
// time; Steal and Empty by any thread at any moment.
type Queue interface {
	// Put adds id; false means that the queue is full and did not take it. Owner.
	Put(id record.ID) bool
	// Get takes the next id; false means that there was none. Owner.
	Get() (record.ID, bool)
	// Steal takes one id for a thief that has no queue of its own.
	Steal() (record.ID, bool)
	// Empty reports whether the queue was empty at some moment of the call.
	Empty() bool
}

// RunNext is a queue with a slot in front, as runnext in the Go runtime.
type RunNext interface {
	// PutNext puts id in the slot and displaces what was there to the tail. Owner.
	PutNext(id record.ID) bool
	// GetNext is Get; next says that the id came from the slot. Owner.
	GetNext() (id record.ID, next, ok bool)
}

// BatchStealer is a queue whose thief takes several ids at once: one is
// returned, the others go to the thief's own queue.
type BatchStealer interface {
	// StealInto steals for the owner of thief, from the slot in front as well
	// if next is set and the rest is empty. Called by the owner of thief.
	StealInto(thief Queue, next bool) (record.ID, bool)
}

// BatchPutter is a queue that takes several ids at once.
type BatchPutter interface {
	// PutBatch adds ids in order, in one piece, and returns how many it took; a queue with a
	// global queue behind it takes all. Owner.
	PutBatch(ids []record.ID) int
}

// Drainer is a queue that can be emptied in one call.
type Drainer interface {
	// Drain appends everything to buf, in the order in which Get would give it. Owner.
	Drain(buf []record.ID) []record.ID
}

// Sized is a queue that knows its length. Len may be called by any thread, and
// is exact only when no other call is at work.
type Sized interface{ Len() int }

// Bounded is a queue whose ring holds a fixed number of ids.
type Bounded interface{ Cap() int }

// Mover is a queue that can say what its owner's last call moved between
// places, besides what was handed in and out.
type Mover interface {
	// Moved calls move for each. It must not leave one out: its Gs would seem to come
	// from nowhere. The ids are valid until the next call. Owner.
	Moved(move func(from, to record.Place, ids ...record.ID))
}

// StealMover is a queue whose Steal takes more than the one id that it returns
// and must leave the others somewhere: its thief has no queue to put them on.
type StealMover interface {
	// StealMoved calls move for what the Steal that returned id moved. Called
	// by that thief, right after.
	StealMoved(id record.ID, move func(from, to record.Place, ids ...record.ID))
}

// Taker is a queue with a take that waits.
type Taker interface {
	// Take takes the next id, as Get does, and waits until there is one; false means that the
	// queue was closed. The threads that may get may take.
	Take() (record.ID, bool)
}

// Closer is a queue that can be closed.
type Closer interface {
	// Close lets all takes go that wait: from then on none waits. Any thread, several times.
	Close()
}

// Shower is a queue that can show its contents while no call is at work.
type Shower interface{ Contents() record.PContents }

// A Set is the queues of one run, one for each P. It may be Bounded in place of its
// queues.
type Set interface {
	P(i int) Queue
}

// CapacityOf returns how many Gs each ring of a set holds, 0 if the set does not say.
func CapacityOf(s Set) int {
	if b, ok := s.P(0).(Bounded); ok {
		return b.Cap()
	}
	if b, ok := s.(Bounded); ok {
		return b.Cap()
	}
	return 0
}

// GlobalQueue is a set with a global queue behind its Ps.
type GlobalQueue interface {
	// GlobalPut appends id. Any thread.
	GlobalPut(id record.ID)
	// GlobalGet takes a batch of at most max for P p: it returns the first and
	// puts the others on p's queue. Owner of p.
	GlobalGet(p, max int) (record.ID, bool)
	// GlobalContents shows the queue, oldest first, while no call is at work.
	GlobalContents() []record.ID
}

// Pinner is a set whose threads must be held in a special state while they
// run, and that therefore starts them itself. Enter returns in all threads at
// nearly the same moment.
type Pinner interface {
	Enter(thread, threads int)
	Leave(thread int)
}

// Options are the parameters of a Set.
type Options struct {
	Ps       int    // how many queues
	Capacity int    // of each ring; 0: the target's own
	Start    uint32 // the value of the indices at the start: see Starter
	// IDs bounds the ids of the run: they are 1 to IDs; 0 where nothing is put.
	IDs int
}

// A Factory makes a fresh Set for each run, or says why it cannot.
type Factory func(Options) (Set, error)

// Single makes a Factory of a function that returns one queue. It has no
// capacity to set and no global queue.
func Single[Q Queue](newQueue func() Q) Factory {
	return func(o Options) (Set, error) {
		s := make(slice, o.Ps)
		for i := range s {
			s[i] = newQueue()
		}
		return s, nil
	}
}

type slice []Queue

func (s slice) P(i int) Queue { return s[i] }

// OfCapacity makes a Factory of a function that returns one queue that holds capacity
// Gs. If no capacity is asked for, it is usual.
func OfCapacity[Q Queue](usual int, newQueue func(capacity int) Q) Factory {
	return func(o Options) (Set, error) {
		s := sized{capacity: o.Capacity}
		if s.capacity == 0 {
			s.capacity = usual
		}
		for range o.Ps {
			s.slice = append(s.slice, newQueue(s.capacity))
		}
		return s, nil
	}
}

// sized is a set whose capacity is known, whatever its queues say.
type sized struct {
	slice
	capacity int
}

func (s sized) Cap() int { return s.capacity }

// Capabilities says what a set can do beyond the four methods. They are found
// on P 0 of a set: all of a set's queues are of one kind.
type Capabilities struct {
	RunNext  bool `json:"runnext,omitempty"`
	Batch    bool `json:"batch,omitempty"` // batch steal
	PutBatch bool `json:"putbatch,omitempty"`
	Drain    bool `json:"drain,omitempty"`
	Len      bool `json:"len,omitempty"`
	Capacity int  `json:"capacity,omitempty"`
	// Sizes are the smallest capacities that can be set: of Go queues, those of 1, 2 and 4
	// that work. They need not be powers of two.
	Sizes []int `json:"sizes,omitempty"`
	// Resize and Start say that Options.Capacity and Options.Start are honoured.
	Resize bool `json:"resize,omitempty"`
	Start  bool `json:"start,omitempty"`
	Moves  bool `json:"moves,omitempty"`
	Show   bool `json:"show,omitempty"`
	Global bool `json:"global,omitempty"`
	// Quiet says that scenarios may have calls at quiescent moments and several owners of one
	// P: record.Scenario's Before, After and Shared.
	Quiet bool `json:"quiet,omitempty"`
	// Take and Close are known of queues in Go alone: the protocol has no words for them.
	Take  bool `json:"-"`
	Close bool `json:"-"`
	// Misses says that record.Scenario's GetMiss is heeded.
	Misses bool `json:"misses,omitempty"`
	// Holds says that record.Scenario's Holds is heeded.
	Holds bool `json:"holds,omitempty"`
}

// Starter is a queue whose free-running indices can start anywhere
// (Options.Start), so that their wrap-around is within reach. They start just below 2^8,
// 2^15, 2^16, 2^31 and 2^32 in turn. Narrower indices take the lower bits. An uint64
// extends the sign, uint64(int32(Start)), so that it passes its own end. An int64 passes 0
// so, and not its end: that is not tried. The suite does not see how wide an index is.
type Starter interface{ StartsAt() uint32 }

// Supports reports whether a target with these capabilities can make a call of
// kind k.
func (c Capabilities) Supports(k record.Kind) bool {
	switch k {
	case record.PutNext, record.StealNext:
		return c.RunNext
	case record.PutBatch:
		return c.PutBatch
	case record.Drain:
		return c.Drain
	case record.Len:
		return c.Len
	case record.GlobalPut, record.GlobalGet:
		return c.Global
	case record.Take:
		return c.Take
	case record.CloseQueue:
		return c.Close
	}
	return true
}

// Words names what the capabilities are, for people: "batch", "capacity 256".
func (c Capabilities) Words() []string {
	var words []string
	for _, w := range []struct {
		has  bool
		name string
	}{
		{c.RunNext, "runnext"}, {c.Batch, "batch steal"}, {c.PutBatch, "batch put"}, {c.Drain, "drain"}, {c.Len, "len"},
		{c.Capacity > 0, fmt.Sprintf("capacity %d", c.Capacity)}, {c.Resize, "resize"}, {c.Start, "start"},
		{c.Moves, "moves"}, {c.Show, "show"}, {c.Take, "takes that wait"}, {c.Close, "close"}, {c.Global, "global queue"},
	} {
		if w.has {
			words = append(words, w.name)
		}
	}
	return words
}

// An Exploration is what came of the executions of one scenario, in every order of the
// threads' steps.
type Exploration struct {
	Histories  []*record.History // the different ones
	Executions int               // that came to their end
	Complete   bool              // there are no others
}
