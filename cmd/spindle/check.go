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
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/report"
	"github.com/spindle-go/spindle/internal/cli"
)

var checkCommand = cli.Command{
	Name: "check", Args: "[TARGET...]", Short: "judge targets by the contract",
	Long: `
Targets are ` + targetNames + `; see spindle targets. Without
any, ref, go and model are judged, as far as -run chooses checks of theirs. The
first check of go builds its run queue, which takes half a minute; later ones
start at once.

With -json - the events go to standard output and the report to standard error.

A finding says how to see it again: the same check with the same seed, and the
history that was judged, for spindle replay.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := checkOptions{seed: seed(rand.Uint64())}
		fs.Var(&o.seed, "seed", "make scenarios from `N`, decimal or 0x...; the default is random, and printed")
		fs.DurationVar(&o.Budget, "budget", conformance.DefaultBudget, "give each target the time `D`; what is not done by then is inconclusive")
		fs.StringVar(&o.Select, "run", "", "run the checks of some requirements (`SEL` is RQ-...,DN-...) or of some names (a regular expression)")
		fs.BoolVar(&o.Strict, "strict", false, "exit 3 if the target lacks what a MUST of its profile is about")
		fs.StringVar(&o.json, "json", "", "write the events to `FILE`, a line of JSON each; - is standard output")
		fs.StringVar(&o.known, "known", "", "read known failures from `FILE`: lines of ID TARGET VERSIONS URL REASON")
		fs.StringVar(&o.out, "out", "", "write the histories of failures to `DIR`; the default is a new temporary folder")
		fs.StringVar(&o.goCommand, "go", "", "the go `PATH` of the target go; the default is go on PATH")
		fs.BoolVar(&o.verbose, "v", false, "show every check and every finding in full")
		return o.check
	},
}

// checkOptions are the flags of check.
type checkOptions struct {
	conformance.Options
	seed                        seed
	json, known, out, goCommand string
	verbose                     bool
}

// seed is a flag: decimal, or hexadecimal after 0x.
type seed uint64

func (s *seed) String() string { return fmt.Sprintf("%#x", uint64(*s)) }

func (s *seed) Set(text string) error {
	digits, base := text, 10
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return errors.New("expected a number of 64 bits, decimal or hexadecimal after 0x")
	}
	*s = seed(n)
	return nil
}

func (o *checkOptions) check(ctx context.Context, std cli.Streams, names []string) (int, error) {
	sources, err := o.sources(names)
	if err == nil {
		err = o.settle()
	}
	if err != nil {
		return conformance.ExitUsage, err
	}
	// A stream or a history that cannot be written ends the run: what it would
	// go on to find could not be told.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	keep := &keeper{dir: o.out, seed: o.Seed, failed: cancel}
	o.Keep = keep.keep

	events, err := o.openEvents(std)
	if err != nil {
		return conformance.ExitUsage, err
	}
	to := std.Out
	if o.json == "-" {
		to = std.Err
	}
	text := report.NewText(to, cli.Colored(to), o.verbose)
	line := cli.NewProgress(std.Err)
	o.Sink = func(e conformance.Event) {
		if err := cmp.Or(events.failed(), text.Err(), keep.err); err != nil {
			cancel(err)
			e = failed(e)
		}
		showProgress(line, e)
		text.Event(e)
		events.write(e)
	}
	footer, err := conformance.Run(ctx, o.Options, sources...)
	line.Clear()
	broken := cmp.Or(events.close(), text.Err(), keep.err)
	switch {
	case errors.Is(err, conformance.ErrNothing):
		return conformance.ExitInconclusive, fmt.Errorf("nothing ran: %w", err)
	case err != nil:
		return conformance.ExitUsage, err
	case broken != nil:
		return conformance.ExitError, broken
	case footer.Exit == conformance.ExitInterrupted:
		return footer.Exit, errors.New("interrupted; the results are partial")
	}
	return footer.Exit, nil
}

// failed makes a footer tell of a run that could not be written down.
func failed(e conformance.Event) conformance.Event {
	if e.Footer != nil {
		f := *e.Footer
		f.Verdict, f.Exit = conformance.Error, conformance.ExitError
		e.Footer = &f
	}
	return e
}

func (o *checkOptions) sources(names []string) ([]conformance.Source, error) {
	all := len(names) == 0
	if all {
		names = []string{"ref", goTarget, modelTarget}
	}
	var list, chosen []conformance.Source
	seen := make(map[string]bool)
	for _, name := range names {
		s, err := source(name, o.goCommand)
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, fmt.Errorf("target %q is named twice", name)
		}
		seen[name] = true
		list = append(list, s)
		checks, err := s.Select(o.Select)
		if err != nil {
			return nil, err
		}
		if len(checks) > 0 {
			chosen = append(chosen, s)
		}
	}
	if all && len(chosen) > 0 {
		return chosen, nil // who named no target asks for what there is to do
	}
	return list, nil
}

// settle checks what can be checked before anything runs.
func (o *checkOptions) settle() error {
	o.Seed = uint64(o.seed)
	if o.Budget <= 0 {
		return fmt.Errorf("the budget is %v, want more than 0, such as %v", o.Budget, time.Minute)
	}
	if o.known != "" {
		f, err := os.Open(o.known)
		if err != nil {
			return err
		}
		defer f.Close()
		if o.Known, err = conformance.ReadKnown(f); err != nil {
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
	write  func(conformance.Event)
	failed func() error
	file   *os.File // nil: nothing to close
}

func (o *checkOptions) openEvents(std cli.Streams) (*eventFile, error) {
	f := new(eventFile)
	w := std.Out
	switch o.json {
	case "":
		w = io.Discard
	case "-":
	default:
		var err error
		if f.file, err = os.Create(o.json); err != nil {
			return nil, err
		}
		w = f.file
	}
	f.write, f.failed = conformance.WriteEvents(w)
	return f, nil
}

func (f *eventFile) close() error {
	err := f.failed()
	if f.file != nil {
		err = cmp.Or(err, f.file.Close())
	}
	return err
}
