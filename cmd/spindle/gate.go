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
	Define: define(gatecli.Gate{JUnit: report.JUnit, Markdown: report.Markdown, Annotations: report.Annotations}.Define),
}

var mergeCommand = cli.Command{
	Name: "merge", Args: gatecli.MergeArgs, Short: gatecli.MergeShort, Long: gatecli.MergeLong,
	Define: define(gatecli.DefineMerge),
}

// define gives the standard streams one by one.
func define(f func(*flag.FlagSet) func(context.Context, io.Reader, io.Writer, io.Writer, []string) (int, error)) func(*flag.FlagSet) cli.Action {
	return func(fs *flag.FlagSet) cli.Action {
		do := f(fs)
		return func(ctx context.Context, std cli.Streams, args []string) (int, error) {
			return do(ctx, std.In, std.Out, std.Err, args)
		}
	}
}
