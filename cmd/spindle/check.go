package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/model"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/report"
	"github.com/spindle-go/spindle/internal/wholefile"
	"github.com/spindle-go/spindle/spec/record"
)

var checkCommand = cli.Command{
	Name: "check", Args: "[TARGET...]", Short: "check targets against the contract",
	Long: `
Targets are ` + targetNames + `; see spindle targets. Without
any, ref, go and model are checked, as far as -run chooses checks of theirs. The
first check of go builds its run queue, which takes half a minute; later ones
start at once. A runtime with functions that were not read for the model is
inconclusive: they are named.

The output says how many requirements of each target passed and how many were not
run, and names all others: broken, unknown, known, not offered. With -v it has the
contract, a line for each requirement, check and positive control, and every finding
in full.

With -json - the events go to standard output and the report to standard error.
With -shard I/N a part of the checks is run, and spindle merge makes one stream of
the N parts. A part exits 3 at best: if it passed, a CI job that lost the other
parts would be green. Spindle gate reads the merged stream; gate -part reads one part.

A finding says what broke, where, and how to see it again: the same check with the
same seed, and the history that was checked, for spindle replay.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := checkOptions{Options: suite.Options{Seed: record.Seed(rand.Uint64())}}
		fs.Var(&o.Seed, "seed", "make scenarios from `N`, decimal or 0x...; the default is random, and printed")
		fs.DurationVar(&o.Budget, "budget", suite.DefaultBudget, "give each target the time `D`, without that in which other processes had the processors; what is not done by then is inconclusive")
		fs.StringVar(&o.Select, "run", "", "run the checks of some requirements (`SEL` is RQ-...,DN-...) or of some names (a regular expression)")
		fs.BoolVar(&o.Strict, "strict", false, "exit 3 if the target lacks what a MUST of its profile is about")
		fs.Func("shard", "run the `I/N`-th part of the checks", o.shard)
		fs.StringVar(&o.json, "json", "", "write the events to `FILE`, a line of JSON each; - is standard output")
		fs.StringVar(&o.known, "known", "", "read known failures from `FILE`: lines of FINGERPRINT TARGET VERSIONS URL REASON")
		fs.StringVar(&o.out, "out", "", "write the histories of failures to `DIR`; the default is one bounded folder")
		fs.StringVar(&o.reproducer, "reproducer", "", "for each broken requirement of a scheduler that is a child, write a program that shows it without spindle, by the `TEMPLATE`, as children/java/Reproducer.java.tmpl; see -out")
		fs.StringVar(&o.contract, "contract", "", "check the targets against `CONTRACT` in place of their own: a profile, choices, or both, as fifo,steal-miss=beside; see spindle contract")
		fs.StringVar(&o.goCommand, "go", "", "the runtime of the targets go and model: a go command, or a GOROOT, `PATH`; the default is go on PATH")
		fs.BoolVar(&o.smoke, "smoke", false, "say in ten seconds whether the child exec:COMMAND, a scheduler, keeps to the protocol; judge nothing")
		fs.BoolVar(&o.verbose, "v", false, "also show the contract, a line for each requirement, every check, and every finding in full")
		return o.check
	},
}

// checkOptions are the flags of check.
type checkOptions struct {
	suite.Options
	json, known, out, goCommand, contract string
	reproducer                            string
	verbose, smoke                        bool
	started                               []func() // lets go of the targets that were started
}

func (o *checkOptions) shard(text string) error {
	i, n, ok := strings.Cut(text, "/")
	part, err := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err != nil || err2 != nil || part < 1 || part > of || of > 1000 {
		return errors.New("expected I/N with 1 <= I <= N <= 1000, such as 2/3")
	}
	o.Shard = suite.Shard{I: part, N: of}
	return nil
}

func (o *checkOptions) check(ctx context.Context, std cli.Streams, names []string) (int, error) {
	if o.smoke {
		command, ok := strings.CutPrefix(strings.Join(names, "\n"), execPrefix)
		if !ok || len(names) != 1 || strings.TrimSpace(command) == "" {
			return exit.Usage, fmt.Errorf("-smoke: expected one target exec:COMMAND, saw %q", names)
		}
		return smoke(ctx, std.Out, command)
	}
	err := o.settle()
	var sources []suite.Source
	if err == nil {
		sources, err = o.sources(ctx, names)
	}
	defer o.let()
	if err != nil {
		return exit.Usage, err
	}
	// A stream or a history that cannot be written ends the run: what it would
	// go on to find could not be told.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	keep := &keeper{dir: o.out, failed: cancel}
	o.Keep = keep.keep

	events, err := o.openEvents(std)
	if err != nil {
		return exit.Usage, err
	}
	to := std.Out
	if o.json == "-" {
		to = std.Err
	}
	text := report.NewText(to, cli.Colored(to), o.verbose)
	progress := report.NewProgress(std.Err, cli.Width(std.Err))
	defer progress.Close()
	shows := func(*suite.Event) {}
	var written []string
	if o.reproducer != "" {
		r, err := newReproducer(o.reproducer, keep.keep, func(format string, args ...any) { written = append(written, fmt.Sprintf(format, args...)) })
		if err != nil {
			return exit.Usage, err
		}
		shows = r.event
	}
	o.Sink = func(e suite.Event) {
		if err := cmp.Or(events.failed(), text.Err(), keep.err); err != nil {
			cancel(err)
		}
		progress.Event(e)
		text.Event(e)
		events.write(e)
		shows(&e)
	}
	err = suite.Run(ctx, o.Options, sources...)
	progress.Close()
	for _, line := range written {
		fmt.Fprintln(to, line)
	}
	broken := cmp.Or(events.close(err == nil), text.Err(), keep.err)
	result := text.Result()
	switch {
	case errors.Is(err, suite.ErrNothing):
		return exit.Inconclusive, fmt.Errorf("nothing ran: %w", err)
	case err != nil:
		return exit.Usage, err
	case broken != nil:
		return exit.Error, broken
	case result.Interrupted:
		return result.Exit, errors.New("interrupted; the results are partial")
	}
	return result.Exit, nil
}

// let lets go of all targets that were started.
func (o *checkOptions) let() {
	for _, cancel := range o.started {
		cancel()
	}
}

func (o *checkOptions) sources(ctx context.Context, names []string) ([]suite.Source, error) {
	all := len(names) == 0
	switch {
	case all && o.contract != "":
		return nil, errors.New("-contract: expected the names of targets that are checked against it, saw none")
	case all:
		names = []string{"ref", goTarget, model.Target}
	case o.goCommand != "" && !slices.Contains(names, goTarget) && !slices.Contains(names, model.Target):
		return nil, fmt.Errorf("-go says which runtime the targets %s and %s are about: expected one of them, saw %q", goTarget, model.Target, names)
	}
	var list, chosen []suite.Source
	seen := make(map[string]bool)
	for _, name := range names {
		if seen[name] {
			return nil, fmt.Errorf("target %q is named twice", name)
		}
		seen[name] = true
		s, cancel, err := source(ctx, name, o.goCommand)
		if err != nil {
			return nil, err
		}
		o.started = append(o.started, cancel)
		if o.contract != "" {
			if s, err = under(o.contract, s); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
		checks, err := suite.Select(o.Select, s.Subject.Checks)
		if err != nil {
			return nil, err
		}
		if len(checks) > 0 {
			chosen = append(chosen, s)
		}
	}
	if all && len(chosen) > 0 {
		return chosen, nil // without names the targets are those that have something to run
	}
	return list, nil
}

// settle checks what can be checked before anything runs.
func (o *checkOptions) settle() error {
	if o.Budget <= 0 {
		return fmt.Errorf("expected a budget above 0, such as %v, saw %v", time.Minute, o.Budget)
	}
	if o.known != "" {
		f, err := os.Open(o.known)
		if err != nil {
			return err
		}
		defer f.Close()
		if o.Known, err = gate.ReadKnown(f); err != nil {
			return fmt.Errorf("%s: %w", o.known, err)
		}
	}
	if o.out != "" {
		return os.MkdirAll(o.out, 0o777)
	}
	return nil
}

// eventFile is where the stream of events goes.
type eventFile struct {
	write  func(suite.Event)
	failed func() error
	file   *wholefile.File // nil: nothing to close
}

// openEvents opens the file of -json. What was there stays until the new one is
// whole.
func (o *checkOptions) openEvents(std cli.Streams) (*eventFile, error) {
	f := new(eventFile)
	w := std.Out
	switch o.json {
	case "":
		w = io.Discard
	case "-":
	default:
		var err error
		if f.file, err = wholefile.Create(o.json); err != nil {
			return nil, fmt.Errorf("-json %s: %w", o.json, err)
		}
		w = f.file
	}
	f.write, f.failed = suite.WriteEvents(w)
	return f, nil
}

// close ends the file. If the run took place it gets its name.
func (f *eventFile) close(ran bool) error {
	err := f.failed()
	switch {
	case f.file == nil:
	case err != nil || !ran:
		f.file.Discard()
	default:
		err = f.file.Commit()
	}
	return err
}
