// Peers explores the same scripts of the same ring with this repository's
// explorer and with two of Rust, loom and shuttle, one after the other, and
// prints a table: executions, the time to exhaust, executions per second, and
// which seeded bugs were found. Programs of the literature come first, with the
// numbers of executions and the times of GenMC; at the end come the ratios that
// are to be held.
//
//	go run ./interleave/peers
//	go run ./interleave/peers -only 'exhaust PPGPG 2x1' -limit 20s
//	go run ./interleave/peers -only 'exhaust lastzero'
//	go run ./interleave/peers -only ' bug ' -json
//	go run ./interleave/peers -only '(spindle|GenMC) exhaust' -genmc ../genmc
//
// The Rust side needs cargo, which fetches loom and shuttle the first time, and
// is built in the user's cache directory. Our side is a copy of this command that
// is built like the test of a user, looking for data races, with
// threads that are goroutines of an edited runtime;
// it needs the go command and the source. What cannot be built is left out, and that
// is said.
//
// All are treated alike. Each run is a process of its own. An exhaustive search is
// made in five processes, within each of them again and again for 200 ms, and the
// process with the least CPU time counts; one that takes longer than 5 s is made
// once. Hunts have the same seeds. CPU time is that of the process with its start,
// all threads and the garbage collector.
//
// What is to be kept in mind when reading it: the column explores. Loom also
// explores the stale values that the orders of C11 allow, so that it has more to
// do, and looks for races only of variables of its own types; shuttle has no
// reduction. GenMC is not run unless -genmc names a checkout of it, and its times
// are of another machine then. Whoever runs something else meanwhile will see it.
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
	"time"

	"github.com/spindle-go/spindle/interleave/hook"
)

func main() {
	var err error
	if hook.Registered() { // this is the instrumented copy: no goroutine runs beside it, as in a test
		err = answer(os.Args[1:], os.Stdout)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		err = run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}
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
	flags.IntVar(&l.seeds, "seeds", 5, "hunts for each bug, with seeds from 1")
	jobs := flags.Int("jobs", 1, "parallel `jobs` for cargo")
	checkout := flags.String("genmc", "", "`folder` of a checkout of GenMC in which it was built, to run it here")
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

	peers, err := build(ctx, tasks, *jobs, *checkout, stderr)
	if err != nil {
		return err
	}
	defer peers.remove()
	rows, err := runAll(ctx, tasks, peers, stdout, stderr, *lines)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("nothing could be run: %w", errors.Join(peers.failed...))
	}
	if !*lines {
		printTables(stdout, rows)
		printRatios(stdout, rows)
	}
	return nil
}

// runAll runs the tasks one after the other, without those of a side that is not
// there.
func runAll(ctx context.Context, tasks []task, peers sides, stdout, stderr io.Writer, lines bool) ([]row, error) {
	var rows []row
	encoder := json.NewEncoder(stdout)
	for i, t := range tasks {
		if ctx.Err() != nil {
			return rows, ctx.Err()
		}
		p := peers.of(t)
		if p == nil {
			continue
		}
		r, err := measure(ctx, p, t)
		if err != nil {
			return rows, err
		}
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
