package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/tla/drift"
)

// source prints where the runtime of a toolchain is not the one that was modelled.
func (o *modelOptions) source(ctx context.Context, std cli.Streams) (int, error) {
	root, err := drift.Root(ctx, o.goCommand)
	if err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return exit.Interrupted, err
		}
		return exit.Error, err
	}
	r, err := drift.Compare(root)
	if err != nil {
		return exit.Error, err
	}
	fmt.Fprintf(std.Out, "the runtime of %s\n", r.GOROOT)
	if !r.Read {
		fmt.Fprintln(std.Out, "not compared with this version: "+r.Version+" was not read for the model; what follows is of its text alone")
	}
	for _, d := range r.Alike {
		fmt.Fprint(std.Out, show.Wrap(fmt.Sprintf("%s, %s: %s", d.Function, d.At(), d.Text()), "same  ", "      "))
	}
	var actions []string
	for _, d := range r.Differ {
		fmt.Fprint(std.Out, show.Wrap(fmt.Sprintf("%s, %s: %s", d.Function, d.At(), d.Text()), "DIFF  ", "      "))
		for _, c := range d.Changes {
			head := "        "
			if c.Line > 0 {
				head += fmt.Sprintf(":%d ", c.Line)
			}
			fmt.Fprint(std.Out, show.Wrap(c.Text(), head, "          "))
		}
		actions = append(actions, d.Actions()...)
	}
	slices.Sort(actions)
	actions = slices.Compact(actions)
	if len(actions) > 0 {
		fmt.Fprint(std.Out, show.Wrap(strings.Join(actions, " "), "actions whose statements differ: ", "      "))
	}
	var codes exit.Codes
	codes.If(r.Read, exit.Pass)
	codes.If(r.Read && len(r.Differ) > 0, exit.Fail)
	codes.If(!r.Read, exit.Inconclusive)
	code := exit.Gravest(codes...)
	fmt.Fprint(std.Out, exit.Footer(code, r.String(), cli.Plural(len(actions), "action")+" concerned"))
	return code, nil
}

// sourceLine says in one line how the toolchain at hand differs, for a run of the models:
// what they say is of the modelled version.
func (o *modelOptions) sourceLine(ctx context.Context) string {
	root, err := drift.Root(ctx, o.goCommand)
	if err != nil {
		return fmt.Sprintf("the source: not compared: %v", err)
	}
	r, err := drift.Compare(root)
	if err != nil {
		return fmt.Sprintf("the source: not compared: %v", err)
	}
	line := "the source: " + r.String()
	if len(r.Differ) > 0 {
		line += "; spindle model -source names them"
	}
	return line
}
