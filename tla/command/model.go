package command

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/machine"
	"github.com/spindle-go/spindle/tla/tlc"
)

// Model is the command that explores the models' machines in Go.
var Model = cli.Command{
	Name: "model", Args: "[MODEL...]", Short: "explore the model's machines in Go, without Java",
	Long: `
A MODEL is as in spindle tlc: a row of the table of models (spindle model -list),
a known-bad variant of one, MODEL+BUG, or MODULE:NAME for a file cfg/NAME.cfg.
Without any, those are explored that have at most 2 million states, of whatever set,
since the sets are about TLC's time; with -set, all of that set; with -mutants, the
known-bad variants instead.

First the files are held against the tables, as spindle tlc does. The machines are
the modules in Go: they have the same states, steps and names. Each is explored as
TLC would do it, with the constants, the symmetry, the invariants and the properties
of the configuration, and held against the same table: a verdict, a count or a depth
that differs is a difference. A module that has no machine is left to spindle tlc.

A counterexample is a shortest one, and shown as a table with a column for each
thread: what each step changed, and its action. That of a property about time has
no length that could be compared: TLC shows another one.

With -source nothing is explored. The runtime of the toolchain at hand is compared with
the version that the model was written from, function by function, by digests of their
syntax trees: for each that differs, the lines, what the model has there, and its actions.

    0  everything as the table expects; with -source: the source is as it was modelled
    1  something differs: a verdict, a count; with -source: a function
    2  wrong usage
    3  the time was up, or nothing ran; with -source: nobody has read this version
    4  a configuration that the machines cannot have; with -source: no toolchain
  130  interrupted`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := modelOptions{options: options{command: "model", depth: 1, port: tlc.DefaultPort}}
		fs.StringVar(&o.set, "set", "", "explore all models of set `S`: gate, full or night; each holds those before it")
		fs.BoolVar(&o.mutants, "mutants", false, "explore the known-bad variants")
		fs.BoolVar(&o.list, "list", false, "list the models, or with -mutants the mutants")
		fs.BoolVar(&o.markdown, "markdown", false, "with -list: as a table of Markdown")
		fs.StringVar(&o.dir, "dir", "", "read cfg/*.cfg, and what requirements the modules name, from `DIR`")
		fs.StringVar(&o.dot, "dot", "", "write the graph of one model to `FILE`, in the form of dot; -v labels the states")
		fs.IntVar(&o.workers, "workers", 1, "give each model `N` workers; what is found does not depend on it")
		fs.IntVar(&o.jobs, "jobs", max(1, min(4, runtime.NumCPU())), "explore `N` models at a time")
		fs.BoolVar(&o.measure, "measure", false, "print what is found as rows of the tables, with the machines' seconds, instead of comparing it")
		fs.DurationVar(&o.timeout, "timeout", 10*time.Minute, "end each model after the time `D`")
		fs.BoolVar(&o.verbose, "v", false, "show counterexamples that are expected, too")
		fs.BoolVar(&o.compare, "source", false, "compare the toolchain's runtime with the one that was modelled, and explore nothing")
		fs.StringVar(&o.goCommand, "go", "", "with -source: the toolchain of this go command, or this GOROOT, `PATH`; default: go on PATH")
		return o.main
	},
}

// modelOptions are the flags of model.
type modelOptions struct {
	options
	dot       string
	compare   bool   // -source
	goCommand string // -go
}

func (o *modelOptions) main(ctx context.Context, std cli.Streams, names []string) (int, error) {
	if o.compare {
		if len(names) > 0 {
			return exit.Usage, fmt.Errorf("-source: expected no models, saw %q", names)
		}
		return o.source(ctx, std)
	}
	if o.goCommand != "" {
		return exit.Usage, errors.New("-go says which toolchain to compare, and means nothing without -source")
	}
	quick := o.set == "" && !o.list && !o.mutants && len(names) == 0
	if quick {
		o.set = string(tla.Night)
	}
	if err := o.settle(names); err != nil {
		return exit.Usage, err
	}
	files, where, err := o.files()
	if err != nil {
		return exit.Usage, err
	}
	tasks, problems, err := o.tasks(files, names)
	if err != nil {
		return exit.Usage, nearer(err, names)
	}
	if quick {
		tasks = slices.DeleteFunc(tasks, func(t *tla.Task) bool { return !machine.Quick(t) })
	}
	machines, left, err := twins(tasks)
	tasks = slices.DeleteFunc(tasks, func(t *tla.Task) bool { return machines[t] == nil })
	switch {
	case err != nil:
		return exit.Error, err
	case len(left) > 0 && len(names) > 0 && !o.mutants:
		why := slices.Sorted(maps.Keys(left))[0]
		return exit.Usage, fmt.Errorf("TLC alone answers %s: %s", strings.Join(left[why], ", "), why)
	case o.list:
		return exit.Pass, o.print(std.Out, tasks)
	case o.dot != "":
		return o.draw(ctx, tasks, machines)
	}
	if len(names) == 0 && !o.measure {
		found, err := tla.Audit(files)
		if err != nil {
			return exit.Error, err
		}
		problems = append(problems, found...)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &runner{o: &o.options, std: std, files: files, line: cli.NewProgress(std.Err), ctx: ctx, stop: stop, begin: time.Now()}
	r.whole = !o.mutants && len(names) == 0 && (o.set == "" || tla.Set(o.set).Has(tla.Full))
	fmt.Fprintf(std.Out, "the machines in Go; files of %s; %s, %d at a time, %s each\n", where, cli.Plural(len(tasks), "model"), o.jobs, cli.Plural(o.workers, "worker"))
	if quick {
		fmt.Fprint(std.Out, show.Wrap(o.sourceLine(ctx), "", "      "))
	}
	for _, p := range problems {
		r.differs = append(r.differs, p)
		fmt.Fprintln(std.Out, "DIFF  "+p)
	}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprint(std.Out, show.Wrap(strings.Join(left[why], ", ")+": "+why, "left to TLC: ", "      "))
	}
	var total int64
	begin := explore.CPUTime()
	r.run = func(ctx context.Context, t *tla.Task, job tlc.Job) (*tlc.Result, error) {
		ctx, cancel := context.WithTimeout(ctx, job.Timeout)
		defer cancel()
		found, err := machines[t].Run(ctx, machine.Options{Workers: o.workers, Progress: progressOf(job.Progress)})
		if err != nil {
			return nil, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		total += found.Distinct
		return &found.Result, nil
	}
	r.cost = func() string { return rate(total, explore.CPUTime()-begin) }
	return r.all(tasks)
}

// twins returns the machines of tasks, and the names of those that have none by the
// reason.
func twins(tasks []*tla.Task) (map[*tla.Task]*machine.Machine, map[string][]string, error) {
	machines, left := make(map[*tla.Task]*machine.Machine), make(map[string][]string)
	var broken []error
	for _, t := range tasks {
		m, err := machine.Of(t)
		var none *machine.NoneError
		switch {
		case errors.As(err, &none):
			left[none.Why] = append(left[none.Why], t.Name)
		case err != nil:
			broken = append(broken, err)
		default:
			machines[t] = m
		}
	}
	return machines, left, errors.Join(broken...)
}

// rate says how many states a second of processor time had.
func rate(states int64, cpu time.Duration) string {
	if states == 0 || cpu <= 0 {
		return ""
	}
	return fmt.Sprintf(", %.1f s of CPU; %d distinct states, %.2g million a CPU second", cpu.Seconds(), states, float64(states)/cpu.Seconds()/1e6)
}

// progressOf tells TLC's progress of the machines'.
func progressOf(to func(tlc.Progress)) func(explore.Progress) {
	if to == nil {
		return nil
	}
	return func(p explore.Progress) {
		to(tlc.Progress{Depth: p.Depth, Generated: int64(p.Generated), Distinct: int64(p.Distinct), Queue: int64(p.Waiting)})
	}
}

// nearer names the models nearest to the first name that is in no table, if that is
// what is wrong.
func nearer(err error, names []string) error {
	var known []string
	for i := range tla.Models {
		known = append(known, tla.Models[i].Name)
	}
	for i := range tla.Mutants {
		known = append(known, tla.Mutants[i].Name())
	}
	at := slices.IndexFunc(names, func(n string) bool { return !strings.Contains(n, ":") && !slices.Contains(known, n) })
	if at < 0 || len(known) == 0 {
		return err
	}
	slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(distance(names[at], a), distance(names[at], b)) })
	return fmt.Errorf("unknown model %q; near it: %s; spindle model -list lists all", names[at], strings.Join(known[:min(3, len(known))], ", "))
}

// distance is how many letters have to be changed, added or taken away to make b
// of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
