// Orders asks loom, an explorer for Rust, which memory orders the ring of the Go
// runtime's run queue needs. It explores scenarios of a ring in Rust with the runtime's
// orders, which must hold, and then with one order after the other weakened. The answer
// is a table in docs/orders.md; what it means is there, too.
//
//	go run ./impl/runq/orders            # compare with the page
//	go run ./impl/runq/orders -update    # write the page's table
//
// It needs cargo, which fetches loom the first time. The code of the command is 3
// without it (go run prints that and ends with 1), 1 if the right orders fail or the
// table is not the page's.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spindle-go/spindle/internal/cachedir"
	"github.com/spindle-go/spindle/internal/exit"
)

//go:embed rust/Cargo.toml rust/Cargo.lock rust/src/*.rs
var sources embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.SetOutput(stderr)
	page := flags.String("page", "docs/orders.md", "`file` with the table")
	update := flags.Bool("update", os.Getenv("SPINDLE_UPDATE") == "1", "write the table into the page")
	limit := flags.Duration("limit", 20*time.Minute, "`time` after which all is given up")
	if flags.Parse(args) != nil || flags.NArg() > 0 {
		return exit.Usage
	}
	begin := time.Now()
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	fail := func(code int, err error) int {
		fmt.Fprintln(stderr, "orders:", err)
		return code
	}
	text, err := os.ReadFile(*page)
	if err != nil {
		return fail(exit.Usage, err)
	}
	binary, code, err := build(ctx)
	if err != nil && ctx.Err() == nil {
		return fail(code, err)
	}
	table, right, err := judge(ctx, binary, stderr)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fail(exit.Inconclusive, fmt.Errorf("not done in %v", *limit))
	case ctx.Err() != nil:
		return exit.Interrupted
	case err != nil:
		return fail(exit.Error, err)
	}
	fmt.Fprint(stdout, table)
	now, err := replace(string(text), table)
	switch {
	case err != nil:
		return fail(exit.Error, fmt.Errorf("%s: %w", *page, err))
	case !right:
		return fail(exit.Fail, errors.New("the right orders fail"))
	case *update:
		if err := os.WriteFile(*page, []byte(now), 0o644); err != nil {
			return fail(exit.Error, err)
		}
	case now != string(text):
		return fail(exit.Fail, fmt.Errorf("%s has another table; -update writes this one", *page))
	}
	fmt.Fprint(stdout, exit.Footer(exit.Pass, time.Since(begin).Round(time.Second).String()))
	return exit.Pass
}

// build returns the program in Rust, or the code to end with: without cargo, or without
// loom and a way to fetch it, nothing can be judged.
func build(ctx context.Context) (binary string, code int, err error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return "", exit.Inconclusive, errors.New("skipped, nothing was judged: there is no cargo on the path")
	}
	cache, err := cachedir.Open("spindle-orders")
	if err != nil {
		return "", exit.Error, err
	}
	dir, err := os.MkdirTemp("", "spindle-orders-")
	if err != nil {
		return "", exit.Error, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, sources); err != nil {
		return "", exit.Error, err
	}
	call := func(args ...string) error {
		cmd := exec.CommandContext(ctx, cargo, append(args, "--locked", "--quiet")...)
		cmd.Dir = filepath.Join(dir, "rust")
		cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+filepath.Join(cache.Path, "target"))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("cargo %s: %w\n%s", args[0], err, out)
		}
		return nil
	}
	if err := call("fetch"); err != nil {
		return "", exit.Inconclusive, fmt.Errorf("skipped, nothing was judged: %w", err)
	}
	return filepath.Join(cache.Path, "target", "release", "orders"), exit.Error, call("build", "--release")
}

// judge explores all, a row after the other on each processor.
func judge(ctx context.Context, binary string, progress io.Writer) (table string, right bool, err error) {
	out, err := exec.CommandContext(ctx, binary, "list").Output()
	if err != nil {
		return "", false, err
	}
	p := parse(string(out))
	var mu sync.Mutex
	done := 0
	said := func(what string, r result, begin time.Time) {
		mu.Lock()
		defer mu.Unlock()
		done++
		fmt.Fprintf(progress, "%d/%d %s: %v (%.1f s)\n", done, len(p.scenarios)+len(p.rows)+1, what, r, time.Since(begin).Seconds())
	}
	var errs []error
	explore := func(scenario string, orders []string) result {
		out, err := exec.CommandContext(ctx, binary, append([]string{"run", scenario}, orders...)...).CombinedOutput()
		verdict, rest, _ := strings.Cut(strings.TrimSpace(string(out)), "\t")
		count, what, _ := strings.Cut(rest, "\t")
		if err != nil || verdict != "complete" && verdict != "fails" {
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, fmt.Errorf("%s %v: %w: %s", scenario, orders, err, out))
		}
		return result{scenario: scenario, fails: verdict == "fails", count: count, what: what}
	}
	// first is the first scenario that fails.
	first := func(orders []string) (r result) {
		for _, s := range p.scenarios {
			if r = explore(s[0], orders); r.fails || ctx.Err() != nil {
				return r
			}
		}
		return result{}
	}
	parallel(len(p.scenarios), func(i int) {
		begin := time.Now()
		p.complete[i] = explore(p.scenarios[i][0], nil)
		said(p.scenarios[i][0], p.complete[i], begin)
	})
	parallel(len(p.rows), func(i int) {
		begin, r := time.Now(), p.rows[i]
		p.found[i] = first([]string{r[0] + "=" + r[4]})
		said(strings.Join(r[1:], " "), p.found[i], begin)
	})
	begin := time.Now()
	p.all = first(p.redundant())
	said("all that need nothing", p.all, begin)
	return p.String(), p.right(), errors.Join(errs...)
}

// parallel calls f for 0 to n-1, as many at a time as there are processors.
func parallel(n int, f func(int)) {
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		free <- struct{}{}
		wg.Go(func() { f(i); <-free })
	}
	wg.Wait()
}
