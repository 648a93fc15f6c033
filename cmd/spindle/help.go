package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/spindle-go/spindle/internal/exit"
)

var helpCommand = command{
	name: "help", args: "[COMMAND]", short: "say what a command does",
	define: func(*flag.FlagSet) func(context.Context, streams, []string) (int, error) { return help },
}

func help(_ context.Context, std streams, args []string) (int, error) {
	if len(args) == 0 {
		usage(std.out)
		return exit.Pass, nil
	}
	for _, name := range args {
		c := find(name)
		if c == nil {
			return exit.Usage, fmt.Errorf("unknown command %q, want one of %s", name, strings.Join(names(), ", "))
		}
		c.usage(std.out)
	}
	return exit.Pass, nil
}

const exitCodes = `Exit codes:
    0  pass; also known failures, and a pass in which what the target does not
       offer was skipped (3 with -strict)
    1  a requirement is broken, or a known failure passes
    2  wrong usage: an unknown command, flag, target or id, a file that cannot
       be opened
    3  inconclusive: the budget ended first, what had to be seen was not seen,
       or nothing ran
    4  the suite or the target's harness did not work, a report could not be
       written, or an input file is cut off or malformed
  130  interrupted; what was found until then is printed
`

func usage(w io.Writer) {
	fmt.Fprint(w, "Spindle says whether a work-stealing scheduler keeps its promises.\n\nUsage: spindle COMMAND [FLAGS] [ARGUMENTS]\n\n")
	for _, c := range commands {
		if !c.hidden {
			fmt.Fprintf(w, "  %-13s %s\n", c.name, c.short)
		}
	}
	fmt.Fprintf(w, "\n%s\nTo begin: spindle check ref. More: spindle help COMMAND.\n", exitCodes)
}

func (c *command) usage(w io.Writer) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.define(fs)
	flags := ""
	fs.VisitAll(func(*flag.Flag) { flags = " [FLAGS]" })
	fmt.Fprintf(w, "Usage: %s\n\n%s.\n", strings.TrimSpace("spindle "+c.name+flags+" "+c.args), strings.ToUpper(c.short[:1])+c.short[1:])
	if flags != "" {
		fmt.Fprint(w, "\nFlags:\n")
		fs.VisitAll(func(f *flag.Flag) {
			arg, text := flag.UnquoteUsage(f)
			fmt.Fprintf(w, "  %-14s %s\n", strings.TrimSpace("-"+f.Name+" "+arg), text)
		})
	}
	if c.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.long))
	}
}
