package main

import (
	"context"
	"flag"
	"io"

	"github.com/spindle-go/spindle/internal/cli"
	gatecli "github.com/spindle-go/spindle/internal/suite/gate/cli"
	"github.com/spindle-go/spindle/internal/suite/report"
)

var gateCommand = cli.Command{
	Name: "gate", Args: gatecli.GateArgs, Short: gatecli.GateShort, Long: gatecli.GateLong,
	Define: func(fs *flag.FlagSet) cli.Action {
		return action(gatecli.Gate{JUnit: report.JUnit, Markdown: report.Markdown, Annotations: report.Annotations}.Define(fs))
	},
}

var mergeCommand = cli.Command{
	Name: "merge", Args: gatecli.MergeArgs, Short: gatecli.MergeShort, Long: gatecli.MergeLong,
	Define: func(fs *flag.FlagSet) cli.Action { return action(gatecli.DefineMerge(fs)) },
}

func action(do func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) (int, error)) cli.Action {
	return func(ctx context.Context, std cli.Streams, args []string) (int, error) {
		return do(ctx, std.In, std.Out, std.Err, args)
	}
}
