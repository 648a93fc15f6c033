package checks

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// awayPool is a pool whose tasks leave their workers while they join.
type awayPool struct{ *leavePool }

func newAwayPool(workers int) scheduler.Scheduler {
	return awayPool{newLeavePool(noLeaveBug)(workers).(*leavePool)}
}

func (s awayPool) Submit(task func(scheduler.Task)) error {
	return s.leavePool.Submit(func(scheduler.Task) { task(awayTask{s.leavePool}) })
}

type awayTask struct{ s *leavePool }

func (t awayTask) Spawn(task func(scheduler.Task)) error {
	_, err := t.Fork(task)
	return err
}

func (t awayTask) Fork(task func(scheduler.Task)) (func(), error) {
	var ended sync.WaitGroup
	ended.Add(1)
	err := awayPool{t.s}.Submit(func(own scheduler.Task) {
		defer ended.Done()
		task(own)
	})
	return func() {
		t.s.give()
		ended.Wait()
		t.s.take()
	}, err
}

var joinFaces = []struct {
	name  string
	joins string
	f     scheduler.Factory
	falls []string
	seen  bool // on threads, too
}{
	{"runs any task meanwhile", "any", newJoinPool(helpsAny), nil, true},
	{"runs its own meanwhile", "own", newJoinPool(helpsOwn), nil, true},
	{"leaves its worker", "own", newAwayPool, nil, true},
	{"runs any task, and does not say so", "own", newJoinPool(helpsAny), []string{"SC-JOIN"}, true},
	{"runs none", "any", newJoinPool(helpsNone), []string{"SC-JOIN"}, true},
	{"runs one, and no more", "any", newJoinPool(helpsOnce), []string{"SC-JOIN"}, true},
	{"goes on when the other has begun", "any", newJoinPool(joinsBegun), []string{"SC-JOIN"}, true},
	{"wakes one", "any", newJoinPool(wakesOneJoiner), []string{"SC-JOIN", "SC-CLOSE-RETURNS", "SC-WORK"}, false},
}

// keptByJoins are the requirements that graphs of joins are about.
var keptByJoins = []string{"SC-JOIN", "SC-STEAL", "SC-WORKERS", "SC-LOST"}

// TestJoins: right pools pass whose tasks join others, and each flaw is found as what it is.
func TestJoins(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-JOIN")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	for _, c := range tier.Some(t, joinFaces, 3) {
		if c.seen {
			t.Run(c.name, func(t *testing.T) {
				judgedBy(t, spec.Profile("pool,workers=exact,closes=alone,joins="+c.joins), c.f, "^stress/join$", c.falls, keptByJoins...)
			})
		}
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/join$")
	if got := rows["SC-JOIN"].Standing; got != suite.NotOffered {
		t.Errorf("expected that a pool without Joiner is not judged, saw %s", got)
	}
}

// TestJoinsExplored is TestJoins in the explorer.
func TestJoinsExplored(t *testing.T) {
	tier.OnlyFull(t)
	t.Attr("req", "SC-JOIN")
	for _, c := range tier.Some(t, joinFaces, 2) {
		t.Run(c.name, func(t *testing.T) {
			judgedBy(t, spec.Profile("pool,workers=exact,closes=alone,joins="+c.joins), c.f, "^interleave/graphs$", c.falls, keptByJoins...)
		})
	}
}

// TestJoinsComeToEnd: what comes to its end depends on what a task may run while it joins.
func TestJoinsComeToEnd(t *testing.T) {
	t.Attr("req", "SC-JOIN")
	for _, c := range []struct {
		workers        int
		outside, tasks []string
		any, own       bool
	}{
		{1, []string{"s0"}, []string{"f1 n1", ""}, true, true},
		{1, []string{"s0"}, []string{"f1 f2 n1 n2", "", "f3 n3", ""}, true, true},
		{1, []string{"s0 s1"}, []string{"i0 f2 n2 o0", "i0 o0", ""}, false, false}, // task 1 may have the worker, and wait
		{2, []string{"s0 s1"}, []string{"i0 f2 n2 o0", "i0 o0", ""}, false, true},
		{2, []string{"s0 s1"}, []string{"f2 n2 i0 o0", "i0 o0", ""}, true, true},
		{1, []string{"s0"}, []string{"i0 f1 n1 o0", "i0 o0"}, false, false},
		{1, []string{"s0 s1"}, []string{"f2 n2 a0", "w0", ""}, false, false},
		{2, []string{"s0 s1"}, []string{"f2 n2 a0", "w0", ""}, false, true}, // task 1 may be on the stack of task 0
		{1, []string{"s0"}, []string{"f1 w0 n1", "a0"}, false, false},
		{2, []string{"s0 w1 a0"}, []string{"f1 w1 n1", "a1 w0"}, true, true},
		{underLock("")[0].Workers, underLock("")[0].Outside, underLock("")[0].Tasks, false, true},
		{underLock("")[1].Workers, underLock("")[1].Outside, underLock("")[1].Tasks, false, true},
	} {
		g := record.TaskGraph{Name: "x", Workers: c.workers, Outside: c.outside, Tasks: c.tasks}
		p, err := g.Program()
		if err != nil {
			t.Fatal(err)
		}
		for joins, want := range map[string]bool{"any": c.any, "own": c.own} {
			if got := comesToEnd(p, spec.SchedulerContract{"joins": joins}); got != want {
				t.Errorf("%d workers, %v %v, joins=%s: expected %v, saw %v", c.workers, c.outside, c.tasks, joins, want, got)
			}
		}
	}
}
