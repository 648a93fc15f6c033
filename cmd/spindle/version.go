package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
)

var versionCommand = cli.Command{
	Name: "version", Short: "print the versions of the suite, of the contract and of the formats",
	Define: func(*flag.FlagSet) cli.Action { return version },
}

func version(_ context.Context, std cli.Streams, args []string) (int, error) {
	if len(args) > 0 {
		return exit.Usage, fmt.Errorf("expected no arguments, saw %q", args)
	}
	revision, modified := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			revision = v // installed as a module
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	fmt.Fprintf(std.Out, "spindle %s\ncontract %s\nevents schema %d\nchild protocol %d\n%s %s/%s\nrevision %s%s\n",
		suite.Version, suite.Contract, suite.Schema, child.Version,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, revision, modified)
	return exit.Pass, nil
}
