package published_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/published"
)

// today is what the explorer runs for the programs in which threads wait in loops
// or look so many times. Reached rows are held to the bound; the others are the
// work that is left. When one comes to lie within the bound, the test says so, and
// the row is to be marked.
var today = map[string]struct {
	executions int
	reached    bool
}{
	"spinlock 2":               {14, false},
	"ttaslock 2":               {14, false},
	"ticketlock 2":             {6, false},
	"peterson":                 {24, false},
	"lamport 2":                {56, false},
	"szymanski":                {1898, false},
	"linuxrwlocks 2":           {694, false},
	"seqlock":                  {12, false},
	"mpmc-queue":               {26, false},
	"doubleloop":               {11, false},
	"fr+w+w+w+reads in a loop": {90, false},
	"publish 40":               {3, false},
	"SharedPtr 100":            {12, false},
	"spin-counter 4":           {3, false},
}

// within reports whether so many executions are enough and not too many: fewer
// than were published are classes that were lost, and half as many again are the
// most that looks in vain may cost.
func within(executions, published int) bool {
	return published <= executions && 2*executions <= 3*published
}

// TestWaiting: programs that wait need about as many executions as were published,
// where the row is marked as reached.
func TestWaiting(t *testing.T) {
	programs := published.Waiting()
	if len(programs) != len(today) {
		t.Errorf("expected a row for each of %d programs; observed %d rows", len(programs), len(today))
	}
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			row, ok := today[p.Name]
			if !ok {
				t.Fatalf("expected a row for %q; observed none", p.Name)
			}
			c := explore(t, p)
			switch good := within(c.Classes, p.Count); {
			case row.reached && !good:
				t.Errorf("expected %d executions (%s), or up to one and a half times as many; observed %d: %v", p.Count, p.Source, c.Classes, c)
			case !row.reached && good:
				t.Errorf("expected a row that is marked as reached, with %d executions for the %d published; observed one that is not", c.Classes, p.Count)
			case c.Classes != row.executions:
				t.Logf("the row says %d executions; observed %d", row.executions, c.Classes)
			}
		})
	}
}

// TestPublishedLivelock: a program of the test suites whose threads may wait for
// ever is not passed over.
func TestPublishedLivelock(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		for _, f := range published.Livelock().New() {
			x.Go("", f)
		}
	}, interleave.Exhaustive(), interleave.MustFail(func(r interleave.Report) {
		if r.Failure.Kind != interleave.Livelock {
			t.Errorf("expected a livelock; observed %s", r.Text(""))
		}
	}))
}
