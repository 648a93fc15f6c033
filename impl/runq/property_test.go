package runq_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/spindle-go/spindle/conformance/property"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/witnessed"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestMachineProperty makes random calls on one to three Ps and holds every
// answer, and the contents after every call, against the sequential machine.
// The indices start at 0, or so near their end that they overflow on the way.
func TestMachineProperty(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	t.Attr("req", "RQ-TWICE")
	t.Attr("req", "RQ-INVENTED")
	t.Attr("req", "RQ-GET-NONE")
	t.Attr("req", "RQ-STEAL-NONE")
	t.Attr("req", "RQ-EMPTY-TRUE")
	t.Attr("req", "RQ-EMPTY-FALSE")
	t.Attr("req", "RQ-LEN")
	t.Attr("req", "RQ-FIFO")
	t.Attr("req", "RQ-CAPACITY")
	t.Attr("req", "RQ-WRAP")
	t.Attr("req", "RQ-OVERFLOW")
	t.Attr("req", "RQ-RUNNEXT-FIRST")
	t.Attr("req", "RQ-RUNNEXT-KICK")
	t.Attr("req", "RQ-RUNNEXT-OWNER")
	t.Attr("req", "RQ-STEAL-HALF")
	t.Attr("req", "RQ-STEAL-ORDER")
	t.Attr("req", "RQ-STEAL-RUNNEXT")
	t.Attr("req", "RQ-DRAIN")
	t.Attr("req", "RQ-PUT-BATCH")
	t.Attr("req", "RQ-GLOBAL-FIFO")
	t.Attr("req", "RQ-GLOBAL-BATCH")
	tier.OnlyFull(t)
	for _, capacity := range []int{2, 4, 8, 16, 256} {
		t.Run(fmt.Sprintf("capacity=%d", capacity), func(t *testing.T) {
			events := witnessed.Begin(t, spec.Property, spec.GoRT)
			many(t)
			rapid.Check(t, func(t *rapid.T) {
				s := start(t, capacity)
				s.broken = func(err error) {
					events.Found(property.Findings(err)...)
					t.Fatal(err)
				}
				t.Repeat(s.actions())
				if err := s.Finish(); err != nil {
					s.broken(err)
				}
			})
			events.Ended(suite.Outcome{Ended: suite.Completed})
		})
	}
}

// sequence is the state machine: what is to be called next is drawn, what it
// must do is known to the property.Sequence.
type sequence struct {
	*property.Sequence
	ps     int
	broken func(error)
}

func start(t *rapid.T, capacity int) sequence {
	ps := rapid.IntRange(1, 3).Draw(t, "ps")
	var first uint32
	if rapid.Bool().Draw(t, "near the end of the indices") {
		first = math.MaxUint32 - rapid.Uint32Range(0, uint32(2*capacity)).Draw(t, "before the end")
	}
	s, err := property.New(ref.New, queue.Options{Ps: ps, Capacity: capacity, Start: first})
	if err != nil {
		t.Fatal(err)
	}
	return sequence{Sequence: s, ps: ps}
}

// actions has one action for each operation. Puts and gets come in bursts, or
// else a ring of 256 would never be full and a ring of 2 never be empty.
func (s sequence) actions() map[string]func(*rapid.T) {
	actions := make(map[string]func(*rapid.T))
	for _, kind := range slices.DeleteFunc(record.Kinds(), record.Kind.Waits) {
		actions[kind.String()] = func(t *rapid.T) {
			p := rapid.IntRange(0, s.ps-1).Draw(t, "P")
			in := record.Instr{Kind: kind, Arg: -1}
			times := 1
			switch kind {
			case record.Put, record.PutNext, record.Get, record.GlobalPut:
				times = rapid.IntRange(1, s.Cap()+1).Draw(t, "times")
			case record.PutBatch:
				in.Arg = rapid.IntRange(1, s.Cap()+2).Draw(t, "batch")
			case record.GlobalGet:
				in.Arg = rapid.IntRange(1, s.Cap()+1).Draw(t, "most")
			case record.Steal, record.StealNext:
				in.Arg = (p + rapid.IntRange(0, max(0, s.ps-2)).Draw(t, "past the next") + 1) % s.ps
			case record.Empty, record.Len:
				in.Arg = rapid.IntRange(0, s.ps-1).Draw(t, "about P")
			}
			if !s.Legal(p, in) {
				t.Skip("no room for the loot, or nobody to steal from")
			}
			for range times {
				if err := s.Do(p, in); err != nil {
					s.broken(err)
				}
			}
		}
	}
	return actions
}
