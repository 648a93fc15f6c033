package suite_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
)

// TestJoin says how a check has ended whose two parts have ended so, in either order. A part that skips or comes to no verdict
// would not have gone on: the one that stopped at the first scenario decides.
func TestJoin(t *testing.T) {
	ended := func(e suite.Ended, at int) suite.Outcome {
		return suite.Outcome{Ended: e, At: at, Reason: fmt.Sprint(e, " at ", at), Complete: true, Judged: map[string]int64{"RQ-LOST": 2}}
	}
	for _, c := range []struct{ a, b, want suite.Outcome }{
		{ended(suite.Completed, 0), ended(suite.Completed, 0), ended(suite.Completed, 0)},
		{ended(suite.Completed, 0), ended(suite.Inconclusive, 7), ended(suite.Inconclusive, 7)},
		{ended(suite.Completed, 0), ended(suite.Skipped, 7), ended(suite.Skipped, 7)},
		{ended(suite.Completed, 0), ended(suite.Error, 0), ended(suite.Error, 0)},
		{ended(suite.Inconclusive, 3), ended(suite.Error, 0), ended(suite.Error, 0)},
		{ended(suite.Inconclusive, 3), ended(suite.Inconclusive, 7), ended(suite.Inconclusive, 3)},
		{ended(suite.Inconclusive, 0), ended(suite.Inconclusive, 7), ended(suite.Inconclusive, 0)},
		{ended(suite.Inconclusive, 3), ended(suite.Skipped, 7), ended(suite.Inconclusive, 3)},
		{ended(suite.Inconclusive, 7), ended(suite.Skipped, 3), ended(suite.Skipped, 3)},
		{ended(suite.Inconclusive, 7), ended(suite.Skipped, 0), ended(suite.Inconclusive, 7)},
		{ended(suite.Inconclusive, 7), ended(suite.Skipped, 7), ended(suite.Inconclusive, 7)},
	} {
		for _, parts := range [][2]suite.Outcome{{c.a, c.b}, {c.b, c.a}} {
			whole, part := &suite.Result{Outcome: parts[0]}, &suite.Result{Outcome: parts[1]}
			whole.Join(part)
			if whole.Ended != c.want.Ended || whole.At != c.want.At || whole.Reason != c.want.Reason || !whole.Complete || whole.Judged["RQ-LOST"] != 4 {
				t.Errorf("%s and %s: expected %s, complete, of 4 calls, saw %+v", parts[0].Reason, parts[1].Reason, c.want.Reason, whole.Outcome)
			}
		}
	}
}

// TestJoinLeavesTheParts holds that the whole has what either part was cut for and lacks, and that a part's own maps stay as they are.
func TestJoinLeavesTheParts(t *testing.T) {
	first := map[string]string{"RQ-LOST": "it was too long"}
	a := &suite.Result{Outcome: suite.Outcome{Ended: suite.Completed, Complete: true, Cut: first, Absent: map[string]string{"RQ-LEN": "it has none"}}}
	b := &suite.Result{Outcome: suite.Outcome{Ended: suite.Completed, Cut: map[string]string{"RQ-TWICE": "it was too wide"}}}
	a.Join(b)
	if want := map[string]string{"RQ-LOST": "it was too long", "RQ-TWICE": "it was too wide"}; !maps.Equal(a.Cut, want) || a.Complete || len(a.Absent) != 1 {
		t.Errorf("expected samples that are cut for %v, saw %+v", want, a.Outcome)
	}
	if len(first) != 1 || len(b.Cut) != 1 {
		t.Errorf("a part was changed: %v, %v", first, b.Cut)
	}
}
