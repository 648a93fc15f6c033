package suite_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A subject that is no queue: a counter with add and read. It borrows two ids.
const (
	sumID  = "RQ-LOST" // the sum of what was added is read
	sameID = "RQ-LEN"  // a second read gives the same
)

type counter struct {
	profile spec.Profile
	add     func(sum, n int) int
	read    func(sum, reads int) int // nil: it cannot be read
}

func (c *counter) Describe() suite.Description {
	return suite.Description{Name: "counter", Version: "1", Kind: suite.InProcess, Profile: c.profile}
}

func (c *counter) Close() error { return nil }

func right() *counter {
	return &counter{
		profile: spec.Core,
		add:     func(sum, n int) int { return sum + n },
		read:    func(sum, reads int) int { return sum },
	}
}

// forgets is wrong: every seventh sum is not kept.
func forgets() *counter {
	c := right()
	c.add = func(sum, n int) int {
		if (sum+n)%7 == 0 {
			return sum
		}
		return sum + n
	}
	return c
}

// fickle is wrong: the second read gives more.
func fickle() *counter {
	c := right()
	c.read = func(sum, reads int) int { return sum + reads }
	return c
}

var random = suite.Check{
	Name: "sequence/sums", Doc: "sums of some numbers, read twice", Witness: spec.Sequence, Requirements: []string{sumID, sameID},
	Plan: func(t suite.Target) suite.Plan {
		p := suite.Plan{Text: "50 sums"}
		if t.(*counter).read == nil {
			p.Lacks = "the counter cannot be read"
		}
		return p
	},
	Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		c, out := t.(*counter), suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64)}
		for i := range 50 {
			if ctx.Err() != nil {
				return k.Stopped(ctx, fmt.Sprintf("%d of 50 sums", i))
			}
			rand, want, sum := k.Rand(i), 0, 0
			var calls []string
			for range 1 + rand.IntN(9) {
				n := 1 + rand.IntN(9)
				want, sum = want+n, c.add(sum, n)
				calls = append(calls, fmt.Sprintf("T0 add %d", n))
			}
			first, second := c.read(sum, 0), c.read(sum, 1)
			find := func(id, expected, observed string) {
				k.Find(record.Finding{Requirement: id, Fingerprint: id + "/read", Expected: expected, Observed: observed,
					Evidence: []record.Evidence{{Kind: record.Calls, Lines: calls}}})
			}
			if first != want {
				find(sumID, fmt.Sprint(want), fmt.Sprint(first))
			}
			if first != second {
				find(sameID, fmt.Sprint(first), fmt.Sprint(second))
			}
			out.Scenarios, out.Calls = out.Scenarios+1, out.Calls+len(calls)+2
			out.Judged[sumID]++
			out.Judged[sameID]++
		}
		return out
	},
}

func counters() *suite.Subject {
	return &suite.Subject{
		Name: "counter", Checks: []suite.Check{random},
		Controls: []suite.Control{{
			Check: random, What: "a counter that forgets", Falls: []string{sumID},
			Open: func() (suite.Target, error) { return forgets(), nil },
		}},
	}
}

// judge runs the suite on a counter.
func judge(t *testing.T, o suite.Options, s *suite.Subject, c *counter) (gate.Result, []suite.Event) {
	t.Helper()
	return judgeTarget(t, o, s, c)
}

func judgeTarget(t *testing.T, o suite.Options, s *suite.Subject, c suite.Target) (gate.Result, []suite.Event) {
	t.Helper()
	var events []suite.Event
	o.Sink = func(e suite.Event) { events = append(events, e) }
	r, err := gate.Run(t.Context(), o, suite.Opened(s, c))
	if err != nil {
		t.Fatal(err)
	}
	return r, events
}
