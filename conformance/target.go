package conformance

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Target is something to be judged: it says what it is, and runs scenarios.
// Both sides are data, so that a Go value, a child process and the toolchain's
// runtime look the same from here.
type Target interface {
	Describe() Description
	// Run runs one scenario on a fresh set of queues. A *queue.CrashError and
	// a *queue.HangError are findings; every other error is the harness's.
	Run(ctx context.Context, s record.Scenario) (*record.History, error)
	// Close ends what the target started.
	Close() error
}

// A Description says what a target is and what it claims.
type Description struct {
	Name         string             `json:"name"`
	Version      string             `json:"version"`
	Kind         string             `json:"kind"` // InProcessKind, ChildKind, RuntimeKind or MachineKind
	Profile      spec.Profile       `json:"profile"`
	Capabilities queue.Capabilities `json:"capabilities"`
	Notes        []string           `json:"notes,omitempty"`
	// Command is how the target is named on the command line, for the lines
	// that say how to see a failure again. Empty: it cannot be named there.
	Command string `json:"command,omitempty"`
}

// The kinds of targets.
const (
	InProcessKind = "in process"
	ChildKind     = "child process"
	RuntimeKind   = "runtime"
	MachineKind   = "state machines"
)

// InProcess makes a target of a factory. Errors wrap queue.ErrFactory.
func InProcess(name string, profile spec.Profile, f queue.Factory) (Target, error) {
	caps, err := queue.Probe(f)
	if err != nil {
		return nil, err
	}
	return &inProcess{factory: f, desc: Description{
		Name: name, Version: runtime.Version(), Kind: InProcessKind, Profile: profile, Capabilities: caps,
	}}, nil
}

type inProcess struct {
	factory  queue.Factory
	desc     Description
	explored map[string]*Exploration // by check
	why      string                  // it could not be explored
}

// Described is a target that runs no scenarios: all its checks bring their own
// Judge (Source.Checks).
func Described(d Description) Target { return described{d} }

type described struct{ d Description }

func (t described) Describe() Description { return t.d }

func (t described) Run(context.Context, record.Scenario) (*record.History, error) {
	return nil, fmt.Errorf("conformance: %s runs no scenarios", t.d.Name)
}

func (t described) Close() error { return nil }

// explorable reports whether t's code was explored, or was to be.
func explorable(t Target) bool {
	in, ok := t.(*inProcess)
	return ok && (in.explored != nil || in.why != "")
}

func (t *inProcess) Describe() Description { return t.desc }

func (t *inProcess) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	return queue.Run(ctx, t.factory, s)
}

func (t *inProcess) Close() error { return nil }
