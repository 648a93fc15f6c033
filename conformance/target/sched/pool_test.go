package sched_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// A pool of workers with a queue, a lock and a condition: the scheduler that everybody writes first. Or one that somebody wrote
// in a hurry.
type pool struct {
	mu      sync.Mutex
	work    sync.Cond
	queue   []func(scheduler.Task)
	closed  bool
	workers sync.WaitGroup
	flaw    string
}

func newPool(workers int) *pool {
	p := &pool{flaw: os.Getenv("SPINDLE_INTERNAL_POOL_FLAW")}
	p.work.L = &p.mu
	p.workers.Add(workers)
	for range workers {
		go p.worker()
	}
	return p
}

var errPoolClosed = errors.New("closed")

func (p *pool) Submit(task func(scheduler.Task)) error {
	if p.flaw == "looks without the lock" && p.closed {
		return errPoolClosed
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errPoolClosed
	}
	p.queue = append(p.queue, task)
	if p.flaw != "wakes for the first" || len(p.queue) == 1 {
		p.work.Signal()
	}
	return nil
}

func (p *pool) Close() error {
	p.mu.Lock()
	p.closed = true
	if p.flaw == "wakes one" {
		p.work.Signal()
	} else {
		p.work.Broadcast()
	}
	p.mu.Unlock()
	p.workers.Wait()
	return nil
}

func (p *pool) worker() {
	defer p.workers.Done()
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.queue) == 0 && !p.closed {
			if p.flaw == "lets go before it sleeps" {
				p.mu.Unlock()
				p.mu.Lock()
				if p.closed {
					break
				}
			}
			p.work.Wait()
		}
		if len(p.queue) == 0 || p.flaw == "ends with work" && p.closed {
			return
		}
		task := p.queue[0]
		p.queue = p.queue[1:]
		p.mu.Unlock()
		task(nil)
		p.mu.Lock()
	}
}

// TestPool judges the pool; what is explored of it is explored to its end.
func TestPool(t *testing.T) {
	tier.OnlyFull(t)
	claims := conformance.SchedulerContract{"order": spec.FirstIn, "workers": spec.Exact}
	opts := []conformance.TestOption{conformance.Claims(claims), conformance.Short()}
	if os.Getenv("SPINDLE_INTERNAL_POOL_FLAW") == "wakes for the first" {
		opts = opts[:1] // two workers must sleep first: it takes more executions
	}
	conformance.TestScheduler(t, newPool, opts...)
}

// TestFlawedPools has the explorer find what is wrong with pools, from nothing.
func TestFlawedPools(t *testing.T) {
	tier.OnlyFull(t)
	flaws := map[string]string{
		"looks without the lock":   "SC-RACE",
		"wakes for the first":      "SC-TOGETHER",
		"wakes one":                "SC-CLOSE-RETURNS",
		"lets go before it sleeps": "SC-WORK",
		"ends with work":           "SC-LOST",
	}
	for _, flaw := range tier.Some(t, slices.Sorted(maps.Keys(flaws)), 1) {
		id := flaws[flaw]
		t.Run(flaw, func(t *testing.T) {
			t.Attr("req", id)
			cmd := exec.Command(os.Args[0], "-test.run=^TestPool$", "-test.count=1")
			cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_POOL_FLAW="+flaw, "SPINDLE_RUN=^interleave/", "SPINDLE_KEPT=off")
			out, err := cmd.CombinedOutput()
			if text := string(out); err == nil || !strings.Contains(text, id+", seen by interleave/graphs") || !strings.Contains(text, "schedule  ") {
				t.Errorf("expected %s with a schedule, saw %v\n%s", id, err, text)
			}
		})
	}
}
