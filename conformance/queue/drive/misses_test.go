package drive

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// missing finds nothing at so many gets in a row, whatever it holds. Its thieves take
// batches, of one.
type missing struct {
	mu           sync.Mutex
	ids          []record.ID
	each, missed int
}

func (q *missing) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ids = append(q.ids, id)
	return true
}
func (q *missing) Get() (id record.ID, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.missed++; q.missed%(q.each+1) != 0 || len(q.ids) == 0 {
		return 0, false
	}
	id, q.ids = q.ids[0], q.ids[1:]
	return id, true
}
func (q *missing) Steal() (record.ID, bool) { return 0, false }
func (q *missing) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}
func (q *missing) Cap() int { return 4 }
func (q *missing) StealInto(queue.Queue, bool) (record.ID, bool) {
	return 0, false
}
func (q *missing) PutNext(id record.ID) bool { return q.Put(id) }
func (q *missing) GetNext() (id record.ID, next, ok bool) {
	id, ok = q.Get()
	return id, false, ok
}
func (q *missing) Moved(func(from, to record.Place, ids ...record.ID)) {}

func misses(each int) queue.Factory {
	return queue.Single(func() *missing { return &missing{each: each} })
}

// TestFinalMisses: where a get may find nothing at any time, one that does so does not end
// the look at what is left; where it may not, it does.
func TestFinalMisses(t *testing.T) {
	for when, want := range map[string]int{anytime: 3, "beside": 0, never: 0, "": 0} {
		s := record.Scenario{Name: "final", Ps: 1, Threads: []record.Thread{{Script: "ppp"}}, GetMiss: when}
		h, err := Run(t.Context(), misses(7), s)
		if err != nil || len(h.Final.Ps[0].Ring) != want {
			t.Errorf("get-miss=%s: %+v left, want %d, %v", when, h.Final, want, err)
		}
	}
}

// TestRoomThatMisses: a thread makes no steal from queue to queue unless it has made room.
// Where a get that finds nothing does not show that its ring is empty, it tries again if it
// runs freely; under control it makes no steal then.
func TestRoomThatMisses(t *testing.T) {
	s := record.Scenario{Name: "room", Ps: 2, Threads: []record.Thread{{P: 0, Script: "pppps1"}}}
	steals := func(h *record.History) (steals, gets int) {
		for _, op := range h.Ops {
			if op.Kind.Steals() {
				steals++
			}
			if op.Kind == record.Get && op.OK {
				gets++
			}
		}
		return steals, gets
	}
	for _, c := range []struct {
		when                   string
		each                   int
		free                   bool
		wantSteals, wantSomeOf int
	}{
		{never, 1, false, 1, 0}, // its word is taken
		{"beside", 1, false, 0, 0},
		{"beside", 0, false, 1, 4},
		{"beside", 1, true, 1, 2},
		{"beside", 1 << 30, true, 1, 0}, // not for ever
	} {
		s.GetMiss = c.when
		plan, err := Prepare(s)
		if err != nil {
			t.Fatal(err)
		}
		var h *record.History
		if c.free {
			h, err = plan.Run(t.Context(), misses(c.each))
		} else {
			clock := int64(0)
			var p *Program
			if p, err = NewProgram(misses(c.each), plan, func() int64 { clock++; return clock }); err == nil {
				p.Thread(0)
				h, err = p.History()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, got := steals(h); n != c.wantSteals || got != c.wantSomeOf {
			t.Errorf("%+v: %d steals, %d gets gave something: %v", c, n, got, h.Ops)
		}
	}
}

// gives gives a G at each get.
type gives struct{ *missing }

func (gives) Get() (record.ID, bool)                 { return 1, true }
func (gives) GetNext() (id record.ID, next, ok bool) { return 1, false, true }

// TestRoomWithoutEnd: who makes room comes to an end, whatever the queue gives.
func TestRoomWithoutEnd(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	s := record.Scenario{Name: "room", Ps: 2, Threads: []record.Thread{{P: 0, Script: "ps1"}}}
	h, err := Run(ctx, queue.Single(func() gives { return gives{new(missing)} }), s)
	if err != nil || len(h.Ops) != 1+4+1 {
		t.Errorf("expected a put, four gets and a steal, saw %+v, %v", h, err)
	}
}

// TestMovesOfSeveralOwners: what a queue moved is known if no call of an owner who is not
// the only one moves anything.
func TestMovesOfSeveralOwners(t *testing.T) {
	for _, c := range []struct {
		owner, other string
		ownerP       int
		after        string
		known        bool
	}{
		{"pg", "pg", 0, "", true},
		{"ps1", "pg", 0, "", false},
		{"pg", "s1", 0, "", false},
		{"pg", "pg", 0, "T1:s1", false},
		{"pg", "s0", 1, "", true},
		{"pg", "n", 0, "", false}, // a kick moves
		{"pg", "n", 1, "", true},
	} {
		h, err := Run(t.Context(), misses(0), record.Scenario{
			Name: "shared", Ps: 2, Shared: true, After: c.after,
			Threads: []record.Thread{{P: 0, Script: c.owner}, {P: c.ownerP, Script: c.other}},
		})
		if err != nil || h.Moves != c.known {
			t.Errorf("%+v: %v, %v", c, h.Moves, err)
		}
	}
	if h, err := Run(t.Context(), plain(), record.Scenario{Name: "none", Ps: 1, Threads: []record.Thread{{Script: "p"}}}); err != nil || h.Moves {
		t.Errorf("a queue that says nothing of its moves: %v, %v", h.Moves, err)
	}
}
