//go:build spindle_overlay

// The driver is the program in which the run queue of a Go runtime is driven.
// It is built by package goruntime, with an overlay that adds exported wrappers
// to package runtime, by the toolchain under test; it cannot be built without.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/target/child"
)

func main() {
	backoff := flag.Bool("backoff", false, "thieves wait before they take runnext, as from a P that runs")
	real := flag.Int("noise", 0, "real goroutines that come and go meanwhile, for tests")
	flag.Parse()
	noise(*real)
	// Automatic collections are off: one that began during a run would wait for
	// threads that cannot be stopped, and they for it.
	debug.SetGCPercent(-1)
	hello := child.Hello{Name: "go", Version: runtime.Version(), Profile: "gort"}
	factory := func(o queue.Options) (queue.Set, error) {
		s, err := newSet(o)
		if err != nil {
			return nil, err
		}
		s.backoff = *backoff
		return s, nil
	}
	if err := child.Serve(os.Stdin, os.Stdout, hello, factory); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
