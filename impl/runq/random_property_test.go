package runq_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// TestRandomisedProperty makes random calls on queues that randomise, as the
// runtime's do under the race detector, and counts the Gs: order and the use of
// runnext may change, nothing else.
func TestRandomisedProperty(t *testing.T) {
	t.Attr("req", "RQ-RANDOM")
	many(t)
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.SampledFrom([]int{2, 4, 8, 16}).Draw(t, "capacity")
		r := newRandomised(capacity, rapid.Uint32().Draw(t, "start"), rapid.Uint32Min(1).Draw(t, "seed"))
		t.Repeat(map[string]func(*rapid.T){
			"put":      func(t *rapid.T) { r.put(rapid.IntRange(1, capacity+1).Draw(t, "times"), false) },
			"put next": func(t *rapid.T) { r.put(rapid.IntRange(1, capacity+1).Draw(t, "times"), true) },
			"batch":    func(t *rapid.T) { r.putBatch(rapid.IntRange(1, capacity+2).Draw(t, "batch")) },
			"get":      func(*rapid.T) { r.get() },
			"steal":    func(t *rapid.T) { r.steal(rapid.Bool().Draw(t, "next")) },
		})
		h := r.finish()
		if vs := sequential.Conserve(h); vs != nil {
			t.Fatalf("RQ-RANDOM: %v\nin: %v", vs, h.Ops)
		}
	})
}

// randomised is an owner's queue, a thief's, and the global queue, with what
// was called on them.
type randomised struct {
	global       runq.Global
	owner, thief *runq.P
	ops          []record.Op
	last         record.ID
}

func newRandomised(capacity int, start, seed uint32) *randomised {
	r := new(randomised)
	random := func(n uint32) uint32 { // xorshift
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		return seed % n
	}
	config := runq.Config{Capacity: capacity, Start: start, Rand: random}
	r.owner, r.thief = runq.NewP(&r.global, config), runq.NewP(&r.global, config)
	return r
}

func (r *randomised) note(op record.Op) {
	op.Thief = record.None
	op.Call = int64(2*len(r.ops) + 1)
	op.Return = op.Call + 1
	r.ops = append(r.ops, op)
}

func (r *randomised) put(times int, next bool) {
	kind := record.Put
	if next {
		kind = record.PutNext
	}
	for range times {
		r.last++
		r.owner.Put(&runq.G{ID: r.last}, next)
		r.note(record.Op{Kind: kind, In: []record.ID{r.last}, Count: 1, OK: true})
	}
}

func (r *randomised) putBatch(n int) {
	var q runq.List
	op := record.Op{Kind: record.PutBatch, Count: n, OK: true}
	for range n {
		r.last++
		q.PushBack(&runq.G{ID: r.last})
		op.In = append(op.In, r.last)
	}
	r.owner.PutBatch(&q)
	r.global.PutBatch(&q)
	r.note(op)
}

func (r *randomised) get() {
	g, _ := r.owner.Get()
	r.took(record.Get, g)
}

func (r *randomised) steal(next bool) {
	r.took(record.Steal, r.thief.Steal(r.owner, next))
	for g, _ := r.thief.Get(); g != nil; g, _ = r.thief.Get() {
		r.took(record.Get, g)
	}
}

func (r *randomised) took(kind record.Kind, g *runq.G) {
	op := record.Op{Kind: kind}
	if g != nil {
		op.OK, op.Out = true, []record.ID{g.ID}
	}
	r.note(op)
}

func (r *randomised) finish() *record.History {
	h := &record.History{Clock: record.ClockOrder}
	h.Scenario.Threads = []record.Thread{{Script: "p", Repeat: max(1, int(r.last))}}
	more := func(ids []record.ID) bool { return len(ids) <= 2*int(r.last) } // a shuffle may have made a circle
	for _, p := range []*runq.P{r.owner, r.thief} {
		var c record.PContents
		for g, _ := p.Get(); g != nil && more(c.Ring); g, _ = p.Get() {
			c.Ring = append(c.Ring, g.ID)
		}
		h.Final.Ps = append(h.Final.Ps, c)
	}
	for g := range r.global.All {
		if h.Final.Global = append(h.Final.Global, g.ID); !more(h.Final.Global) {
			break
		}
	}
	h.Ops = r.ops
	return h
}

// TestRandomisedOrderProperty is the other half: a queue that never randomises
// would pass. Order does change: in a batch, in an overflow, and by runnext.
func TestRandomisedOrderProperty(t *testing.T) {
	t.Attr("req", "RQ-RANDOM")
	var batch, overflow, next int
	const tries = 50
	for seed := range uint32(tries) {
		r := newRandomised(8, 0, seed+1)
		r.putBatch(8)
		if h := r.finish(); !slices.IsSorted(h.Final.Ps[0].Ring) {
			batch++
		}
		r = newRandomised(8, 0, seed+1)
		r.put(9, false)
		h := r.finish()
		if !slices.IsSorted(h.Final.Global) {
			overflow++
		}
		if !slices.IsSorted(h.Final.Ps[0].Ring) {
			t.Errorf("RQ-RANDOM: seed %d: the half that stayed was changed: %v", seed, h.Final.Ps[0].Ring)
		}
		r = newRandomised(8, 0, seed+1)
		r.put(1, true)
		if r.owner.Next() == nil {
			next++
		}
	}
	for what, n := range map[string]int{"a batch's order": batch, "an overflow's order": overflow, "a put next that went to the ring": next} {
		if n == 0 {
			t.Errorf("RQ-RANDOM: %s changed in %d of %d tries, want some", what, n, tries)
		}
	}
	if next == tries {
		t.Errorf("RQ-RANDOM: runnext not used in any of %d tries", tries)
	}
}
