package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/mutants"
)

// keptOperators is the result that is kept, in the checkout.
const keptOperators = "mutants/operators/matrix.json"

// splitComma returns what stands between commas.
func splitComma(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

// operatorFlags are the flags of mutants by operator.
type operatorFlags struct {
	mutants.OperatorOptions
	on, update bool
	kept, ids  string
	without    string
}

func (o *operatorFlags) define(fs *flag.FlagSet) {
	fs.BoolVar(&o.on, "operators", false, "make mutants by operator of right queues and schedulers, and hunt each: the arguments are names of designs, none is all")
	fs.StringVar(&o.ids, "ids", "", "of mutants by operator, with -operators or -judges: only `ID,ID`...")
	fs.IntVar(&o.Limits.Executions, "executions", 0, "give each mutant by operator at most `N` executions; 0 is as many as its design has")
	fs.IntVar(&o.Limits.Scenarios, "scenarios", 0, "give each mutant by operator the first sizes of at most `N` scenarios, or the first `N` task graphs; 0 is as many as its design has")
	fs.StringVar(&o.without, "without", "", "hunt mutants by operator of queues without `W,W`..., of "+strings.Join(checks.Leave, ", ")+", and hold them against nothing: what is it worth?")
	fs.BoolVar(&o.update, "update", false, "write what was found of mutants by operator to the kept file")
	fs.StringVar(&o.kept, "kept", "", "hold mutants by operator against the `FILE`, "+keptOperators+" if it is empty")
}

// runOperators runs the matrix of mutants by operator.
func runOperators(ctx context.Context, std cli.Streams, o operatorFlags, out string) (int, error) {
	var err error
	if o.Root, err = cli.Checkout(); err != nil {
		return exit.Usage, err
	}
	if o.Limits.Executions < 0 || o.Limits.Scenarios < 0 {
		return exit.Usage, fmt.Errorf("expected executions and scenarios from 0, saw %d and %d", o.Limits.Executions, o.Limits.Scenarios)
	}
	o.IDs, o.Limits.Without = splitComma(o.ids), splitComma(o.without)
	for _, w := range o.Limits.Without {
		if !slices.Contains(checks.Leave, w) {
			return exit.Usage, fmt.Errorf("expected -without to name some of %s, saw %q", strings.Join(checks.Leave, ", "), w)
		}
	}
	less := len(o.Limits.Without) > 0
	part := o.Sample > 0 || len(o.IDs) > 0
	if o.update && (part || less) {
		return exit.Usage, errors.New("-update needs all mutants of the designs, and all scenarios: expected no -sample, no -ids and no -without")
	}
	if o.Sample > 0 && o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	if o.kept == "" {
		o.kept = filepath.Join(o.Root, filepath.FromSlash(keptOperators))
	}
	kept, err := mutants.ReadKept(o.kept)
	if err != nil {
		return exit.Error, err
	}
	if !less {
		// What nobody saw takes longest: as many of it as the sample has, by chance.
		o.Always = kept.Open()
		rand.New(rand.NewPCG(o.Seed, 1)).Shuffle(len(o.Always), func(i, j int) { o.Always[i], o.Always[j] = o.Always[j], o.Always[i] })
		o.Always = o.Always[:min(len(o.Always), o.Sample)]
	}
	line := cli.NewProgress(std.Err)
	o.Progress = func(text string) { line.Show("mutants: " + text) }
	begin := time.Now()
	rows, failed := mutants.RunOperators(ctx, o.OperatorOptions)
	line.Clear()
	if errors.Is(failed, mutants.ErrUsage) {
		return exit.Usage, failed
	}
	if err := mutants.PrintOperators(std.Out, rows); err != nil {
		return exit.Error, err
	}
	if out != "" {
		if err := writeJSON(out, rows); err != nil {
			return exit.Error, err
		}
	}
	fmt.Fprintf(std.Out, "%d mutants in %v\n", len(rows), time.Since(begin).Round(time.Second))
	if o.Sample > 0 {
		fmt.Fprintf(std.Out, "a sample: -sample %d -seed %d runs it again\n", o.Sample, o.Seed)
	}
	var worse []string
	if !less {
		worse = kept.Worse(rows, !part && failed == nil)
	}
	for _, w := range worse {
		fmt.Fprintln(std.Out, w)
	}
	if failed == nil && o.update && len(rows) > 0 {
		next := mutants.KeepOperators(rows, o.LimitsOf())
		next.Others(kept)
		if err := next.Write(o.kept); err != nil {
			return exit.Error, err
		}
	}
	if o.update {
		worse = nil // it is what is kept from now on
	}
	if ctx.Err() != nil {
		return exit.Interrupted, nil
	}
	return mutants.OperatorsExit(rows, worse, failed), failed
}
