package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
)

// sides are the programs that run tasks. One that could not be built is nil.
type sides struct {
	own, rust *peer
	failed    []error // why
	dir       string
}

// build builds the sides that the tasks are about, and says what is not there.
func build(ctx context.Context, tasks []task, jobs int, stderr io.Writer) (sides, error) {
	var s sides
	var err error
	if s.dir, err = os.MkdirTemp("", "spindle-peers-"); err != nil {
		return s, err
	}
	wanted := func(tools ...string) bool {
		return slices.ContainsFunc(tasks, func(t task) bool { return slices.Contains(tools, t.Tool) })
	}
	try := func(tools []string, build func() (peer, error)) *peer {
		if !wanted(tools...) || ctx.Err() != nil {
			return nil
		}
		p, err := build()
		if err != nil {
			s.failed = append(s.failed, err)
			fmt.Fprintf(stderr, "peers: not run: %q: %v\n", tools, err)
			return nil
		}
		return &p
	}
	s.own = try([]string{ourselves}, func() (peer, error) { return buildOwn(ctx, s.dir) })
	s.rust = try([]string{loom, shuttle}, func() (peer, error) { return buildRust(ctx, jobs) })
	if err = ctx.Err(); err != nil {
		s.remove()
	}
	return s, err
}

// of returns what runs t, or nil.
func (s sides) of(t task) *peer {
	if t.Tool == ourselves {
		return s.own
	}
	return s.rust
}

func (s sides) remove() { os.RemoveAll(s.dir) }
