package drive

import (
	"context"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/awake"
)

// Probe makes a scheduler and reads its capabilities off it and off a first task. A scheduler that does not run its first
// task has none: the checks will say what is wrong. The scheduler that is returned was closed. The error is a *PanicError.
func Probe(f scheduler.Factory) (s scheduler.Scheduler, c scheduler.Capabilities, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v}
		}
	}()
	s = f(1)
	within, cancel := awake.WithTimeout(context.Background(), probeTime)
	defer cancel()
	got := make(chan scheduler.Capabilities, 2)
	go func() {
		err := called(func() error {
			return s.Submit(func(t scheduler.Task) { got <- scheduler.CapabilitiesOf(s, t) })
		})
		if err != nil {
			got <- scheduler.Capabilities{}
		}
	}()
	select {
	case c = <-got:
	case <-within.Done():
	}
	closed := make(chan struct{})
	go func() { called(s.Close); close(closed) }()
	select {
	case <-closed:
	case <-within.Done():
	}
	return s, c, nil
}

// probeTime bounds the first task, and Close.
const probeTime = 2 * time.Second
