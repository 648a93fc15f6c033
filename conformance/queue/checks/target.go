package checks

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Target is sets of queues: it runs scenarios. Both sides are data, so that a Go
// value, a child process and the toolchain's runtime look the same from here.
type Target interface {
	suite.Target
	Capabilities() queue.Capabilities
	// Run runs one scenario on a fresh set of queues. A *queue.CrashError and a
	// *queue.HangError are findings; ctx's own error comes back when ctx has
	// ended; every other error is the harness's. How long a scenario may take is
	// the target's business: ctx is the run's, and its end is no finding.
	Run(ctx context.Context, s record.Scenario) (*record.History, error)
}

// InProcess makes a target of a factory. Errors wrap drive.ErrFactory.
func InProcess(name string, profile spec.Profile, f queue.Factory) (Target, error) {
	return inProcessOf(name, profile, f, false)
}

// Instrumented makes a target of a factory whose code the explorer controls: this
// process is instrumented, or the code uses the explorer's own atomics.
func Instrumented(name string, profile spec.Profile, f queue.Factory) (Target, error) {
	return inProcessOf(name, profile, f, true)
}

func inProcessOf(name string, profile spec.Profile, f queue.Factory, instrumented bool) (Target, error) {
	caps, err := drive.Probe(f)
	if err != nil {
		return nil, err
	}
	return &inProcess{factory: f, caps: caps, instrumented: instrumented, desc: suite.Description{
		Name: name, Version: runtime.Version(), Kind: suite.InProcess, Profile: profile, Offers: caps.Words(),
	}}, nil
}

type inProcess struct {
	factory      queue.Factory
	desc         suite.Description
	caps         queue.Capabilities
	instrumented bool
	hung         atomic.Int32 // runs whose threads were lost inside
}

func (t *inProcess) Describe() suite.Description      { return t.desc }
func (t *inProcess) Capabilities() queue.Capabilities { return t.caps }
func (t *inProcess) Close() error                     { return nil }

// scenarioTimeout bounds one scenario, which takes milliseconds: a call that takes
// longer hangs. Only time in which this process ran counts. Tests make it short.
var scenarioTimeout = 10 * time.Second

// maxHung bounds the runs whose threads are lost in one process: those that spin
// take its processors.
const maxHung = 2

func (t *inProcess) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	if t.hung.Load() >= maxHung {
		return nil, errLost
	}
	within, cancel := awake.WithTimeout(ctx, scenarioTimeout)
	defer cancel()
	h, err := drive.Run(within, t.factory, s)
	switch {
	case errors.As(err, new(*queue.HangError)):
		t.hung.Add(1)
	case ctx.Err() == nil && within.Err() != nil && errors.Is(err, within.Err()):
		return nil, &undecided{fmt.Sprintf("scenario %s: expected its end within %v, saw calls that take longer, but return", s.Name, scenarioTimeout)}
	}
	return h, err
}

// errLost is the error of a target that can run nothing more.
var errLost = &undecided{"earlier calls hang in the target's threads, which nothing can end"}

// explorable returns the factory of a target whose code the explorer controls.
func explorable(t Target) (queue.Factory, bool) {
	in, ok := t.(*inProcess)
	if !ok || !in.instrumented {
		return nil, false
	}
	return in.factory, true
}

// facts is what a plan depends on of a target.
type facts struct {
	profile spec.Profile
	caps    queue.Capabilities
	kind    string
}

func factsOf(t Target) facts {
	d := t.Describe()
	return facts{d.Profile, t.Capabilities(), d.Kind}
}

// half reports whether steals take half of a ring into the thief's own.
func (f facts) half() bool {
	return f.caps.Batch && (f.profile == spec.GoRT || f.profile == spec.Tokio)
}
