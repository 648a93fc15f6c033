package engine

import (
	"context"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// Options say how to explore. The zero value is the portfolio, without bounds
// but DefaultSteps.
type Options struct {
	Strategy   Strategy
	Bound      int           // of preemptions, for DFS: -1 for none
	Seed       uint64        // for what goes by chance
	Executions int           // at most so many; 0: no bound
	Time       time.Duration // at most so long, in time in which this process ran (package awake); 0: no bound
	Steps      int           // of one thread in an execution; 0: DefaultSteps
	Looks      int           // how often a thread may look in vain before it is held back; 0: as the strategy needs, at most 30
	Patience   int           // how often threads that repeat themselves are let go in vain; 0: DefaultPatience
	Schedule   string        // for Replay
	Bytes      []byte        // for Script
	TSO        bool          // total store order: see Buffer
	Freeze     *Freeze       // one thread stops
	Outside    time.Duration // how long the body, or a function given to Finally, may run; 0: Stuck
	Retries    bool          // a thread is held back only if it also read the same as in the iteration before
	// Each is called after each execution; false ends the exploration, and a
	// failure does not.
	Each func(*View) bool
	// Until ends the exploration, as the caller's will; nil: it does not.
	Until context.Context
	// Progress is called now and then.
	Progress func(certificate.Certificate)

	custom func(*scheduler) strategy.Chooser
}

// DefaultSteps bounds the steps of a thread in one execution.
const DefaultSteps = 10_000

// Stuck is how long one thread may run without coming to an operation.
var Stuck = 10 * time.Second

// Hoard is by how many bytes the heap may grow while a thread comes to no operation for a
// tenth of Stuck. A call that hangs and appends would else take all memory before Stuck has
// passed.
var Hoard uint64 = 1 << 30

// A Strategy is a way to choose.
type Strategy = string

// The strategies.
const (
	Portfolio  Strategy = ""           // a little of Exhaustive, Random, PCT, Walk, then DFS with bounds, then Exhaustive
	Exhaustive Strategy = "exhaustive" // one execution of each class
	DFS        Strategy = "dfs"        // all executions, up to Bound
	Random     Strategy = "random"     // the same chance for each thread at each step
	PCT        Strategy = "pct"        // priorities and few changes of them
	Walk       Strategy = "walk"       // about the same chance for each interleaving
	Turns      Strategy = "turns"      // threads that go on for a while, short or long
	Replay     Strategy = "replay"     // Schedule
	Script     Strategy = "script"     // Bytes, as a fuzzer makes them
)
