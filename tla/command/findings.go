package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla/findings"
)

// Findings is the command that shows what the model found on the runtime itself.
var Findings = cli.Command{
	Name: "findings", Args: "[NAME...]", Short: "show the model's findings on the installed Go runtime",
	Long: `
A NAME is a page in tla/findings, such as wakep; -list names them. Without any, all
are shown.

Each has a reproducer: a program that plays the schedule of the page again and again.
It runs on several runtimes, for a part of the time -d each: as it is shipped; with
gates, where the window is a few instructions wide, so that an M that has come to one
line waits, at most 30 ms, until another has gone on; and with the mended lines. The
toolchain's own proc.go is edited for that by an overlay, and GOROOT is not changed.
"proc.go as it is" has one file more in package runtime, by which the counters can
be seen.

TRIES are those in which the schedule was met, with gates, all were passed; MISSED are
the others. SHOWN are those in which the flaw was seen. The times are of all TRIES.

A toolchain in which a function that a finding rests on is not the one that was
modelled is refused, by the names of the functions.

    0  every flaw was seen where it must be, and none that is mended
    1  a mended runtime showed the flaw in half of its tries or more
    2  wrong usage
    3  a flaw was not seen where it must be, a mended runtime had fewer than five
       tries, or showed it in some, as it may on a busy machine; nothing was tried, a
       toolchain was refused, or this is no unix
    4  no toolchain, a place in proc.go that was not found, a build that failed, or
       a reproducer that did not end
  130  interrupted`,
	Define: func(fs *flag.FlagSet) cli.Action {
		var o findingOptions
		fs.BoolVar(&o.list, "list", false, "list the findings, with the functions that they rest on")
		fs.BoolVar(&o.json, "json", false, "print a line of JSON for each variant, with times in ns")
		fs.DurationVar(&o.each, "d", 75*time.Second, "take the time `D` for each finding, besides building")
		fs.StringVar(&o.goCommand, "go", "", "the go `PATH` of the toolchain; the default is go on PATH")
		return o.main
	},
}

type findingOptions struct {
	list, json bool
	each       time.Duration
	goCommand  string
}

func (o *findingOptions) main(ctx context.Context, std cli.Streams, names []string) (int, error) {
	selected, err := findings.Select(names)
	switch {
	case err != nil:
		return exit.Usage, err
	case o.each <= 0:
		return exit.Usage, fmt.Errorf("expected a time above 0 for -d, saw %v", o.each)
	case o.list:
		for _, f := range selected {
			fmt.Fprintf(std.Out, "%-13s %s (%s)\n", f.Name, f.Short, strings.Join(f.Functions, ", "))
		}
		return exit.Pass, nil
	}
	if err := findings.Supported(); err != nil {
		return exit.Inconclusive, err
	}
	toolchain, err := goruntime.Find(o.goCommand)
	if err != nil {
		return exit.Error, err
	}
	bench, err := findings.NewBench(toolchain)
	if err != nil {
		return exit.Error, err
	}
	defer bench.Close()
	// A pipe that nobody reads any more is an error of writing: the reproducers, which
	// have process groups of their own, must be ended.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	if !o.json {
		fmt.Fprintf(std.Out, "%s %s/%s, %s, %s each\n", toolchain.Version, runtime.GOOS, runtime.GOARCH, cli.Plural(runtime.NumCPU(), "core"), o.each)
	}
	var codes exit.Codes
	for i := range selected {
		code, err := o.show(ctx, std, bench, &selected[i])
		codes = append(codes, code)
		if err != nil {
			fmt.Fprintf(std.Err, "spindle findings: %v\n", err)
		}
		if ctx.Err() != nil || std.Broken() != nil {
			break
		}
	}
	code := exit.Gravest(codes...)
	if !o.json {
		fmt.Fprint(std.Out, exit.Footer(code, cli.Plural(len(codes), "finding")+" of "+fmt.Sprint(len(selected))))
	}
	return code, nil
}

// show runs all variants of one finding and prints what they have shown. What was found
// before an error is printed, too.
func (o *findingOptions) show(ctx context.Context, std cli.Streams, bench *findings.Bench, f *findings.Finding) (int, error) {
	line := cli.NewProgress(std.Err)
	defer line.Clear()
	if err := f.Refused(bench.Toolchain.GOROOT); errors.Is(err, findings.ErrRefused) {
		return exit.Inconclusive, err
	} else if err != nil {
		return exit.Error, err
	}
	load := findings.Load()
	var all []*findings.Result
	var codes exit.Codes
	var errs []error
	for i := range f.Variants {
		r, err := bench.Run(ctx, f, i, f.Share(i, o.each), line.Show)
		if ctx.Err() != nil {
			codes = append(codes, exit.Interrupted)
			break
		}
		if err != nil {
			codes = append(codes, exit.Error)
			errs = append(errs, err)
			continue
		}
		codes = append(codes, r.Code())
		all = append(all, r)
	}
	line.Clear()
	code := exit.Gravest(codes...)
	if o.json {
		e := json.NewEncoder(std.Out)
		for _, r := range all {
			errs = append(errs, e.Encode(r.Line()))
		}
		return code, errors.Join(errs...)
	}
	if len(all) == 0 {
		return code, errors.Join(errs...)
	}
	fmt.Fprintln(std.Out)
	return code, errors.Join(append(errs, findings.Print(std.Out, f, all, load))...)
}
