package checks

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/cputime"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// idleCheck looks whether a scheduler is at rest that has nothing to do. It looks at two things, for the whole process: whether goroutines wait,
// and how much processor time is used. On a busy machine a worker that never sleeps gets next to no processor time, but it does not wait. A worker
// that sleeps half of the time waits in many looks, but it uses processor time. If the process is at work before the scheduler is there, or when
// it is gone, the question stays open.
var idleCheck = suite.Check{
	Name: "stress/idle", Witness: spec.Stress, Requirements: []string{"SC-IDLE", "SC-SPIN", "SC-WAKES"}, Sample: true,
	Doc: "whether a scheduler with four workers waits when it has nothing to do, and while two tasks keep two workers",
	Plan: func(t suite.Target) suite.Plan {
		p := suite.Plan{Text: fmt.Sprintf("after 40 tasks, %d looks at all goroutines, and at the processor time; as many while two tasks wait on their workers", looks)}
		if o, ok := t.(*outside); ok {
			p.Text = "after 40 tasks, the processor time of the process; and while two tasks wait on their workers"
			if list := holds(); !o.runs(&list[0].graph) {
				p.Lacks = "the target cannot have 4 workers"
			}
		}
		return p
	},
	Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		open := func(format string, args ...any) suite.Outcome {
			return suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf(format, args...)}
		}
		if o, ok := t.(*outside); ok {
			return o.idles(ctx, k)
		}
		if before := observe(ctx); !before.rests() {
			return open("the process is at work before there is a scheduler: %v", before)
		}
		s := t.(*inProcess).factory(4)
		// submit submits n tasks, and waits until each has said that it is there.
		submit := func(n int, task func(here func())) error {
			within, cancel := awake.WithTimeout(ctx, longest)
			defer cancel()
			here := make(chan error, n)
			go func() {
				for range n {
					if err := s.Submit(func(any) { task(func() { here <- nil }) }); err != nil {
						here <- fmt.Errorf("a task was refused: %w", err)
					}
				}
			}()
			for range n {
				select {
				case err := <-here:
					if err != nil {
						return err
					}
				case <-within.Done():
					return fmt.Errorf("not all of %d tasks have run within %v", n, longest)
				}
			}
			return nil
		}
		if err := submit(40, func(here func()) { here() }); err != nil {
			return open("of 40 tasks, which come before all looks, %v: nothing can be said of a scheduler at rest", err)
		}
		during, judged := observe(ctx), make(map[string]int64)
		if during.told() {
			judged["SC-IDLE"] = looks
		}
		if w, ok := s.(scheduler.WakeCounter); ok && during.rests() {
			judged["SC-WAKES"] = looks
			before := w.Wakes()
			if atWork(ctx); w.Wakes() != before && ctx.Err() == nil {
				k.Find(record.Finding{
					Requirement: "SC-WAKES", Fingerprint: "SC-WAKES/idle", Expected: "no worker is woken while there is nothing to do",
					Observed: fmt.Sprintf("%d workers were woken in about %d ms", w.Wakes()-before, looks),
				})
			}
		}
		var kept activity
		note := fmt.Sprintf("with nothing to do %v", during)
		keeps := t.(*inProcess).contract.Is("tasks", spec.Anyone)
		if during.rests() && keeps {
			goOn := make(chan struct{})
			let := sync.OnceFunc(func() { close(goOn) })
			defer let()
			if err := submit(2, func(here func()) { here(); <-goOn }); err != nil {
				return open("two tasks that were to keep a worker each did not come to that: %v. Look why a task waits although workers are idle", err)
			}
			if kept = observe(ctx); kept.told() {
				judged["SC-SPIN"] = looks
			}
			let()
			note += fmt.Sprintf("; while two tasks kept their workers %v", kept)
		}
		within, cancel := awake.WithTimeout(ctx, longest)
		defer cancel()
		closed := make(chan struct{})
		go func() { s.Close(); close(closed) }()
		select {
		case <-closed:
		case <-within.Done():
			return open("Close did not return within %v", longest)
		}
		var after activity
		if during.works() || kept.works() {
			after = observe(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return k.Stopped(ctx, "not all looks were taken")
		case !after.rests():
			return open("the process is at work after Close as well: %v", after)
		case during.works():
			k.Find(record.Finding{
				Requirement: "SC-IDLE", Expected: "all goroutines wait",
				Observed: fmt.Sprintf("%v; before there was a scheduler, and after Close, the process was at rest", during),
			})
		case kept.works():
			k.Find(record.Finding{
				Requirement: "SC-SPIN", Expected: "all goroutines wait: two tasks wait on their workers, and there are no others",
				Observed: fmt.Sprintf("%v; before these two tasks, and after Close, it was at rest", kept),
			})
		}
		// What did not come to be looked at: the schedulers' own doing, mostly.
		cut := make(map[string]string)
		if judged["SC-IDLE"] == 0 {
			cut["SC-IDLE"] = fmt.Sprintf("with nothing to do the process was neither at work nor at rest for sure (%v): run it again, with less beside it", during)
		}
		switch {
		case !keeps: // SC-SPIN is not promised
		case !during.rests():
			cut["SC-SPIN"] = fmt.Sprintf("no two tasks were given a worker to wait on, since the process was not at rest before, with nothing to do (%v): see SC-IDLE", during)
		case judged["SC-SPIN"] == 0:
			cut["SC-SPIN"] = fmt.Sprintf("while two tasks waited the process was neither at work nor at rest for sure (%v): run it again, with less beside it", kept)
		}
		if _, counts := s.(scheduler.WakeCounter); counts && judged["SC-WAKES"] == 0 {
			cut["SC-WAKES"] = fmt.Sprintf("the workers woken were not counted, since the process was not at rest with nothing to do (%v): see SC-IDLE", during)
		}
		return suite.Outcome{Ended: suite.Completed, Judged: judged, Cut: cut, Note: note}
	},
}

// An activity is how much a process does.
type activity struct {
	looks int     // in so many some goroutine did not wait
	used  float64 // so much of a processor
}

// mostUsed is the most that a process at rest uses of a processor.
const mostUsed = 0.125

func (a activity) works() bool { return a.looks > looks/2 || a.used > mostUsed }

// rests reports whether the process is at rest for sure. What is between that and works is not sure.
func (a activity) rests() bool { return a.looks <= looks/4 && a.used <= mostUsed }

func (a activity) String() string {
	return fmt.Sprintf("some goroutine did not wait in %d of %d looks, and the process used %.1f %% of a processor", a.looks, looks, 100*a.used)
}

// told reports whether the activity says if the process was at rest. Where the processor time is unknown, it is 0; then a number of looks between
// a quarter and a half says nothing.
func (a activity) told() bool { return a.works() || a.rests() || a.used > 0 }

// observe looks at this process for about 100 ms.
func observe(ctx context.Context) activity {
	return activity{staysAtWork(ctx, atWork), used(ctx, share)}
}

// passes waits for d, and reports whether ctx lasted so long.
func passes(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// pause is how long a process that is at work is left alone before it is looked at once more.
const pause = 100 * time.Millisecond

// used is how much of a processor the process uses, as look says. If that is too much, it looks twice more after pauses: the collector, or something
// else, may work for a moment.
func used(ctx context.Context, look func(context.Context) float64) (share float64) {
	for i := range 3 {
		if i > 0 && !passes(ctx, pause) {
			break
		}
		if share = look(ctx); share <= mostUsed {
			break
		}
	}
	return share
}

// share is how much of a processor the process uses in the time in which it has what it wants: 100 ms without those in which other processes had the
// processors. On the clock, a worker that wants a processor half of the time would use little of one on a busy machine.
func share(ctx context.Context) float64 {
	last := cputime.Read()
	return shareOf(ctx, cputime.Used, func() time.Duration {
		now := cputime.Read()
		passed, lost := now.Since(last)
		last = now
		return passed - lost
	})
}

// shareOf is share, of a process that has used so much processor time up to now, and has had what it wants for so long since that was asked last. It
// is 0 if ctx ends first.
func shareOf(ctx context.Context, spent, had func() time.Duration) float64 {
	const look, enough = 50 * time.Millisecond, 100 * time.Millisecond
	before, all := spent(), time.Duration(0)
	for passes(ctx, look) {
		if all += had(); all >= enough {
			return float64(spent()-before) / float64(all)
		}
	}
	return 0
}

// staysAtWork is atWork; if more than half of the looks say so, the mean of this and of two more after pauses. Who looks at a clock now and then, as
// sysmon does while Ps are taken, waits for a processor beside other programs, and may look busy for a moment.
func staysAtWork(ctx context.Context, atWork func(context.Context) int) int {
	n := atWork(ctx)
	if n <= looks/2 {
		return n
	}
	for range 2 {
		if !passes(ctx, pause) {
			return n
		}
		n += atWork(ctx)
	}
	return n / 3
}

// looks is how often a process is looked at.
const looks = 40

// longest bounds each wait for the scheduler.
const longest = 5 * time.Second

// atWork returns in how many looks some goroutine does not wait.
func atWork(ctx context.Context) (n int) {
	for range looks {
		if !passes(ctx, time.Millisecond) {
			break
		}
		if !drive.AtRest() {
			n++
		}
	}
	return n
}
