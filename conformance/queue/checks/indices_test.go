package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// narrow is a ring whose indices end at end, of which a slot and a length follow as they say.
type narrow struct {
	size       int
	head, tail int
	slots      map[int]record.ID
	slot       func(i, size int) int
	end        int
	count      func(head, tail, end int) int
	stolen     uint8
	tires      bool // its thieves find nothing each time that 256 were stolen
}

func (q *narrow) Cap() int { return q.size }
func (q *narrow) Len() int { return q.count(q.head, q.tail, q.end) }

func (q *narrow) Put(id record.ID) bool {
	if q.Len() >= q.size {
		return false
	}
	q.slots[q.slot(q.tail, q.size)] = id
	q.tail = (q.tail + 1) % q.end
	return true
}

func (q *narrow) Get() (record.ID, bool) {
	if q.Len() <= 0 {
		return 0, false
	}
	id := q.slots[q.slot(q.head, q.size)]
	q.head = (q.head + 1) % q.end
	return id, true
}

func (q *narrow) Steal() (record.ID, bool) {
	if q.stolen++; q.tires && q.stolen == 0 {
		return 0, false
	}
	return q.Get()
}

func (q *narrow) Empty() bool { return q.Len() == 0 }

// TestIndices: a queue that breaks when indices of 8 or of 16 bits have gone round falls, by a
// scenario that can be read, and one that goes round without harm is right.
func TestIndices(t *testing.T) {
	within := func(i, size int) int { return i % size }
	around := func(head, tail, end int) int { return (tail - head + end) % end }
	for _, c := range tier.Some(t, []struct {
		name  string
		size  int
		end   int
		slot  func(i, size int) int
		count func(head, tail, end int) int
		tires bool
		falls string // a requirement, or ""
	}{
		{"8 bits", 4, 1 << 8, within, around, false, ""},
		{"16 bits", 64, 1 << 16, within, around, false, ""},
		{"63 bits", 6, 1 << 62, within, around, false, ""},
		{"8 bits, a ring of 6", 6, 1 << 8, within, around, false, "RQ-FIFO"},
		{"16 bits, a ring of 6", 6, 1 << 16, within, around, false, "RQ-FIFO"},
		{"8 bits, a difference below 0", 8, 1 << 8, within, func(head, tail, _ int) int { return max(0, tail-head) }, false, "RQ-"},
		{"16 bits, a difference below 0", 8, 1 << 16, within, func(head, tail, _ int) int { return max(0, tail-head) }, false, "RQ-"},
		{"a thief that tires", 4, 1 << 62, within, around, true, "RQ-STEAL-NONE"},
		{"8 bits, a ring of 256", 256, 1 << 8, within, around, false, "RQ-"},
	}, 3) {
		target, err := InProcess("narrow", "fifo,bound=exact", queue.Single(func() queue.Queue {
			return &narrow{size: c.size, end: c.end, slot: c.slot, count: c.count, tires: c.tires, slots: make(map[int]record.ID)}
		}))
		if err != nil {
			t.Fatal(err)
		}
		_, events := judged(t, suite.Options{Seed: 1, Select: "^sequence/indices$"}, target)
		broken := brokenIDs(events)
		if (c.falls == "") != (len(broken) == 0) || !slices.ContainsFunc(append(broken, ""), func(id string) bool { return strings.HasPrefix(id, c.falls) || c.falls == "" }) {
			t.Errorf("%s: expected %q, saw %v", c.name, c.falls, broken)
		}
		if c.falls == "" {
			unaccused(t, factsOf(target), events)
		}
		for _, e := range events {
			if e.Finding == nil {
				continue
			}
			for _, x := range e.Finding.Evidence {
				if text := strings.Join(x.Lines, "\n"); x.Kind == record.Asked && len(text) > 500 {
					t.Errorf("%s: a scenario of %d letters: %.1000s", c.name, len(text), text)
				}
			}
		}
	}
	if list, _ := indices(facts{contract: spec.Contract{Steals: spec.None}, kind: suite.Child}); len(list) != 2 {
		t.Errorf("a child without steals and without a capacity has %d scenarios", len(list))
	}
}
