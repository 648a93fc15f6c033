package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// A runner runs models and prints a line for each as it ends. TLC explores them,
// or the machines in Go do.
type runner struct {
	o     *options
	std   cli.Streams
	ctx   context.Context
	stop  func() // ends ctx
	files fs.FS
	tool  *tlc.Tool
	begin time.Time
	run   func(context.Context, *tla.Task, tlc.Job) (*tlc.Result, error)
	cost  func() string // what is to be said of the whole run besides; nil: nothing
	idle  func()        // called when there is no next model for one that ran them; nil: nothing
	whole bool          // every model of the gate and the full set is run: each action must happen

	mu      sync.Mutex
	line    *cli.Progress
	differs []string // from what is expected
	broken  []error  // of runs without a verdict
	open    []string // of runs that came to no end
	changed []string // families whose modules the machine is not held against
	done    int
	wrote   int // heads, by -update
	alive   tla.Alive
}

// all runs the tasks, those that take longest first, and returns the exit code.
func (r *runner) all(tasks []*tla.Task) (int, error) {
	if !r.o.measure {
		slices.SortStableFunc(tasks, func(a, b *tla.Task) int { return int(b.Seconds - a.Seconds) })
	}
	queue := make(chan *tla.Task)
	var wg sync.WaitGroup
	for range r.o.jobs {
		wg.Go(func() {
			for t := range queue {
				r.one(t)
			}
			if r.idle != nil {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.idle()
			}
		})
	}
	for _, t := range tasks {
		if r.ctx.Err() != nil {
			break
		}
		queue <- t
	}
	close(queue)
	wg.Wait()
	r.line.Clear()
	if r.whole && r.done == len(tasks) {
		for _, p := range r.alive.Dead() {
			r.differs = append(r.differs, p)
			fmt.Fprintln(r.std.Out, "DIFF  "+p)
		}
	}
	return r.end(len(tasks))
}

// end prints how it went.
func (r *runner) end(total int) (int, error) {
	cost := ""
	if r.cost != nil {
		cost = r.cost()
	}
	var codes exit.Codes
	codes.If(r.done > 0, exit.Pass)
	stopped := r.ctx.Err() != nil && r.std.Broken() == nil // else what is told cannot be written, which package cli says
	codes.If(stopped, exit.Interrupted)
	codes.If(len(r.broken) > 0, exit.Error)
	codes.If(len(r.differs) > 0, exit.Fail)
	codes.If(len(r.open) > 0, exit.Inconclusive)
	codes.If(len(r.changed) > 0, exit.Inconclusive)
	code := exit.Gravest(codes...)
	word, differences := "pass", cli.Plural(len(r.differs), "difference")
	switch { // "pass" is for what was compared
	case r.o.measure:
		word, differences = "measured", "nothing compared"
	case r.o.update:
		word, differences = "written", cli.Plural(r.wrote, "head")+" changed, "+cli.Plural(len(r.differs), "difference")+" not written"
	}
	fmt.Fprint(r.std.Out, "\n"+exit.Closing(word, code, fmt.Sprintf("%d of %s ended", r.done, cli.Plural(total, "model")), differences,
		fmt.Sprintf("%d without a verdict", len(r.broken)), fmt.Sprintf("%d without an end; %.1f s%s", len(r.open), time.Since(r.begin).Seconds(), cost)))
	if stopped {
		return code, errInterrupted
	}
	return code, nil
}

var errInterrupted = errors.New("interrupted; the results are partial")

func (r *runner) one(t *tla.Task) {
	job, bad := t.Job(r.files, r.o.workers)
	job.Coverage = r.o.coverage && t.Mutant == nil && t.Violates == ""
	job.Timeout = r.o.timeout
	job.Simulate, job.Depth, job.Seed = r.o.simulate, r.o.depth, r.o.seed
	job.Short = job.Short && r.o.simulate == 0
	defer r.watch(t, &job)()
	var res *tlc.Result
	err := bad
	if err == nil {
		res, err = r.run(r.ctx, t, job)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.line.Clear()
	defer func() { // what cannot be told need not be found
		if r.std.Broken() != nil {
			r.stop()
		}
	}()
	switch {
	case err != nil:
		r.broken = append(r.broken, err)
		fmt.Fprintf(r.std.Out, "error %-28s %v\n", t.Name, err)
	case res.Outcome == tlc.Interrupted && res.Wall == 0: // it did not begin
	case !res.Ended():
		r.open = append(r.open, t.Name)
		r.row("open", t, res)
	case res.Outcome == tlc.Simulated: // some runs are not all states
		r.open = append(r.open, t.Name)
		r.row("open", t, res)
		fmt.Fprintf(r.std.Out, "      nothing fell in %s of at most %s; that is no proof\n", r.simulated(&job), cli.Plural(job.Depth, "state"))
	case r.o.measure:
		r.done++
		measured(r.std.Out, t, res)
	case r.o.update:
		r.done++
		r.rewrite(t, res)
	default:
		r.done++
		r.alive.Add(res)
		r.judge(t, res)
	}
}

// judge prints what was found and holds it against what is expected.
func (r *runner) judge(t *tla.Task, res *tlc.Result) {
	var list []string
	switch {
	case r.o.simulate > 0:
		if seen := "violates " + res.Property; seen != t.Expected() {
			list = []string{fmt.Sprintf("%s: expected that it %s, saw that it %s", t.Name, t.Expected(), seen)}
		}
	default:
		list = t.Compare(res)
	}
	word := "ok"
	if len(list) > 0 {
		word = "DIFF"
	}
	r.row(word, t, res)
	for _, d := range list {
		fmt.Fprintln(r.std.Out, "      "+d)
	}
	r.differs = append(r.differs, list...)
	if len(res.Trace) > 0 && (len(list) > 0 || r.o.verbose) {
		r.trace(t, res, len(list) == 0)
	}
}

// simulated says how many runs a simulation had: each worker makes all that are asked for.
func (r *runner) simulated(job *tlc.Job) string {
	text := cli.Plural(job.Simulate, "run")
	if job.Workers > 1 {
		text += " of each of " + cli.Plural(job.Workers, "worker")
	}
	return text
}

func (r *runner) trace(t *tla.Task, res *tlc.Result, expected bool) {
	ids, err := tla.RequirementsOf(r.files, t.Module, res.Property)
	if err != nil {
		fmt.Fprintln(r.std.Out, "     ", err)
	}
	showTrace(r.std.Out, t, res, ids, expected, r.o.again(t))
}

func (r *runner) row(word string, t *tla.Task, res *tlc.Result) {
	text := fmt.Sprintf("%-5s %-28s %-38s %10d generated %10d distinct  depth %3d  %-13s %6.1f s", word, t.Name, t.Verdict(res), res.Generated, res.Distinct, tla.Depth(res),
		properties(t), res.Wall.Seconds())
	if t.Liveness {
		text += "  liveness"
	}
	if word != "ok" {
		text += "  expected: " + t.Expected()
	}
	fmt.Fprintln(r.std.Out, text)
}

// properties says of how many properties a verdict is.
func properties(t *tla.Task) string {
	cfg, err := tlc.ParseConfig(t.Config)
	if err != nil {
		return "" // it is a difference
	}
	n := len(cfg.Invariants) + len(cfg.Properties)
	if n == 1 {
		return " 1 property"
	}
	return fmt.Sprintf("%2d properties", n)
}

// watch shows progress on a terminal until the returned function is called.
func (r *runner) watch(t *tla.Task, job *tlc.Job) (stop func()) {
	if !r.line.Shown() {
		return func() {}
	}
	begin, last := time.Now(), tlc.Progress{}
	job.Progress = func(p tlc.Progress) {
		r.mu.Lock()
		last = p
		r.mu.Unlock()
	}
	done := make(chan struct{})
	go func() {
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
			}
			r.mu.Lock()
			r.line.Show(r.o.command + ": " + t.Name + ", " + progressText(last, time.Since(begin)))
			r.mu.Unlock()
		}
	}()
	return func() { close(done) }
}

// progressText says how far a model is.
func progressText(p tlc.Progress, since time.Duration) string {
	text := fmt.Sprintf("%.0f s", since.Seconds())
	if p.Distinct > 0 {
		text += fmt.Sprintf("; at the last report depth %d, %d distinct states, %d to go", p.Depth, p.Distinct, p.Queue)
	}
	if p.Rate > 0 {
		text += fmt.Sprintf(", %.2g million/s", float64(p.Rate)/1e6)
	}
	if memory := size(p.Memory); memory > 0 {
		text += ", " + memory.String()
	}
	if p.Liveness {
		text += ", checking liveness"
	}
	return text
}
