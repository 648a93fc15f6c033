package main

import (
	"context"
	"os"

	"github.com/spindle-go/spindle/internal/cli"
)

func main() {
	os.Exit(cli.Interruptible(func(ctx context.Context) int {
		return spindle(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}))
}
