package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"

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
	var serves func() error
	if b := findBuiltin(args[0]); b != nil {
		serves = func() error {
			return child.Serve(std.In, std.Out, child.Hello{Name: b.name, Version: runtime.Version(), Profile: string(b.profile)}, b.factory)
		}
	} else if i := slices.IndexFunc(schedulers, func(b builtinScheduler) bool { return b.name == args[0] }); i >= 0 {
		b := schedulers[i]
		profile, choices, _ := strings.Cut(string(b.profile), ",")
		hello := child.SchedulerHello{Name: b.name, Version: runtime.Version(), Profile: profile, Contract: make(map[string]string)}
		for choice := range strings.SplitSeq(choices, ",") {
			if name, value, ok := strings.Cut(choice, "="); ok {
				hello.Contract[name] = value
			}
		}
		serves = func() error { return child.ServeScheduler(std.In, std.Out, hello, b.factory) }
	} else {
		return exit.Usage, fmt.Errorf("expected ref, control, sched, go-sched or control-sched, saw %q", args[0])
	}
	done := make(chan error, 1)
	go func() { done <- serves() }()
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
