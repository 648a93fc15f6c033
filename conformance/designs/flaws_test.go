package designs

import (
	"runtime"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// Wrong variants whose windows are too narrow for real threads.

// keepsTag starts anew under the old tag: a thief that slept takes what is gone.
type keepsTag struct{ *ABP }

func (q keepsTag) Get() (record.ID, bool) {
	id, ok := q.ABP.Get()
	_, top := splitAge(q.age.Load())
	q.age.Store(newAge(0, top))
	return id, ok
}

// ageFirst sets top back before bot.
type ageFirst struct{ *ABP }

func (q ageFirst) Get() (record.ID, bool) {
	b := q.bot.Load()
	if b == 0 {
		return 0, false
	}
	b--
	q.bot.Store(b)
	id := q.slots[b].Load()
	old := q.age.Load()
	tag, top := splitAge(old)
	if b > top {
		return id, true
	}
	won := b == top && q.age.CompareAndSwap(old, newAge(tag+1, 0))
	if !won {
		q.age.Store(newAge(tag+1, 0))
		id = 0
	}
	q.bot.Store(0)
	return id, won
}

// slotLast reads the slot after the swap, when it may be another's.
type slotLast struct{ *ABP }

func (q slotLast) Steal() (record.ID, bool) {
	old := q.age.Load()
	tag, top := splitAge(old)
	if q.bot.Load() <= top || !q.age.CompareAndSwap(old, newAge(tag, top+1)) {
		return 0, false
	}
	return q.slots[top].Load(), true
}

// overwrites counts instead of looking whether the slot is free.
type overwrites struct{ *Split }

func (q overwrites) Put(id record.ID) bool {
	h := q.head.Load()
	if tail, _ := ends(q.public.Load()); h-tail == uint32(q.Cap()) {
		return false
	}
	q.slot(h).Store(id)
	q.head.Store(h + 1)
	if q.dry || q.asked.Load() {
		q.grow(h + 1)
	}
	return true
}

// slotFirst reads the slot before the swap, which tells nothing of the slot.
type slotFirst struct{ *Split }

func (q slotFirst) Steal() (record.ID, bool) {
	old := q.public.Load()
	tail, split := ends(old)
	if tail == split {
		return q.Split.Steal() // and ask
	}
	id := q.slot(tail).Load()
	if !q.public.CompareAndSwap(old, newPublic(tail+1, split)) {
		return 0, false
	}
	q.slot(tail).Store(0)
	return id, true
}

// headFirst looks at the head before the tail, which may come up to it and leave
// others behind it.
type headFirst struct{ *Split }

func (q headFirst) Empty() bool {
	h := q.head.Load()
	tail, _ := ends(q.public.Load())
	return h == tail
}

// leavesFirst gives the cell up before it has read it.
type leavesFirst struct{ *Vyukov }

func (q leavesFirst) Get() (record.ID, bool) {
	for {
		pos := q.head.Load()
		c := q.cell(pos)
		switch late := int64(c.turn.Load() - (pos + 1)); {
		case late < 0:
			return 0, false
		case late == 0 && q.head.CompareAndSwap(pos, pos+1):
			c.turn.Store(pos + uint64(len(q.cells)))
			return c.id, true
		}
	}
}

// countsClaimed says that there is something where a get finds nothing.
type countsClaimed struct{ *Vyukov }

func (q countsClaimed) Empty() bool { return q.Len() == 0 }

// waitsForNobody takes a place whose put has not written yet, and finds nothing.
type waitsForNobody struct{ *Segments }

func (q waitsForNobody) Steal() (record.ID, bool) {
	h := q.head.index.Load()
	b := q.head.block.Load()
	if h == q.tail.index.Load() || !q.head.index.CompareAndSwap(h, h+1) {
		return 0, false
	}
	id := b.slots[q.at(h)].Load()
	return id, id != 0
}

// blockFirst reads the block before the index, which may be of a later one.
type blockFirst struct{ *Segments }

func (q blockFirst) Get() (record.ID, bool) {
	for {
		b := q.head.block.Load()
		h := q.head.index.Load()
		i := q.at(h)
		if i == q.length {
			runtime.Gosched()
			continue
		}
		if h == q.tail.index.Load() {
			return 0, false
		}
		if !q.head.index.CompareAndSwap(h, h+1) {
			continue
		}
		if i+1 == q.length {
			q.head.block.Store(b.wait())
			q.head.index.Store(h + 2)
		}
		return b.read(i), true
	}
}

func (q blockFirst) Steal() (record.ID, bool) { return q.Get() }

// justLeaves withdraws a request without looking whether it was answered.
type justLeaves struct{ *Private }

func (q justLeaves) Steal() (record.ID, bool) {
	w := q.word.Load()
	if w < one || w&(asked|answered) != 0 || !q.word.CompareAndSwap(w, w+asked) {
		return 0, false
	}
	if w := q.word.Load(); w&answered != 0 {
		id := q.answer
		q.word.Add(^uint64(answered - 1))
		return id, true
	}
	q.word.And(^uint64(asked | answered))
	return 0, false
}

// givesFirst takes its oldest out before it knows that the thief still waits.
type givesFirst struct{ *Private }

func (q givesFirst) Put(id record.ID) bool {
	q.ids = append(q.ids, id)
	q.word.Add(one)
	if w := q.word.Load(); w&asked != 0 {
		q.answer, q.ids = q.ids[0], q.ids[1:]
		q.word.CompareAndSwap(w, w-one-asked+answered)
	}
	return true
}

// noLock asks without the head lock.
type noLock struct{ *TwoLock }

func (q noLock) Empty() bool { return q.head.next.Load() == nil }

// tailMoves looks for the last node before it holds the lock.
type tailMoves struct{ *TwoLock }

func (q tailMoves) Put(id record.ID) bool {
	n := &node{id: id}
	last := q.tail
	q.tailLock.Lock()
	defer q.tailLock.Unlock()
	last.next.Store(n)
	q.tail = n
	return true
}

// wrong makes variants of the queues of f.
func wrong[Q, W queue.Queue](f queue.Factory, wrap func(Q) W) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		s, err := f(o)
		if err != nil {
			return nil, err
		}
		return set{wrap(s.P(0).(Q))}, nil
	}
}

// TestFlaws holds that each wrong variant is found in one small script.
func TestFlaws(t *testing.T) {
	tier.OnlyFull(t)
	for _, c := range []struct {
		name     string
		factory  queue.Factory
		promises promises
		script   string
		says     string
	}{
		{"abp, keeps the tag", wrong(NewABP, func(q *ABP) keepsTag { return keepsTag{q} }), promisesABP, "pgp s", "promises"},
		{"abp, age first", wrong(NewABP, func(q *ABP) ageFirst { return ageFirst{q} }), promisesABP, "ppgg s s", "promises"},
		{"abp, slot last", wrong(NewABP, func(q *ABP) slotLast { return slotLast{q} }), promisesABP, "pgp s", "promises"},
		{"split, overwrites", wrong(NewSplit, func(q *Split) overwrites { return overwrites{q} }), promisesSplit, "ppp s", "promises"},
		{"split, slot first", wrong(NewSplit, func(q *Split) slotFirst { return slotFirst{q} }), promisesSplit, "pgpg s s", "promises"},
		{"split, head first", wrong(NewSplit, func(q *Split) headFirst { return headFirst{q} }), promisesSplit, "pp s e", "promises"},
		{"vyukov, leaves first", wrong(NewVyukov, func(q *Vyukov) leavesFirst { return leavesFirst{q} }), promisesVyukov, "ppp gg", "data race"},
		{"vyukov, counts what is claimed", wrong(NewVyukov, func(q *Vyukov) countsClaimed { return countsClaimed{q} }), promisesOne, "p es", "promises"},
		{"segments, waits for nobody", wrong(NewSegments, func(q *Segments) waitsForNobody { return waitsForNobody{q} }), promisesAll, "p s", "promises"},
		{"segments, block first", wrong(NewSegments, func(q *Segments) blockFirst { return blockFirst{q} }), promisesAll, "pppgg ss", "promises"},
		{"private, just leaves", wrong(newPrivate, func(q *Private) justLeaves { return justLeaves{q} }), promisesPrivate, "ppp s", "promises"},
		{"private, gives first", wrong(newPrivate, func(q *Private) givesFirst { return givesFirst{q} }), promisesPrivate, "ppp s", "promises"},
		{"two locks, no lock", wrong(newTwoLock, func(q *TwoLock) noLock { return noLock{q} }), promisesAll, "pg e", "data race"},
		{"two locks, the last one is read before", wrong(newTwoLock, func(q *TwoLock) tailMoves { return tailMoves{q} }), promisesAll, "p p", "data race"},
	} {
		t.Run(c.name, func(t *testing.T) {
			scripted(t, c.factory, near(2), c.promises.of(capacityOf(c.factory)), c.script, interleave.MustFail(func(r interleave.Report) {
				if said := r.Text(""); !strings.Contains(said, c.says) {
					t.Errorf("expected %q, saw %s", c.says, said)
				}
			}))
		})
	}
}
