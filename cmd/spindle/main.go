package main

import (
	"context"
	"os"
	"os/signal"
)

func main() {
	os.Exit(interruptible(func(ctx context.Context) int {
		return spindle(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}))
}

// interruptible calls f with a context that the first interrupt ends, so that f
// can finish with what it has. The second one kills the process at once.
func interruptible(f func(context.Context) int) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	return f(ctx)
}
