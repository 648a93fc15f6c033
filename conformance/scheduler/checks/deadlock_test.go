package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestDeadlock: a pool passes that reports a deadlock when there is one; each flaw is found as what it is.
func TestDeadlock(t *testing.T) {
	t.Attr("req", "SC-DEADLOCK")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const reported = spec.Pool + ",deadlock=reported"
	for _, c := range tier.Some(t, []struct {
		name  string
		bug   parkBug
		falls []string
	}{
		{"right", noParkBug, nil}, {"hides it", hidesDeadlock, []string{"SC-DEADLOCK"}}, {"waits", waitsInDeadlock, []string{"SC-DEADLOCK"}},
		{"counts one less", countsOneLess, []string{"SC-DEADLOCK"}}, {"beside one that sleeps", countsSleepers, []string{"SC-DEADLOCK-TRUE"}},
		{"beside one that blocks", countsBlocked, []string{"SC-DEADLOCK-TRUE"}},
		{"beside one that runs", countsRunning, []string{"SC-DEADLOCK-TRUE", "SC-DEADLOCK"}}, {"always", saysItAlways, []string{"SC-DEADLOCK-TRUE", "SC-DEADLOCK"}},
	}, 2) {
		t.Run(c.name, func(t *testing.T) {
			judgedBy(t, reported, newParkPool(c.bug), "^stress/deadlock$", c.falls, "SC-DEADLOCK", "SC-DEADLOCK-TRUE")
		})
	}
	if tier.Full(t) {
		for name, c := range map[string]struct {
			bug   parkBug
			falls []string
		}{
			"right": {noParkBug, nil}, "leaves them": {leavesDead, nil}, "hides it": {hidesDeadlock, []string{"SC-DEADLOCK"}}, "waits": {waitsInDeadlock, []string{"SC-DEADLOCK"}},
			"beside one that blocks": {countsBlocked, []string{"SC-DEADLOCK-TRUE"}}, "beside one that runs": {countsRunning, []string{"SC-DEADLOCK-TRUE", "SC-DEADLOCK"}},
		} {
			t.Run("explored/"+name, func(t *testing.T) {
				judgedBy(t, reported, newParkPool(c.bug), "^interleave/graphs$", c.falls, "SC-DEADLOCK", "SC-DEADLOCK-TRUE")
			})
		}
	}
	rows, _ := carried(t, reported, newPool(""), "^stress/deadlock$")
	if got := rows["SC-DEADLOCK"].Standing; got != suite.NotOffered {
		t.Errorf("expected that a pool without Deadlocker is not judged, saw %s", got)
	}
}

// What waits for nobody does not depend on who runs first.
func TestForNobody(t *testing.T) {
	t.Attr("req", "SC-DEADLOCK-TRUE")
	for _, c := range []struct {
		outside, tasks []string
		want           []bool
	}{
		{[]string{"s0 c"}, []string{"p0"}, []bool{true}},
		{[]string{"s0 s1 c"}, []string{"p0", "z5 a0"}, []bool{false, false}},
		{[]string{"s0 s1 c"}, []string{"p0", "p1 a0"}, []bool{true, true}},
		{[]string{"s0 s1 c", "z5 a1"}, []string{"p0", "b1 a0"}, []bool{false, false}},
		{[]string{"s0 s1 c"}, []string{"p0", "j0"}, []bool{true, true}},
		{[]string{"s0 s1 c"}, []string{"m0 a1", "m0 p1 p2"}, []bool{false, true}},
		{[]string{"s0 c"}, []string{"s1 p0", "y a0"}, []bool{false, false}},
	} {
		g := record.TaskGraph{Name: "x", Workers: 1, Outside: c.outside, Tasks: c.tasks}
		p, err := g.Program()
		if err != nil {
			t.Fatal(err)
		}
		for k, got := range forNobody(p) {
			if got != c.want[k] {
				t.Errorf("%v %v: expected of task %d %v, saw %v", c.outside, c.tasks, k, c.want[k], got)
			}
		}
	}
}
