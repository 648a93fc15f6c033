// Behaviour compares the scheduler of the Go runtime with impl/sched, side by side, in one run on one machine, and prints one table:
//
//	go -C conformance/public run ./pools/behaviour
//
// Each row is measured -rounds times on each side, in turn. The numbers of the table are medians. docs/behaviour.md says how to read it.
//
// The exit code is 0 if all rows were measured, which says nothing about their ratios; 1 if one could not be; 2 for wrong usage, and if no row
// was measured; 3 if SIGINT or -timeout came first: what was measured until then is printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	exitPass = iota
	exitFail
	exitUsage
	exitInterrupted
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("behaviour", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Int("rounds", 20, "measure each row `N` times on each side")
	pattern := flags.String("run", "", "measure the rows alone whose names match `REGEXP`")
	md := flags.String("md", "", "write the table to `FILE` as well, as Markdown")
	timeout := flags.Duration("timeout", 30*time.Minute, "print what was measured after this `time`, and end with 3")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitPass
	} else if err != nil {
		return exitUsage // it was printed
	}
	wrong := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "behaviour: "+format+"\n", args...)
		return exitUsage
	}
	match, err := regexp.Compile(*pattern)
	switch {
	case err != nil:
		return wrong("-run: %v", err)
	case flags.NArg() > 0:
		return wrong("expected flags alone, saw %q", flags.Arg(0))
	case *n < 1:
		return wrong("-rounds: expected 1 or more, saw %d", *n)
	case *timeout <= 0:
		return wrong("-timeout: expected more than 0, saw %v", *timeout)
	}
	var list []*result
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
		if match.MatchString(r.name) {
			list = append(list, &result{row: r, rounds: *n, why: r.cannot()})
		}
	}
	if len(list) == 0 {
		return wrong("-run: no row is named %q; the rows are %s", *pattern, strings.Join(names, ", "))
	}
	if *md != "" { // find out now that it cannot be written
		f, err := os.OpenFile(*md, os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			return wrong("-md: %v", err)
		}
		f.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	code := measure(ctx, list, stderr)
	text := table(list, *n, code == exitInterrupted)
	fmt.Fprint(stdout, text)
	if *md != "" {
		if err := os.WriteFile(*md, padding.ReplaceAll([]byte(text), []byte(" ")), 0o644); err != nil {
			fmt.Fprintln(stderr, "behaviour:", err)
			code = max(code, exitFail)
		}
	}
	return code
}

// padding is for people who read the table as it is.
var padding = regexp.MustCompile(" {2,}")

// cores is how many processors the Go runtime uses.
var cores = min(runtime.NumCPU(), runtime.GOMAXPROCS(0))

// cannot says why a row cannot be measured here, or nothing.
func (r row) cannot() string {
	switch {
	case r.linux && !isLinux:
		return "needs Linux"
	case !r.counts && r.procs > cores:
		return fmt.Sprintf("needs %d cores", r.procs)
	}
	return ""
}

// A result is what was measured of a row.
type result struct {
	row
	rounds int
	done   int // rounds that are complete
	trials map[string][]*trial
	why    string // it was not measured, or not in full
}

// measure measures all rows that can be, and returns the exit code.
func measure(ctx context.Context, list []*result, progress io.Writer) int {
	code, began := exitUsage, time.Now()
	for i, r := range list {
		if r.why != "" {
			fmt.Fprintf(progress, "%d/%d %s: %s\n", i+1, len(list), r.name, r.why)
			continue
		}
		if code == exitUsage {
			code = exitPass // a row is measured
		}
		if ctx.Err() != nil {
			r.why, code = "not measured: interrupted", exitInterrupted
			continue
		}
		fmt.Fprintf(progress, "%d/%d %s (%.0f s)\n", i+1, len(list), r.name, time.Since(began).Seconds())
		if err := r.measure(ctx); err != nil && ctx.Err() != nil {
			r.why, code = fmt.Sprintf("incomplete: %d of %d rounds", r.done, r.rounds), exitInterrupted
		} else if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			r.why, code = "failed: "+first, max(code, exitFail)
			fmt.Fprintf(progress, "%s: failed: %v\n", r.name, err)
		}
	}
	if code == exitUsage {
		fmt.Fprintln(progress, "behaviour: no row can be measured here")
	}
	return code
}

// measure measures a row in rounds. Each begins with another side than the one before.
func (r *result) measure(ctx context.Context) error {
	r.trials = make(map[string][]*trial)
	sides := r.sides()
	for range r.rounds {
		round := make(map[string]*trial)
		for _, side := range sides {
			t, err := r.row.measure(ctx, side)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", side, err)
			}
			round[side] = t
		}
		for side, t := range round {
			r.trials[side] = append(r.trials[side], t)
		}
		r.done++
		sides = slices.Concat(sides[1:], sides[:1])
	}
	return nil
}
