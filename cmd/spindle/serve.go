package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
)

var serveCommand = cli.Command{
	Name: "serve", Args: "TARGET", Hidden: true,
	Short: "run a target that is part of this program for another spindle, over standard input and output",
	Long:  "For example: spindle check 'exec:spindle serve ref'. It ends when its input does.",
	Define: func(*flag.FlagSet) cli.Action {
		return serve
	},
}

func serve(ctx context.Context, std cli.Streams, args []string) (int, error) {
	if len(args) != 1 {
		return exit.Usage, fmt.Errorf("expected one target, saw %q", args)
	}
	b := findBuiltin(args[0])
	if b == nil {
		return exit.Usage, fmt.Errorf("expected ref or control, saw %q", args[0])
	}
	done := make(chan error, 1)
	go func() {
		done <- child.Serve(std.In, std.Out, child.Hello{Name: b.name, Version: runtime.Version(), Profile: string(b.profile)}, b.factory)
	}()
	select {
	case err := <-done:
		if err != nil {
			return exit.Error, err
		}
		return exit.Pass, nil
	case <-ctx.Done():
		return exit.Interrupted, nil
	}
}
