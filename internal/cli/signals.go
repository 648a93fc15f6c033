package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// ends are the signals that ask the program to end: from the terminal, from whoever
// manages it, and because the terminal is gone.
var ends = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// Interruptible calls f with a context that the first of these signals ends, so that
// f can finish with what it has and end what it started. The second one kills the
// process at once. A hangup that was ignored from the beginning (nohup) stays so.
func Interruptible(f func(context.Context) int) int {
	var heed []os.Signal
	for _, s := range ends {
		if s != syscall.SIGHUP || !signal.Ignored(s) {
			heed = append(heed, s)
		}
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, heed...)
	defer signal.Stop(caught)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-caught:
			signal.Stop(caught) // before f knows: the second one is not ours any more
			cancel()
		case <-ctx.Done():
		}
	}()
	return f(ctx)
}
