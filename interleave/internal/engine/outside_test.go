//go:build !race

package engine_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestOutsideEnds: a loop of the body, or of a function given to Finally, that has no end is
// broken off at its next operation. What it recovers does not help it. The next exploration works.
// (The watchdog ends it by what a race detector calls a race, and means to.)
func TestOutsideEnds(t *testing.T) {
	defer func(d time.Duration) { Stuck = d }(Stuck)
	Stuck = 4 * time.Second
	spin := func() {
		w, other := new(word), new(atomic.Uint64)
		for other.Load() == 0 {
			if Controlled() { // as the drop-ins
				w.load()
			}
		}
	}
	recovers := func() {
		for range 3 {
			func() {
				defer func() { recover() }()
				spin()
			}()
		}
	}
	for name, c := range map[string]struct {
		body   func(x *Exec)
		thread string
	}{
		"body":     {func(x *Exec) { spin() }, "the body"},
		"finally":  {func(x *Exec) { x.Go("ends", func() { new(word).load() }); x.Finally(spin) }, "Finally"},
		"recovers": {func(x *Exec) { x.Go("ends", func() { new(word).load() }); x.Finally(recovers) }, "Finally"},
	} {
		_, f, err := Explore(Options{Strategy: Exhaustive, Outside: 200 * time.Millisecond}, c.body)
		if err != nil || f == nil || f.Kind != StepBound || !f.ByTheClock() || f.Thread != c.thread || !strings.Contains(f.Message, "no end after") {
			t.Errorf("%s: expected a failure of %s, saw %+v, %v", name, c.thread, f, err)
		}
		if Controlled() {
			t.Fatalf("%s: operations are controlled when it is over", name)
		}
	}
	TestSpinlock(t)
}

// TestOutsideStuck: what makes no operation cannot be ended, and is an error as before.
func TestOutsideStuck(t *testing.T) {
	defer func(d time.Duration) { Stuck = d }(Stuck)
	Stuck = 400 * time.Millisecond
	release, done := make(chan bool), make(chan bool)
	_, _, err := Explore(Options{Outside: 100 * time.Millisecond}, func(x *Exec) { defer close(done); <-release })
	if !errors.Is(err, ErrStuck) || Controlled() {
		t.Errorf("expected %v, saw %v; controlled: %v", ErrStuck, err, Controlled())
	}
	close(release)
	<-done
	next := func() error {
		_, _, err := Explore(Options{}, func(x *Exec) { x.Go("ends", func() { new(word).load() }) })
		return err
	}
	for err = next(); err != nil; err = next() {
		time.Sleep(time.Millisecond)
	}
}
