package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
)

// A View is an execution that has just ended. It is valid until the next.
type View struct{ s *scheduler }

// Failure returns what is wrong with it, or nil.
func (v *View) Failure() *Failure {
	if v.s.failure != nil {
		v.s.measure()
	}
	return v.s.failure
}

// Waits reports whether the execution ended with a thread held back in a loop that
// could go on: what it leads to is in another execution.
func (v *View) Waits() bool { return v.s.Blocked }

// A Step is a carried-out operation.
type Step struct {
	Thread  int         // index into Threads
	Kind    object.Kind // what it did
	Object  int         // numbered in the order of first use, -1 for none
	Site    Site
	Read    uint64
	Wrote   uint64
	Changed bool
	Pointer bool // Read and Wrote are names of pointers, in the order of their appearance, 0 for nil
}

// Steps returns what was done, in order.
func (v *View) Steps() []Step {
	steps := make([]Step, len(v.s.Events))
	names := map[uint64]uint64{0: 0}
	name := func(p uint64) uint64 {
		n, ok := names[p]
		if !ok {
			n = uint64(len(names))
			names[p] = n
		}
		return n
	}
	for i, e := range v.s.Events {
		steps[i] = Step{int(e.Thread), e.Kind, int(e.Loc), e.Site, e.Read, e.Wrote, e.Write, e.Pointer}
		if e.Pointer {
			steps[i].Read, steps[i].Wrote = name(e.Read), name(e.Wrote)
		}
	}
	return steps
}

// Threads returns the names of the threads by their numbers; "" is none.
func (v *View) Threads() []string {
	var names []string
	for _, t := range v.s.threads {
		for len(names) <= t.ID {
			names = append(names, "")
		}
		names[t.ID] = t.name
	}
	return names
}

// Schedule returns the schedule that replays it.
func (v *View) Schedule() string { return schedule.Of(&v.s.Execution) }

// Class returns a number that is the same for all executions of a class, and
// different, but for a chance of 2^-64, for others.
func (v *View) Class() uint64 {
	threads := make([]*order.Thread, len(v.s.threads))
	for i, t := range v.s.threads {
		threads[i] = &t.Thread
	}
	return v.s.Class(threads)
}
