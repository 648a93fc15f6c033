package drive

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec/record"
)

// Options are how a graph is run on real threads.
type Options struct {
	// Bound is how long a task may wait beside an idle worker.
	Bound time.Duration
	// Crowd has the tasks counted that run at a time.
	Crowd bool
	// Last says that nothing is submitted once Close has returned: no contract says what comes of it.
	Last bool
	// Parks has tasks leave their workers, by Parker, while they wait for events, for others that they meet, and for the end of tasks.
	Parks bool
	// Turns is how long tasks may take turns that wait for another, which does not come; 0: three seconds, or half of that where they make each
	// other ready.
	Turns time.Duration
	// Leaves says that the scheduler ends its workers: those that are left after Close are looked for.
	Leaves bool
	// Threads has the goroutines of the scheduler counted, when all tasks have ended.
	Threads bool
	// Excused reports of a run that is at rest while somebody sleeps, whose time is not over, whether there is nothing wrong with it: then it is
	// waited for. Nil: it is always waited for.
	Excused func(*record.TaskRun) bool
}

// tick is how often a run is looked at that takes long. Each tick counts for its length, however late it
// comes: time in which this process was stopped, or had no processor, does not count.
const tick = 5 * time.Millisecond

// Quiet is how long all must be at rest before a task is said to be late, if it may wait for bound.
func Quiet(bound time.Duration) time.Duration { return max(2*bound, 100*time.Millisecond) }

// Stall is how long a run may take in which somebody runs and nothing is seen. Tests make it short.
var Stall = 10 * time.Second

// ErrFull is the error of a run in which more was seen than can be: tasks ran many times.
var ErrFull = errors.New("drive: more happened than the graph has steps for")

// ErrUnseen is wrapped by the error of a run of which the runner cannot tell whether it stands still.
var ErrUnseen = errors.New("drive: whether the run stands still cannot be seen")

// A DeathError says that the process has ended in which the scheduler runs.
type DeathError struct {
	Text, Stack string
	Events      []record.TaskEvent // as far as they are known
}

func (e *DeathError) Error() string { return "drive: " + e.Text }

// Run runs the graph on a fresh scheduler. Its error is that of ctx, or says that the run cannot be judged; a panic of the
// factory is a *PanicError.
//
// When nobody can go on, for as long as Quiet says, or nothing is seen for a long time, that is noted, and the run is taken down.
func Run(ctx context.Context, f scheduler.Factory, g *record.TaskProgram, o Options) (run *record.TaskRun, err error) {
	labelled(func(id string) { run, err = runLabelled(ctx, f, g, o, id) })
	return run, err
}

// A PanicError says that the factory has panicked.
type PanicError struct{ Value any }

func (e *PanicError) Error() string {
	return fmt.Sprintf("drive: the factory of schedulers has panicked: %v", e.Value)
}

func runLabelled(ctx context.Context, f scheduler.Factory, g *record.TaskProgram, o Options, id string) (*record.TaskRun, error) {
	before := runtime.NumGoroutine()
	p, err := made(f, g, o)
	if err != nil {
		return nil, err
	}
	if o.Threads {
		p.goroutines = func(most int) int { return goroutinesOf(id, before+len(g.Threads), most) }
	}
	for i := range g.Threads {
		go p.Thread(i)
	}
	w := &watch{p: p, id: id, ctx: ctx, excused: o.Excused, quiet: Quiet(o.Bound), turns: o.Turns}
	if w.turns == 0 {
		w.turns = longTurns
		if g.Rallied() {
			w.turns = longRally
		}
	}
	if s, ok := p.sched.(scheduler.SliceCounter); ok && g.Rallied() {
		w.slices, w.mostSlices = s, uint64(mostSlices*g.Workers)
	}
	w.clock = time.NewTicker(tick)
	defer w.clock.Stop()
	ended := w.until(p.Over)
	if !ended && ctx.Err() == nil {
		// The scheduler did not end by itself. Now everybody is let go on: who only waited for Close is told from who is lost.
		p.note(record.Released, record.Runner, "", "")
		p.release()
		if p.pending.Load() > 0 {
			ended = w.until(p.Over)
		}
	}
	if ctx.Err() != nil {
		p.release()
		return nil, ctx.Err()
	}
	if ended && o.Leaves && !p.deadlock.Load() {
		w.leaves(before, id)
	}
	if p.full.Load() {
		return nil, ErrFull
	}
	return p.Run(), nil
}

// made is NewProgram for real threads.
func made(f scheduler.Factory, g *record.TaskProgram, o Options) (p *Program, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v}
		}
	}()
	p = NewProgram(f, g, o)
	p.settled = make(chan struct{}, 1)
	p.open()
	return p, nil
}

// A watch waits for a run.
type watch struct {
	p     *Program
	id    string // of the run
	ctx   context.Context
	clock *time.Ticker
	quiet time.Duration // at rest for so long, a run has come to a stop
	turns time.Duration // so long, tasks may take turns
	// If slices is not nil: so many time slices they may take.
	slices     scheduler.SliceCounter
	mostSlices uint64

	excused func(*record.TaskRun) bool
}

// patience is how much longer the end of a scheduler may take, than a task may wait: no contract says how long that takes, and its
// workers may look at a clock.
const patience = 10

// until waits until done, or until the run has come to a stop, which it notes.
func (w *watch) until(done func() bool) bool {
	var rest, still, turns, late time.Duration
	var due int64 // since when the task is late whose lateness is counted
	seen, turned := w.p.notes.Load(), w.p.turns.Load()
	who := ""
	began := w.slicesNow()
	for !done() {
		select {
		case <-w.p.settled:
			continue
		case <-w.ctx.Done():
			return false
		case <-w.clock.C:
		}
		if now := w.p.notes.Load(); now != seen {
			seen, turned, rest, still, turns = now, w.p.turns.Load(), 0, 0, 0
			late, began = 0, w.slicesNow()
			continue
		}
		resting := false
		if resting, who = atRest(); resting {
			rest += tick
		} else {
			rest = 0
		}
		sleeper, since, overdue, others := w.p.sleeper()
		switch {
		case !resting || !overdue:
			late = 0
		case since != due:
			late, due = tick, since
		default:
			late += tick
		}
		if !others || overdue { // a task that sleeps as it should does not excuse one that is late
			still += tick
		}
		switch {
		case w.p.graph.Rallied() && others && !overdue: // a task that sleeps as it should does not wait for a turn yet
			turned, turns, began = w.p.turns.Load(), 0, w.slicesNow()
		case w.p.turns.Load()-turned >= enoughTurns:
			turns += tick
		}
		quiet := w.quiet
		if w.p.pending.Load() <= 0 && (w.p.settling.Load() == 0 || w.p.closing.Load()) {
			quiet *= patience
		}
		switch {
		case done():
		case late >= quiet:
			w.p.note(record.Late, sleeper, "", fmt.Sprintf("for %v", late))
			w.stops(record.AtRest, fmt.Sprintf("for %v", rest))
			return false
		case rest >= quiet && overdue: // it is counted how long that has been so
		case rest >= quiet && others && (w.excused == nil || w.excused(w.p.restsNow())):
			rest = 0
		case rest >= quiet:
			w.stops(record.AtRest, fmt.Sprintf("for %v", rest))
			return false
		case turns >= w.turns || turns > 0 && w.slicesNow()-began > w.mostSlices:
			if overdue {
				w.p.note(record.Late, sleeper, "", fmt.Sprintf("for %v", turns))
			}
			text := fmt.Sprintf("tasks took %d turns", w.p.turns.Load()-turned)
			if n := w.slicesNow() - began; n > 0 {
				text += fmt.Sprintf(", and %d time slices of them were over", n)
			}
			w.stops(record.Stalled, text)
			return false
		case still >= Stall:
			if overdue {
				w.p.note(record.Late, sleeper, "", fmt.Sprintf("for %v", still))
			}
			w.stops(record.Stalled, fmt.Sprintf("nothing for %v, while there is %s", still, strings.TrimSuffix(who, ":")))
			return false
		}
	}
	return true
}

// stops notes that the run has come to a stop, and before that, which goroutines the scheduler has.
func (w *watch) stops(what record.TaskSight, text string) {
	list := left(w.id)
	w.p.alive(total(list), lines(list))
	w.p.note(what, record.Runner, "", text)
}

// Tasks that wait by yielding, or by looking again and again, must have done so so often, and for so long, before anybody says
// that this does not help.
const (
	enoughTurns = 100_000
	longTurns   = 3 * time.Second
	// Of 80 tasks that came back to the global queue beside such pairs, the Go runtime ran the last after 147 ms, and half of them after 17 ms
	// (docs/behaviour.md). longRally is ten times the longest, and mostSlices twice as many time slices of 10 ms as that had.
	longRally  = 1470 * time.Millisecond
	mostSlices = 30
)

// slicesNow returns how many time slices were over by now, or 0 where nothing counts them.
func (w *watch) slicesNow() uint64 {
	if w.slices == nil {
		return 0
	}
	return w.slices.SlicesOver()
}

// leaves looks for goroutines that are left. Those that are on their way are waited for: until the process is at rest, or for
// long.
func (w *watch) leaves(before int, id string) {
	for range 20 {
		if fewer(before) {
			return
		}
		runtime.Gosched()
	}
	var rest, all time.Duration
	for {
		if len(left(id)) == 0 {
			return
		}
		select {
		case <-w.ctx.Done():
			return
		case <-w.clock.C:
		}
		all += tick
		if resting, _ := atRest(); resting {
			rest += tick
		} else {
			rest = 0
		}
		if rest >= patience*w.quiet || all >= Stall {
			if list := left(id); len(list) > 0 {
				w.p.note(record.LeftOver, record.Runner, "", lines(list))
			}
			return
		}
	}
}
