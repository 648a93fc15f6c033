package checks

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// idleCheck looks whether a scheduler is at rest that has nothing to do. How much time processors spent says little: on a busy
// machine a worker that never sleeps gets next to none. Whether a goroutine waits or wants to run is seen all the same. The whole
// process is looked at; who is at work in it before the scheduler is there, or when it is gone, leaves the question open.
var idleCheck = suite.Check{
	Name: "stress/idle", Witness: spec.Stress, Requirements: []string{"SC-IDLE", "SC-SPIN", "SC-WAKES"}, Sample: true,
	Doc: "whether a scheduler with four workers waits when it has nothing to do, and while two tasks keep two workers",
	Plan: func(t suite.Target) suite.Plan {
		p := suite.Plan{Text: fmt.Sprintf("after 40 tasks, %d looks at all goroutines; as many while two tasks wait on their workers", looks)}
		if _, here := t.(*inProcess); !here {
			p.Lacks = "the target does not run in this process"
		}
		return p
	},
	Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		open := func(format string, args ...any) suite.Outcome {
			return suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf(format, args...)}
		}
		if n := atWork(ctx); n > looks/4 {
			return open("the process is at work before there is a scheduler: in %d of %d looks", n, looks)
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
			return open("%v", err)
		}
		during, judged := staysAtWork(ctx, atWork), map[string]int64{"SC-IDLE": looks}
		if w, ok := s.(scheduler.WakeCounter); ok && during <= looks/4 {
			judged["SC-WAKES"] = looks
			before := w.Wakes()
			if atWork(ctx); w.Wakes() != before && ctx.Err() == nil {
				k.Find(record.Finding{
					Requirement: "SC-WAKES", Fingerprint: "SC-WAKES/idle", Expected: "nobody is woken while there is nothing to do",
					Observed: fmt.Sprintf("%d workers were woken in about %d ms", w.Wakes()-before, looks),
				})
			}
		}
		kept, note := 0, fmt.Sprintf("at work in %d of %d looks with nothing to do", during, looks)
		if during <= looks/4 {
			goOn := make(chan struct{})
			let := sync.OnceFunc(func() { close(goOn) })
			defer let()
			if err := submit(2, func(here func()) { here(); <-goOn }); err != nil {
				return open("%v", err)
			}
			kept, judged["SC-SPIN"] = staysAtWork(ctx, atWork), looks
			let()
			note += fmt.Sprintf(", in %d while two tasks kept their workers", kept)
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
		after := 0
		if max(during, kept) > looks/2 {
			after = atWork(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return k.Stopped(ctx, "not all looks were taken")
		case after > looks/4:
			return open("the process is at work after Close as well: in %d of %d looks", after, looks)
		case during > looks/2:
			k.Find(record.Finding{
				Requirement: "SC-IDLE", Expected: "all goroutines wait",
				Observed: fmt.Sprintf("in %d of %d looks some goroutine did not wait; before there was a scheduler, and after Close, all did", during, looks),
			})
		case kept > looks/2:
			k.Find(record.Finding{
				Requirement: "SC-SPIN", Expected: "all goroutines wait: two tasks wait on their workers, and there are no others",
				Observed: fmt.Sprintf("in %d of %d looks some goroutine did not wait; before these two tasks, and after Close, all did", kept, looks),
			})
		}
		return suite.Outcome{Ended: suite.Completed, Judged: judged, Note: note}
	},
}

// staysAtWork is atWork; if more than half of the looks say so, the mean of this and of two more after pauses. Who looks at a clock now and then, as
// sysmon does while Ps are taken, waits for a processor beside other programs, and may look busy for a moment.
func staysAtWork(ctx context.Context, atWork func(context.Context) int) int {
	n := atWork(ctx)
	if n <= looks/2 {
		return n
	}
	for range 2 {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
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
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return n
		}
		if !drive.AtRest() {
			n++
		}
	}
	return n
}
