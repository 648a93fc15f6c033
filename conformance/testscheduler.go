package conformance

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// Scheduler is what TestScheduler judges: see package scheduler for the optional interfaces by
// which a scheduler, and its tasks, are judged further.
type Scheduler = scheduler.Scheduler

// TestScheduler judges the schedulers that newScheduler makes, each with a number of workers: every task that is accepted runs
// once, none waits beside an idle worker, tasks that need one another at the same time all run, Close waits for all and
// leaves nothing behind. Two methods are enough; package scheduler has the optional ones.
//
// Each requirement of the profile is a subtest, as in TestQueue; what is said there of how a test passes, fails and is
// skipped holds here.
//
// # What is run
//
// Task graphs: who submits what from where, who waits for whom, Close at any point. They are enumerated in order of size, and
// run on real threads; larger ones are made by chance. The smallest are run in every interleaving of the scheduler's code, or in many, in a
// second test binary; so are those in which tasks panic, park and block, and in which the number of workers changes, if the scheduler has these. For each check there is a scheduler that is wrong on purpose, and the fault must be found.
//
// A task is said to wait too long only where every goroutine of the process was seen to wait, again and again, for as long as
// the bound and once more, while nothing happened: a machine that is too busy to run anybody is no reason. So it is with a task that
// sleeps: how late it is counts from there on where its time was over, and nobody could go on. Where somebody runs all
// the time and does nothing, that is said after ten seconds in which this process ran, if it comes again.
//
// # What is not seen
//
// The goroutines of a scheduler are known by a label that they inherit from who has started them. What a goroutine has started that
// was there before the scheduler has none, and may be left after Close unseen (SC-CLOSE-WORKERS). How long a scheduler
// was idle before it gets work differs by milliseconds only: a worker that ends after a second of idleness, and is missed, is not seen.
// No more than 5,000 tasks wait at once.
//
// Sleep (Sleeper) is judged on threads alone: the explorer has no clock that a scheduler would look at. So is what Close says of a
// deadlock (Deadlocker), since parked tasks then end by runtime.Goexit, as a rule, which the explorer does not run; a report at another
// time than Close is not asked for.
//
// Of tasks that were submitted before a change of the number of workers (Resizer) nobody counts how many run at a time after it.
//
// How many workers look for work at a time, while there is some, is not judged: proc.go bounds it only nearly, since two that read the number
// at the same time both go on. That they come to rest is judged, with nothing to do (SC-IDLE) and beside tasks that keep other workers (SC-SPIN).
// Both are broken if the process uses more than an eighth of a processor, or if in more than half of the looks some goroutine does not wait. A worker
// that works less than that is not seen. On Linux the time does not count in which other processes had the processors; on a busy machine that is an
// estimate, which may be wrong by half. On Windows the processor time is not known: there, both are unknown if that is so in more than a
// quarter of the looks.
//
// Where the contract says that panics are isolated, tasks panic. A scheduler that lets them through ends the test binary, with
// the id of the requirement in the panic. Graphs that fail are not kept.
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
	if o.suite.Done, err = exploredScheduler(t, f, o); err != nil {
		t.Fatal(err)
	}
	result, err := run(t, o, checks.Subject, target)
	if err != nil {
		t.Fatal(err)
	}
	report(t, result)
}

// exploredScheduler is explored for schedulers.
func exploredScheduler(t *testing.T, f scheduler.Factory, o *options) ([]suite.Event, error) {
	t.Helper()
	return explored(t, explorer[[]suite.Event]{checks.Subject, func(part harness.Part) (suite.Target, func([]suite.Event) []suite.Event, error) {
		target, err := checks.Instrumented(t.Name(), o.profile, f, part)
		if err == nil && o.short {
			checks.Short(target)
		}
		return target, func(events []suite.Event) []suite.Event { return events }, err
	}, checks.Whole}, o)
}
