package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// Options are the parameters of a run. The zero value is one worker and no limit.
type Options struct {
	Workers   int           // what is found does not depend on it; the search for a circle has one
	Spare     chan struct{} // processors that may be used besides, see explore.Options
	Seed      uint64        // what is found does not depend on it: it chooses the hash function
	MaxStates int           // of each search; 0 is no limit
	MaxMemory int           // bytes, the same
	Progress  func(explore.Progress)
}

// A Result is what a run found, as TLC would tell it. But for the times it depends
// on the machine alone.
type Result struct {
	tlc.Result
	// Requirement is an id of the catalogue, of what is violated, or "".
	Requirement string
	CPU         time.Duration // of the whole process while it ran; 0 where that is unknown
	// Collision is the chance that a state was missed, and Memory bytes: see explore.Result.
	Collision float64
	Memory    int
}

// Run explores the machine: it judges the invariants first, then one property
// about time after another, until something falls. When ctx or a limit ends it, what
// was found until then is returned: the outcome says what it was. Errors are
// about the machine itself.
func (m *Machine) Run(ctx context.Context, o Options) (*Result, error) {
	res := new(Result)
	searches := m.lively
	if m.safe != nil {
		searches = append([]func(context.Context, Options) (explore.Result, error){m.safe}, searches...)
	}
	for _, search := range searches {
		r, err := search(ctx, o)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.Task.Name, err)
		}
		m.add(ctx, res, &r)
		if res.Outcome != tlc.Holds {
			break
		}
	}
	return res, nil
}

// add takes found in, the last search so far.
func (m *Machine) add(ctx context.Context, r *Result, found *explore.Result) {
	r.Generated, r.Distinct, r.Depth = int64(found.Generated), int64(found.Distinct), found.Depth
	r.Wall += found.Elapsed
	r.CPU += found.CPU
	r.Collision = max(r.Collision, found.Collision)
	r.Memory = max(r.Memory, found.Memory)
	r.Workers = 1 // the depth is exact
	switch v := found.Violation; {
	case v != nil:
		r.Outcome, r.Property, r.Requirement = tlc.Violated, v.Invariant, v.Requirement
		r.Detail = fmt.Sprintf("Invariant %s is violated", v.Invariant)
		if slices.Contains(m.steps, v.Invariant) {
			r.Detail = fmt.Sprintf("Action property %s is violated, by the last step", v.Invariant)
		}
		m.trace(r, v)
	case found.Complete:
		r.Outcome = tlc.Holds
	case found.Limited:
		r.Outcome, r.Detail = tlc.Limited, found.Stopped
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Outcome = tlc.TimedOut
	default:
		r.Outcome = tlc.Interrupted
	}
	if r.Coverage == nil {
		for _, a := range found.Actions {
			r.Coverage = append(r.Coverage, tlc.Coverage{Action: a.Name, Module: tla.Family(m.Task.Module), Fresh: int64(a.New), Stepped: int64(a.Taken)})
		}
	}
}

// trace shows a counterexample. That of a property about time ends where it goes
// back to, or in a state in which nothing happens any more; TLC shows another
// behaviour, perhaps a longer one, so that there is no length to compare.
func (m *Machine) trace(r *Result, v *explore.Violation) {
	add := func(s *explore.TraceState, first bool) {
		state := tlc.State{}
		if !first {
			state.Action = m.actions[s.Step.Action]
		}
		for _, x := range s.Vars {
			state.Vars = append(state.Vars, tlc.Var{Name: x.Name, Value: canonical(x.Value)})
		}
		r.Trace = append(r.Trace, state)
	}
	for i := range v.Trace {
		add(&v.Trace[i], i == 0)
	}
	if !slices.Contains(m.timely, v.Invariant) {
		return
	}
	r.Temporal, r.Workers = true, 0
	r.Detail = fmt.Sprintf("Temporal property %s is violated", v.Invariant)
	if len(v.Cycle) == 0 {
		r.Stutters = true
		return
	}
	r.Back = len(v.Trace)
	for i := range v.Cycle[:len(v.Cycle)-1] {
		add(&v.Cycle[i], false)
	}
	r.BackAction = m.actions[v.Cycle[len(v.Cycle)-1].Step.Action]
}

// canonical is a value as package tlc shows it.
func canonical(value string) string {
	v, err := tlc.ParseValue(value)
	if err != nil {
		return value
	}
	return v.String()
}
