//go:build !unix

package rerun

import (
	"errors"
	"os"
	"os/exec"
)

// become runs the instrumented binary with the same arguments and ends the
// process as it ends.
func (b *binary) become() error {
	cmd := exec.Command(b.path, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = b.environ(whole)
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return &Error{Problem: Other, Err: err}
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
