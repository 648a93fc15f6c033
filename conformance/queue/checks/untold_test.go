package checks

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// mute is a queue whose steals take several, and that does not say what they move.
type mute struct {
	queue.Queue
	queue.Bounded
	made  *made
	spoil func(own, rest []record.ID) []record.ID // what the thief then has, of its own and of the rest of a batch; nil: it is right
}

func (q mute) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	to := thief.(mute).made
	had := len(to.ring)
	id, ok := q.made.stealInto(to, next)
	if q.spoil != nil && ok {
		to.ring = q.spoil(to.ring[:had:had], slices.Clone(to.ring[had:]))
	}
	return id, ok
}

// TestMuteSteals: a queue whose steals take several, and that cannot say how many, is accused of nothing, and all checks come to their end. It is said
// what is not judged. What it does wrong in a fixed order falls.
func TestMuteSteals(t *testing.T) {
	type cases struct {
		contract spec.Profile
		spoil    func(own, rest []record.ID) []record.ID
		want     string // a requirement that is broken
	}
	for _, c := range tier.Some(t, []cases{
		{"fifo,bound=exact,batch=some,returns=oldest", nil, ""},
		{"fifo,bound=exact,batch=some", nil, ""},
		{"fifo,bound=exact,batch=half-up", nil, ""},
		{"fifo,bound=exact,batch=some,returns=oldest", func(own, rest []record.ID) []record.ID { slices.Reverse(rest); return append(own, rest...) }, "RQ-FIFO"},
		{"fifo,bound=exact,batch=some,returns=oldest", func(own, rest []record.ID) []record.ID { return append(own, rest[:max(0, len(rest)-1)]...) }, "RQ-LOST"},
		{"fifo,bound=exact,batch=some,returns=oldest", func(own, rest []record.ID) []record.ID {
			return append(append(own, rest...), rest[:min(1, len(rest))]...)
		}, "RQ-TWICE"},
		{"fifo,bound=exact,batch=some,returns=oldest", func(own, rest []record.ID) []record.ID { return rest }, "RQ-LOST"},
		{"fifo,bound=exact,batch=half-up", func(own, rest []record.ID) []record.ID { return append(rest, own...) }, "RQ-FIFO"},
	}, 1) {
		contract, _ := c.contract.Contract()
		target, err := Instrumented("mute", c.contract, madeBy(contract, true, func(q *made) queue.Queue { return mute{q, q, q, c.spoil} }))
		if err != nil {
			t.Fatal(err)
		}
		Short(target)
		if c.want == "" {
			explored(t, rand.New(rand.NewPCG(1, 1)), target)
			if notes := strings.Join(notes(target), " "); !strings.Contains(notes, "Mover") {
				t.Errorf("%s: expected that it is said what is not judged, saw %q", c.contract, notes)
			}
		}
		_, events := judged(t, suite.Options{Seed: 1, Select: "^sequence/(steal|random|all)$"}, target)
		if broken := brokenIDs(events); slices.Contains(broken, c.want) != (c.want != "") || c.want == "" && len(broken) > 0 {
			t.Errorf("%s: expected %q broken, saw %v", c.contract, c.want, broken)
		}
		if c.want == "" {
			unaccused(t, factsOf(target), events)
		}
	}
}

// TestOtherReturns: of a queue that does not say what it moves, and gives the other end of its
// batch than its contract says, the finding says so: as crossbeam's first in, first out queue
// under the default.
func TestOtherReturns(t *testing.T) {
	how := lootedHow{whole: true, first: true, oldest: true}
	for contract, right := range map[spec.Profile]bool{"fifo,batch=some,bound=grows": false, "fifo,batch=some,bound=grows,returns=oldest": true} {
		target, err := Instrumented("looted", contract, lootedBy(how))
		if err != nil {
			t.Fatal(err)
		}
		Short(target)
		_, events := judged(t, suite.Options{Seed: 1, Select: "^sequence/(steal|full-thief|random)$"}, target)
		said := slices.ContainsFunc(events, func(e suite.Event) bool {
			return e.Finding != nil && strings.Contains(e.Finding.Observed, "under returns=oldest")
		})
		if broken := brokenIDs(events); (len(broken) == 0) != right || said == right {
			t.Errorf("%s: saw %v broken, and that another end would be right: %v", contract, broken, said)
		}
	}
}
