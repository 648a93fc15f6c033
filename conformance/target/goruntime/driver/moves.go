//go:build spindle_overlay

package main

import (
	"runtime"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// What a call moved is derived from what only the owner can change, read before
// and after: its tail, and the slots of its ring, which keep what was written
// until the owner writes again. Nothing is hooked.

// lastCall is the owner's last call and what was there before it.
type lastCall struct {
	kind   callKind
	tail   uint32
	victim int               // steals
	batch  []record.ID       // PutBatch
	old    *runtime.SpindleG // PutNext: what was in runnext
	marked bool              // PutNext: old carries a mark
}

type callKind byte

const (
	callOther callKind = iota // moves nothing
	callPut
	callPutNext
	callPutBatch
	callSteal
	callGlobalGet
)

func (l *local) before(kind callKind, tail uint32) { l.last.kind, l.last.tail = kind, tail }

// beforeNext prepares for a PutNext. Whether what is in runnext will be kicked
// shows in the tail, but for one case: the ring is full, and afterwards the tail
// is where it was. Then either old was kicked and overflowed with half of the
// ring, or a thief had it before. The link of old tells: an overflow writes it,
// and a thief that takes a G from runnext does not, nor does anybody after him.
func (l *local) beforeNext() {
	tail := runtime.SpindleTail(l.p)
	l.before(callPutNext, tail)
	l.last.old = runtime.SpindleRunnext(l.p) // others can only empty it
	l.last.marked = l.last.old != nil && tail-runtime.SpindleHead(l.p) == ring
	if l.last.marked {
		runtime.SpindleMark(l.last.old)
	}
}

// overflowed reports, after a put, whether it sent half of the ring to the
// global queue. It is not known of PutNext in a build that shuffles.
func (l *local) overflowed() bool {
	if runtime.SpindleTail(l.p) != l.last.tail {
		return false
	}
	return l.last.kind == callPut || l.last.marked && !runtime.SpindleMarked(l.last.old)
}

// rest returns, after a PutBatch, what found no room in the ring.
func (l *local) rest() []record.ID {
	return l.last.batch[runtime.SpindleTail(l.p)-l.last.tail:]
}

// moving is a local that says what it moved.
type moving local

func (m *moving) StartsAt() uint32                  { return (*local)(m).StartsAt() }
func (m *moving) Cap() int                          { return (*local)(m).Cap() }
func (m *moving) Put(id record.ID) bool             { return (*local)(m).Put(id) }
func (m *moving) PutNext(id record.ID) bool         { return (*local)(m).PutNext(id) }
func (m *moving) PutBatch(ids []record.ID) int      { return (*local)(m).PutBatch(ids) }
func (m *moving) Get() (record.ID, bool)            { return (*local)(m).Get() }
func (m *moving) GetNext() (record.ID, bool, bool)  { return (*local)(m).GetNext() }
func (m *moving) Drain(buf []record.ID) []record.ID { return (*local)(m).Drain(buf) }
func (m *moving) Steal() (record.ID, bool)          { return (*local)(m).Steal() }
func (m *moving) Empty() bool                       { return (*local)(m).Empty() }
func (m *moving) Len() int                          { return (*local)(m).Len() }
func (m *moving) Contents() record.PContents        { return (*local)(m).Contents() }
func (m *moving) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	return (*local)(m).StealInto(thief, next)
}

// Moved says what the owner's last call moved.
func (m *moving) Moved(move func(from, to record.Place, ids ...record.ID)) {
	l := (*local)(m)
	before, tail := l.last.tail, runtime.SpindleTail(l.p)
	ringOf := func(p int) record.Place { return record.Place{Object: record.Ring, P: p} }
	global := record.Place{Object: record.Global, P: record.None}
	runnext := record.Place{Object: record.Runnext, P: l.n}
	switch l.last.kind {
	case callPut:
		if l.overflowed() { // runqputslow
			move(ringOf(l.n), global, l.slots(before-ring, before-ring/2)...)
		}
	case callPutNext:
		switch {
		case tail != before:
			move(runnext, ringOf(l.n), l.slots(before, tail)...)
		case l.overflowed():
			move(ringOf(l.n), global, l.slots(before-ring, before-ring/2)...)
			move(runnext, global, l.set.id(l.last.old))
		}
	case callPutBatch:
		if rest := l.rest(); len(rest) > 0 {
			move(ringOf(l.n), global, rest...)
		}
	case callSteal:
		if tail != before {
			move(ringOf(l.last.victim), ringOf(l.n), l.slots(before, tail)...)
		}
	case callGlobalGet:
		if tail != before {
			move(global, ringOf(l.n), l.slots(before, tail)...)
		}
	}
	l.last.kind = callOther
}

// slots returns what was last written to the slots from to to.
func (l *local) slots(from, to uint32) []record.ID {
	ids := make([]record.ID, 0, to-from)
	for i := from; i != to; i++ {
		ids = append(ids, l.set.id(runtime.SpindleSlot(l.p, i)))
	}
	return ids
}

// spill sends the loot of a thief without a P to the global queue, and
// remembers it under the id that the thief keeps.
func (s *set) spill(id record.ID, victim int, loot []*runtime.SpindleG) {
	if len(loot) == 0 {
		return
	}
	ids := make([]record.ID, len(loot))
	var q runtime.SpindleQueue
	for i, gp := range loot {
		ids[i] = s.id(gp)
		runtime.SpindlePush(&q, gp)
	}
	s.spilled[id-1] = ids
	runtime.SpindleGlobalPutBatch(&q)
	runtime.SpindleQueued(&s.slab, len(loot))
}

// StealMoved says where the rest of a Steal went.
func (m *moving) StealMoved(id record.ID, move func(from, to record.Place, ids ...record.ID)) {
	if ids := m.set.spilled[id-1]; len(ids) > 0 {
		move(record.Place{Object: record.Ring, P: m.n}, record.Place{Object: record.Global, P: record.None}, ids...)
	}
}
