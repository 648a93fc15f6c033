package conformance

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Queue is what TestQueue checks: see package queue for the optional interfaces by
// which more of a queue is checked.
type Queue = queue.Queue

// TestQueue checks the queues that newQueue makes: nothing is lost, nothing is taken
// twice, the order is first in, first out, and emptiness never lies. Four methods are
// enough; package queue has the optional ones, by which more of a queue is checked.
//
// Each requirement of the profile is a subtest that carries its id as the attribute
// "req". It fails with the calls that break it, and the command that shows them
// again. It is skipped, with the reason, if the queue does not offer what it is
// about. A check that did not come to the end of its plan fails the test as
// inconclusive: it has not shown that anything passes. Beside a requirement that is broken,
// one that is not decided is skipped.
//
// # What is run
//
// Calls in a fixed order are compared with a sequential machine. On real threads every
// id is counted, and each history is checked for linearizability. Every interleaving of
// small scenarios is run in a second test binary, whose atomic operations and locks
// a scheduler controls. For each of these there is a queue that is wrong on purpose.
// Its fault must be found: a checker that cannot fail proves nothing.
//
// Some code cannot be explored by its nature: channels, C, assembly, a package that
// says //interleave:off. The interleavings are then skipped. If there is no second test
// binary because of the environment (no go command, no cache, no temporary folder), the
// test is inconclusive, since it is not known what it would have found.
//
// The checks of calls in a fixed order run first, while the second test binary is built.
// The first finding of each requirement is printed as it comes. At the end the smallest
// failure is shown in full. What one of the same checks saw broken besides is a line, and
// in full with -v.
//
// Nothing ends a call on threads that does not return. It is a finding if that takes ten
// seconds in each of two runs. The finding names it, its place and the calls before it. Other scenarios go on beside it. If it takes
// memory all the while, the process ends when that comes to 4 GiB beyond what was in use
// before, or to GOMEMLIMIT if that is less, and says which call it is.
//
// # Takes that wait
//
// If the queue offers Take (queue.Taker), it is called beside puts, and beside Close
// (queue.Closer) if the contract says what that does. A take that waits for ever beside an
// id, or on a closed queue, is a finding of its own.
//
// # What is saved
//
// A scenario that fails is saved in testdata/spindle/<test>/<fingerprint>.txt, in a text
// form, and tried first in the next runs, by checks of its own such as sequence/kept.
// They can break a requirement, and do not make one pass. A file that cannot be read, or
// a scenario that the queue cannot run any more, fails the test. A scenario that passes
// now stays there until its file is removed.
//
// # What is not seen
//
// A queue that behaves only under test passes. So does one that is wrong only after more
// ids than are put here. go test caches a pass, and a new seed does not change that: a
// nightly run needs -count=1.
func TestQueue[Q Queue](t *testing.T, newQueue func() Q, opts ...TestOption) {
	t.Helper()
	testSet(t, queue.Single(newQueue), append([]TestOption{Profile(spec.FIFO)}, opts...))
}

// TestBounded is TestQueue for queues whose capacity can be chosen. They are checked at
// capacities of 1, 2 and 4, as far as newQueue gives queues that hold so many, since
// faults at the ends of a ring need few calls there, and at 8. A queue that rounds its
// capacity up must have a method Cap, by which that is seen.
func TestBounded[Q Queue](t *testing.T, newQueue func(capacity int) Q, opts ...TestOption) {
	t.Helper()
	testSet(t, queue.OfCapacity(8, newQueue), append([]TestOption{Profile(spec.FIFO)}, opts...))
}

// TestSet checks sets of queues that work together: batch steals from one queue to
// another, a global queue behind them.
func TestSet(t *testing.T, f queue.Factory, opts ...TestOption) {
	t.Helper()
	testSet(t, f, append([]TestOption{Profile(spec.GoRT)}, opts...))
}

func testSet(t *testing.T, f queue.Factory, opts []TestOption) {
	t.Helper()
	_, file, line, _ := runtime.Caller(2)
	at := caller{file, line}
	o, err := settle(opts)
	if err != nil {
		t.Fatal(err)
	}
	test := os.Getenv(testFileVar)
	if test != "" {
		if err := at.writable(); err != nil {
			t.Fatal(err)
		}
	}
	target, err := checks.InProcess(t.Name(), o.profile, f)
	if err != nil {
		t.Fatalf("conformance: %v", err)
	}
	if o.short {
		checks.Short(target)
	}
	var kept []checks.Kept
	if o.forgets {
		t.Logf("%s=off: no scenario is saved, and no saved one is tried", suite.KeptVar)
	} else if kept, err = readKept(keptFolder(t.Name())); err != nil {
		t.Fatal(err)
	}
	subject, err := checks.WithKept(target, kept)
	if err != nil {
		t.Fatalf("conformance: saved scenario: %v", err)
	}
	unchosen(t, subject, o)
	if err := exploredQueue(t, subject, f, o); err != nil {
		t.Fatal(err)
	}
	result, err := run(t, o, subject, target)
	if err != nil {
		t.Fatal(err)
	}
	if !o.forgets {
		keep(t, keptFolder(t.Name()), o.profile, result)
	}
	if test != "" {
		at.write(t, test, o.profile, result)
	}
	report(t, result)
}

// run checks the target, writes its events where SPINDLE_EVENTS says, and returns
// what the gate makes of them.
func run(t *testing.T, o *options, subject *suite.Subject, target suite.Target) (*gate.Result, error) {
	t.Helper()
	events, done, err := suite.EventsFromEnv()
	if err != nil {
		return nil, err
	}
	o.suite.Sink = func(e suite.Event) {
		switch {
		case e.Event == suite.TargetEvent && e.Description != nil:
			for _, note := range e.Description.Notes {
				t.Logf("note: %s", note)
			}
		case e.Event == suite.CheckEvent && e.Result.Note != "":
			t.Logf("%s: %s", e.Check, e.Result.Note)
		case e.Event == suite.FindingEvent:
			o.broken(t, e)
		}
		events(e)
	}
	o.suite.Again = func(_ *suite.Description, check string, seed record.Seed) record.Again {
		return record.Again{
			Kind:    record.RunAgain,
			Environ: []string{fmt.Sprintf("%s=%v", record.SeedVar, seed), fmt.Sprintf("SPINDLE_RUN='^%s$'", check)},
			Command: harness.Again(t),
		}
	}
	o.suite.Keep = suite.KeepHistory
	ctx, cancel := awake.BeforeDeadline(context.Background(), t)
	defer cancel()
	r, err := gate.Run(ctx, o.suite, suite.Opened(subject, target))
	if err == nil {
		err = done()
	}
	return &r, err
}

// broken says at once what the first finding of a requirement is: the rest of the plan may take a minute.
func (o *options) broken(t *testing.T, e suite.Event) {
	id := e.Finding.Requirement
	if o.told[id] {
		return
	}
	rest := ""
	if o.told == nil {
		o.told, rest = make(map[string]bool), "; the test goes on, and shows at its end the smallest failure that it has found"
	}
	o.told[id] = true
	fmt.Fprintf(os.Stderr, "%s: %s, seen by %s: expected %s, saw %s%s\n",
		t.Name(), printable.Line(id, mostTold), e.Check, printable.Line(e.Finding.Expected, mostTold), printable.Line(e.Finding.Observed, mostTold), rest)
}

// mostTold bounds what is said of a finding at once, in characters.
const mostTold = 200

// announced is what is said of a finding at once.
func announced(e suite.Event) suite.Event {
	e.Finding = &record.Finding{Requirement: e.Finding.Requirement, Expected: e.Finding.Expected, Observed: e.Finding.Observed}
	return e
}

// noAgain says nothing of how a finding is seen again.
func noAgain(*suite.Description, string, record.Seed) record.Again { return record.Again{} }

// mostOthers bounds how many findings of a requirement are named beside the first.
const mostOthers = 6

// otherWays names the findings of a requirement behind the first of all: mostly they are the same fault seen from elsewhere. It is
// one line with the checks that saw it, or with -v a line for each.
func otherWays(all []suite.Event, verbose bool) string {
	first, list := all[0].Finding.Fingerprint, all[1:]
	if len(list) == 0 {
		return ""
	}
	if !verbose {
		var by, as []string
		for _, e := range list {
			if !slices.Contains(by, e.Check) {
				by = append(by, e.Check)
			}
			if f := e.Finding.Fingerprint; f != first && !slices.Contains(as, f) {
				as = append(as, f)
			}
		}
		return show.Wrap(show.Also(by, as), "  ", "    ")
	}
	var b strings.Builder
	times := "once"
	if len(list) > 1 {
		times = fmt.Sprintf("%d times", len(list))
	}
	fmt.Fprintf(&b, "  also seen %s\n", times)
	for i, e := range list {
		if i == mostOthers {
			fmt.Fprintf(&b, "    and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(&b, "    %s: %s\n", e.Check, show.InALine(e.Finding))
	}
	return b.String()
}
