//go:build race

// Detect runs programs of package racy under the race detector, each by the
// schedule that it reads, and says for each whether there was a race.
package main

import (
	"encoding/json"
	"log"
	"os"
	"runtime"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/racy"
	"github.com/spindle-go/spindle/interleave/internal/racy/program"
)

func main() {
	log.SetFlags(0)
	<-time.After(0) // what it makes at first use, the detector is not to see it make later
	var runs []racy.Run
	if err := json.NewDecoder(os.Stdin).Decode(&runs); err != nil {
		log.Fatal(err)
	}
	verdicts := make([]racy.Verdict, len(runs))
	for i := range runs {
		verdicts[i] = run(&runs[i])
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		log.Fatal(err)
	}
}

// control is the Host of real goroutines: it lets go one at a time, and its own
// messages are hidden from the race detector, which would take them for an order of
// the program.
type control struct {
	arrived [64]chan bool
	ended   chan int
	resume  [64]chan bool
	over    [64]bool
	threads int
	last    [64]racy.Step
}

func (c *control) Before(t int) bool {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	c.arrived[t] <- true
	return <-c.resume[t]
}

//go:norace
func (c *control) Did(t int, result int64) { c.last[t] = racy.Step{Thread: t, Result: result} }

//go:norace
func (c *control) Spawn(int) int { c.threads++; return c.threads - 1 }

// Spawned waits until the child is at its first operation.
func (c *control) Spawned(_, child int) { c.arrives(child) }

// Ended is the end of a thread. It stays until the program is over, so that the
// detector does not forget it.
func (c *control) Ended(t int) {
	runtime.RaceDisable()
	c.isOver(t)
	c.arrived[t] <- true
	for <-c.resume[t] {
		c.arrived[t] <- true
	}
	runtime.RaceEnable()
	c.ended <- t // seen by the detector: the next program comes after this one
}

//go:norace
func (c *control) isOver(t int) { c.over[t] = true }

// arrives waits until thread t is at an operation, or has ended.
func (c *control) arrives(t int) bool {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	select {
	case <-c.arrived[t]:
		return true
	case <-time.After(time.Second):
		return false
	}
}

func (c *control) release(t int, on bool) {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	select {
	case c.resume[t] <- on:
	case <-time.After(time.Second):
		log.Fatalf("thread %d is neither at an operation nor over", t)
	}
}

// step has threads carry out an operation each, and reports whether they were as expected. More than one wait for each other.
//
//go:norace
func (c *control) step(all ...racy.Step) bool {
	for _, want := range all {
		c.last[want.Thread] = racy.Step{Thread: -1}
		c.release(want.Thread, true)
	}
	for _, want := range all {
		if !c.arrives(want.Thread) || c.last[want.Thread] != want {
			return false
		}
	}
	return true
}

// end ends thread t.
//
//go:norace
func (c *control) end(t int) {
	if !c.over[t] {
		c.release(t, false)
		c.arrives(t)
	}
	c.release(t, false)
	<-c.ended
}

func run(r *racy.Run) (v racy.Verdict) {
	p := racy.Make(r.Seed, program.Groups())
	c := &control{ended: make(chan int), threads: len(p.Threads)}
	for i := range c.resume {
		c.arrived[i], c.resume[i] = make(chan bool), make(chan bool)
	}
	before := runtime.RaceErrors()
	s := program.New(p, c)
	for t, ops := range p.Threads {
		go s.Run(t, ops)
		c.arrives(t)
	}
	met := make(map[int]bool)
	for i, step := range r.Steps {
		if met[i] {
			continue
		}
		steps := []racy.Step{step}
		for j := i + 1; step.Result >= racy.Meets && len(steps) == 1 && j < len(r.Steps); j++ {
			if r.Steps[j].Result == step.Result {
				steps, met[j] = append(steps, r.Steps[j]), true
			}
		}
		if step.Result >= racy.Meets && len(steps) == 1 { // the other has not gone on before the end
			return racy.Verdict{Departed: true}
		}
		if !c.step(steps...) {
			return racy.Verdict{Departed: true} // its goroutines are left where they are
		}
	}
	v.Race = runtime.RaceErrors() > before
	if !v.Race && r.Race { // it may be by what was not over
		for _, t := range r.Begun {
			c.release(t, true)
		}
		for _, t := range r.Begun {
			c.arrives(t)
		}
		v.Race = runtime.RaceErrors() > before
		return v
	}
	for t := range c.Spawn(0) {
		c.end(t)
	}
	return v
}
