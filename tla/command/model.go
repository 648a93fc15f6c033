package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/cputime"
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
A MODEL is as in spindle tlc: a configuration cfg/MODEL.cfg (spindle model -list), a
known-bad variant of one, MODEL+BUG, or MODULE:NAME where the file names no module.
Without any, those are explored that have at most 600,000 states, of whatever set,
since the sets are about TLC's time; with -set, all of that set; with -mutants, the
known-bad variants instead.

First the files are looked at, as spindle tlc does. The machines are
the modules in Go: they have the same states, steps and names. Each is explored as
TLC would do it, with the constants, the symmetry, the invariants and the properties
of the configuration, and compared with what its head says: a verdict, a count or
a depth that differs is a difference, and -update writes numbers there, but never
another verdict. A module that has no machine is left to spindle tlc.

A counterexample is a shortest one, and shown as a table with a column for each
thread: what each step changed, and its action. That of a property about time has
no length that could be compared: TLC shows another one.

What ends before it has seen all states is open, never as expected: by -timeout, by
-max-states, or by -max-memory. If no memory is given, the models that are
explored at a time share three quarters of what is free when they begin (on Linux;
elsewhere there is no limit). The limits are for each search: a property about time
has one of its own, with one worker.

With -features module Sched's machine is asked about each of its features alone: which
properties the shipped code has, which with the first fix, and with all of them; and
without each fix what falls. With -pairs it is asked about each pair of features, with all
fixes, or as shipped with -shipped. A search goes on after a violation. Where a
configuration is not explored to its end, by default within a million states, or three for
pairs, a smaller one is tried, too. Names of features choose those that are asked about,
and pairs of them alone. -markdown prints tla/FEATURES.md.

With -source nothing is explored. The runtime of the toolchain at hand is compared with
the version that the model was written from, function by function, by digests of their
syntax trees: for each that differs, the lines, what the model has there, and its actions.

    0  everything as expected; with -measure and -update, which compare nothing: done; with
       -source: the source is as it was modelled
    1  something differs: a verdict, a count; with -source: a function; with -features and
       -pairs: a promise falls, and tla/FEATURES.md does not say why
    2  wrong usage
    3  the time was up, a limit was met, or nothing ran; with -features and -pairs: for some
       feature, or pair, no configuration was explored to its end; with -source: nobody has
       read this version
    4  a configuration that the machines cannot have; with -source: no toolchain
  130  interrupted`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := modelOptions{options: options{command: "model", depth: 1, port: tlc.DefaultPort}, maxMemory: -1}
		fs.StringVar(&o.set, "set", "", "explore all models of set `S`: gate, full or night; each holds those before it")
		fs.BoolVar(&o.mutants, "mutants", false, "explore the known-bad variants")
		fs.BoolVar(&o.list, "list", false, "list the models, or with -mutants the mutants")
		fs.BoolVar(&o.markdown, "markdown", false, "with -list: as a table of Markdown")
		fs.StringVar(&o.dir, "dir", "", "read cfg/*.cfg, and what requirements the modules name, from `DIR`")
		fs.StringVar(&o.dot, "dot", "", "write the graph of one model to `FILE`, in the form of dot; -v labels the states")
		fs.IntVar(&o.workers, "workers", 0, "give each model `N` workers; 0: all processors are shared, and the last model has them all. What is found does not depend on it")
		fs.IntVar(&o.jobs, "jobs", max(1, min(4, runtime.NumCPU())), "explore `N` models at a time")
		fs.BoolVar(&o.measure, "measure", false, "print what is found as it is to be written, instead of comparing it")
		fs.BoolVar(&o.update, "update", false, "write the numbers that are found into the configurations of the checkout, or of -dir, instead of comparing them")
		fs.DurationVar(&o.timeout, "timeout", 10*time.Minute, "end each model after the time `D`")
		fs.IntVar(&o.maxStates, "max-states", 0, "end each model that has more than `N` states; 0: no limit")
		fs.Var(&o.maxMemory, "max-memory", "end each model that needs more memory than `SIZE`, such as 500MB or 4GB; 0: no limit")
		fs.BoolVar(&o.verbose, "v", false, "show counterexamples that are expected, too")
		fs.BoolVar(&o.compare, "source", false, "compare the toolchain's runtime with the one that was modelled, and explore nothing")
		fs.StringVar(&o.goCommand, "go", "", "with -source: the toolchain of this go command, or this GOROOT, `PATH`; default: go on PATH")
		fs.BoolVar(&o.features, "features", false, "ask about each feature of Sched: properties by features")
		fs.BoolVar(&o.pairs, "pairs", false, "ask about each pair of features of Sched")
		fs.BoolVar(&o.shipped, "shipped", false, "with -pairs: the shipped code, without fixes")
		o.said = func(name string) (said bool) {
			fs.Visit(func(f *flag.Flag) { said = said || f.Name == name })
			return said
		}
		return o.main
	},
}

// modelOptions are the flags of model.
type modelOptions struct {
	options
	dot       string
	maxStates int
	maxMemory size
	compare   bool   // -source
	goCommand string // -go
	features  bool
	pairs     bool
	shipped   bool
	said      func(flag string) bool // whether the user gave it
}

func (o *modelOptions) main(ctx context.Context, std cli.Streams, names []string) (int, error) {
	if o.compare {
		if len(names) > 0 {
			return exit.Usage, fmt.Errorf("-source: expected no models, saw %q", names)
		}
		if o.features || o.pairs || o.shipped || o.list || o.measure || o.update || o.mutants || o.dot != "" || o.set != "" {
			return exit.Usage, errors.New("-source explores nothing: expected no flags that choose or write models")
		}
		return o.source(ctx, std)
	}
	if o.features || o.pairs || o.shipped {
		return o.asked(ctx, std, names)
	}
	if o.goCommand != "" {
		return exit.Usage, errors.New("-go says which toolchain to compare, and means nothing without -source")
	}
	quick := o.set == "" && !o.list && !o.mutants && len(names) == 0
	if quick {
		o.set = string(tla.Night)
	}
	if err := o.settled(names); err != nil {
		return exit.Usage, err
	}
	files, where, err := o.files()
	if err != nil {
		return exit.Usage, err
	}
	tasks, problems, err := o.tasks(files, names)
	if err != nil {
		return wrong(err), o.nearer(err, files, names)
	}
	if quick {
		tasks = slices.DeleteFunc(tasks, func(t *tla.Task) bool { return !machine.Quick(t) })
	}
	machines, left, err := twins(tasks)
	tasks = slices.DeleteFunc(tasks, func(t *tla.Task) bool { return machines[t] == nil })
	if err != nil && o.list {
		problems, err = append(problems, strings.Split(err.Error(), "\n")...), nil
	}
	switch {
	case err != nil:
		return exit.Error, err
	case len(left) > 0 && len(names) > 0 && !o.mutants:
		why := slices.Sorted(maps.Keys(left))[0]
		return exit.Usage, fmt.Errorf("TLC alone answers %s: %s", strings.Join(left[why], ", "), why)
	case o.list && !o.update:
		return o.listed(std.Out, tasks, problems)
	case o.dot != "":
		return o.draw(ctx, tasks, machines)
	}
	if err := o.updatable(tasks); err != nil {
		return exit.Usage, err
	}
	if len(names) == 0 && !o.measure && !o.update {
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
	cpus := o.share(len(tasks))
	r.idle = cpus.idle
	fmt.Fprintf(std.Out, "the machines in Go; files of %s; %s, %d at a time, %v; %s\n", where, cli.Plural(len(tasks), "model"), o.jobs, cpus, o.limits())
	if quick {
		fmt.Fprint(std.Out, show.Wrap(o.sourceLine(ctx), "", "      "))
	}
	if r.changed, err = changed(files, tasks); err != nil {
		return exit.Error, err
	}
	for _, family := range r.changed {
		fmt.Fprint(std.Out, show.Wrap("the text of "+family+" is not the one that the tests compare with the machine in Go. The machine may answer otherwise than these modules. Ask TLC: spindle tlc. "+
			"Or compare them (SPINDLE_TIER=full go test "+room[family]+" -run TestSameGraphAsTLC) and note the text (SPINDLE_UPDATE=1 go test ./tla -run TestChanged).", "changed: ", "         "))
	}
	for _, p := range problems {
		r.differs = append(r.differs, p)
		fmt.Fprintln(std.Out, "DIFF  "+p)
	}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprint(std.Out, show.Wrap(strings.Join(left[why], ", ")+": "+why, "left to TLC: ", "      "))
	}
	var total int64
	missed := 0.0
	begin := cputime.Used()
	r.run = func(ctx context.Context, t *tla.Task, job tlc.Job) (*tlc.Result, error) {
		ctx, cancel := context.WithTimeout(ctx, job.Timeout)
		defer cancel()
		found, err := machines[t].Run(ctx, machine.Options{
			Workers: cpus.each, Spare: cpus.spare, MaxStates: o.maxStates, MaxMemory: int(o.maxMemory), Progress: progressOf(job.Progress),
		})
		if err != nil {
			return nil, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		total += found.Distinct
		missed += found.Collision
		return &found.Result, nil
	}
	r.cost = func() string { return rate(total, cputime.Used()-begin, missed) }
	return r.all(tasks)
}

// room is the package of a family's machine.
var room = map[string]string{"Sched": "./spec/sched", "RunQueue": "./spec/runqueue", "TwoLevel": "./spec/twolevel", "Slices": "./spec/slices"}

// changed are the families of tasks whose modules are not those that the machine is held against.
func changed(files fs.FS, tasks []*tla.Task) ([]string, error) {
	all, err := tla.Changed(files)
	return slices.DeleteFunc(all, func(family string) bool {
		return !slices.ContainsFunc(tasks, func(t *tla.Task) bool { return tla.Family(t.Module) == family })
	}), err
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
		case errors.As(err, &none) && t.MachineAlone: // nobody would judge it
			broken = append(broken, fmt.Errorf("cfg/%s.cfg: judge: expected a machine in Go, saw that %w", t.Name, err))
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

// settled checks what can be checked before anything is read.
func (o *modelOptions) settled(names []string) error {
	shared := o.workers == 0
	if shared {
		o.workers = 1
	}
	if o.maxStates < 0 {
		return fmt.Errorf("expected no -max-states below 0, saw %d", o.maxStates)
	}
	err := o.settle(names)
	if shared {
		o.workers = 0
	}
	return err
}

// rate says how many states a second of processor time had, and how likely it is that
// one was taken for another, if there are many.
func rate(states int64, cpu time.Duration, missed float64) string {
	if states == 0 || cpu <= 0 {
		return ""
	}
	text := fmt.Sprintf(", %.1f s of CPU; %d distinct states, %.2g million a CPU second", cpu.Seconds(), states, float64(states)/cpu.Seconds()/1e6)
	if missed > 1e-7 {
		text += fmt.Sprintf("; the chance that one was missed, for two had one fingerprint, is %.1g", missed)
	}
	return text
}

// progressOf tells TLC's progress of the machines'.
func progressOf(to func(tlc.Progress)) func(explore.Progress) {
	if to == nil {
		return nil
	}
	return func(p explore.Progress) {
		to(tlc.Progress{Depth: p.Depth, Generated: int64(p.Generated), Distinct: int64(p.Distinct), Queue: int64(p.Waiting), Rate: int64(p.Rate), Memory: int64(p.Memory)})
	}
}
