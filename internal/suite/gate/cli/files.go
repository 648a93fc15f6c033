package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/wholefile"
)

// errInterrupted is the error of what the end of ctx has stopped.
var errInterrupted = errors.New("interrupted")

// interruptible gives what was interrupted its exit code.
func interruptible(do cli.Action) cli.Action {
	return func(ctx context.Context, std cli.Streams, args []string) (int, error) {
		code, err := do(ctx, std, args)
		if errors.Is(err, errInterrupted) {
			code = exit.Interrupted
		}
		return code, err
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
