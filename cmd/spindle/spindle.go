package main

import (
	"context"
	"io"

	"github.com/spindle-go/spindle/internal/cli"
	gatecli "github.com/spindle-go/spindle/internal/suite/gate/cli"
	"github.com/spindle-go/spindle/tla/command"
)

// spindle is the command: it does what args say and returns the exit code.
func spindle(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := cli.Program{
		Name: "spindle", About: "Spindle checks whether a work-stealing scheduler keeps its promises.", Begin: "spindle check ref",
		Commands: []*cli.Command{
			&checkCommand, &gatecli.Gate, &gatecli.Merge, &requirementsCommand, &contractCommand, &targetsCommand, &replayCommand,
			&schedtraceCommand, &mutantsCommand, &command.TLC, &command.Model, &command.Findings, &exportCommand, &serveCommand, &prepareCommand, &versionCommand,
		},
	}
	return program.Run(ctx, args, stdin, stdout, stderr)
}
