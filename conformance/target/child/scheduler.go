package child

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/spec/record"
)

// A Scheduler is a child process that runs task graphs, started again whenever it has died. Its methods may be called by several goroutines; the child
// runs one graph at a time. SCHEDULERS.md is its protocol.
type Scheduler struct {
	command func() *exec.Cmd
	o       Options
	hello   SchedulerHello
	unknown []string // capabilities

	mu     sync.Mutex
	t      *talk // nil when none runs
	starts int
	closed bool
}

// Hello returns how the child introduced itself.
func (s *Scheduler) Hello() SchedulerHello { return s.hello }

// SchedulerCapabilities are the capabilities that SCHEDULERS.md has.
var SchedulerCapabilities = []string{"spawn", "join", "park", "ready", "yield", "sleep", "block", "wait", "resize", "resize_inside"}

// Unknown returns the names among the hello's capabilities that are none, sorted. The suite ignores them.
func (s *Scheduler) Unknown() []string { return s.unknown }

// Capabilities returns what its schedulers and their tasks can do.
func (s *Scheduler) Capabilities() scheduler.Capabilities {
	c := s.hello.Capabilities
	c.IdleTimes = len(s.hello.IdleTimes) > 0
	// No message of the protocol is about these.
	c.Sized, c.Wakes, c.Deadlock = false, false, false
	return c
}

// Workers returns the numbers of workers that its schedulers can have; nil: any.
func (s *Scheduler) Workers() []int { return s.hello.Workers }

// IdleTimes returns after which times of idleness its schedulers do something.
func (s *Scheduler) IdleTimes() (list []time.Duration) {
	for _, n := range s.hello.IdleTimes {
		list = append(list, time.Duration(n)*time.Microsecond)
	}
	return list
}

// LightWorkers reports whether its workers are no threads of the system.
func (s *Scheduler) LightWorkers() bool { return s.hello.LightWorkers }

// Starts returns how many processes were started so far.
func (s *Scheduler) Starts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.starts
}

// Close ends the child. Its input is closed first, so that it can end by itself.
func (s *Scheduler) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.t != nil {
		s.t.close()
		s.t = nil
	}
	return nil
}

// start starts a process whose hello is the first one's again. s.mu is held.
func (s *Scheduler) start(ctx context.Context) error {
	p, hello, err := greet(ctx, s.command, s.o, readSchedulerHello)
	if err != nil {
		return err
	}
	s.starts++
	if err := s.hello.same(&hello); err != nil {
		p.kill()
		return fmt.Errorf("%w: %w", ErrStart, err)
	}
	s.t = newTalk(p, mostHello)
	return nil
}

// kill ends the process. s.mu is held.
func (s *Scheduler) kill() {
	if s.t != nil {
		s.t.kill()
		s.t = nil
	}
}

// Run has the child run a graph. With o.Leaves it runs it again, some times, and looks whether each run leaves a thread behind; the run says in Unseen if
// it did not. When no thread or task can go on, for as long as drive.Quiet says, or nothing is seen for drive.Stall, that is noted, and the run is
// taken down, as drive.Run does it. Errors: ctx's; a *drive.DeathError when the child died; drive.ErrFull; one that wraps ErrRefused for a graph that the child says it
// cannot run; drive.ErrUnseen when nothing was seen for drive.Stall, and this system does not show whether the child is at rest; ErrProtocol; ErrStart.
func (s *Scheduler) Run(ctx context.Context, g *record.TaskProgram, o drive.Options) (*record.TaskRun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run, err := s.run(ctx, g, o, nil, nil)
	if err != nil {
		return nil, err
	}
	run.Unseen = append(run.Unseen, "SC-CLOSE-WORKERS")
	if o.Leaves && seesRest && !s.hello.LightWorkers && s.t != nil {
		if text, counted := s.leaves(ctx, g, o); counted {
			run.Unseen = run.Unseen[:len(run.Unseen)-1]
			if text != "" {
				run.Events = append(run.Events, record.TaskEvent{What: record.LeftOver, Who: record.Runner, Text: text})
			}
		}
	}
	return run, nil
}

// Hold runs a graph that does not end by itself. As soon as there says of the log that it has come to where it is to be looked at, held is called; then all
// that waits goes on. Its error is Run's; or says that the graph has not come so far within drive.Stall.
func (s *Scheduler) Hold(ctx context.Context, g *record.TaskProgram, o drive.Options, there func([]record.TaskEvent) bool, held func(used Used)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.run(ctx, g, o, there, func() { held(s.used) })
	return err
}

// Used is the type of Scheduler.Used.
type Used = func(ctx context.Context, d time.Duration) (ran, wanted float64, ok bool)

// Used returns which part of a processor the child used of time d, and which part it used or waited for: beside other programs, it would have used something between.
// All its threads count, since a worker may have the name of another. ok is false where the system does not show that, or the child does not run.
func (s *Scheduler) Used(ctx context.Context, d time.Duration) (ran, wanted float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used(ctx, d)
}

func (s *Scheduler) used(ctx context.Context, d time.Duration) (ran, wanted float64, ok bool) {
	if s.t == nil {
		return 0, 0, false
	}
	before, after, passed, ok := s.within(ctx, d, nil)
	share := func(before, after map[string]time.Duration) (all float64) {
		for thread, n := range after {
			all += float64(n-before[thread]) / float64(passed)
		}
		return all
	}
	return share(before.ran, after.ran), share(before.wanted, after.wanted), ok
}

// within looks at the child, without its housekeeping, and again after d. ok is false where the system does not show it. The child runs.
func (s *Scheduler) within(ctx context.Context, d time.Duration, housekeeping []string) (before, after glance, passed time.Duration, ok bool) {
	begin, pid := time.Now(), s.t.cmd.Process.Pid
	before = look(pid, housekeeping)
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	after = look(pid, housekeeping)
	return before, after, time.Since(begin), before.seen && after.seen && ctx.Err() == nil
}

// Runs returns the names of the threads of the child that ran within d, but those of its housekeeping. It is called while Hold holds a run, or when none is
// there. ok is false where the system does not show that.
func (s *Scheduler) Runs(ctx context.Context, d time.Duration) (names []string, ok bool) {
	if s.t == nil {
		return nil, false
	}
	before, after, _, ok := s.within(ctx, d, s.hello.Housekeeping)
	for thread, n := range after.wanted {
		if n != before.wanted[thread] {
			names = append(names, nameOf(s.t.cmd.Process.Pid, thread))
		}
	}
	slices.Sort(names)
	return names, ok
}

// leavesRuns is how often a graph is run again to see whether its schedulers leave threads behind.
const leavesRuns = 8

// leaves runs the graph some times, and returns what is said of the threads that are left, if each run leaves one; "" if not. counted is false if it cannot be told,
// as when some are left, and not by each run.
func (s *Scheduler) leaves(ctx context.Context, g *record.TaskProgram, o drive.Options) (text string, counted bool) {
	count := func() (n, house int, ok bool) {
		var last glance
		for range 400 {
			g := look(s.t.cmd.Process.Pid, s.hello.Housekeeping)
			if g.same(last) {
				return g.threads, g.house, true
			}
			last = g
			select {
			case <-time.After(tick):
			case <-ctx.Done():
				return 0, 0, false
			}
		}
		return 0, 0, false
	}
	first, keep, ok := count()
	if !ok {
		return "", false
	}
	now, house := first, keep
	for i := 1; i <= 2; i++ {
		for range leavesRuns {
			if _, err := s.run(ctx, g, o, nil, nil); err != nil || s.t == nil {
				return "", false // it comes again, and is seen then
			}
		}
		switch now, house, ok = count(); {
		case !ok:
			return "", false
		case now < first+i*leavesRuns: // a few more may be of the runtime, or of schedulers that leave a thread now and then; names may hide workers
			return "", now <= first && house < keep+i*leavesRuns
		}
	}
	return fmt.Sprintf("%d more threads after %d more runs of the graph, each with a Close that has returned", now-first, 2*leavesRuns), true
}

// has reports whether a script has one of these steps.
func has(g *record.TaskProgram, ops ...record.TaskOp) bool {
	for _, step := range g.Steps() {
		if slices.Contains(ops, step.Op) {
			return true
		}
	}
	return false
}

// tick is how often a child is looked at that takes long. Each tick counts for its length, as in package drive.
const tick = 5 * time.Millisecond

// A running is a graph that the child runs.
type running struct {
	s      *Scheduler
	g      *record.TaskProgram
	o      drive.Options
	seq    int
	sofar  []record.TaskEvent // as looked at last
	now    time.Duration      // on its clock, when that was
	turns  int64
	stops  []record.TaskEvent // what is noted of the first stop
	leaves bool               // it was released
}

// run has the child run a graph once. s.mu is held.
func (s *Scheduler) run(ctx context.Context, g *record.TaskProgram, o drive.Options, there func([]record.TaskEvent) bool, held func()) (*record.TaskRun, error) {
	if s.closed {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.t == nil {
		if err := s.start(ctx); err != nil {
			return nil, err
		}
	}
	r := &running{s: s, g: g, o: o, seq: question()}
	events, err := r.run(ctx, there, held)
	if errors.Is(err, drive.ErrFull) {
		err = r.full(ctx)
	}
	if err != nil {
		err = r.worded(err)
		if !errors.Is(err, ErrRefused) {
			s.kill()
		}
		return nil, err
	}
	if o.Crowd {
		events = crowded(g, events, o.Parks)
	}
	return &record.TaskRun{Graph: g.TaskGraph, Events: events}, nil
}

// question returns the number of a question, which none can guess.
func question() int { return 1 + rand.IntN(1<<31-1) }

// worded returns the error of a run.
func (r *running) worded(err error) error {
	var crash *queue.CrashError
	if errors.As(err, &crash) {
		return &drive.DeathError{Text: crash.Text, Stack: crash.Stack, Events: r.sofar}
	}
	return err
}

// run asks the question, and returns the log.
func (r *running) run(ctx context.Context, there func([]record.TaskEvent) bool, held func()) ([]record.TaskEvent, error) {
	t := r.s.t
	if err := t.early(); err != nil {
		return nil, err
	}
	t.said.reset()
	t.most.Store(int64(mostLine(r.g)))
	if err := t.say(&schedulerQuestion{Seq: r.seq, Cmd: Run, Graph: graphOf(r.g, r.o.Last)}); err != nil {
		return nil, err
	}
	clock := time.NewTicker(tick)
	defer clock.Stop()
	w := &watching{r: r, quiet: drive.Quiet(r.o.Bound), enough: enoughTurns, taken: has(r.g, record.Turns, record.Spin, record.Naps)}
	if has(r.g, record.Naps) {
		w.enough = enoughNaps
	}
	w.turns = r.o.Turns
	if w.turns == 0 {
		w.turns = longTurns
	}
	for looks := 0; ; looks++ {
		line, err := t.next(ctx, clock.C)
		if err != nil {
			return nil, err
		}
		if line != nil {
			a, err := r.read(line)
			if err != nil {
				return nil, err
			}
			return r.answered(a)
		}
		if there != nil {
			// Looked at each 20 ms: that costs the child time of its own, before it is held.
			if looks%4 != 3 {
				continue
			}
			events, err := r.look(ctx)
			switch {
			case err != nil || events != nil:
				return events, err
			case there(r.sofar):
				held()
				there = nil
				if events, err = r.release(ctx); err != nil || events != nil {
					return events, err
				}
			case looks*int(tick) > int(drive.Stall):
				return nil, fmt.Errorf("%w: the graph has not come so far", drive.ErrUnseen)
			}
			continue
		}
		events, err := w.tick(ctx)
		if err != nil || events != nil {
			return events, err
		}
	}
}

// ask asks a question beside the run, and waits for the answer. If the run's answer comes first, done is its log.
func (r *running) ask(ctx context.Context, cmd string) (a *schedulerAnswer, done []record.TaskEvent, err error) {
	t, seq := r.s.t, question()
	if err := t.say(&schedulerQuestion{Seq: seq, Cmd: cmd}); err != nil {
		return nil, nil, err
	}
	limited, cancel := awake.WithTimeout(ctx, r.s.o.Timeout)
	defer cancel()
	for {
		line, err := t.next(limited, nil)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil && limited.Err() != nil && errors.Is(err, limited.Err()):
			return nil, nil, protocolError("expected an answer to %q within %v, saw none", cmd, r.s.o.Timeout)
		case err != nil:
			return nil, nil, err
		}
		switch a, err = r.read(line); {
		case err != nil:
			return nil, nil, err
		case a.Seq == seq:
			if a.Error != "" || a.Events != nil || (cmd == lookCmd) != (a.SoFar != nil) {
				return nil, nil, protocolError("expected the answer to %q, saw %.80q", cmd, line)
			}
			return a, done, nil
		case a.Seq == r.seq && done == nil:
			if done, err = r.answered(a); err != nil {
				return nil, nil, err
			}
		default:
			return nil, nil, protocolError("expected the answer to seq %d, saw seq %d", seq, a.Seq)
		}
	}
}

// look asks for the log so far. It returns that of the whole run if it has ended.
func (r *running) look(ctx context.Context) ([]record.TaskEvent, error) {
	a, done, err := r.ask(ctx, lookCmd)
	if err != nil || done != nil {
		return done, err
	}
	sofar := taskEvents(a.SoFar)
	if err := checkLog(r.g, sofar, r.leaves); err != nil {
		return nil, err
	}
	if !extends(sofar, r.sofar) {
		return nil, protocolError("expected a log that goes on where it was when it was looked at, saw another: %v", sample(a.SoFar))
	}
	if n := len(sofar); n > 0 && time.Duration(a.Now) < sofar[n-1].At {
		return nil, protocolError("expected a clock behind the last event, at %d ns, saw %d", sofar[n-1].At, a.Now)
	}
	r.sofar, r.now, r.turns = sofar, time.Duration(a.Now), a.Turns
	return nil, nil
}

// full returns drive.ErrFull if the log shows that a task has begun twice, without which it cannot be full; else what is wrong with the driver.
func (r *running) full(ctx context.Context) error {
	if _, err := r.look(ctx); err != nil {
		return err
	}
	begun := make(map[int]bool)
	for _, e := range r.sofar {
		if e.What == record.Begins && begun[e.Who] {
			return drive.ErrFull
		}
		begun[e.Who] = begun[e.Who] || e.What == record.Begins
	}
	return protocolError("expected a log in which a task has begun twice, since it is full, saw none among %d events", len(r.sofar))
}

// release has all go on that waits. It returns the log if the run has ended.
func (r *running) release(ctx context.Context) ([]record.TaskEvent, error) {
	r.leaves = true
	_, done, err := r.ask(ctx, releaseCmd)
	return done, err
}

// answered returns the log that an answer to the run has.
func (r *running) answered(a *schedulerAnswer) ([]record.TaskEvent, error) {
	if a.Seq != r.seq {
		return nil, protocolError("expected the answer to seq %d, saw seq %d", r.seq, a.Seq)
	}
	switch {
	case a.Full:
		return nil, drive.ErrFull
	case a.Error != "" && a.Events == nil && a.SoFar == nil:
		return nil, fmt.Errorf("%w: %s", ErrRefused, a.Error)
	case a.Error != "" || a.Events == nil || a.SoFar != nil:
		return nil, protocolError("expected events or an error in the answer to a run")
	}
	events := taskEvents(a.Events)
	if err := checkLog(r.g, events, r.leaves); err != nil {
		return nil, err
	}
	if !extends(events, r.sofar) {
		return nil, protocolError("expected a log that goes on where it was when it was looked at, saw another: %v", sample(a.Events))
	}
	if err := checkEnd(r.g, events); err != nil {
		return nil, err
	}
	return r.noted(events), nil
}

// noted puts what was noted of a stop before the mark of the release, if the run was released.
func (r *running) noted(events []record.TaskEvent) []record.TaskEvent {
	at := slices.IndexFunc(events, func(e record.TaskEvent) bool { return e.What == record.Released })
	if at < 0 || len(r.stops) == 0 {
		return events
	}
	return slices.Insert(slices.Clone(events), at, r.stops...)
}

// read reads a line of the child.
func (r *running) read(line []byte) (*schedulerAnswer, error) {
	return readSchedulerAnswer(line, r.g)
}

// How long tasks may take turns before they count as standing still, and how often they must have done so, as in package drive.
const (
	longTurns   = 3 * time.Second
	enoughTurns = 10_000
	enoughNaps  = 50
	turnsLook   = 250 * time.Millisecond
	patience    = 10
)

// A watching waits for a run.
type watching struct {
	r     *running
	quiet time.Duration
	turns time.Duration // so long, tasks may take turns

	taken  bool  // tasks take turns
	enough int64 // so many turns, without an event, show that they do not help

	last              glance
	rest, still, turn time.Duration
	looked            time.Duration // since the last look, of a run in which tasks take turns
	turned            int64         // when the last event was seen
	seen              int           // events
	needs             time.Duration // so long it must be at rest before it is looked at; 0: quiet
	unseen            bool          // the system does not show the child
}

// tick counts one tick. It returns the log if the run has ended, or was taken down.
func (w *watching) tick(ctx context.Context) ([]record.TaskEvent, error) {
	r := w.r
	now := look(r.s.t.cmd.Process.Pid, r.s.hello.Housekeeping)
	w.unseen = w.unseen || !now.seen
	if now.same(w.last) {
		w.rest += tick
	} else {
		w.rest = 0
	}
	w.last = now
	w.still += tick
	if w.taken {
		if w.looked += tick; w.looked >= turnsLook {
			return w.looks(ctx)
		}
	}
	// A thread of the runtime that is at work may be one that a task waits for.
	if w.rest >= max(w.quiet, w.needs) && !now.busy || w.still >= drive.Stall {
		return w.looks(ctx)
	}
	return nil, nil
}

// looks looks at the log, and says what is wrong if the run has come to a stop.
func (w *watching) looks(ctx context.Context) ([]record.TaskEvent, error) {
	r, rested, before := w.r, w.rest, w.seen
	w.looked = 0
	if done, err := r.look(ctx); err != nil || done != nil {
		return done, err
	}
	w.last = look(r.s.t.cmd.Process.Pid, r.s.hello.Housekeeping) // the child has answered meanwhile
	n := len(r.sofar)
	if w.seen = n; n != before {
		w.still, w.turn, w.turned, w.needs = 0, 0, r.turns, 0
	}
	if n > 0 && r.now-r.sofar[n-1].At < rested/2 { // something has just happened
		w.rest = 0
		return nil, nil
	}
	z := sleepersOf(r.sofar, r.now)
	if z.others && z.overdue == 0 {
		w.still = 0
	}
	if n == before && r.turns-w.turned >= w.enough {
		w.turn += turnsLook
	}
	quiet := w.quiet
	if !pendingIn(r.sofar) {
		quiet *= patience // no contract says how long the end of a scheduler takes
	}
	note := func(what record.TaskSight, text string) ([]record.TaskEvent, error) {
		// The scheduler has done all that it was asked. One that runs tasks twice may have more to do than the driver knows.
		if checkEnd(r.g, r.sofar) == nil && !ranTwice(r.sofar) {
			return nil, protocolError("expected the answer to a run whose log is whole, saw none while %s", text)
		}
		var notes []record.TaskEvent
		if z.overdue > 0 {
			notes = append(notes, record.TaskEvent{What: record.Late, Who: z.task, At: r.now, Text: fmt.Sprintf("for %v", z.overdue.Round(time.Millisecond))})
		}
		return w.stops(ctx, append(notes, record.TaskEvent{What: what, Who: record.Runner, At: r.now, Text: text}))
	}
	resting := fmt.Sprintf("all threads of the process sleep, for %v", rested)
	if n := w.last.house; n > 0 {
		resting = fmt.Sprintf("all threads of the process sleep, but for %d that its runtime has for itself, for %v", n, rested)
	}
	switch {
	case rested >= w.quiet && z.overdue >= w.quiet:
		return note(record.AtRest, resting)
	case rested >= w.quiet && z.overdue > 0:
		w.rest, w.needs = rested, rested+w.quiet-z.overdue
	case rested >= w.quiet && z.others && (r.o.Excused == nil || r.o.Excused(w.restsNow())):
		w.rest = 0
	case rested >= quiet:
		return note(record.AtRest, resting)
	case rested >= w.quiet:
		w.rest, w.needs = rested, quiet
	case w.turn >= w.turns:
		return note(record.Stalled, fmt.Sprintf("tasks took %d turns", r.turns-w.turned))
	case w.still >= drive.Stall && w.unseen:
		return nil, fmt.Errorf("%w: nothing was seen for %v", drive.ErrUnseen, w.still)
	case w.still >= drive.Stall:
		return note(record.Stalled, fmt.Sprintf("nothing for %v, while threads of the process run", w.still))
	}
	return nil, nil
}

// restsNow is the run so far, as one at rest.
func (w *watching) restsNow() *record.TaskRun {
	events := append(slices.Clone(w.r.sofar), record.TaskEvent{What: record.AtRest, Who: record.Runner})
	return &record.TaskRun{Graph: w.r.g.TaskGraph, Events: events}
}

// stops notes that the run has come to a stop. The first time all goes on that waits; the second time the child is ended, and the log so far is returned.
func (w *watching) stops(ctx context.Context, notes []record.TaskEvent) ([]record.TaskEvent, error) {
	r := w.r
	if r.leaves {
		events := append(r.noted(r.sofar), notes...)
		r.s.kill()
		return events, nil
	}
	r.stops = notes
	w.rest, w.still, w.turn, w.needs = 0, 0, 0, 0
	return r.release(ctx)
}
