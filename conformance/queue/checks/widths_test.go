package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// An indexed queue is a ring behind a lock, with indices of any width.
type indexed[I uint8 | int16 | uint16 | int32 | uint32] struct {
	mu         sync.Mutex
	head, tail I
	slots      [4]record.ID
	compares   bool // wrong: it compares its indices, and not their difference with 0
}

func (q *indexed[I]) StartsAt() uint32 { return uint32(q.head) }
func (q *indexed[I]) Cap() int         { return len(q.slots) }

func (q *indexed[I]) none() bool {
	if q.compares {
		return q.head >= q.tail
	}
	return q.head == q.tail
}

func (q *indexed[I]) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.tail-q.head == I(len(q.slots)) {
		return false
	}
	q.slots[uint32(q.tail)%uint32(len(q.slots))] = id
	q.tail++
	return true
}

func (q *indexed[I]) Get() (id record.ID, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.none() {
		return 0, false
	}
	id = q.slots[uint32(q.head)%uint32(len(q.slots))]
	q.head++
	return id, true
}

func (q *indexed[I]) Steal() (record.ID, bool) { return q.Get() }

func (q *indexed[I]) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.none()
}

func indexedBy[I uint8 | int16 | uint16 | int32 | uint32](compares bool) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		s := make(madeFaces, o.Ps)
		for i := range s {
			s[i] = &indexed[I]{head: I(o.Start), tail: I(o.Start), compares: compares}
		}
		return s, nil
	}
}

// TestWidths: where indices end depends on their type. A queue that compares them falls whatever that is; one that looks at their difference is right.
func TestWidths(t *testing.T) {
	t.Attr("req", "RQ-WRAP")
	for name, f := range map[string][2]queue.Factory{
		"8 bits":            {indexedBy[uint8](true), indexedBy[uint8](false)},
		"16 bits, signed":   {indexedBy[int16](true), indexedBy[int16](false)},
		"16 bits, unsigned": {indexedBy[uint16](true), indexedBy[uint16](false)},
		"32 bits, signed":   {indexedBy[int32](true), indexedBy[int32](false)},
		"32 bits, unsigned": {indexedBy[uint32](true), indexedBy[uint32](false)},
	} {
		for _, c := range all {
			if c.name != "sequence/wrap" && c.name != "interleave/wrap" {
				continue
			}
			for i, want := range []suite.Standing{suite.Broken, suite.Kept} {
				target, err := Instrumented("indexed", "fifo,indices=free-running", f[i])
				if err != nil {
					t.Fatal(err)
				}
				_, events := carriedOn(t, t.Context(), c, target)
				at := slices.IndexFunc(events, func(e suite.Event) bool { return e.Requirement != nil && e.Requirement.ID == "RQ-WRAP" })
				if at < 0 || events[at].Requirement.Standing != want && (want == suite.Kept || len(brokenIDs(events)) == 0) {
					t.Errorf("%s, %s: expected RQ-WRAP %s, saw %+v, broken %v", name, c.name, want, events[max(0, at)].Requirement, brokenIDs(events))
				}
			}
		}
	}
}

// TestWide: indices start near their end if the contract says that they may go past it, and not otherwise. The report says so.
func TestWide(t *testing.T) {
	t.Attr("req", "RQ-WRAP")
	for contract, starts := range map[spec.Profile]bool{"fifo": false, "fifo,indices=free-running": true} {
		target, err := Instrumented("indexed", contract, indexedBy[int32](true))
		if err != nil {
			t.Fatal(err)
		}
		if noted := slices.ContainsFunc(notes(target), func(note string) bool { return strings.Contains(note, "indices=free-running") }); noted == starts {
			t.Errorf("%s: a note that indices do not start near their end: expected %v, saw %v", contract, !starts, noted)
		}
		_, events := judged(t, suite.Options{Seed: 1, Select: "^sequence/"}, target)
		if wrong := brokenIDs(events); slices.Contains(wrong, "RQ-WRAP") != starts || len(wrong) > 0 != starts {
			t.Errorf("%s: expected findings of indices that start near their end: %v, saw %v", contract, starts, wrong)
		}
		limits := suite.Limits{Sequences: 300, Scenarios: 100, Each: 1_000, Executions: 30_000}
		if s, err := Search(t.Context(), target, limits); err != nil || (s.Hit != nil) != starts {
			t.Errorf("%s: expected a search to find something: %v, saw %+v, %v", contract, starts, s.Hit, err)
		}
	}
}

// TestPassesItsEnd: a run in which no index passes an end says nothing of that.
func TestPassesItsEnd(t *testing.T) {
	t.Attr("req", "RQ-WRAP")
	for _, c := range []struct {
		start  uint32
		puts   int
		passes bool
	}{{0, 400, false}, {1<<32 - 1, 1, false}, {1<<32 - 1, 2, true}, {1<<31 - 3, 3, false}, {1<<31 - 3, 4, true}, {1<<16 - 1, 2, true}, {1<<15 - 1, 2, true}, {1<<8 - 1, 2, true}, {1 << 8, 2, false}} {
		h := &record.History{Scenario: record.Scenario{Ps: 1, Start: c.start}}
		for i := range c.puts {
			h.Ops = append(h.Ops, record.Op{Kind: record.Put, In: []record.ID{record.ID(i + 1)}, Count: 1, OK: true, Call: int64(2*i + 1), Return: int64(2*i + 2)})
		}
		if n := about(h, []string{"RQ-WRAP"})["RQ-WRAP"]; (n > 0) != c.passes {
			t.Errorf("%d puts from %d: expected that an end is passed: %v, saw %d calls judged", c.puts, c.start, c.passes, n)
		}
	}
}

// single holds one, and says so.
type single struct{ *indexed[uint32] }

func (q single) Cap() int { return 1 }

func (q single) Put(id record.ID) bool { return q.head == q.tail && q.indexed.Put(id) }

// TestWrapOfOne: the indices of a ring of one pass their end, too.
func TestWrapOfOne(t *testing.T) {
	t.Attr("req", "RQ-WRAP")
	i := slices.IndexFunc(all, func(c check) bool { return c.name == "sequence/wrap" })
	target, err := Instrumented("single", "fifo,bound=exact,indices=free-running", func(o queue.Options) (queue.Set, error) {
		s := make(madeFaces, o.Ps)
		for i := range s {
			s[i] = single{&indexed[uint32]{head: o.Start, tail: o.Start}}
		}
		return s, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, events := carriedOn(t, t.Context(), all[i], target)
	at := slices.IndexFunc(events, func(e suite.Event) bool { return e.Requirement != nil && e.Requirement.ID == "RQ-WRAP" })
	if at < 0 || events[at].Requirement.Standing != suite.Kept {
		t.Errorf("expected RQ-WRAP %s, saw %+v, broken %v", suite.Kept, events[max(0, at)].Requirement, brokenIDs(events))
	}
}
