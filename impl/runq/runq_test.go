package runq

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// gs makes Gs with ids from first on.
func gs(first, n int) []*G {
	out := make([]*G, n)
	for i := range out {
		out[i] = &G{ID: uint64(first + i)}
	}
	return out
}

func ids(q List) []uint64 {
	out := []uint64{}
	for g := range q.All {
		out = append(out, g.ID)
	}
	return out
}

func TestDefaultCapacity(t *testing.T) {
	if got := NewP(new(Global), Config{}).Cap(); got != 256 {
		t.Errorf("Cap() = %d, want 256", got)
	}
}

// TestCalls walks through each operation on a ring of 4, from indices that
// overflow within it.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name                 string
		do                   func(p, thief *P)
		ring, global, stolen []uint64
		next                 uint64
	}{
		{"put", func(p, _ *P) { put(p, 1, 3) }, []uint64{1, 2, 3}, nil, nil, 0},
		{"overflow", func(p, _ *P) { put(p, 1, 5) }, []uint64{3, 4}, []uint64{1, 2, 5}, nil, 0},
		{"put next", func(p, _ *P) { p.Put(&G{ID: 1}, true) }, nil, nil, nil, 1},
		{"kick", func(p, _ *P) { p.Put(&G{ID: 1}, true); p.Put(&G{ID: 2}, true) }, []uint64{1}, nil, nil, 2},
		{"kick that overflows", func(p, _ *P) {
			p.Put(&G{ID: 1}, true)
			put(p, 2, 4)
			p.Put(&G{ID: 6}, true)
		}, []uint64{4, 5}, []uint64{2, 3, 1}, nil, 6},
		{"get", func(p, _ *P) { put(p, 1, 2); p.Get() }, []uint64{2}, nil, nil, 0},
		{"get takes runnext first", func(p, _ *P) { put(p, 1, 2); p.Put(&G{ID: 3}, true); p.Get() }, []uint64{1, 2}, nil, nil, 0},
		{"steal half", func(p, thief *P) { put(p, 1, 4); thief.Steal(p, false) }, []uint64{3, 4}, nil, []uint64{1}, 0},
		{"steal half, rounded up", func(p, thief *P) { put(p, 1, 3); thief.Steal(p, false) }, []uint64{3}, nil, []uint64{1}, 0},
		{"steal leaves runnext", func(p, thief *P) { p.Put(&G{ID: 1}, true); thief.Steal(p, false) }, nil, nil, nil, 1},
		{"steal takes runnext", func(p, thief *P) { p.Put(&G{ID: 1}, true); thief.Steal(p, true) }, nil, nil, nil, 0},
		{"drain", func(p, _ *P) { put(p, 1, 3); p.Put(&G{ID: 4}, true); p.Drain() }, nil, nil, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var global Global
			p := NewP(&global, Config{Capacity: 4, Start: math.MaxUint32})
			thief := NewP(&global, Config{Capacity: 4, Start: math.MaxUint32})
			c.do(p, thief)
			if got := ring(p); !slices.Equal(got, c.ring) {
				t.Errorf("ring %v, want %v", got, c.ring)
			}
			if got := ids(global.q); !slices.Equal(got, c.global) {
				t.Errorf("global queue %v, want %v", got, c.global)
			}
			if got := ring(thief); !slices.Equal(got, c.stolen) {
				t.Errorf("thief's ring %v, want %v", got, c.stolen)
			}
			if got := next(p); got != c.next {
				t.Errorf("runnext %d, want %d", got, c.next)
			}
			n := len(c.ring)
			if c.next != 0 {
				n++
			}
			if p.Len() != n || p.Empty() != (n == 0) {
				t.Errorf("Len() = %d, Empty() = %v, want %d and %v", p.Len(), p.Empty(), n, n == 0)
			}
		})
	}
}

func put(p *P, first, n int) {
	for _, g := range gs(first, n) {
		p.Put(g, false)
	}
}

func ring(p *P) (ids []uint64) {
	head, tail := p.Indices()
	for i := head; i != tail; i++ {
		ids = append(ids, p.At(i).ID)
	}
	return ids
}

func next(p *P) uint64 {
	if g := p.Next(); g != nil {
		return g.ID
	}
	return 0
}

func TestResults(t *testing.T) {
	var global Global
	p, thief := NewP(&global, Config{Capacity: 4}), NewP(&global, Config{Capacity: 4})
	put(p, 1, 3)
	p.Put(&G{ID: 4}, true)
	if g, inherit := p.Get(); g.ID != 4 || !inherit {
		t.Errorf("Get() = %d, %v, want runnext's 4, true", g.ID, inherit)
	}
	if g := thief.Steal(p, true); g.ID != 2 {
		t.Errorf("Steal() = %d, want 2, the newest of the two oldest", g.ID)
	}
	if g, inherit := p.Get(); g.ID != 3 || inherit {
		t.Errorf("Get() = %d, %v, want the ring's 3, false", g.ID, inherit)
	}
	if g, _ := p.Get(); g != nil {
		t.Errorf("Get() of an empty queue = %d", g.ID)
	}
	if g := thief.Steal(p, true); g != nil {
		t.Errorf("Steal() from an empty queue = %d", g.ID)
	}
	if q := p.Drain(); !q.Empty() {
		t.Errorf("Drain() of an empty queue = %v", ids(q))
	}
	put(p, 5, 2)
	p.Put(&G{ID: 7}, true)
	if q := p.Drain(); !slices.Equal(ids(q), []uint64{7, 5, 6}) {
		t.Errorf("Drain() = %v, want runnext and then the ring: [7 5 6]", ids(q))
	}
}

func TestPutBatchKeepsTheRest(t *testing.T) {
	p := NewP(new(Global), Config{Capacity: 4})
	var q List
	p.PutBatch(&q)
	put(p, 1, 1)
	for _, g := range gs(2, 5) {
		q.PushBack(g)
	}
	p.PutBatch(&q)
	if got := ring(p); !slices.Equal(got, []uint64{1, 2, 3, 4}) {
		t.Errorf("ring %v, want [1 2 3 4]", got)
	}
	if got := ids(q); !slices.Equal(got, []uint64{5, 6}) {
		t.Errorf("the rest is %v, want [5 6]", got)
	}
}

func TestGetBatchShare(t *testing.T) {
	for _, c := range []struct{ size, n, procs, want int }{
		{0, 8, 1, 0}, {1, 8, 4, 1}, {3, 8, 4, 1}, {4, 8, 4, 2}, {10, 8, 1, 8}, {10, 8, 2, 6}, {10, 1, 1, 1}, {5, 128, 1, 5},
	} {
		var s Global
		for _, g := range gs(1, c.size) {
			s.Put(g)
		}
		g, rest := s.GetBatch(c.n, c.procs)
		got := rest.Len()
		if g != nil {
			got++
			if g.ID != 1 {
				t.Errorf("GetBatch(%d, %d) of %d returned %d first, want 1", c.n, c.procs, c.size, g.ID)
			}
		}
		if got != c.want || s.Len() != c.size-c.want {
			t.Errorf("GetBatch(%d, %d) of %d took %d and left %d, want %d taken", c.n, c.procs, c.size, got, s.Len(), c.want)
		}
	}
}

func TestList(t *testing.T) {
	var q, other List
	if q.Pop() != nil || !q.Empty() || q.Len() != 0 {
		t.Error("the zero List is not empty")
	}
	q.PushBackAll(&other)
	for _, g := range gs(1, 2) {
		other.PushBack(g)
	}
	q.PushBackAll(&other)
	if !other.Empty() || other.Len() != 0 {
		t.Errorf("other holds %v after PushBackAll, want nothing", ids(other))
	}
	other.PushBack(&G{ID: 3})
	q.PushBackAll(&other)
	q.PushBack(&G{ID: 4})
	if got := ids(q); !slices.Equal(got, []uint64{1, 2, 3, 4}) || q.Len() != 4 {
		t.Errorf("%v of length %d, want [1 2 3 4]", got, q.Len())
	}
	for g := range q.All { // stops when told to
		if g.ID == 2 {
			break
		}
	}
	for want := uint64(1); want <= 4; want++ {
		if g := q.Pop(); g.ID != want || g.link != nil {
			t.Errorf("Pop() = %d, linked to %v, want %d and no link", g.ID, g.link, want)
		}
	}
	q.PushBack(&G{ID: 5})
	if got := ids(q); !slices.Equal(got, []uint64{5}) {
		t.Errorf("%v after it was emptied and filled, want [5]", got)
	}
}

func TestMisusePanics(t *testing.T) {
	global := new(Global)
	for name, f := range map[string]func(){
		"capacity 1":      func() { NewP(global, Config{Capacity: 1}) },
		"capacity 3":      func() { NewP(global, Config{Capacity: 3}) },
		"capacity -4":     func() { NewP(global, Config{Capacity: -4}) },
		"capacity 2^17":   func() { NewP(global, Config{Capacity: 1 << 17}) },
		"no global queue": func() { NewP(nil, Config{}) },
		"steal without room": func() {
			p, thief := NewP(global, Config{Capacity: 4}), NewP(global, Config{Capacity: 4})
			put(p, 1, 4)
			put(thief, 5, 3)
			thief.Steal(p, false)
		},
		"a G of two": func() {
			g := new(G)
			NewP(global, Config{}).Put(g, false)
			NewP(new(Global), Config{}).Put(g, false)
		},
		"putSlow of half a ring": func() {
			p := NewP(global, Config{Capacity: 4})
			put(p, 1, 2)
			h, tail := p.Indices()
			p.putSlow(p.ref(&G{ID: 3}), h, tail)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.HasPrefix(v, "runq: ") {
					t.Errorf("panic %q, want one that begins with \"runq: \"", v)
				}
			}()
			f()
		})
	}
}

func TestBeforeStealNext(t *testing.T) {
	global, called := new(Global), 0
	p := NewP(global, Config{Capacity: 4, BeforeStealNext: func(*P) { called++ }})
	thief := NewP(global, Config{Capacity: 4})
	p.Put(&G{ID: 1}, true)
	if thief.Steal(p, false) != nil || called != 0 {
		t.Errorf("called %d times by a steal that does not want runnext", called)
	}
	if thief.Steal(p, true) == nil || called != 1 {
		t.Errorf("called %d times, want once", called)
	}
}

// TestNoAllocations holds the hot path to what the runtime's must be: nothing
// is allocated, by overflows neither.
func TestNoAllocations(t *testing.T) {
	global := new(Global)
	p, thief := NewP(global, Config{Capacity: 8}), NewP(global, Config{Capacity: 8})
	all := gs(1, 9)
	refill := func() {
		for _, g := range all[:8] {
			p.Put(g, false)
		}
	}
	empty := func(q *P) {
		for g, _ := q.Get(); g != nil; g, _ = q.Get() {
		}
	}
	for name, f := range map[string]func(){
		"Put and Get":      func() { p.Put(all[0], false); p.Get() },
		"put next and Get": func() { p.Put(all[0], true); p.Get() },
		"kick":             func() { p.Put(all[0], true); p.Put(all[1], true); empty(p) },
		"Steal":            func() { refill(); thief.Steal(p, true); empty(thief); empty(p) },
		"overflow":         func() { refill(); p.Put(all[8], false); global.GetBatch(8, 1); empty(p) },
		"Drain":            func() { refill(); q := p.Drain(); q.Pop() },
		"Empty and Len":    func() { p.Empty(); p.Len() },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations a run, want 0", name, n)
		}
	}
}
