package checks

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestByHandEnds: a graph by hand comes to its end whichever task is taken first, on every scheduler that keeps its contract.
func TestByHandEnds(t *testing.T) {
	inside := scheduler.Capabilities{Spawn: true, Join: true, Wait: true, Park: true, Block: true}
	for _, c := range []spec.SchedulerContract{
		{"exits": spec.Isolated, "closers": spec.Anyone},
		{"exits": spec.Isolated, "closers": spec.Anyone, "joins": spec.Own, "submits": spec.Outside},
		{"exits": spec.Isolated, "closers": spec.Anyone, "waits": spec.ForWorker},
	} {
		for _, caps := range []scheduler.Capabilities{{}, inside} {
			f := facts{contract: c, caps: caps}
			var list []record.TaskGraph
			for _, more := range [][]record.TaskGraph{exits(f), waits(f, 2, true), closings(f), early(f)} {
				list = append(list, more...)
			}
			if caps.Join {
				list = append(list, forks(f, 2, true)...)
			}
			ended := 0
			for _, g := range list {
				p, err := g.Program()
				if err != nil {
					t.Fatal(err)
				}
				a := newAbstract(p)
				a.promises(c)
				o := &oracle{seen: make(map[string]bool)}
				o.visit(a)
				switch {
				case len(o.seen) > mostStates || len(g.Tasks) > 7: // it gave up (see settle)
				case o.stop:
					t.Errorf("under %v, graph %q (%v / %v) may come to a stop", c, g.Name, g.Outside, g.Tasks)
				default:
					ended++
				}
			}
			if ended < len(list)/2 {
				t.Errorf("under %v, %d of %d graphs were gone through", c, ended, len(list))
			}
		}
	}
}

// forkPool is a goroutine for each task. A join runs the other on its own stack, or waits for it.
type forkPool struct {
	perTask
	inline bool
}

func newForkPool(inline bool) scheduler.Factory {
	return func(int) scheduler.Scheduler { return &forkPool{inline: inline} }
}

func (s *forkPool) Submit(task func(scheduler.Task)) error {
	return s.perTask.Submit(func(scheduler.Task) { task(forkTask{s}) })
}

type forkTask struct{ s *forkPool }

func (t forkTask) Fork(task func(scheduler.Task)) (join func(), err error) {
	if t.s.inline {
		return func() { task(t) }, nil
	}
	var ended sync.WaitGroup
	ended.Add(1)
	return ended.Wait, t.s.Submit(func(t scheduler.Task) {
		defer ended.Done()
		task(t)
	})
}

// TestJoinsAlone: a task that ends by runtime.Goexit does not end the one that joins it.
func TestJoinsAlone(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-EXIT")
	judgedBy(t, "pool,exits=isolated", newForkPool(false), "^stress/exit$", nil, "SC-EXIT")
	judgedBy(t, "pool,exits=isolated", newForkPool(true), "^stress/exit$", []string{"SC-EXIT"})
}

// refusesForks is a pool whose forks are refused, and give a join all the same, which does not return.
type refusesForks struct{ perTask }

func (s *refusesForks) Submit(task func(scheduler.Task)) error {
	return s.perTask.Submit(func(scheduler.Task) { task(refusedFork{}) })
}

type refusedFork struct{}

func (refusedFork) Fork(func(scheduler.Task)) (join func(), err error) {
	return func() { new(never).wait() }, errClosed
}

// never is waited for without an end.
type never struct{ sync.WaitGroup }

func (n *never) wait() { n.Add(1); n.Wait() }

// TestRefusedForks: a task that was refused is not joined.
func TestRefusedForks(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-JOIN")
	judgedBy(t, "pool,refuse=anytime", func(int) scheduler.Scheduler { return new(refusesForks) }, "^stress/join$", nil, "SC-LOST")
}
