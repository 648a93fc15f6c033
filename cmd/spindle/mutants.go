package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/mutants"
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

With -subject it breaks what judges instead: "suite" is what judges histories and
runs (engine, gate, reports, checks, machine, monitor, child process), "explorer"
what explores real code, "guards" what keeps a command within its limits, and
"scheduler" is the scheduler of impl/sched, which its own tests judge. -judges is
all four. The tests of the room that was broken must fail; it exits 1
if a mutant survives, and 3 if none was run. -sample takes some of them, by chance.
-changed takes those whose edit, file or room differs from a commit; with -sample,
what either names. If git does not know the commit, it says so and takes the
sample, or all.

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
		var j mutants.JudgeOptions
		subject := fs.String("subject", "reference", "break `X`: the reference, or of what judges "+cli.Join(mutants.JudgeSubjects, ", "))
		judges := fs.Bool("judges", false, "break all that judges")
		fs.IntVar(&j.Sample, "sample", 0, "of what judges, or by operator: only `N` mutants, by chance; 0 is all")
		fs.Uint64Var(&j.Seed, "seed", 0, "draw the sample by `S`; 0 is another one each time")
		fs.StringVar(&j.Changed, "changed", "", "of what judges: only mutants that differ from the `COMMIT`, their code or their tests")
		var made operatorFlags
		made.define(fs)
		return func(ctx context.Context, std cli.Streams, ids []string) (int, error) {
			if made.on {
				made.Designs, made.Sample, made.Seed = ids, j.Sample, j.Seed
				return runOperators(ctx, std, made, *out)
			}
			if s := mutants.Subject(*subject); s != mutants.Reference || *judges {
				if s != mutants.Reference {
					j.Subjects = []mutants.Subject{s}
				}
				if j.IDs = ids; *judges && j.Subjects != nil {
					return exit.Usage, errors.New("expected -judges or -subject, saw both")
				}
				return runJudges(ctx, std, j)
			}
			if j.Sample != 0 || j.Seed != 0 || j.Changed != "" {
				return exit.Usage, errors.New("expected -judges or -subject beside -sample, -seed and -changed, saw neither")
			}
			if *seeds < 1 || o.Budget <= 0 {
				return exit.Usage, fmt.Errorf("expected seeds and a budget above 0, saw %d and %v", *seeds, o.Budget)
			}
			for s := range uint64(*seeds) {
				o.Seeds = append(o.Seeds, s+1)
			}
			for _, w := range strings.FieldsFunc(*run, func(r rune) bool { return r == ',' }) {
				o.Witnesses = append(o.Witnesses, spec.Witness(w))
			}
			o.IDs = ids
			return runMutants(ctx, std, o, *out)
		}
	},
}

func runJudges(ctx context.Context, std cli.Streams, o mutants.JudgeOptions) (int, error) {
	var err error
	if o.Root, err = cli.Checkout(); err != nil {
		return exit.Usage, err
	}
	if o.Sample > 0 && o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	line := cli.NewProgress(std.Err)
	o.Progress = func(text string) {
		line.Show("mutants: " + text)
	}
	o.Say = func(text string) {
		line.Clear()
		fmt.Fprintln(std.Out, text)
	}
	rows, err := mutants.RunJudges(ctx, o)
	line.Clear()
	if errors.Is(err, mutants.ErrUsage) {
		return exit.Usage, err
	}
	if o.Sample > 0 {
		fmt.Fprintf(std.Out, "a sample: -sample %d -seed %d runs it again\n", o.Sample, o.Seed)
	}
	ok, printed := mutants.PrintJudges(std.Out, rows)
	switch {
	case ctx.Err() != nil:
		return exit.Interrupted, nil
	case err != nil || printed != nil:
		return exit.Error, errors.Join(err, printed)
	case len(rows) == 0:
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
