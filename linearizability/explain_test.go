package linearizability

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// b builds a history call by call.
type b struct{ h record.History }

func history(ps int) *b {
	x := &b{}
	x.h.Moves, x.h.Clock = true, record.ClockCounter
	x.h.Scenario.Ps = ps
	return x
}

func (x *b) op(call, ret int64, op record.Op) *b {
	op.Call, op.Return = call, ret
	if op.Kind != record.Steal && op.Kind != record.StealNext {
		op.Thief = record.None
	}
	x.h.Ops = append(x.h.Ops, op)
	return x
}

func (x *b) put(call, ret int64, ids ...record.ID) *b {
	k := record.Put
	if len(ids) > 1 {
		k = record.PutBatch
	}
	return x.op(call, ret, record.Op{Kind: k, In: ids, Count: len(ids), OK: true})
}

func (x *b) overflow(call, ret int64, id record.ID, half ...record.ID) *b {
	return x.op(call, ret, record.Op{Kind: record.Put, In: []record.ID{id}, Count: 1, OK: true,
		Moved: []record.Move{{From: place(record.Ring, 0), To: globalPlace, IDs: half}}})
}

func (x *b) next(call, ret int64, id, kicked record.ID) *b {
	op := record.Op{Kind: record.PutNext, In: []record.ID{id}, Count: 1, OK: true}
	if kicked != 0 {
		op.Moved = []record.Move{{From: place(record.Runnext, 0), To: place(record.Ring, 0), IDs: []record.ID{kicked}}}
	}
	return x.op(call, ret, op)
}

// take is a get (T0), or a steal by the owner of Pt; the last id is returned.
func (x *b) take(t int, k record.Kind, call, ret int64, ids ...record.ID) *b {
	op := record.Op{Thread: t, Kind: k, Thief: t, OK: len(ids) > 0}
	switch n := len(ids); {
	case k == record.Drain:
		op.Out = ids
	case n > 0:
		op.Out = ids[n-1:]
		if n > 1 {
			op.Moved = []record.Move{{From: place(record.Ring, 0), To: place(record.Ring, t), IDs: ids[:n-1]}}
		}
	}
	return x.op(call, ret, op)
}

func (x *b) empty(t int, call, ret int64, yes bool) *b {
	return x.op(call, ret, record.Op{Thread: t, Kind: record.Empty, OK: yes})
}

func (x *b) globalPut(t int, call, ret int64, id record.ID) *b {
	return x.op(call, ret, record.Op{Thread: t, Kind: record.GlobalPut, P: record.None, In: []record.ID{id}, Count: 1, OK: true})
}

// globalGet takes ids, of which the first is returned.
func (x *b) globalGet(t int, call, ret int64, asked int, ids ...record.ID) *b {
	op := record.Op{Thread: t, Kind: record.GlobalGet, P: t, Want: asked, OK: len(ids) > 0}
	if len(ids) > 0 {
		op.Out = ids[:1]
	}
	if len(ids) > 1 {
		op.Moved = []record.Move{{From: globalPlace, To: place(record.Ring, t), IDs: ids[1:]}}
	}
	return x.op(call, ret, op)
}

// end says what was found at the end in P0's ring.
func (x *b) end(ids ...record.ID) *b {
	x.h.Final.Ps = make([]record.PContents, x.h.Scenario.Ps)
	x.h.Final.Ps[0].Ring = ids
	return x
}

// endThief says what was found at the end in P1's ring, after end.
func (x *b) endThief(ids ...record.ID) *b {
	x.h.Final.Ps[1].Ring = ids
	return x
}

func (x *b) history() *record.History { sortOps(&x.h); return &x.h }

const (
	get       = record.Get
	steal     = record.Steal
	stealNext = record.StealNext
	drain     = record.Drain
)

// each is a wrong history with its evidence, and a right one that lies nearby.
var each = []struct {
	name     string
	req      string
	sentence string
	ops      int // how many calls the evidence has
	wrong    *b
	right    *b
}{
	{
		"taken twice", "RQ-TWICE",
		"1 G of 1 [1] taken twice, the first by T0 get P0 = 1 and by T1 steal P0->P1 = 1", 3,
		history(2).put(1, 2, 1).take(0, get, 3, 6, 1).take(1, steal, 4, 7, 1),
		history(2).put(1, 2, 1).take(0, get, 3, 6, 1).take(1, steal, 4, 7),
	},
	{
		"taken before put", "RQ-INVENTED",
		"1 G of 1 [1]: T1 steal P0->P1 = 1 returned before T0 put P0 1 was called", 2,
		history(2).take(1, steal, 1, 2, 1).put(3, 4, 1),
		history(2).take(1, steal, 1, 3, 1).put(3, 4, 1),
	},
	{
		"never put", "RQ-INVENTED",
		"1 G [9] taken, though never put, the first by T0 get P0 = 9", 1,
		history(1).take(0, get, 1, 2, 9),
		history(1).put(1, 2, 9).take(0, get, 3, 4, 9),
	},
	{
		"lost", "RQ-LOST",
		"1 G of 2 [1] never seen again", 1,
		history(1).put(1, 2, 1).put(3, 4, 2).end(2),
		history(1).put(1, 2, 1).put(3, 4, 2).end(1, 2),
	},
	{
		"order", "RQ-FIFO",
		"id 17 was taken by T2's steal before id 16, which was put earlier and taken later by T0's get", 3,
		history(3).put(1, 2, 16).put(3, 4, 17).take(2, steal, 5, 6, 17).take(0, get, 7, 8, 16),
		history(3).put(1, 2, 16).put(3, 4, 17).take(0, get, 5, 8, 16).take(2, steal, 6, 7, 17),
	},
	{
		"order at the end", "RQ-FIFO",
		"id 2 was taken by T0's get, but id 1, which was put earlier, was still there at the end", 2,
		history(1).put(1, 2, 1).put(3, 4, 2).take(0, get, 5, 6, 2).end(1),
		history(1).put(1, 2, 1).put(3, 4, 2).take(0, get, 5, 6, 1).end(2),
	},
	{
		"get none", "RQ-GET-NONE",
		"T0's get found nothing although id 2 was put before it was called and not taken before it returned", 3,
		history(2).put(1, 2, 1).put(3, 4, 2).take(1, steal, 5, 8, 1).take(0, get, 6, 7).take(1, steal, 9, 10, 2),
		history(2).put(1, 2, 1).put(3, 4, 2).take(1, steal, 5, 8, 1).take(2, steal, 5, 9, 2).take(0, get, 6, 7),
	},
	{
		"steal none", "RQ-STEAL-NONE",
		"T1's steal found nothing although at every moment of the call one of ids 1 and 2 was there", 5,
		history(2).put(1, 2, 1).take(1, steal, 3, 20).put(4, 5, 2).take(0, get, 6, 7, 1).take(0, get, 21, 22, 2),
		history(2).put(1, 2, 1).take(1, steal, 3, 20).put(4, 7, 2).take(2, steal, 4, 8, 1).take(0, get, 21, 22, 2),
	},
	{
		"steal half: too many", "RQ-STEAL-HALF",
		"T1's steal took 3 of a ring of 4: half is 2", 1,
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2, 3),
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2),
	},
	{
		"steal half: too few", "RQ-STEAL-HALF",
		"T1's steal took 1 of a ring of 3 or 4: half is 2", 2,
		history(2).put(1, 2, 1).put(3, 4, 2).put(5, 6, 3).take(1, steal, 7, 10, 1).put(8, 9, 4),
		history(2).put(1, 2, 1).put(3, 4, 2).take(1, steal, 6, 10, 1).put(7, 8, 3).put(9, 11, 4),
	},
	{
		"steal half: an old length", "RQ-STEAL-HALF",
		// The ring had 4 before the get, but since then there was a take.
		"T1's steal took 2 of a ring of 2: half is 1", 1,
		history(2).put(1, 2, 1, 2, 3).take(0, get, 3, 4, 1).take(1, steal, 5, 6, 2, 3),
		history(2).put(1, 2, 1, 2, 3).take(1, steal, 3, 6, 1, 2).take(0, get, 7, 8, 3),
	},
	{
		"steal: a piece with a hole", "RQ-STEAL-ORDER",
		"T1's steal took ids 1 and 3 at once, but not id 2, which was put between them", 1,
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 3),
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2),
	},
	{
		"runnext stolen first", "RQ-STEAL-RUNNEXT",
		"T1's steal next took from runnext, not from the ring, although id 1 was put before it was called and not taken before it returned", 3,
		history(2).put(1, 2, 1).next(3, 4, 2, 0).take(1, stealNext, 5, 8, 2).take(0, get, 10, 11, 1),
		history(2).put(1, 2, 1).next(3, 4, 2, 0).take(1, stealNext, 5, 9, 2).take(2, steal, 6, 7, 1),
	},
	{
		"runnext stolen unasked", "RQ-STEAL-RUNNEXT",
		"T1's steal took id 1 from runnext without asking for it", 1,
		history(2).next(1, 2, 1, 0).take(1, steal, 3, 4, 1),
		history(2).next(1, 2, 1, 0).take(1, stealNext, 3, 4, 1),
	},
	{
		"runnext not seen", "RQ-STEAL-RUNNEXT",
		"T1's steal next found nothing although id 1 was put before it was called and not taken before it returned", 3,
		history(2).next(1, 2, 1, 0).take(1, stealNext, 3, 4).take(0, get, 5, 6, 1),
		history(2).next(1, 2, 1, 0).take(1, stealNext, 3, 6).take(0, get, 5, 6, 1),
	},
	{
		"runnext passed over", "RQ-RUNNEXT-FIRST",
		"T0's get took from the ring, not from runnext, although id 2 was put before it was called and not taken before it returned", 3,
		history(1).put(1, 2, 1).next(3, 4, 2, 0).take(0, get, 5, 6, 1).take(0, get, 7, 8, 2),
		history(2).put(1, 2, 1).next(3, 4, 2, 0).take(0, get, 5, 8, 1).take(1, stealNext, 5, 9, 2).empty(0, 10, 11, true),
	},
	{
		"nothing kicked", "RQ-RUNNEXT-KICK",
		"T0's put next displaced nothing although id 1 was in runnext, taken later by T1's steal next", 3,
		history(2).next(1, 2, 1, 0).next(3, 4, 2, 0).take(1, stealNext, 5, 6, 1),
		history(2).next(1, 2, 1, 0).take(1, stealNext, 3, 6, 1).next(3, 4, 2, 0),
	},
	{
		"kicked in the wrong order", "RQ-RUNNEXT-KICK",
		"T0's put next displaced id 7, which was never in P0.runnext", 1,
		history(2).next(1, 2, 1, 0).put(3, 4, 7).next(5, 6, 2, 7),
		history(2).next(1, 2, 1, 0).put(3, 4, 7).next(5, 6, 2, 1),
	},
	{
		"empty: yes", "RQ-EMPTY-TRUE",
		"T1's empty said yes although id 1 was put before it was called and not taken before it returned", 3,
		history(2).put(1, 2, 1).empty(1, 3, 4, true).take(0, get, 5, 6, 1),
		history(2).put(1, 2, 1).empty(1, 3, 6, true).take(0, get, 5, 7, 1),
	},
	{
		// The scenario of the comment above runqempty: ring empty, then runnext
		// empty, but never the two at one moment.
		"empty: ring and runnext in turn", "RQ-EMPTY-TRUE",
		"T1's empty said yes although at every moment of the call one of ids 1 and 2 was there", 5,
		history(2).next(1, 2, 1, 0).empty(1, 3, 20, true).put(4, 5, 2).take(0, get, 6, 7, 1).take(0, get, 21, 22, 2),
		// The one in the owner's hand counts for neither.
		history(2).next(1, 2, 1, 0).empty(1, 3, 20, true).next(4, 10, 2, 1).take(2, stealNext, 5, 6, 2).take(0, get, 21, 22, 1),
	},
	{
		"empty: no", "RQ-EMPTY-FALSE",
		"T1's empty said no although everything put before it returned had been taken before it was called", 3,
		history(2).put(1, 2, 1).take(0, get, 3, 4, 1).empty(1, 5, 6, false).put(7, 8, 2),
		history(2).put(1, 2, 1).take(0, get, 3, 5, 1).empty(1, 5, 6, false).put(7, 8, 2),
	},
	{
		"capacity: too many", "RQ-CAPACITY",
		"the ring holds 4, but T0's put left 5 in it: ids 1..5, of which the oldest was taken later by T1's steal", 3,
		history(2).put(1, 2, 1, 2, 3, 4).put(3, 4, 5).take(1, steal, 6, 7, 1, 2, 3),
		history(2).put(1, 2, 1, 2, 3, 4).put(3, 7, 5).take(1, steal, 4, 6, 1, 2),
	},
	{
		"capacity: overflow of a ring that was not full", "RQ-CAPACITY",
		"T0's put moved half the ring to the global queue when it held 3 of 4", 1,
		history(1).put(1, 2, 1, 2, 3).overflow(3, 4, 4, 1, 2),
		history(1).put(1, 2, 1, 2, 3, 5).overflow(3, 4, 4, 1, 2),
	},
	{
		"overflow of less than half", "RQ-OVERFLOW",
		"T0's put moved 1 of a ring of 4 to the global queue: it must be 2", 1,
		history(1).put(1, 2, 1, 2, 3, 4).overflow(3, 4, 5, 1),
		history(1).put(1, 2, 1, 2, 3, 4).overflow(3, 4, 5, 1, 2),
	},
	{
		"drain leaves some", "RQ-DRAIN",
		"T0's drain left id 3, which had been put before", 3,
		history(1).put(1, 2, 1, 2).put(3, 4, 3).take(0, drain, 5, 6, 1, 2).take(0, get, 7, 8, 3),
		history(1).put(1, 2, 1, 2).put(3, 4, 3).take(0, drain, 5, 6, 1, 2, 3).take(0, get, 7, 8),
	},
	{
		"batch put told of a full ring", "RQ-PUT-BATCH",
		"T0's put batch was told that the ring was full, but in every order that fits, the ring held at most 2 of 4", 1,
		history(1).op(1, 2, record.Op{Kind: record.PutBatch, In: []record.ID{1, 2, 3}, Count: 3, OK: true,
			Moved: []record.Move{{From: place(record.Ring, 0), To: globalPlace, IDs: []record.ID{3}}}}),
		history(1).put(1, 2, 7, 8).op(3, 4, record.Op{Kind: record.PutBatch, In: []record.ID{1, 2, 3}, Count: 3, OK: true,
			Moved: []record.Move{{From: place(record.Ring, 0), To: globalPlace, IDs: []record.ID{3}}}}),
	},
	{
		"global order", "RQ-GLOBAL-FIFO",
		"id 2 was taken by T1's global get before id 1, which was put earlier and taken later by T0's global get", 3,
		history(2).globalPut(0, 1, 2, 1).globalPut(0, 3, 4, 2).globalGet(1, 5, 6, 1, 2).globalGet(0, 7, 8, 1, 1),
		history(2).globalPut(0, 1, 2, 1).globalPut(1, 2, 4, 2).globalGet(1, 5, 6, 1, 2).globalGet(0, 7, 8, 1, 1),
	},
	{
		"global batch torn", "RQ-GLOBAL-FIFO",
		"T1's global get has ids 1 and 9 in one piece, but ids 1 and 2 are neighbours elsewhere: a batch goes in and comes out as one piece", 2,
		history(2).put(1, 2, 1, 2, 3, 4).overflow(3, 10, 5, 1, 2).globalPut(1, 4, 5, 9).globalGet(1, 12, 13, 2, 1, 9),
		history(2).put(1, 2, 1, 2, 3, 4).overflow(3, 10, 5, 1, 2).globalPut(1, 4, 5, 9).globalGet(1, 12, 13, 2, 1, 2),
	},
	{
		"global share", "RQ-GLOBAL-BATCH",
		"T1's global get took 1 of a queue of 3: its share is 2", 1,
		history(2).globalPut(0, 1, 2, 1).globalPut(0, 3, 4, 2).globalPut(0, 5, 6, 3).globalGet(1, 7, 8, 4, 1),
		history(2).globalPut(0, 1, 2, 1).globalPut(0, 3, 4, 2).globalPut(0, 5, 6, 3).globalGet(1, 7, 8, 4, 1, 2),
	},
	{
		"no room beside what was never taken", "RQ-CAPACITY",
		"the ring holds 4, but T0's put left 5 in it: ids 2..6, never taken", 2,
		history(1).put(1, 2, 1).put(3, 4, 2).take(0, get, 5, 6, 1).put(7, 8, 3).put(9, 10, 4).put(11, 12, 5).put(13, 14, 6),
		history(1).put(1, 2, 1).put(3, 4, 2).take(0, get, 5, 6, 1).put(7, 8, 3).put(9, 10, 4).put(11, 12, 5),
	},
	{
		"no kick of what was never taken", "RQ-RUNNEXT-KICK",
		"T0's put next displaced nothing although id 1 was in runnext, never taken", 2,
		history(1).next(1, 2, 1, 0).next(3, 4, 2, 0),
		history(1).next(1, 2, 1, 0).next(3, 4, 2, 1),
	},
	{
		"lost by a steal", "RQ-LOST",
		"1 G of 4 [1] never seen again, moved by T1's steal", 2,
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2).end(3, 4),
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2).end(3, 4).endThief(1),
	},
	{
		"steal half: a length before another take", "RQ-STEAL-HALF",
		"T1's steal took 2 of a ring of 2, after T0's get: half is 1", 2,
		history(2).put(1, 2, 1, 2, 3).take(1, steal, 3, 8, 2, 3).take(0, get, 4, 5, 1),
		history(2).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 8, 2, 3).take(0, get, 4, 5, 1),
	},
	{
		"steal half: after another steal", "RQ-STEAL-HALF",
		"T2's steal took 2 of a ring of 2: half is 1", 1,
		history(3).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2).take(2, steal, 5, 6, 3, 4),
		history(3).put(1, 2, 1, 2, 3, 4).take(1, steal, 3, 4, 1, 2).take(2, steal, 5, 6, 3),
	},
	{
		// The other steal takes 1 before or after the put of 3.
		"steal none: during another steal", "RQ-STEAL-NONE",
		"T1's steal found nothing although at every moment of the call one of ids 1 and 2 was there", 5,
		history(3).put(1, 2, 1).take(1, steal, 3, 20).put(4, 5, 2).take(2, steal, 6, 30, 1).put(8, 9, 3).take(0, get, 31, 32, 2),
		history(3).put(1, 2, 1).take(1, steal, 3, 20).take(2, steal, 6, 30, 1).put(7, 25, 2),
	},
	{
		"runnext stolen before the ring was empty", "RQ-STEAL-RUNNEXT",
		"T1's steal next took id 2 from runnext although, until T0's put next returned, the ring held id 1", 4,
		history(2).put(1, 2, 1).next(3, 4, 2, 0).take(1, stealNext, 5, 20, 2).next(8, 9, 3, 0).take(0, get, 10, 11, 3).take(0, get, 12, 13, 1),
		history(3).put(1, 2, 1).next(3, 4, 2, 0).take(1, stealNext, 5, 20, 2).take(2, steal, 6, 7, 1).next(8, 9, 3, 0).take(0, get, 10, 11, 3),
	},
	{
		"ring and runnext not empty in turn", "RQ-STEAL-RUNNEXT",
		"T1's steal next found nothing although, from when the ring was empty, runnext held id 2", 3,
		history(3).put(1, 2, 1).take(1, stealNext, 3, 20).next(6, 7, 2, 0).take(2, steal, 8, 9, 1).take(0, get, 21, 22, 2),
		history(3).put(1, 2, 1).take(1, stealNext, 3, 20).next(6, 7, 2, 0).take(2, steal, 8, 9, 1).take(0, get, 18, 19, 2),
	},
	{
		"two answers that contradict each other", "RQ-STEAL-NONE",
		"T2's steal found nothing: that cannot be true together with: T1's empty said no", 3,
		history(3).put(1, 12, 1).empty(1, 2, 3, false).take(2, steal, 4, 5).take(0, get, 13, 14, 1),
		history(3).put(1, 12, 1).take(2, steal, 2, 3).empty(1, 4, 5, false).take(0, get, 13, 14, 1),
	},
	{
		"refused though there was room", "RQ-CAPACITY",
		"T0's put was refused, but in every order that fits, the ring held at most 3 of 4", 2,
		history(1).put(1, 2, 1, 2, 3, 4).take(0, get, 3, 4, 1).op(5, 6, record.Op{Kind: record.Put, In: []record.ID{5}}),
		history(1).put(1, 2, 1, 2, 3, 4).op(5, 6, record.Op{Kind: record.Put, In: []record.ID{5}}).take(0, get, 7, 8, 1),
	},
	{
		"global none", "RQ-GLOBAL-BATCH",
		"T1's global get found nothing although id 1 was put before it was called and not taken before it returned", 2,
		history(2).globalPut(0, 1, 2, 1).globalGet(1, 3, 4, 4),
		history(2).globalPut(0, 1, 4, 1).globalGet(1, 3, 4, 4),
	},
}

func TestExplanations(t *testing.T) {
	rules := sequential.RulesOf(spec.GoRT, 4)
	for _, tt := range each {
		t.Run(tt.name, func(t *testing.T) {
			t.Attr("req", tt.req)
			h := tt.wrong.history()
			r := Check(h, Options{Rules: rules})
			e := r.Explanation()
			if e == nil || r.Verdict != Illegal {
				t.Fatalf("%v, want %s\n%s", r.Verdict, tt.req, dump(h))
			}
			if e.Requirement != tt.req || e.Sentence != tt.sentence || len(e.Ops) != tt.ops {
				t.Errorf("got %d calls: %v\nwant %d calls: %s: %s", len(e.Ops), e, tt.ops, tt.req, tt.sentence)
			}
			for _, o := range project(h, rules) {
				if o.broken != nil {
					continue
				}
				j := judge(o, Options{Rules: rules})
				p := judge(o, Options{Rules: rules, method: byPorcupine})
				if j.Verdict != p.Verdict {
					t.Errorf("%s: %v by %s, %v by porcupine", o.name, j.Verdict, j.by, p.Verdict)
				}
			}
			h = tt.right.history()
			if r := Check(h, Options{Rules: rules}); r.Verdict != Ok {
				t.Errorf("the near miss is %v: %v\n%s", r.Verdict, r.Explanation(), dump(h))
			}
		})
	}
}

func TestExplanationText(t *testing.T) {
	e := Check(each[4].wrong.history(), Options{Rules: sequential.RulesOf(spec.GoRT, 4)})
	want := `RQ-FIFO: P0.ring: id 17 was taken by T2's steal before id 16, which was put earlier and taken later by T0's get
	T0 put P0 16 [1..2]
	T2 steal P0->P2 = 17 [5..6]
	T0 get P0 = 16 [7..8]`
	if got := e.Explanation().String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	f := e.Explanation().Finding()
	if f.Requirement != "RQ-FIFO" || len(f.Evidence) != 1 || len(f.Evidence[0].Lines) != 3 || !strings.Contains(f.Observed, "id 17") {
		t.Errorf("finding: %+v", f)
	}
}

// TestOneFaultOnce holds that ring and runnext together do not repeat what was
// said of one of them.
func TestOneFaultOnce(t *testing.T) {
	h := history(2).put(1, 2, 1).next(3, 4, 2, 0).empty(1, 5, 6, true).take(0, get, 7, 8, 2).take(0, get, 9, 10, 1).history()
	r := Check(h, Options{Rules: sequential.RulesOf(spec.GoRT, 4)})
	var objects []string
	for _, e := range r.Explanations() {
		objects = append(objects, e.Object)
	}
	if want := []string{"P0.ring", "P0.runnext"}; !slices.Equal(objects, want) {
		t.Errorf("expected explanations of %v, saw %v", want, objects)
	}
}

// TestLongCall holds that the evidence against a call which lasts as long as the
// whole history is found in time, and is short.
func TestLongCall(t *testing.T) {
	t.Attr("req", "RQ-STEAL-NONE")
	const n = 20000
	x := history(3).put(1, 2, 1).take(1, steal, 3, 20*n)
	for i := range int64(n) {
		at := 10*i + 10
		x.put(at, at+1, record.ID(i+2)).take(2, steal, at+2, at+3, record.ID(i+1))
	}
	h := x.take(0, get, 20*n+1, 20*n+2, n+1).history()
	begin := time.Now()
	r := Check(h, Options{Rules: sequential.RulesOf(spec.GoRT, 4)})
	if e := r.Explanation(); e == nil || e.Requirement != "RQ-STEAL-NONE" || len(e.Ops) > 20 || !strings.Contains(e.Sentence, "one of ids 1..20001 was there") {
		t.Errorf("%v: expected RQ-STEAL-NONE by a few calls, saw %.2000v", r.Verdict, e)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
