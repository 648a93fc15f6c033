package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A closingPool has one queue. Its tasks submit while it is closed, or not. It is wrong in one way, or right.
type closingPool struct {
	mu      sync.Mutex
	work    *sync.Cond
	room    *sync.Cond // where submissions wait for a worker
	ended   *sync.Cond
	queue   []func(scheduler.Task)
	most    int
	workers int // that there are
	idle    int
	running int
	closed  bool
	flaw    string
}

func newClosingPool(flaw string) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		p := &closingPool{most: workers, flaw: flaw}
		p.work, p.room, p.ended = sync.NewCond(&p.mu), sync.NewCond(&p.mu), sync.NewCond(&p.mu)
		if flaw == "has one worker less" && workers > 1 {
			p.most--
		}
		if !p.late() {
			for p.workers < p.most {
				p.workers++
				hook.Go(p.worker)
			}
		}
		return p
	}
}

// bounded reports whether submissions wait for a worker.
func (p *closingPool) bounded() bool {
	return p.flaw == "submissions wait for a worker" || p.flaw == "submissions that wait are not told of Close"
}

// late reports whether workers begin with the first tasks.
func (p *closingPool) late() bool {
	return p.bounded() || p.flaw == "starts workers late, and none once closed"
}

func (p *closingPool) Submit(task func(scheduler.Task)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.bounded() && !p.closed && p.running+len(p.queue) >= p.most {
		p.room.Wait()
	}
	if p.closed && (p.running == 0 || p.bounded()) {
		return errClosed
	}
	p.queue = append(p.queue, task)
	switch {
	case p.late() && p.workers < p.most && p.idle < len(p.queue) && (!p.closed || p.flaw != "starts workers late, and none once closed"):
		p.workers++
		hook.Go(p.worker)
	case p.flaw == "wakes no worker while a task runs" && p.running > 0:
	default:
		p.work.Signal()
	}
	return nil
}

// over reports whether a worker is to end.
func (p *closingPool) over() bool {
	switch {
	case !p.closed || len(p.queue) > 0:
		return false
	case p.flaw == "idle workers end once it is closed":
		return true
	}
	return p.running == 0
}

func (p *closingPool) worker() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.queue) == 0 && !p.over() {
			p.idle++
			p.work.Wait()
			p.idle--
		}
		if len(p.queue) == 0 {
			break
		}
		task := p.queue[0]
		p.queue = p.queue[1:]
		p.running++
		p.mu.Unlock()
		task(nil)
		p.mu.Lock()
		p.running--
		p.room.Signal()
		if p.over() && p.flaw != "the last task tells no worker" {
			p.work.Broadcast()
		}
		if p.flaw == "the last task takes its worker with it" && p.closed && p.running == 0 {
			break
		}
	}
	p.workers--
	p.ended.Broadcast()
}

func (p *closingPool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.work.Broadcast()
	if p.flaw != "submissions that wait are not told of Close" {
		p.room.Broadcast()
	}
	for p.workers > 0 {
		p.ended.Wait()
	}
	return nil
}

// TestNearestCause: of a design that is wrong the requirement is broken that names the cause, and none that would mislead.
func TestNearestCause(t *testing.T) {
	t.Attr("req", "SC-CLOSE-WAITS")
	tier.NotShort(t)
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact, waits = spec.Pool + ",workers=exact", spec.Pool + ",waits=worker,workers=exact"
	idle := []string{"SC-WORK", "SC-TOGETHER", "SC-STEAL"}
	closing := []string{"SC-CLOSE-WAITS", "SC-LOST"}
	for _, c := range tier.Some(t, []struct {
		flaw    string
		p       spec.Profile
		is, not []string
		threads bool // threads that are free show it as well
	}{
		{"", exact, nil, nil, true},
		{"submissions wait for a worker", waits, nil, nil, true},
		{"idle workers end once it is closed", exact, closing[:1], idle, false},
		{"starts workers late, and none once closed", exact, closing[:1], idle, false},
		{"wakes no worker while a task runs", exact, []string{"SC-STEAL", "SC-TOGETHER"}, closing, true},
		{"has one worker less", exact, idle, closing, true},
		{"the last task tells no worker", exact, []string{"SC-CLOSE-RETURNS"}, slices.Concat(idle, closing), false},
		{"the last task takes its worker with it", exact, closing, idle, true},
		{"submissions that wait are not told of Close", waits, []string{"SC-CALLS"}, slices.Concat(idle, closing), true},
	}, 2) {
		for _, check := range []string{"^interleave/graphs$", "^stress/(graphs|meet|close)$"} {
			if strings.HasPrefix(check, "^stress") && !c.threads {
				continue
			}
			t.Run(c.flaw+" "+check, func(t *testing.T) {
				rows, findings := carried(t, c.p, newClosingPool(c.flaw), check)
				var broken []string
				for id, r := range rows {
					if r.Standing == suite.Broken {
						broken = append(broken, id)
					}
				}
				for _, f := range findings {
					t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
				}
				among := func(list []string) bool {
					return slices.ContainsFunc(broken, func(id string) bool { return slices.Contains(list, id) })
				}
				switch {
				case c.is == nil && len(broken) > 0, c.is != nil && !among(c.is), among(c.not):
					t.Errorf("expected one of %v broken, and none of %v, saw %v", c.is, c.not, broken)
				}
			})
		}
	}
}

// TestEndedByClose: on free threads, too, a worker that Close has ended is no worker that does not steal.
func TestEndedByClose(t *testing.T) {
	t.Attr("req", "SC-CLOSE-WAITS")
	// Thread 1 has task 0 spawn task 1 when thread 0 closes, if that takes no longer.
	g := record.TaskGraph{Name: "spawned beside Close", Workers: 2, Outside: []string{"s0 c", "z50000 a1"}, Tasks: []string{"w1 s1 w0", "a0"}}
	one := check{name: "stress/one", witness: spec.Stress, requirements: []string{"SC-STEAL", "SC-CLOSE-WAITS"}, times: 5,
		graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) { return []record.TaskGraph{g}, "one graph" }}
	for flaw, want := range map[string]string{"": "", "idle workers end once it is closed": "SC-CLOSE-WAITS/ended", "wakes no worker while a task runs": "SC-STEAL"} {
		target, err := InProcess("x", spec.Pool, newClosingPool(flaw))
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		o := suite.Options{Witnesses: []spec.Witness{spec.Stress}, Sink: func(e suite.Event) {
			if e.Event == suite.FindingEvent {
				found = append(found, e.Finding.Fingerprint)
			}
		}}
		if err := suite.Run(t.Context(), o, suite.Opened(&suite.Subject{Name: "scheduler", Checks: []suite.Check{one.suite()}}, target)); err != nil {
			t.Fatal(err)
		}
		if strings.Join(found, " ") != want {
			t.Errorf("%q: expected %q, saw %q", flaw, want, found)
		}
	}
}
