package tlc

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/spindle-go/spindle/internal/procgroup"
)

// A command that is asked for something small has a limit of its own, beside that
// of the caller's context: one that hangs must not hold the caller until then.
const (
	askLimit   = 30 * time.Second // java says a version in less than one
	fetchLimit = 10 * time.Minute // Maven may have to fetch itself first
	askGrace   = time.Second      // to end, after it was told to
	runGrace   = 5 * time.Second  // a run of TLC, the same
)

// ask runs a command in dir for at most limit, and returns the end of what it
// printed, on either stream. The error is ctx's if the caller ended it.
func ask(ctx context.Context, limit time.Duration, dir, path string, args ...string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, path, args...)
	cmd.Dir = dir
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Terminate(cmd) }
	cmd.WaitDelay = askGrace
	out := &tail{}
	cmd.Stdout, cmd.Stderr = out, out
	begin := time.Now()
	err := cmd.Run()
	_ = procgroup.Kill(cmd)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return "", ctx.Err()
	case limited.Err() != nil:
		end, _ := limited.Deadline()
		within := max(time.Millisecond, end.Sub(begin).Round(time.Millisecond))
		if within >= time.Second {
			within = within.Round(100 * time.Millisecond)
		}
		return "", fmt.Errorf("%w within %v", ErrNoAnswer, within)
	}
	return out.String(), err
}
