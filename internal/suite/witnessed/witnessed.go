// Package witnessed writes the events of a test that is a witness by itself: a
// property test, the ordinary run of a fuzz target, the exploration of one scenario.
// They go where SPINDLE_EVENTS says. Such a stream has findings and an outcome; it has
// no control, and nobody counts which calls each requirement is about, so that nothing
// in it is kept.
//
//interleave:off
package witnessed

import (
	"context"
	"flag"
	"runtime"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Test is one test of a witness, as the target of a run with one check.
type Test struct {
	t       testing.TB
	check   suite.Check
	profile spec.Profile
	found   []record.Finding
	outcome suite.Outcome // of no kind, until Ended says it
}

// Begin begins the stream of t, which ends with t. A test that ends without Ended and
// has not failed has panicked: its stream stays without an end, and without a name.
// What goes wrong with the stream fails t.
func Begin(t testing.TB, w spec.Witness, p spec.Profile) *Test {
	t.Helper()
	x := &Test{t: t, profile: p}
	if fuzzing() {
		return x // a run without an end
	}
	sink, done, err := suite.EventsFromEnv()
	if err != nil {
		t.Fatal(err)
	}
	x.check = suite.Check{Name: string(w) + "/" + t.Name(), Witness: w, Plan: func(suite.Target) suite.Plan { return suite.Plan{} }, Run: x.run}
	for i := range spec.Requirements {
		if q := &spec.Requirements[i]; slices.Contains(q.Witnesses, w) {
			x.check.Requirements = append(x.check.Requirements, q.ID)
		}
	}
	t.Cleanup(func() {
		if x.outcome.Ended == "" && !t.Failed() && !t.Skipped() {
			return
		}
		s := &suite.Subject{Name: "test", Checks: []suite.Check{x.check}}
		err := suite.Run(context.Background(), suite.Options{Sink: sink, Witnesses: []spec.Witness{w}, Again: again}, suite.Opened(s, x))
		if err == nil {
			err = done()
		}
		if err != nil {
			t.Error(err)
		}
	})
	return x
}

// fuzzing reports whether go test -fuzz looks for inputs here.
func fuzzing() bool {
	f := flag.Lookup("test.fuzz")
	return f != nil && f.Value.String() != ""
}

// Found says what the test found last: a search that shrinks what it finds says so
// again, and the last is the smallest.
func (x *Test) Found(fs ...record.Finding) { x.found = fs }

// Also says what the test found, too.
func (x *Test) Also(fs ...record.Finding) { x.found = append(x.found, fs...) }

// Ended says that the test has come to its end, and how.
func (x *Test) Ended(how suite.Outcome) { x.outcome = how }

// run is the check: what was found, and how the test ended.
func (x *Test) run(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
	for _, f := range x.found {
		k.Find(f)
	}
	switch how := x.outcome; {
	case x.t.Skipped():
		return suite.Outcome{Ended: suite.Skipped, Reason: "the test was skipped"}
	case how.Ended != "" && (how.Ended != suite.Completed || len(x.found) > 0 || !x.t.Failed()):
		return how
	case len(x.found) > 0:
		return suite.Outcome{Ended: suite.Inconclusive, Reason: "the test ended with its finding"}
	}
	return suite.Outcome{Ended: suite.Error, Reason: "the test failed without a finding"}
}

// Describe describes the test as a target.
func (x *Test) Describe() suite.Description {
	return suite.Description{Name: x.t.Name(), Version: runtime.Version(), Kind: suite.InProcess, Profile: x.profile}
}

// Close does nothing.
func (x *Test) Close() error { return nil }

// again says nothing of how a finding is seen again: the finding does.
func again(*suite.Description, string, record.Seed) record.Again { return record.Again{} }
