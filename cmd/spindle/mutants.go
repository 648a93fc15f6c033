package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/mutants"
	"github.com/spindle-go/spindle/mutants/rows"
	"github.com/spindle-go/spindle/spec"
)

var mutantsCommand = cli.Command{
	Name: "mutants", Args: "[ID...]", Short: "break the reference in known ways, and show which witness sees it",
	Long: `
It needs a checkout of the repository, which it finds from the present folder
upwards, and the go command. Nothing in the checkout is changed: each mutant is
built over it, in a temporary folder. Without ids all mutants are built, which
takes long.

It exits 1 if a mutant was not seen by the witness that must see it, or one that
is listed as equivalent was seen by any. An equivalent one counts as unseen only
if the explorer (interleave) has exhausted all of its scenarios.

With -subject it runs the mutants by hand of mutants/rows instead: "suite" is what gives
a word of a certificate, the gate or a report, "explorer" the explorer's engine,
"scheduler" the scheduler of impl/sched, and "twolevel" that of impl/twolevel. -rows is all
of them. The tests that a row names must fail; it exits 1 if a mutant survives.

With -judges it makes mutants by operator of the packages that check queues and
schedulers, of all or of those that are named (./linearizability), draws -sample of them
by -seed, which is the present commit if none is given, and runs the tests that call the
function that was changed. It prints each mutant that no test sees, and a table of the
packages. It exits 1 if of a package fewer are killed than its floor says.

With -operators it makes mutants of the right queues and schedulers by rules, hundreds
of each, and looks for the first fault of each by the scenarios or task graphs that are
enumerated from its contract. It exits 1 if one is not killed that the kept file says was, or if of a
design fewer are killed than the file says.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		var o mutants.Options
		seeds := fs.Int("seeds", 1, "judge each mutant with the seeds from 1 to `N`")
		fs.DurationVar(&o.Budget, "budget", mutants.DefaultBudget, "give each run of one witness the time `D`")
		run := fs.String("run", "", "have only some witnesses judge: `W,W`... of "+cli.Join(mutants.Witnesses(), ", "))
		fs.BoolVar(&o.OnlyNamed, "named", false, "have each mutant judged only by the witness that must see it")
		out := fs.String("json", "", "write the matrix to `FILE`, too")
		subject := fs.String("subject", "reference", "break `X`: the reference, or by hand "+cli.Join(rows.Subjects, ", "))
		byHand := fs.Bool("rows", false, "run all mutants by hand of mutants/rows")
		part := fs.String("part", "", "of the reference's mutants or those by hand: only the part `I/N`, I from 0 to N-1")
		judges := fs.Bool("judges", false, "make mutants by operator of the packages that check: the arguments are packages, none is all")
		sample := fs.Int("sample", 0, "of mutants by operator: draw only `N`; 0 is all")
		seed := fs.String("seed", "", "draw the sample by `S`: a number with -operators, any text with -judges")
		var made operatorFlags
		made.define(fs)
		return func(ctx context.Context, std cli.Streams, ids []string) (int, error) {
			hand := *byHand || *subject != "reference"
			if n := count(made.on, *judges, *byHand, *subject != "reference"); n > 1 {
				return exit.Usage, errors.New("expected one of -operators, -judges, -rows and -subject, saw more")
			}
			switch {
			case (*sample != 0 || *seed != "") && !made.on && !*judges:
				return exit.Usage, errors.New("expected -judges or -operators beside -sample and -seed, saw neither")
			case *part != "" && (made.on || *judges):
				return exit.Usage, errors.New("expected -sample with -operators and -judges, saw -part")
			case made.on:
				made.Designs, made.Sample = ids, *sample
				if *seed != "" {
					var err error
					if made.Seed, err = strconv.ParseUint(*seed, 0, 64); err != nil {
						return exit.Usage, fmt.Errorf("expected a number as -seed beside -operators, saw %q", *seed)
					}
				}
				return runOperators(ctx, std, made, *out)
			case *judges:
				return runCheckers(ctx, std, mutants.CheckerOptions{Packages: ids, Sample: *sample, Seed: *seed, IDs: splitComma(made.ids)})
			case hand:
				r := mutants.RowOptions{IDs: ids}
				if !*byHand {
					r.Subjects = []string{*subject}
				}
				var err error
				if r.Part, r.Of, err = parsePart(*part); err != nil {
					return exit.Usage, err
				}
				return runRows(ctx, std, r)
			}
			if *seeds < 1 || o.Budget <= 0 {
				return exit.Usage, fmt.Errorf("expected seeds and a budget above 0, saw %d and %v", *seeds, o.Budget)
			}
			for s := range uint64(*seeds) {
				o.Seeds = append(o.Seeds, s+1)
			}
			for _, w := range splitComma(*run) {
				o.Witnesses = append(o.Witnesses, spec.Witness(w))
			}
			o.IDs = ids
			var err error
			if o.Part, o.Of, err = parsePart(*part); err != nil {
				return exit.Usage, err
			}
			return runMutants(ctx, std, o, *out)
		}
	},
}

// parsePart reads I/N; empty is all.
func parsePart(text string) (at, of int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	if n, err := fmt.Sscanf(text, "%d/%d", &at, &of); n != 2 || err != nil || of < 1 || fmt.Sprintf("%d/%d", at, of) != text {
		return 0, 0, fmt.Errorf("expected -part I/N, such as 0/4, saw %q", text)
	}
	return at, of, nil
}

// count returns how many are set.
func count(set ...bool) (n int) {
	for _, s := range set {
		if s {
			n++
		}
	}
	return n
}

func runRows(ctx context.Context, std cli.Streams, o mutants.RowOptions) (code int, err error) {
	if o.Root, err = cli.Checkout(); err != nil {
		return exit.Usage, err
	}
	line := cli.NewProgress(std.Err)
	o.Progress = func(text string) { line.Show("mutants: " + text) }
	results, err := mutants.RunRows(ctx, o)
	line.Clear()
	if errors.Is(err, mutants.ErrUsage) {
		return exit.Usage, err
	}
	ok, printed := mutants.PrintRows(std.Out, results)
	return ended(ctx, ok, len(results), errors.Join(err, printed))
}

func runCheckers(ctx context.Context, std cli.Streams, o mutants.CheckerOptions) (code int, err error) {
	if o.Root, err = cli.Checkout(); err != nil {
		return exit.Usage, err
	}
	if o.Seed == "" {
		if o.Seed, err = mutants.Commit(ctx, o.Root); err != nil {
			return exit.Usage, fmt.Errorf("expected -seed, or a checkout that git knows: %w", err)
		}
	}
	line := cli.NewProgress(std.Err)
	o.Progress = func(text string) { line.Show("mutants: " + text) }
	begin := time.Now()
	results, err := mutants.RunCheckers(ctx, o)
	line.Clear()
	if errors.Is(err, mutants.ErrUsage) {
		return exit.Usage, err
	}
	ok, printed := mutants.PrintCheckers(std.Out, results)
	n := 0
	for _, r := range results {
		n += len(r.Results)
	}
	fmt.Fprintf(std.Out, "%d mutants in %v; -sample %d -seed %s draws them again\n", n, time.Since(begin).Round(time.Second), o.Sample, o.Seed)
	return ended(ctx, ok, n, errors.Join(err, printed))
}

// ended is the exit code of a run of mutants.
func ended(ctx context.Context, ok bool, n int, err error) (int, error) {
	switch {
	case ctx.Err() != nil:
		return exit.Interrupted, nil
	case err != nil:
		return exit.Error, err
	case n == 0:
		return exit.Inconclusive, nil
	case !ok:
		return exit.Fail, nil
	}
	return exit.Pass, nil
}

func runMutants(ctx context.Context, std cli.Streams, o mutants.Options, out string) (code int, err error) {
	if _, err := mutants.Select(o.IDs...); err != nil {
		return exit.Usage, err
	}
	if o.Root, err = cli.Checkout(); err != nil {
		return exit.Usage, err
	}
	line := cli.NewProgress(std.Err)
	o.Progress = func(text string) {
		line.Show("mutants: " + text)
	}
	m, err := mutants.Run(ctx, o)
	line.Clear()
	switch {
	case errors.Is(err, mutants.ErrUsage):
		return exit.Usage, err
	case err != nil:
		return exit.Error, err
	}
	if err := m.Print(std.Out); err != nil {
		return exit.Error, err
	}
	if out != "" {
		if err := writeJSON(out, m); err != nil {
			return exit.Error, err
		}
	}
	return m.Exit(), nil
}

// writeJSON writes v to a file, for people to read, too.
func writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o666)
	}
	return err
}
