package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
)

var prepareCommand = cli.Command{
	Name: "prepare", Args: "[PACKAGES]", Short: "build ahead what tests of package interleave need, so that their first run does not wait",
	Long: `
A test that explores builds its package a second time, with an edited standard library.
For a release of Go this takes half a minute of a processor once. The command does so
ahead, for each of the packages whose tests explore, ./... if none is given. What it builds
lies in the go command's cache. Flags of go test count if they are in GOFLAGS.`,
	Define: func(*flag.FlagSet) cli.Action { return prepare },
}

func prepare(ctx context.Context, std cli.Streams, patterns []string) (int, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	line := cli.NewProgress(std.Err)
	n, err := harness.Prepare(ctx, ".", patterns, func(path string, i, of int) {
		line.Show(fmt.Sprintf("prepare: %d of %d: %s", i+1, of, path))
	})
	line.Clear()
	switch {
	case ctx.Err() != nil:
		return exit.Interrupted, nil
	case err != nil:
		return exit.Error, err
	case n == 0:
		return exit.Inconclusive, fmt.Errorf("expected packages whose tests import github.com/spindle-go/spindle/interleave, saw none in %s", cli.Join(patterns, " "))
	}
	fmt.Fprintf(std.Out, "%s ready to be explored\n", cli.Plural(n, "package"))
	return exit.Pass, nil
}
