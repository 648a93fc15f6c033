package checks

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// goroutines is a goroutine for each task.
type goroutines struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

func newGoroutines(int) scheduler.Scheduler { return new(goroutines) }

func (s *goroutines) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.tasks.Add(1)
	go func() {
		defer s.tasks.Done()
		task(nil)
	}()
	return nil
}

func (s *goroutines) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.tasks.Wait()
	return nil
}

// pool is a right one: workers, a queue, a lock, a condition. Or it has one flaw.
type pool struct {
	mu      sync.Mutex
	work    sync.Cond
	queue   []func(scheduler.Task)
	n       int
	panics  int
	closed  bool
	workers sync.WaitGroup
	flaw    string
}

func newPool(flaw string) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &pool{flaw: flaw}
		s.work.L = &s.mu
		if flaw == "one worker less" && workers > 1 {
			workers--
		}
		if flaw == "one worker more" {
			workers++
		}
		if n, ok := strings.CutPrefix(flaw, "workers at most "); ok {
			most, _ := strconv.Atoi(n)
			workers = min(workers, most)
		}
		s.workers.Add(workers)
		for range workers {
			go s.worker()
		}
		return s
	}
}

func (s *pool) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	switch {
	case s.closed && s.flaw == "panics when closed":
		panic("send on closed channel")
	case s.closed && s.flaw == "refuses and runs":
		go task(nil)
		return errClosed
	case s.closed:
		return errClosed
	case s.flaw == "refuses when busy" && len(s.queue) > 0:
		return errors.New("busy")
	case s.flaw == "drops" && s.n%3 == 0:
		return nil
	case s.flaw == "newest first":
		s.queue = append([]func(scheduler.Task){task}, s.queue...)
	case s.flaw == "counts waiting tasks in 12 bits" && len(s.queue) == 1<<12:
		s.queue = []func(scheduler.Task){task}
	default:
		s.queue = append(s.queue, task)
	}
	if s.flaw != "wakes nobody" || s.n%2 == 1 {
		s.work.Signal()
	}
	return nil
}

func (s *pool) Close() error {
	s.mu.Lock()
	s.closed = true
	if s.flaw == "drops at close" {
		s.queue = nil
	}
	if s.flaw == "runs one twice at close" && len(s.queue) > 0 {
		go s.queue[0](nil)
	}
	if s.flaw == "wakes one at close" {
		s.work.Signal()
	} else {
		s.work.Broadcast()
	}
	s.mu.Unlock()
	if s.flaw != "leaves workers" {
		s.workers.Wait()
	}
	return nil
}

func (s *pool) worker() {
	defer s.workers.Done()
	if s.flaw == "leaves workers" {
		defer func() { select {} }()
	}
	s.mu.Lock()
	for {
		for len(s.queue) == 0 && !s.closed {
			if s.flaw == "sleeps long" {
				s.mu.Unlock()
				time.Sleep(time.Second)
				s.mu.Lock()
				continue
			}
			s.work.Wait()
		}
		if len(s.queue) == 0 {
			break
		}
		task := s.queue[0]
		s.queue = s.queue[1:]
		if s.flaw == "calls under its lock" {
			task(nil)
			continue
		}
		s.mu.Unlock()
		func() {
			defer func() {
				if recover() != nil {
					s.mu.Lock()
					s.panics++
					s.mu.Unlock()
				}
			}()
			task(nil)
		}()
		s.mu.Lock()
		if s.flaw == "loses a worker by the ninth panic" && s.panics == 9 {
			s.panics++
			break
		}
	}
	s.mu.Unlock()
}

// carried carries out the checks of the witness stress that the expression chooses, or of interleave if it begins with that.
func carried(t *testing.T, p spec.Profile, f scheduler.Factory, sel string) (rows map[string]suite.Row, findings []record.Finding) {
	t.Helper()
	witness := spec.Stress
	if strings.HasPrefix(sel, "^interleave/") {
		witness = spec.Interleave
	}
	rows = make(map[string]suite.Row)
	runChecks(t, p, f, witness, sel, func(e suite.Event) {
		switch e.Event {
		case suite.CheckEvent:
			t.Logf("%s: %s %s %s (%v)", e.Check, e.Result.Ended, e.Result.Reason, e.Result.Note, e.Result.Elapsed)
		case suite.RequirementEvent:
			rows[e.Requirement.ID] = *e.Requirement
		case suite.FindingEvent:
			findings = append(findings, *e.Finding)
		}
	})
	return rows, findings
}

// runChecks runs the checks of a witness that the expression chooses.
func runChecks(t *testing.T, p spec.Profile, f scheduler.Factory, witness spec.Witness, sel string, sink func(suite.Event)) {
	t.Helper()
	target, err := InProcess("x", p, f)
	if witness == spec.Interleave {
		target, err = Instrumented("x", p, f, harness.Part{Of: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	Short(target)
	o := suite.Options{Select: sel, Budget: time.Minute, Seed: 1, Witnesses: []spec.Witness{witness}, Sink: sink}
	if err := suite.Run(context.Background(), o, suite.Opened(Subject, target)); err != nil {
		t.Fatal(err)
	}
}

const everything = spec.Pool + ",order=fifo,workers=exact,panics=isolated"

// TestRight judges schedulers that are right.
func TestRight(t *testing.T) {
	tier.NotShort(t)
	for _, c := range tier.Some(t, []struct {
		name string
		p    spec.Profile
		f    scheduler.Factory
	}{
		{"goroutines", spec.Preemptive, newGoroutines}, {"pool", everything, newPool("")},
		{"hands over", spec.Pool + ",waits=worker", newHandsOver}, {"tickets", spec.Pool + ",waits=worker", newTickets(false)},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			rows, findings := carried(t, c.p, c.f, "")
			for _, f := range findings {
				t.Errorf("%s: %s, saw %s\n%v", f.Fingerprint, f.Expected, f.Observed, f.Evidence)
			}
			for id, r := range rows {
				if r.Standing != suite.Kept && r.Standing != suite.NotOffered && id != "SC-RACE" {
					t.Errorf("%s: %s %s", id, r.Standing, r.Reason)
				}
			}
		})
	}
}

// TestFlaws finds each flaw, as what it is.
func TestFlaws(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-LOST")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 1
	for _, c := range tier.Some(t, []struct{ flaw, id, check string }{
		{"one worker less", "SC-STEAL", "graphs"},
		{"one worker more", "SC-WORKERS", "graphs"},
		{"panics when closed", "SC-CALLS", "graphs"},
		{"refuses and runs", "SC-REFUSED", "graphs"},
		{"refuses when busy", "SC-ACCEPT", "graphs"},
		{"drops", "SC-LOST", "graphs"},
		{"newest first", "SC-ORDER", "graphs"},
		{"wakes nobody", "SC-WORK", "graphs"},
		{"drops at close", "SC-CLOSE-WAITS", "graphs"},
		{"wakes one at close", "SC-CLOSE-RETURNS", "graphs"},
		{"leaves workers", "SC-CLOSE-WORKERS", "graphs"},
		{"sleeps long", "SC-WORK", "graphs"},
		{"calls under its lock", "SC-CALLS", "graphs"},
		{"loses a worker by the ninth panic", "SC-PANIC", "panic"},
		{"runs one twice at close", "SC-TWICE", "close"},
		{"a queue for each worker", "SC-TOGETHER", "meet"},
		{"counts waiting tasks in 12 bits", "SC-LOST", "flood"},
		{"workers at most 4", "SC-TOGETHER", "meet"},
		{"workers at most 64", "SC-TOGETHER", "meet"},
	}, 2) {
		flaw, id := c.flaw, c.id
		t.Run(flaw, func(t *testing.T) {
			f := newPool(flaw)
			if flaw == "a queue for each worker" {
				f = newApart
			}
			rows, findings := carried(t, everything, f, "^stress/"+c.check+"$")
			var broken []string
			for id, r := range rows {
				if r.Standing == suite.Broken {
					broken = append(broken, id)
				}
			}
			for _, f := range findings {
				t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
			}
			if rows[id].Standing != suite.Broken {
				t.Errorf("expected %s broken, saw %v", id, broken)
			}
		})
	}
}

// TestControls: each control falls, and soon if it is explored.
func TestControls(t *testing.T) {
	tier.NotShort(t)
	for _, k := range tier.Some(t, Subject.Controls, 4) {
		t.Run(k.Check.Name, func(t *testing.T) {
			begin := time.Now()
			target, err := k.Open()
			if err != nil {
				t.Fatal(err)
			}
			o := suite.Options{Budget: 20 * time.Second, Seed: 1, Witnesses: []spec.Witness{k.Check.Witness}}
			found := ""
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			o.Sink = func(e suite.Event) {
				if e.Event == suite.FindingEvent {
					found += e.Finding.Fingerprint + " "
					if slices.Contains(k.Falls, e.Finding.Requirement) {
						cancel() // the rest says nothing more
					}
				}
				if e.Event == suite.CheckEvent {
					t.Log(e.Result.Ended, e.Result.Reason, e.Result.Note, e.Result.Executions)
					if k.Check.Witness == spec.Interleave && e.Result.Executions > 5_000 {
						t.Errorf("expected at most 5,000 executions, so that a slow machine ends within the budget of a control, saw %d", e.Result.Executions)
					}
				}
			}
			if err := suite.Run(ctx, o, suite.Opened(&suite.Subject{Name: "scheduler", Checks: []suite.Check{k.Check}}, target)); err != nil {
				t.Fatal(err)
			}
			t.Log(found, time.Since(begin))
			ok := false
			for _, id := range k.Falls {
				ok = ok || strings.Contains(found, id)
			}
			if !ok {
				t.Errorf("expected one of %v, saw %s", k.Falls, found)
			}
		})
	}
}
