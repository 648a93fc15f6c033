package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// sides are the programs that run tasks. One that could not be built is nil.
type sides struct {
	own, rust, genmc peer
	failed           []error // why
	dir              string
}

// build builds the sides that the tasks are about, and says what is not there.
func build(ctx context.Context, tasks []task, jobs int, genmcDir string, stderr io.Writer) (sides, error) {
	s := sides{genmc: earlier{}}
	var err error
	if genmcDir != "" {
		if genmcDir, err = filepath.Abs(genmcDir); err != nil {
			return s, err
		}
		s.genmc = checkout(genmcDir)
	}
	if s.dir, err = os.MkdirTemp("", "spindle-peers-"); err != nil {
		return s, err
	}
	wanted := func(tools ...string) bool {
		return slices.ContainsFunc(tasks, func(t task) bool { return slices.Contains(tools, t.Tool) })
	}
	try := func(tools []string, build func() (process, error)) peer {
		if !wanted(tools...) || ctx.Err() != nil {
			return nil
		}
		p, err := build()
		if err != nil {
			s.failed = append(s.failed, err)
			fmt.Fprintf(stderr, "peers: not run: %q: %v\n", tools, err)
			return nil
		}
		return p
	}
	s.own = try([]string{ourselves}, func() (process, error) { return buildOwn(ctx, s.dir) })
	s.rust = try([]string{loom, shuttle}, func() (process, error) { return buildRust(ctx, jobs) })
	if err = ctx.Err(); err != nil {
		s.remove()
	}
	return s, err
}

// of returns what runs t, or nil.
func (s sides) of(t task) peer {
	switch t.Tool {
	case ourselves:
		return s.own
	case genmc:
		return s.genmc
	}
	return s.rust
}

func (s sides) remove() { os.RemoveAll(s.dir) }
