package checks

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave/harness"
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

// InstrumentedPart is Instrumented for one of several processes that share the checks of
// the witness interleave. What each of them reports is put together by Whole.
func InstrumentedPart(name string, profile spec.Profile, f queue.Factory, part harness.Part) (Target, error) {
	t, err := inProcessOf(name, profile, f, true)
	if err == nil {
		t.(*inProcess).part = part
	}
	return t, err
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
	short        bool
	certificates []Certificate
	part         harness.Part // of the checks of the witness interleave; the zero Part is all
	hung         atomic.Int32 // runs whose threads were lost inside
}

func (t *inProcess) Describe() suite.Description      { return t.desc }
func (t *inProcess) Capabilities() queue.Capabilities { return t.caps }
func (t *inProcess) Close() error                     { return nil }

// scenarioTimeout bounds one scenario, which takes milliseconds: a call that takes
// longer hangs. Only time in which this process ran counts. Tests make it short.
var scenarioTimeout = 10 * time.Second

// maxHung bounds the runs whose threads are lost in one process: those that spin
// take its processors. Two show a hang, and with them other scenarios are still run.
const maxHung = 3

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

// heldTo returns a scenario as a target is asked to run it that is held to a profile.
func heldTo(s record.Scenario, p spec.Profile) record.Scenario {
	if c, _ := p.Contract(); c.GetMiss != spec.Never {
		s.GetMiss = c.GetMiss
	}
	return s
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

// Short makes the enumerations of a Go value as small as go test -short does.
func Short(t Target) {
	if in, ok := t.(*inProcess); ok {
		in.short = true
	}
}

// partOf returns which part of a check's scenarios this process explores. Where they are
// few, one process has all of a check.
func (c *check) partOf(t Target) (p harness.Part, some bool) {
	whole := harness.Part{Of: 1}
	in, ok := t.(*inProcess)
	if !ok || in.part.Of < 2 {
		return whole, true
	}
	if c.enumerates != nil {
		return in.part, true
	}
	h := fnv.New32a()
	h.Write([]byte(c.name))
	return whole, int(h.Sum32()%uint32(in.part.Of)) == in.part.I
}

// facts is what a plan depends on of a target.
type facts struct {
	profile  spec.Profile
	contract spec.Contract // the profile's
	caps     queue.Capabilities
	kind     string
	short    bool // the enumerations are to be small
	tailless bool // scenarios have no quiet tail
	pairs    bool // scenarios have two threads
}

func factsOf(t Target) facts {
	d := t.Describe()
	c, _ := d.Profile.Contract()
	in, _ := t.(*inProcess)
	caps := t.Capabilities()
	caps.Start = caps.Start && c.Indices == spec.FreeRunning
	return facts{profile: d.Profile, contract: c, caps: caps, kind: d.Kind, short: in != nil && in.short}
}

// beside returns what scenarios depend on whose calls overlap. Where the target does not say what its calls move, nobody knows what a steal from queue to
// queue has moved that another call overlaps: a thief then takes one G, for itself.
func (f facts) beside() facts {
	f.caps.Batch = f.caps.Batch && (f.caps.Moves || !f.half())
	return f
}

// half reports whether steals take half of a ring into the thief's own.
func (f facts) half() bool {
	return f.caps.Batch && f.contract.Batch != spec.None && f.contract.Steals != spec.None
}
