// Overlay runs the benchmarks of package internal/benchmark with the Go runtime
// among the variants.
//
// Usage, in a checkout:
//
//	overlay [-bench REGEXP] [-benchtime TIME] [-count N] [-go COMMAND]
//
// It builds the benchmarks once, with a build overlay for the toolchain, and runs
// them -count times, each time in a new process. Their output goes to standard
// output, in the format of go test -bench. The first build compiles the standard
// library once more, which takes up to half a minute.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := overlay(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "overlay:", err)
		os.Exit(1)
	}
}

// errUsage is a mistake in the arguments, which has been told already.
var errUsage = errors.New("usage")

// packagePath is what is built.
const packagePath = "github.com/spindle-go/spindle/internal/benchmark"

func overlay(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("overlay", flag.ContinueOnError)
	flags.SetOutput(stderr)
	bench := flags.String("bench", ".", "run the benchmarks that match this `regexp`")
	benchtime := flags.Duration("benchtime", 20*time.Millisecond, "how long each benchmark runs, each time")
	count := flags.Int("count", 20, "how many times all benchmarks are run")
	goCommand := flags.String("go", "", "the go `command` of the toolchain, instead of that on PATH")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if flags.NArg() > 0 || *count < 1 || *benchtime <= 0 {
		fmt.Fprintln(stderr, "overlay: expected positive numbers and no arguments")
		return errUsage
	}
	work, err := os.MkdirTemp("", "spindle-benchmark-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary, err := build(ctx, *goCommand, work, stderr)
	if err != nil {
		return err
	}
	for range *count {
		cmd := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", *bench, "-test.benchtime", benchtime.String())
		cmd.Stdout, cmd.Stderr = stdout, stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("running the benchmarks: %w", err)
		}
	}
	return nil
}

// build builds the benchmarks in the folder work.
func build(ctx context.Context, goCommand, work string, stderr io.Writer) (binary string, err error) {
	t, err := goruntime.Find(goCommand)
	if err != nil {
		return "", err
	}
	overlay, err := t.WriteOverlay(filepath.Join(work, "overlay"))
	if err != nil {
		return "", err
	}
	binary = filepath.Join(work, "benchmark.test")
	// vet would type-check package runtime without the overlay.
	cmd := exec.CommandContext(ctx, t.Go, "test", "-c", "-vet=off", "-overlay", overlay, "-tags", "spindle_overlay", "-o", binary, packagePath)
	cmd.Env = t.Env(filepath.Join(work, "modcache"), false)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("building the benchmarks with %s: %w", t.Version, err)
	}
	return binary, nil
}
