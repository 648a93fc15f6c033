// Package valve is the door through which the suite reaches the parts of impl/sched: what is decided by a count or by a
// clock, and changes no result of a call. No other target has such a door.
package valve

import (
	"fmt"
	"time"
)

// A Scene drives a part of a scheduler, on one thread: it sets the clock, rings the bells and reads the counters.
type Scene struct {
	Requirement string
	Doc         string       // what it does
	Run         func() error // what was expected and what was seen, or nil
}

// Scenes are those of impl/sched, which sets them when it is linked.
var Scenes []Scene

// bound is how long a scene may take; each takes some milliseconds.
const bound = 20 * time.Second

// Play runs the scene. An error says what was expected and what was seen; a panic is one, and so is a scene that does not end.
func (s *Scene) Play() error {
	ended := make(chan error, 1)
	go func() {
		over := false
		defer func() {
			if v := recover(); v != nil {
				ended <- fmt.Errorf("expected no panic, saw %v", v)
			} else if !over {
				ended <- fmt.Errorf("expected that the scene returns, saw runtime.Goexit")
			}
		}()
		err := s.Run()
		over = true
		ended <- err
	}()
	late := time.NewTimer(bound)
	defer late.Stop()
	select {
	case err := <-ended:
		return err
	case <-late.C:
		return fmt.Errorf("expected that it ends, saw that it had not after %v", bound)
	}
}
