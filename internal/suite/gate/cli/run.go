package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/wholefile"
)

// run parses flags, wherever they are among the operands, and does the rest.
func run(ctx context.Context, name, operands, long string, define func(*flag.FlagSet) action,
	args []string, stdin io.Reader, stdout, stderr io.Writer,
) (int, error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	do := define(fs)
	var rest []string
	for len(args) > 0 {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			_, err = fmt.Fprintf(stdout, "Usage: spindle %s [flags] %s\n\n", name, operands)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			fmt.Fprintln(stdout, long)
			return 0, err
		}
		if err != nil {
			return exitUsage, err
		}
		left := fs.Args()
		if at := len(args) - len(left) - 1; at >= 0 && args[at] == "--" || len(left) == 0 {
			rest = append(rest, left...)
			break
		}
		rest, args = append(rest, left[0]), left[1:]
	}
	return do(ctx, stdin, stdout, stderr, rest)
}

// action is what a command does once its flags are parsed.
type action = func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) (int, error)

// errInterrupted is the error of what the end of ctx has stopped.
var errInterrupted = errors.New("interrupted")

// interruptible gives what was interrupted its exit code.
func interruptible(do action) action {
	return func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) (int, error) {
		exit, err := do(ctx, stdin, stdout, stderr, args)
		if errors.Is(err, errInterrupted) {
			exit = gate.ExitInterrupted
		}
		return exit, err
	}
}

// open hands a file to read; the name - is stdin, if there is one. The file may be a
// pipe that nobody writes to: when ctx ends, open returns, and what read does then
// must be nobody's.
func open(ctx context.Context, name string, stdin io.Reader, read func(io.Reader) error) error {
	done := make(chan error, 1)
	go func() {
		if name == "-" && stdin != nil {
			done <- read(stdin)
			return
		}
		f, err := os.Open(name)
		if err != nil {
			done <- err
			return
		}
		defer f.Close()
		if err = read(f); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errInterrupted
	}
}

// writeFile writes a file as a whole. The name - is stdout, if there is one.
func writeFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" && stdout != nil {
		return write(stdout)
	}
	return wholefile.Write(name, write)
}
