//go:build unix

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

func TestInterruptible(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("a hangup is ignored here (nohup)")
	}
	// Without this one that is not heeded would end the tests, and say nothing.
	caught := make(chan os.Signal, 8)
	signal.Notify(caught, ends...)
	defer signal.Stop(caught)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		signal.Notify(caught, sig)
		code := Interruptible(func(ctx context.Context) int {
			if err := syscall.Kill(os.Getpid(), sig); err != nil {
				t.Error(err)
				return 1
			}
			select {
			case <-ctx.Done():
				return 130
			case <-time.After(5 * time.Second):
				return 1
			}
		})
		if code != 130 {
			t.Errorf("%v: expected that it ends what is done, saw otherwise", sig)
		}
	}
}
