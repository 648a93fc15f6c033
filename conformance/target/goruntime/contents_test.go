package goruntime

import (
	"math"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// last is what a scenario in a fixed order came to: the last call, and what was
// where after it.
func last(t *testing.T, x *Target, s record.Scenario) record.Op {
	t.Helper()
	h := run(t, x, s)
	if !h.Moves || h.Capacity != 256 || h.Clock != record.ClockOrder {
		t.Errorf("moves %v, capacity %d, clock %s: want true, 256, order", h.Moves, h.Capacity, h.Clock)
	}
	conserved(t, h)
	balanced(t, h)
	return h.Ops[len(h.Ops)-1]
}

var (
	p0ring  = record.Place{Object: record.Ring, P: 0}
	p1ring  = record.Place{Object: record.Ring, P: 1}
	p0next  = record.Place{Object: record.Runnext, P: 0}
	global  = record.Place{Object: record.Global, P: record.None}
	starts  = []uint32{0, math.MaxUint32 - 300, math.MaxUint32 - 255, math.MaxUint32 - 128, math.MaxUint32}
	nothing = record.PContents{}
)

func same(t *testing.T, op record.Op, p0, p1 record.PContents, globalIDs []record.ID, moves ...record.Move) {
	t.Helper()
	c := op.After
	for p, want := range []record.PContents{p0, p1} {
		if got := c.Ps[p]; got.Runnext != want.Runnext || !slices.Equal(got.Ring, want.Ring) {
			t.Errorf("%v: P%d holds %v, want %v", op, p, got, want)
		}
	}
	if !slices.Equal(c.Global, globalIDs) {
		t.Errorf("%v: the global queue holds %v, want %v", op, c.Global, globalIDs)
	}
	equal := func(a, b record.Move) bool { return a.From == b.From && a.To == b.To && slices.Equal(a.IDs, b.IDs) }
	if !slices.EqualFunc(op.Moved, moves, equal) {
		t.Errorf("%v: moved %v, want %v", op, op.Moved, moves)
	}
}

func TestContents(t *testing.T) {
	for _, id := range []string{
		"RQ-CAPACITY", "RQ-OVERFLOW", "RQ-RUNNEXT-KICK", "RQ-STEAL-HALF", "RQ-STEAL-ORDER", "RQ-STEAL-RUNNEXT",
		"RQ-DRAIN", "RQ-PUT-BATCH", "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH", "RQ-WRAP",
	} {
		t.Attr("req", id)
	}
	x := newTarget(t, Options{})
	for _, start := range starts {
		at := func(calls string) record.Op {
			t.Helper()
			s := inOrder(calls)
			s.Start = start
			return last(t, x, s)
		}
		ring := func(next record.ID, ids ...record.ID) record.PContents {
			return record.PContents{Runnext: next, Ring: ids}
		}

		op := at("0p 0n 0n") // kick
		same(t, op, ring(3, 1, 2), nothing, nil, record.Move{From: p0next, To: p0ring, IDs: ids(2, 2)})

		op = at(times(256, "0p")) // full, and no overflow yet
		same(t, op, ring(0, ids(1, 256)...), nothing, nil)

		op = at(times(257, "0p")) // overflow
		same(t, op, ring(0, ids(129, 256)...), nothing, append(ids(1, 128), 257),
			record.Move{From: p0ring, To: global, IDs: ids(1, 128)})

		op = at("0n " + times(256, "0p") + "0n") // a kick that overflows
		same(t, op, ring(258, ids(130, 257)...), nothing, append(ids(2, 129), 1),
			record.Move{From: p0ring, To: global, IDs: ids(2, 129)},
			record.Move{From: p0next, To: global, IDs: ids(1, 1)})

		op = at(times(256, "0p") + "0n") // a full ring, nothing to kick
		same(t, op, ring(257, ids(1, 256)...), nothing, nil)

		op = at(times(5, "0p") + "1s0") // half, rounded up; the last one is the result
		same(t, op, ring(0, 4, 5), ring(0, 1, 2), nil, record.Move{From: p0ring, To: p1ring, IDs: ids(1, 2)})
		if !slices.Equal(op.Out, ids(3, 3)) {
			t.Errorf("%v: want 3", op)
		}

		op = at("0n 1s0") // runnext is not for the taking, unless asked for
		same(t, op, ring(1), nothing, nil)
		op = at("0n 1r0")
		same(t, op, nothing, nothing, nil)
		if !slices.Equal(op.Out, ids(1, 1)) {
			t.Errorf("%v: want 1", op)
		}

		op = at("0n 0p 0p 0d")
		same(t, op, nothing, nothing, nil)
		if !slices.Equal(op.Out, ids(1, 3)) {
			t.Errorf("%v: want 1 2 3", op)
		}

		op = at("0b300") // what does not fit
		same(t, op, ring(0, ids(1, 256)...), nothing, ids(257, 300), record.Move{From: p0ring, To: global, IDs: ids(257, 300)})

		// The share: 10/2+1 of 10, though one thread drives both Ps.
		op = at(times(10, "0q") + "1m8")
		same(t, op, nothing, ring(0, 2, 3, 4, 5, 6), ids(7, 10), record.Move{From: global, To: p1ring, IDs: ids(2, 6)})
		op = at(times(10, "0q") + "1m3")
		same(t, op, nothing, ring(0, 2, 3), ids(4, 10), record.Move{From: global, To: p1ring, IDs: ids(2, 3)})
		// Half a ring at most, and no more than there is room for.
		op = at(times(400, "0q") + "1m256")
		same(t, op, nothing, ring(0, ids(2, 128)...), ids(129, 400), record.Move{From: global, To: p1ring, IDs: ids(2, 128)})
		op = at("1b254 " + times(10, "1q") + "1m8")
		same(t, op, nothing, ring(0, append(ids(1, 254), 256, 257)...), ids(258, 264), record.Move{From: global, To: p1ring, IDs: ids(256, 257)})
	}
}

// A thief without a P, which the runtime does not have.
func TestStealWithoutP(t *testing.T) {
	x := newTarget(t, Options{})
	s := inOrder(times(5, "0p") + "1s0")
	s.Threads[1].P = record.None
	op := last(t, x, s)
	same(t, op, record.PContents{Ring: ids(4, 5)}, nothing, ids(1, 2), record.Move{From: p0ring, To: global, IDs: ids(1, 2)})
}

func TestAnswers(t *testing.T) {
	x := newTarget(t, Options{})
	h := run(t, x, inOrder("0e 0l 0n 0e 0l 0p 0l 1e0 1l0 0g 0g 0g 0e 1m5"))
	var got []any
	for _, op := range h.Ops {
		switch op.Kind {
		case record.Empty:
			got = append(got, op.OK)
		case record.Len:
			got = append(got, op.Count)
		case record.Get:
			got = append(got, op.OK, op.FromRunnext)
		}
	}
	want := []any{true, 0, false, 1, 2, false, 2, true, true, true, false, false, false, true}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if op := h.Ops[len(h.Ops)-1]; op.OK || len(op.Out) > 0 {
		t.Errorf("%v: want none", op)
	}
}
