// Package cli is what the commands of a program share: how they are found, how their
// flags and operands are read, help, streams, exit codes, a line of progress, and the
// signals that end them.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spindle-go/spindle/internal/exit"
)

// A Command is one subcommand.
type Command struct {
	Name   string
	Args   string // what may follow the flags
	Short  string // one line
	Long   string // what help says besides, after the flags
	Hidden bool
	// Define defines the flags and returns what to do once they are parsed.
	Define func(*flag.FlagSet) Action
}

// An Action does what a command is for. An error is printed; the code is the exit
// code all the same.
type Action = func(ctx context.Context, std Streams, args []string) (code int, err error)

// A Program is a list of commands under one name. It has the command help besides.
type Program struct {
	Name     string
	About    string // what it is for, in a sentence
	Begin    string // what to try first
	Commands []*Command
}

// Run does what args say and returns the exit code.
func (p *Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		// Without this the exit code of a panic would be that of wrong usage.
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "%s: panic, which is a bug in %s itself: %v\n%s", p.Name, p.Name, v, debug.Stack())
			code = exit.Error
		}
	}()
	mu := new(sync.Mutex)
	std := Streams{stdin, &sticky{w: stdout, mu: mu}, &sticky{w: stderr, mu: mu}}
	if len(args) == 0 {
		p.usage(stderr)
		return exit.Usage
	}
	name, args := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	c, err := p.find(name)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
		return exit.Usage
	}
	code, err = p.run(ctx, c, std, args)
	if err != nil {
		fmt.Fprintf(stderr, "%s %s: %v\n", p.Name, c.Name, err)
		if code == exit.Pass { // an error is no pass, whatever the command says
			code = exit.Error
		}
	}
	if err != nil || code == exit.Interrupted {
		return code
	}
	if err := std.Broken(); err != nil {
		fmt.Fprintf(stderr, "%s %s: what was printed is not whole: %v\n", p.Name, c.Name, err)
		return exit.Error
	}
	return code
}

func (p *Program) run(ctx context.Context, c *Command, std Streams, args []string) (int, error) {
	fs := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	do := c.Define(fs)
	operands, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		c.usage(p, std.Out)
		return exit.Pass, nil
	}
	if err != nil {
		return exit.Usage, fmt.Errorf("%w; see %s help %s", err, p.Name, c.Name)
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

func (p *Program) all() []*Command {
	return append(slices.Clone(p.Commands), &Command{
		Name: "help", Args: "[COMMAND]", Short: "say what a command does",
		Define: func(*flag.FlagSet) Action { return p.help },
	})
}

func (p *Program) find(name string) (*Command, error) {
	var names []string
	for _, c := range p.all() {
		if c.Name == name {
			return c, nil
		}
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return nil, fmt.Errorf("unknown command: expected one of %s, saw %q", strings.Join(names, ", "), name)
}
