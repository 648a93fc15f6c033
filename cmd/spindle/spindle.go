package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/term"

	"github.com/spindle-go/spindle/internal/exit"
)

// A command is one subcommand.
type command struct {
	name   string
	args   string // what may follow the flags
	short  string // one line
	long   string // what help says besides, after the flags
	hidden bool
	// define defines the flags and returns what to do once they are parsed.
	// An error is printed; the code is the exit code all the same.
	define func(*flag.FlagSet) func(ctx context.Context, std streams, args []string) (code int, err error)
}

// streams are the three standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

var commands []*command

func init() { // not in the declaration: help looks at commands
	commands = []*command{
		&checkCommand, &requirementsCommand, &targetsCommand, &replayCommand,
		&mutantsCommand, &tlcCommand, &modelCommand, &serveCommand, &versionCommand, &helpCommand,
	}
}

func find(name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

// spindle is the command: it does what args say and returns the exit code.
func spindle(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		// Without this the exit code of a panic would be that of wrong usage.
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "spindle: panic, which is a bug in spindle itself: %v\n%s", v, debug.Stack())
			code = exit.Error
		}
	}()
	std := streams{stdin, &sticky{w: stdout}, stderr}
	if len(args) == 0 {
		usage(stderr)
		return exit.Usage
	}
	name, args := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	c := find(name)
	if c == nil {
		fmt.Fprintf(stderr, "spindle: unknown command %q, want one of %s\n", name, strings.Join(names(), ", "))
		return exit.Usage
	}
	code, err := c.run(ctx, std, args)
	if err != nil {
		fmt.Fprintf(stderr, "spindle %s: %v\n", c.name, err)
	}
	if err != nil || code == exit.Interrupted {
		return code
	}
	if werr := std.out.(*sticky).err; werr != nil {
		fmt.Fprintf(stderr, "spindle %s: what was printed is not whole: %v\n", c.name, werr)
		code = exit.Error
	}
	return code
}

func (c *command) run(ctx context.Context, std streams, args []string) (int, error) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	do := c.define(fs)
	operands, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		c.usage(std.out)
		return exit.Pass, nil
	}
	if err != nil {
		return exit.Usage, fmt.Errorf("%w; see spindle help %s", err, c.name)
	}
	return do(ctx, std, operands)
}

// parse parses flags wherever they are among the operands.
func parse(fs *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if len(rest) == 0 {
			return operands, nil
		}
		if at := len(args) - len(rest) - 1; at >= 0 && args[at] == "--" {
			return append(operands, rest...), nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}

func names() []string {
	var list []string
	for _, c := range commands {
		if !c.hidden {
			list = append(list, c.name)
		}
	}
	return list
}

// sticky remembers the first error of writing: a report that was not written
// must not look like a good one.
type sticky struct {
	w   io.Writer
	err error
}

func (s *sticky) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// terminal returns the file that w writes to if that is a terminal, else nil.
func terminal(w io.Writer) *os.File {
	if s, ok := w.(*sticky); ok {
		w = s.w
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// colored reports whether w gets colours: it is a terminal and nobody said no
// (https://no-color.org).
func colored(w io.Writer) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
