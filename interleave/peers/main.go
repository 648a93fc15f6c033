// Peers explores the same scripts of the same ring with this repository's
// explorer and with two of Rust, loom and shuttle, one after the other, and
// prints a table: executions, the time to exhaust, executions per second, and
// which seeded bugs were found; at the end, the ratios that are to be held.
//
//	go run ./interleave/peers
//	go run ./interleave/peers -only 'exhaust PPGPG 2x1' -limit 20s
//	go run ./interleave/peers -only ' bug ' -json
//
// The Rust side needs cargo, which fetches loom and shuttle the first time, and
// is built in the user's cache directory. Without it the table has Go alone.
//
// What is to be kept in mind when reading it: loom also explores the stale
// values that the orders of C11 allow, so that it has more to do; shuttle's
// exhaustive search has no reduction; times are of one thread each, measured
// within the process. Our CPU time has that of the garbage collector. Our
// searches that take less than 50 ms are repeated, and the best of five means
// is shown. Whoever runs something else meanwhile will see it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as a test's instrumented binary runs
	}
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var l limits
	flags.DurationVar(&l.exhaust, "limit", 60*time.Second, "`wall time` after which an exhaustive search is cut")
	flags.DurationVar(&l.dfs, "dfs", 10*time.Second, "the same for shuttle, which has no reduction")
	flags.DurationVar(&l.random, "random", 2*time.Second, "`wall time` of random executions")
	flags.DurationVar(&l.hunt, "hunt", 5*time.Second, "`wall time` after which a hunt for a bug is given up")
	flags.IntVar(&l.seeds, "seeds", 3, "hunts of shuttle for each bug, with seeds from 1")
	flags.IntVar(&l.own, "own-seeds", 20, "the same, of spindle")
	jobs := flags.Int("jobs", 1, "parallel `jobs` for cargo")
	only := flags.String("only", "", "only runs whose name matches `regexp`, such as 'loom exhaust PPGPG 2x1' or 'shuttle bug slots-after-cas small'")
	lines := flags.Bool("json", false, "print a line of JSON for each run, in place of tables")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("argument %q, want none", flags.Arg(0))
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	tasks := plan(l, pattern)
	if len(tasks) == 0 {
		return fmt.Errorf("-only %q: no run has such a name", *only)
	}

	rust, rustErr := buildPeer(ctx, *jobs)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if rustErr != nil {
		fmt.Fprintf(stderr, "peers: Go alone: %v\n", rustErr)
	}
	rows, err := runAll(ctx, tasks, rust, rustErr == nil, stdout, stderr, *lines)
	if err != nil {
		return err
	}
	if !*lines {
		printTables(stdout, rows)
		printRatios(stdout, rows)
	}
	return nil
}

// runAll runs the tasks one after the other, without those of Rust if it is not
// there.
func runAll(ctx context.Context, tasks []task, rust peer, haveRust bool, stdout, stderr io.Writer, lines bool) ([]row, error) {
	var rows []row
	encoder := json.NewEncoder(stdout)
	for i, t := range tasks {
		if ctx.Err() != nil {
			return rows, ctx.Err()
		}
		var r row
		var err error
		switch {
		case t.tool != ourselves && !haveRust:
			continue
		case t.tool != ourselves:
			r, err = rust.run(ctx, t)
		default:
			r, err = explore(t.script, t.mode, t.limit, t.seed)
		}
		if err != nil {
			return rows, err
		}
		r.Seed, r.Size = t.seed, t.size
		rows = append(rows, r)
		if lines {
			if err := encoder.Encode(r); err != nil {
				return rows, err
			}
			continue
		}
		fmt.Fprintf(stderr, "%d/%d %s: %.2f s\n", i+1, len(tasks), t.name(), r.Seconds)
	}
	return rows, nil
}
