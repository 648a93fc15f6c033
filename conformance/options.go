package conformance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A TestOption changes how TestQueue, TestSet and TestScheduler check. So do variables of the
// environment:
//
//   - SPINDLE_SEED sets the seed, which is otherwise drawn and printed with every
//     failure.
//   - SPINDLE_RUN narrows the test to some checks, as Only does. If it is still set
//     in CI, it makes every test smaller.
//   - SPINDLE_STRICT=1 is the option Strict.
//   - SPINDLE_UNEXPLORED=allow passes a test whose interleavings could not be
//     explored here, which is otherwise inconclusive.
//   - SPINDLE_EVENTS is a folder into which each test writes its events, for spindle
//     gate.
//   - SPINDLE_KEPT=off saves no scenario that fails, and tries no saved one. If
//     it is still set in CI, old faults are not looked for first.
//   - SPINDLE_TEST_FILE=x_test.go asks for a Go test of what the explorer has found.
type TestOption func(*options)

type options struct {
	profile spec.Profile
	suite   suite.Options
	// unexplored: a queue whose interleavings the environment kept from being
	// explored may pass.
	unexplored bool
	// forgets says that no scenario is saved, and no saved one is tried.
	forgets bool
	wrong   error           // of an option
	told    map[string]bool // requirements that are said to be broken
	short   bool
}

// Profile holds the queue to p instead of spec.FIFO (TestQueue) or spec.GoRT
// (TestSet), or the scheduler instead of spec.Pool (TestScheduler).
func Profile(p spec.Profile) TestOption { return func(o *options) { o.profile = p } }

// A Contract is what a queue promises, choice by choice. A choice that is left empty is
// that of the profile core; spec.Choices lists the values, and what each promises.
type Contract = spec.Contract

// A SchedulerContract is what a scheduler promises, choice by choice. A choice that is left out is that of the
// profile pool; spec.SchedulerChoices lists the values, and what each promises.
type SchedulerContract = spec.SchedulerContract

// Claims holds the scheduler to a contract of its own:
//
//	conformance.Claims(conformance.SchedulerContract{"panics": spec.Isolated})
func Claims(c SchedulerContract) TestOption {
	return func(o *options) {
		p, err := c.Profile()
		if err != nil {
			o.wrong = err
		}
		o.profile = p
	}
}

// Under holds the queue to a contract of its own:
//
//	conformance.Under(conformance.Contract{Order: spec.FirstIn, StealMiss: spec.Beside})
func Under(c Contract) TestOption {
	return func(o *options) {
		p, err := c.Profile()
		if err != nil {
			o.wrong = err
		}
		o.profile = p
	}
}

// Only runs the checks whose names match the expression, or that are about
// the requirements named ("RQ-FIFO,RQ-LOST"). SPINDLE_RUN narrows that further.
func Only(checks string) TestOption {
	return func(o *options) {
		if o.suite.Select != "" && checks != "" {
			o.suite.Select += suite.And
		}
		o.suite.Select += checks
	}
}

// Short explores as few scenarios as go test -short does, for a test that must not take
// long. SPINDLE_LONG=1 overrides it.
func Short() TestOption { return func(o *options) { o.short = true } }

// Budget bounds the time: the interleavings may take d, and all other checks
// together d, 3 minutes if no Budget is given. What is not done by then fails the test
// as inconclusive. The time counts in which the test ran: on Linux not that in which
// other processes had the processors. Shortly before the deadline of go test, which is
// -timeout and counts all time, the test ends as inconclusive, too.
func Budget(d time.Duration) TestOption { return func(o *options) { o.suite.Budget = d } }

// Strict fails the test if the queue does not offer what a MUST of the profile is
// about.
func Strict() TestOption { return func(o *options) { o.suite.Strict = true } }

// settle reads the environment and then the options.
func settle(opts []TestOption) (*options, error) {
	seed, err := record.SeedFromEnv(rand.Uint64())
	if err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	o := &options{suite: suite.Options{Seed: seed, Budget: suite.DefaultBudget, Select: os.Getenv("SPINDLE_RUN")}}
	switch v := os.Getenv("SPINDLE_STRICT"); v {
	case "", "0":
	case "1":
		o.suite.Strict = true
	default:
		return nil, fmt.Errorf("conformance: SPINDLE_STRICT: expected 0 or 1, saw %q", v)
	}
	switch v := os.Getenv("SPINDLE_UNEXPLORED"); v {
	case "":
	case "allow":
		o.unexplored = true
	default:
		return nil, fmt.Errorf("conformance: SPINDLE_UNEXPLORED: expected allow, saw %q", v)
	}
	switch v := os.Getenv(suite.KeptVar); v {
	case "":
	case "off":
		o.forgets = true
	default:
		return nil, fmt.Errorf("conformance: %s: expected off, saw %q", suite.KeptVar, v)
	}
	for _, opt := range opts {
		opt(o)
	}
	if o.wrong == nil {
		o.profile, o.wrong = spec.ParseProfile(string(o.profile))
	}
	if o.wrong != nil {
		return nil, fmt.Errorf("conformance: %w", o.wrong)
	}
	return o, nil
}
