// Package cli is the commands gate and merge: what they read, write and print, and
// their exit codes.
//
//interleave:off
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/gate/bench"
	"github.com/spindle-go/spindle/internal/suite/report"
)

// Gate is the command gate.
var Gate = cli.Command{
	Name: "gate", Args: "HEAD...", Short: "say what to make of recorded events, and of what changed since a baseline",
	Long: `
HEAD is a file of events, as check -json writes them, or a folder of such files, as
go test writes them with SPINDLE_EVENTS; - is standard input. Of several the gravest
counts; a file that was cut off is an error, and without any nothing ran. Nothing is
run: the verdict is a function of the events, of the list of known failures and of
the baseline. With -tests the output of go test -json is read, too: a test that
failed is red if the events do not say why; of a package that does not build the
compiler's first lines are shown.

A baseline is a small file that -update writes. With -base it is read as it is in a
commit: a pull request that changes the baseline is still compared with the old
one. Where there is none the gate is red, unless -allow-no-baseline asks for a
verdict without it. Against the baseline the gate is red where
something got worse: a requirement is newly broken, or in a new way; a target, a
requirement or a check disappeared, is no longer run, or is no longer complete. A
failure that is as in the baseline is printed and does not count. What is unknown
stays unknown, whatever the baseline says. A target that is new is checked by itself.
Where there is no comparing (another contract or selection, a damaged file), the exit
code is 4.

Benchmarks are two outputs of go test -bench, of runs that were interleaved: a
machine that was slow for a while is slow code otherwise. A benchmark is slower if
its median is, and Mann-Whitney says p < 0.001, which takes at least 7 samples of
each. Without -bench-limit ratios are printed and do not count. A benchmark that
disappeared is red.

The exit code is 0 if nothing is wrong, 1 if something is broken or worse, 2 for
wrong usage, 3 if something is unknown or nothing ran, 4 if the suite did not work
or a file cannot be believed, 130 if the run was interrupted.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := new(options)
		fs.StringVar(&o.baseline, "baseline", "", "compare with the baseline `FILE`")
		fs.StringVar(&o.base, "base", "", "read the baseline as it is in `COMMIT` of the git repository here")
		fs.BoolVar(&o.allowNone, "allow-no-baseline", false, "go on without a baseline where there is none yet")
		fs.StringVar(&o.tests, "tests", "", "read `FILE`, the output of go test -json that goes with HEAD: a failure that the events do not explain is red")
		fs.BoolVar(&o.update, "update", false, "write the baseline, from HEAD")
		fs.StringVar(&o.known, "known", "", "read known failures from `FILE`, in place of those that the run had: lines of FINGERPRINT TARGET VERSIONS URL REASON")
		fs.BoolVar(&o.strict, "strict", false, "exit 3 if a target lacks what a MUST of its profile is about")
		fs.BoolVar(&o.part, "part", false, "HEAD may be one shard of a run: check what it has")
		fs.StringVar(&o.bench, "bench", "", "compare the benchmarks of two files, `OLD,NEW`")
		fs.Float64Var(&o.limit, "bench-limit", 0, "a benchmark that takes more than `R` times as long is red, such as 1.10")
		fs.StringVar(&o.junit, "junit", "", "write JUnit's XML to `FILE`")
		fs.StringVar(&o.markdown, "markdown", "", "write Markdown to `FILE`, for a comment on a pull request")
		fs.BoolVar(&o.annotations, "annotations", false, "print annotations of a workflow")
		return interruptible(o.run)
	},
}

// options are the flags.
type options struct {
	baseline, base, known             string
	bench, tests, junit, markdown     string
	limit                             float64
	strict, update, part, annotations bool
	allowNone                         bool // no baseline is no error
}

func (o *options) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("expected files of events, or a folder of them, saw none")
	case o.update && o.baseline == "":
		return errors.New("expected -baseline beside -update: the file to write")
	case (o.base != "" || o.allowNone) && (o.baseline == "" || o.update):
		return errors.New("-base and -allow-no-baseline go with -baseline, and not with -update")
	case o.limit != 0 && o.bench == "":
		return errors.New("expected -bench beside -bench-limit: the files to compare")
	case o.limit != 0 && !(o.limit >= 1 && !math.IsInf(o.limit, 0)):
		return fmt.Errorf("expected a limit of at least 1, such as 1.10, saw %v", o.limit)
	}
	return nil
}

func (o *options) run(ctx context.Context, std cli.Streams, args []string) (int, error) {
	if err := o.check(args); err != nil {
		return exit.Usage, err
	}
	g := gate.Several{Strict: o.strict, Part: o.part}
	if o.known != "" {
		if err := open(ctx, o.known, nil, func(r io.Reader) (err error) { g.Known, err = gate.ReadKnown(r); return err }); err != nil {
			return exit.Usage, err
		}
	}
	var noBaseline error
	if o.baseline != "" && !o.update {
		if g.Base, noBaseline = o.readBaseline(ctx); ctx.Err() != nil {
			return exit.Error, errInterrupted
		}
	}
	if err := readHeads(ctx, &g, args, std.In); err != nil {
		return exit.Usage, err
	}
	result := g.Result()
	none := o.allowNone && errors.Is(noBaseline, errNone)
	if noBaseline != nil && !none {
		result.Worse(gate.Error, noBaseline.Error())
	}
	if o.tests != "" {
		if err := o.explain(ctx, &result); err != nil {
			return exit.Usage, err
		}
	}
	if o.update {
		if err := o.write(&g, &result); err != nil {
			return exit.Error, err
		}
	}
	var rows []bench.Row
	if o.bench != "" {
		rows = o.benchmarks(ctx, &result)
		if ctx.Err() != nil {
			return exit.Error, errInterrupted
		}
	}
	p := &printer{w: std.Out}
	p.result(&result, rows)
	switch {
	case o.update:
		p.printf("baseline: wrote %q", o.baseline)
	case none:
		p.printf("%s: %v", noBaselineYet, noBaseline)
	}
	p.last(&result)
	if o.annotations {
		p.keep(report.Annotations(std.Out, &result))
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer, *gate.Result) error
	}{{o.junit, report.JUnit}, {o.markdown, report.Markdown}} {
		if f.name != "" {
			p.keep(writeFile(f.name, std.Out, func(w io.Writer) error { return f.write(w, &result) }))
		}
	}
	if p.err != nil {
		return exit.Error, fmt.Errorf("what was written is not whole: %w", p.err)
	}
	return result.Exit, nil
}

// write writes the baseline, and holds the run against it: the exit code is that of
// the next run that is the same.
func (o *options) write(g *gate.Several, r *gate.Result) error {
	s, err := r.Summary()
	if err == nil {
		err = writeFile(o.baseline, nil, s.Write)
	}
	if err != nil {
		return fmt.Errorf("the baseline was not written: %w", err)
	}
	g.Base = s
	*r = g.Result()
	return nil
}

// benchmarks compares the benchmarks. What is wrong with them is wrong with the
// result.
func (o *options) benchmarks(ctx context.Context, r *gate.Result) []bench.Row {
	names := strings.Split(o.bench, ",")
	if len(names) != 2 {
		r.Worse(gate.Error, fmt.Sprintf("-bench: expected OLD,NEW, saw %q", o.bench))
		return nil
	}
	var sets [2]*bench.Set
	for i, name := range names {
		if err := open(ctx, name, nil, func(f io.Reader) (err error) { sets[i], err = bench.Read(name, f); return err }); err != nil {
			r.Worse(gate.Error, err.Error())
			return nil
		}
	}
	rows, err := bench.Compare(sets[0], sets[1])
	if err != nil {
		for _, text := range strings.Split(err.Error(), "\n") {
			r.Worse(gate.Error, text)
		}
	}
	for i := range rows {
		row := &rows[i]
		switch {
		case row.Disappeared:
			r.Worse(gate.Fail, "benchmark "+row.String())
		case o.limit > 0 && row.Slower(o.limit):
			r.Worse(gate.Fail, fmt.Sprintf("benchmark %v: more than %v", row, o.limit))
		}
	}
	return rows
}
