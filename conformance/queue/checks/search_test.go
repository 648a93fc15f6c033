package checks

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// endless has an Empty that may never return.
type endless struct{ swapping }

func (q *endless) Empty() bool {
	for q.head.Load() == 0 {
	}
	return q.controlledRing.Empty()
}

// TestSearch holds that the first fault is found, by the cheapest witness that sees it,
// that the limits hold and are told, and that a target which cannot be explored is no
// target without a fault.
func TestSearch(t *testing.T) {
	enough := suite.Limits{Sequences: 20, Scenarios: 200, Each: 500, Executions: 20_000, Outcomes: true}
	few := enough
	few.Executions = 30
	shallow := enough
	shallow.Each = 1
	for name, c := range map[string]struct {
		queue   func() queue.Queue
		limits  suite.Limits
		hit     string // requirement and witness
		open    string
		error   string
		digests bool
	}{
		"right":                {queue: func() queue.Queue { return new(swapping) }, limits: enough, digests: true},
		"a fault of threads":   {queue: wrongRing, limits: enough, hit: "RQ-TWICE interleave"},
		"a fault without them": {queue: func() queue.Queue { return new(lying) }, limits: enough, hit: "RQ-EMPTY-TRUE sequence"},
		"no end":               {queue: func() queue.Queue { return new(endless) }, limits: enough, hit: "RQ-CRASH sequence"},
		"a crash":              {queue: func() queue.Queue { return new(brittle) }, limits: enough, hit: "RQ-CRASH sequence"},
		"too few in all":       {queue: wrongRing, limits: few, open: "scenarios were tried"},
		"too few of each":      {queue: func() queue.Queue { return new(swapping) }, limits: shallow, open: "not complete"},
		"not controlled":       {queue: func() queue.Queue { return new(simple) }, limits: enough, error: "no operation that can be controlled"},
	} {
		t.Run(name, func(t *testing.T) {
			var watched []string
			c.limits.Watch = func(s string) { watched = append(watched, s) }
			got, err := Search(t.Context(), instrumented(t, c.queue), c.limits)
			if c.error != "" || err != nil {
				if c.error == "" || err == nil || !strings.Contains(err.Error(), c.error) {
					t.Errorf("expected the error %q, saw %v", c.error, err)
				}
				return
			}
			hit := ""
			if h := got.Hit; h != nil {
				hit = h.Requirement + " " + h.Witness
				if h.Scenario == "" || h.Observed == "" || h.Scenario != watched[len(watched)-1] {
					t.Errorf("expected the scenario %s, and what was seen, saw %+v", watched[len(watched)-1], h)
				}
			}
			if hit != c.hit || (c.open == "") != (got.Open == "") || !strings.Contains(got.Open, c.open) || (got.Digest != "") != c.digests {
				t.Errorf("expected hit %q, open %q, digest %v; saw %+v, hit %q", c.hit, c.open, c.digests, got, hit)
			}
			if got.Executions == 0 || got.Executions > c.limits.Executions {
				t.Errorf("expected at most %d executions, saw %d", c.limits.Executions, got.Executions)
			}
		})
	}
}

// TestDigest holds that the digest is that of the outcomes: the same of a queue with one
// more step, another one of a queue with other answers that keep the contract, too.
func TestDigest(t *testing.T) {
	digest := func(newQueue func() queue.Queue) string {
		target, err := Instrumented("test", "fifo,steal-miss=anytime", queue.Single(newQueue))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Search(t.Context(), target, suite.Limits{Sequences: 20, Scenarios: 200, Each: 500, Executions: 20_000, Outcomes: true})
		if err != nil || got.Hit != nil || got.Digest == "" {
			t.Fatalf("expected a digest, saw %+v, %+v, %v", got, got.Hit, err)
		}
		return got.Digest
	}
	was := digest(func() queue.Queue { return new(swapping) })
	if got := digest(func() queue.Queue { return new(swapping) }); got != was {
		t.Errorf("expected the same twice, saw %s and %s", was, got)
	}
	if got := digest(func() queue.Queue { return new(lookingTwice) }); got != was {
		t.Errorf("one more step: expected the same outcomes, saw %s and %s", was, got)
	}
	if got := digest(func() queue.Queue { return new(meek) }); got == was {
		t.Errorf("steals find nothing: expected other outcomes, saw %s twice", was)
	}
}

type lookingTwice struct{ swapping }

func (q *lookingTwice) Empty() bool { q.head.Load(); return q.swapping.Empty() }

type meek struct{ swapping }

func (q *meek) Steal() (record.ID, bool) { return 0, false }
