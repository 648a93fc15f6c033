package checks

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// waitFaces are designs of the pools that are waited for, that several close, and whose tasks end by runtime.Goexit.
var waitFaces = []struct {
	name, check string
	p           spec.Profile
	f           scheduler.Factory
	falls       []string
	keeps       []string
}{
	{"waits", "wait", spec.Pool, newWaitPool(noWaitBug), nil, []string{"SC-WAIT-RETURNS", "SC-WAIT-WAITS"}},
	{"waits for what was there", "wait", spec.Pool, newWaitPool(waitsByTicket), nil, []string{"SC-WAIT-RETURNS", "SC-WAIT-WAITS"}},
	{"wakes one that waits", "wait", spec.Pool, newWaitPool(wakesOneWaiter), []string{"SC-WAIT-RETURNS"}, nil},
	{"waits for an empty queue", "wait", spec.Pool, newWaitPool(waitsForQueue), []string{"SC-WAIT-WAITS", "SC-WAIT-RETURNS"}, nil},
	{"looks, and then waits", "", spec.Pool, newWaitPool(looksBeforeItWaits), []string{"SC-WAIT-RETURNS"}, nil},
	{"waits for Close", "wait", spec.Pool, newWaitPool(waitsForClose), []string{"SC-WAIT-RETURNS"}, nil},
	{"several close", "closers", spec.Pool + ",closers=any", newWaitPool(noWaitBug), nil, []string{"SC-CLOSE-WAITS", "SC-CLOSE-RETURNS"}},
	{"a goroutine for each task, several close", "closers", spec.Preemptive + ",closers=any", newPerTask, nil, []string{"SC-CLOSE-WAITS", "SC-CLOSE-RETURNS"}},
	{"the second Close returns at once", "closers", spec.Pool + ",closers=any", newWaitPool(secondReturns), []string{"SC-CLOSE-WAITS"}, nil},
	{"the second Close panics", "closers", spec.Pool + ",closers=any", newWaitPool(secondPanics), []string{"SC-CALLS"}, nil},
	{"the second Close hangs", "closers", spec.Pool + ",closers=any", newWaitPool(secondHangs), []string{"SC-CLOSE-RETURNS"}, nil},
	{"replaces its workers", "exit", spec.Pool + ",exits=isolated,workers=exact", newWaitPool(noWaitBug), nil, []string{"SC-EXIT", "SC-WORKERS", "SC-CLOSE-WORKERS"}},
	{"a goroutine for each task, which ends it", "exit", spec.Preemptive + ",exits=isolated", newPerTask, nil, []string{"SC-EXIT", "SC-CLOSE-WORKERS"}},
	{"loses its workers", "exit", spec.Pool + ",exits=isolated", newWaitPool(losesExited), []string{"SC-EXIT"}, nil},
	{"counts behind the call", "exit", spec.Pool + ",exits=isolated", newWaitPool(countsBehind), []string{"SC-EXIT"}, nil},
	{"replaces each twice", "exit", spec.Pool + ",exits=isolated,workers=exact", newWaitPool(replacesTwice), []string{"SC-EXIT"}, nil},
	{"does not wait for those that replace", "exit", spec.Pool + ",exits=isolated", newWaitPool(forgetsReplaced), []string{"SC-EXIT", "SC-CALLS"}, nil},
	{"runs tasks where they are submitted", "exit", spec.Pool + ",exits=isolated,submits=outside", newInline, []string{"SC-EXIT", "SC-CALLS"}, nil},
}

// inline runs tasks in the goroutine of Submit, and has none of its own. It is right as far as no task ends that.
type inline struct {
	mu     sync.Mutex
	closed bool
}

func newInline(int) scheduler.Scheduler { return new(inline) }

func (s *inline) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return errClosed
	}
	task(nil)
	return nil
}

func (s *inline) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// perTask is a goroutine for each task, which the explorer sees.
type perTask struct {
	inline
	tasks sync.WaitGroup
}

func newPerTask(int) scheduler.Scheduler { return new(perTask) }

func (s *perTask) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.tasks.Go(func() { task(nil) })
	return nil
}

func (s *perTask) Close() error {
	s.inline.Close()
	s.tasks.Wait()
	return nil
}

// TestWaitFaces: right ones pass, and each flaw is found as what it is, on threads.
func TestWaitFaces(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-WAIT-RETURNS")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	for _, c := range tier.Some(t, waitFaces, 5) {
		if c.check != "" { // else threads are seldom so near to one another
			t.Run(c.name, func(t *testing.T) { judgedBy(t, c.p, c.f, "^stress/"+c.check+"$", c.falls, c.keeps...) })
		}
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/(wait|exit|closers)$")
	for _, id := range []string{"SC-WAIT-RETURNS", "SC-WAIT-WAITS"} {
		if got := rows[id].Standing; got != suite.NotOffered {
			t.Errorf("%s: expected that a pool without Waiter is not judged, saw %s", id, got)
		}
	}
}

// TestWaitFacesExplored is TestWaitFaces in the explorer.
func TestWaitFacesExplored(t *testing.T) {
	tier.OnlyFull(t)
	t.Attr("req", "SC-EXIT")
	for _, c := range tier.Some(t, waitFaces, 2) {
		t.Run(c.name, func(t *testing.T) { judgedBy(t, c.p, c.f, "^interleave/graphs$", c.falls, c.keeps...) })
	}
}
