package conformance

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// Scheduler is what TestScheduler checks: see package scheduler for the optional interfaces by
// which more of a scheduler, and of its tasks, is checked.
type Scheduler = scheduler.Scheduler

// TestScheduler checks the schedulers that newScheduler makes, each with a number of workers. Every task that is accepted runs
// once. None waits beside an idle worker. Tasks that need one another at the same time all run. Close waits for all and
// leaves nothing behind. Two methods are enough; package scheduler has the optional ones.
//
// Each requirement of the profile is a subtest, as in TestQueue; what is said there of how a test passes, fails and is
// skipped holds here.
//
// # What is run
//
// A task graph says what each thread and task submits, what it waits for, and when Close is called. Graphs are enumerated in
// order of size, and run on real threads; larger ones are random. The smallest are run in every interleaving of the scheduler's
// code, or in many, in a second test binary. So are graphs of what not every scheduler has: tasks that panic, end by runtime.Goexit, park, block
// and join, threads that wait for all tasks, and changes of the number of workers. For each check there is a scheduler that is wrong on purpose, and its fault must be found.
//
// A slow machine never fails a test. A task is late only if all goroutines of the process were blocked in every sample for twice
// the bound. So it is with a task that sleeps: it is late from the moment at which its time was over and all goroutines were
// blocked. A goroutine that runs all the time and does nothing is reported after ten seconds in which this process ran, if
// that happens again.
//
// # What is not seen
//
// The goroutines of a scheduler are known by a label that they inherit from the goroutine that started them. A goroutine that was
// there before the scheduler has no label: what it starts may be left after Close unseen (SC-CLOSE-WORKERS). A scheduler
// is idle for milliseconds only before it gets work, unless it says after which idle times it does something (Idler): a worker that ends after a
// second of idleness, and is missed, is not seen otherwise. No more than 5,000 tasks wait at once.
//
// Sleep (Sleeper) is checked on threads alone: the explorer has no clock that a scheduler would look at. Close reports a deadlock (Deadlocker); a
// report at another time is not asked for. If tasks that can never go on wait for ever, the explorer stops at the first such execution of a graph.
//
// If tasks were submitted before a change of the number of workers (Resizer), it is not counted how many of them run at a time after it.
//
// How many workers look for work at a time, while there is some, is not checked: proc.go bounds it only nearly, since two that read the number
// at the same time both go on. That they come to rest is checked, with nothing to do (SC-IDLE) and beside tasks that keep other workers (SC-SPIN).
// Both are broken if the process uses more than an eighth of a processor, or if in more than half of the looks some goroutine does not wait. A worker
// that works less than that is not seen. On Linux the time does not count in which other processes had the processors; on a busy machine that is an
// estimate, which may be wrong by half. On Windows the processor time is not known: there, both are unknown if that is so in more than a
// quarter of the looks.
//
// Where the contract says that panics are isolated, tasks panic. A scheduler that lets them through ends the test binary, with
// the id of the requirement in the panic. Graphs that fail are not saved.
func TestScheduler[S Scheduler](t *testing.T, newScheduler func(workers int) S, opts ...TestOption) {
	t.Helper()
	o, err := settle(append([]TestOption{Profile(spec.Pool)}, opts...))
	if err != nil {
		t.Fatal(err)
	}
	f := scheduler.Of(newScheduler)
	target, err := checks.InProcess(t.Name(), o.profile, f)
	if err != nil {
		t.Fatalf("conformance: %v", err)
	}
	if o.short {
		checks.Short(target)
	}
	if err := exploredScheduler(t, f, o); err != nil {
		t.Fatal(err)
	}
	result, err := run(t, o, checks.Subject, target)
	if err != nil {
		t.Fatal(err)
	}
	report(t, result)
}

// exploredScheduler is explored for schedulers.
func exploredScheduler(t *testing.T, f scheduler.Factory, o *options) error {
	t.Helper()
	return explored(t, explorer[[]suite.Event]{checks.Subject, func(part harness.Part) (suite.Target, func([]suite.Event) []suite.Event, error) {
		target, err := checks.Instrumented(t.Name(), o.profile, f, part)
		if err == nil && o.short {
			checks.Short(target)
		}
		return target, func(events []suite.Event) []suite.Event { return events }, err
	}, checks.Whole, true}, o)
}
