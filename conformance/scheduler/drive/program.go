// Package drive runs task graphs on schedulers, on real threads or under the explorer.
//
//interleave:off
package drive

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	realsync "sync"
	realatomic "sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/frames"
	"github.com/spindle-go/spindle/spec/record"
)

// A Program is a graph on a fresh scheduler. What its threads and tasks tell each other goes through the explorer's locks
// and atomics, which are ordinary ones where nobody explores. What is noted goes into a log that the explorer does not see: each
// note whose place matters stands right behind an operation that it does see.
type Program struct {
	graph  *record.TaskProgram
	make   scheduler.Factory
	sched  scheduler.Scheduler
	made   *gate // there is a scheduler
	begin  time.Time
	events []*event
	ends   []*gate  // of tasks
	over   []*event // of tasks that are waited for by tasks which park; nil if these keep their workers
	forked []func() // by task: its join, of the task that has forked it
	locks  []sync.Mutex
	joins  []*gate // of threads

	peak       realatomic.Int64   // the most of pending
	goroutines func(most int) int // counts those of the scheduler, when no more than most are left, or after a while; nil: nobody does

	pending  atomic.Int64 // tasks that were submitted, and have neither ended nor been refused
	joined   atomic.Bool  // all threads have come to their end: nothing more is submitted from outside
	allEnded *gate
	deadlock atomic.Bool  // Close has said that tasks wait for nobody: they are not waited for
	crowd    bool         // to count how many run
	running  atomic.Int64 // tasks that run
	sizes    sizes
	parks    bool              // tasks park while they wait
	served   bool              // another process watches: see Live
	noting   realsync.Mutex    // of what is served: its times do not fall
	ending   realatomic.Int32  // tasks whose end is about to be noted
	last     bool              // nothing is submitted once Close has returned
	closed   realatomic.Bool   // Close has returned: set before that is noted
	told     realatomic.Bool   // that was noted
	out      []realatomic.Bool // by task: it was counted out
	closing  realatomic.Bool   // Close was called
	settling realatomic.Int32  // threads that wait for all tasks
	released realatomic.Bool
	freed    chan struct{}    // closed by release
	there    realatomic.Int32 // threads outside that have begun
	nested   realatomic.Int64 // submissions of tasks that submit themselves again, which have not returned
	turns    realatomic.Int64 // of those that spin or yield
	settled  chan struct{}    // gets one when somebody may have ended last; nil under the explorer

	// Here, under the explorer, says which thread calls, and how many operations it has carried out. It is nil where nobody explores.
	Here   func() (thread, steps int)
	notes  realatomic.Int64
	log    []noted
	asleep []realatomic.Int64 // by task, and then by thread: until when it sleeps, in nanoseconds since the beginning; 0: it does not
	full   realatomic.Bool    // a note did not fit
	begun  []realatomic.Int32
	done   realatomic.Int32 // threads that have come to their end, with what the first does behind
}

// NewProgram makes what a graph needs but its scheduler: Thread 0 makes that, before all others go on. Of the options, Crowd, Last and Parks say how the
// steps are made.
func NewProgram(f scheduler.Factory, g *record.TaskProgram, o Options) *Program {
	p := &Program{graph: g, make: f, begin: time.Now(), made: newGate(), freed: make(chan struct{}), allEnded: newGate(), crowd: o.Crowd, last: o.Last, parks: o.Parks}
	p.sizes.init(g)
	steps := 0
	for _, lists := range [][][]record.TaskStep{g.Threads, g.Scripts} {
		for _, list := range lists {
			steps += 2*len(list) + 4
		}
	}
	p.log = make([]noted, 2*steps+64) // twice: for tasks that run twice
	p.forked, p.locks = make([]func(), len(g.Tasks)), make([]sync.Mutex, g.Locks)
	p.begun, p.out = make([]realatomic.Int32, len(g.Tasks)), make([]realatomic.Bool, len(g.Tasks))
	p.asleep = make([]realatomic.Int64, len(g.Tasks)+len(g.Threads))
	for e := range g.Events {
		p.events = append(p.events, newEvent(len(g.Rallies[e])))
	}
	for range g.Tasks {
		p.ends = append(p.ends, newGate())
		if o.Parks {
			p.over = append(p.over, newEvent(0))
		}
	}
	for range g.Threads {
		p.joins = append(p.joins, newGate())
	}
	return p
}

// open makes the scheduler. It panics if the factory does.
func (p *Program) open() {
	if p.sched == nil {
		p.sched = p.make(p.graph.Workers)
	}
	p.made.open()
}

// note writes what was seen into the log.
func (p *Program) note(what record.TaskSight, who int, step, text string) {
	if p.served {
		p.noting.Lock()
		defer p.noting.Unlock()
	}
	i := p.notes.Add(1) - 1
	if i >= int64(len(p.log)) {
		p.full.Store(true)
		p.tell()
		return
	}
	p.log[i].event = record.TaskEvent{What: what, Who: who, Step: step, Text: text, At: time.Since(p.begin)}
	if p.Here != nil {
		p.log[i].thread, p.log[i].steps = p.Here()
	}
	p.log[i].whole.Store(true)
}

// noted is an event in the log, if it is whole.
type noted struct {
	event         record.TaskEvent
	thread, steps int // of the explorer: which thread has noted it, behind so many operations of its own
	whole         realatomic.Bool
}

// Run returns what was seen so far. Threads and tasks that are lost may still note something: that is seen if it is whole.
func (p *Program) Run() *record.TaskRun {
	n := min(p.notes.Load(), int64(len(p.log)))
	events := make([]record.TaskEvent, 0, n)
	for i := range p.log[:n] {
		if p.log[i].whole.Load() {
			events = append(events, p.log[i].event)
		}
	}
	return &record.TaskRun{Graph: p.graph.TaskGraph, Events: events}
}

// Thread runs the script of thread i. The first one then waits for the others, and for all tasks, and closes the
// scheduler.
func (p *Program) Thread(i int) {
	if i == 0 {
		p.open()
	} else {
		p.made.wait()
	}
	if p.settled != nil {
		p.assembles()
	}
	for _, s := range p.graph.Threads[i] {
		p.step(s, ^i, nil)
	}
	p.note(record.Ends, ^i, "", "")
	if i > 0 {
		p.joins[i].open()
		p.leaves()
		return
	}
	for _, g := range p.joins[1:] {
		g.wait()
	}
	p.joined.Store(true)
	if p.pending.Load() > 0 && !p.deadlock.Load() {
		p.allEnded.wait()
	}
	if !p.graph.Closes {
		if p.goroutines != nil {
			p.note(record.Kept, record.Runner, "", strconv.Itoa(p.goroutines(record.MostThreads(int(p.peak.Load()), p.graph.Most))))
		}
		if w, ok := p.sched.(scheduler.WakeCounter); ok && !p.served {
			p.note(record.Woken, record.Runner, "", strconv.FormatUint(w.Wakes(), 10))
		}
		p.close(record.Runner)
	}
	p.leaves()
}

// assembles waits until all threads are there, as far as none is late: else the first would often be done before the next one begins.
func (p *Program) assembles() {
	p.there.Add(1)
	for looks := 0; looks < 1000 && int(p.there.Load()) < len(p.graph.Threads); looks++ {
		if looks%10 == 9 {
			runtime.Gosched()
		}
	}
}

// leaves notes that a thread has ended.
func (p *Program) leaves() {
	p.done.Add(1)
	p.tell()
}

// Over reports whether all threads have ended, and all tasks that were accepted, but for those of a deadlock.
func (p *Program) Over() bool {
	return int(p.done.Load()) == len(p.graph.Threads) && (p.pending.Load() <= 0 || p.deadlock.Load())
}

// Dead reports whether Close has said that tasks can never go on.
func (p *Program) Dead() bool { return p.deadlock.Load() }

// tell tells the runner that all may be over.
func (p *Program) tell() {
	if p.settled != nil {
		select {
		case p.settled <- struct{}{}:
		default:
		}
	}
}

// task returns the function of task k.
func (p *Program) task(k int) func(scheduler.Task) {
	return func(t scheduler.Task) {
		p.begun[k].Add(1)
		p.runs(k, 1)
		p.note(record.Begins, k, "", "")
		handedOn := false // to itself: see again
		defer func() {
			if !handedOn {
				p.runs(k, -1)
				p.ended(k, t)
			}
		}()
		for _, s := range p.graph.Scripts[k] {
			if s.Op == record.Repeat {
				p.note(record.Does, k, s.String(), "")
				handedOn = !p.again(s, k, t)
				break
			}
			p.step(s, k, t)
		}
	}
}

// ended counts a task out that has ended, or was refused. t is who says so: that task, or the one that submitted it, or nil.
func (p *Program) ended(k int, t scheduler.Task) {
	if p.out[k].Swap(true) && p.last { // see unsaid
		p.note(record.Ends, k, "", "")
		return
	}
	p.ending.Add(1)
	left := p.pending.Add(-1)
	if p.begun[k].Load() > 0 {
		p.note(record.Ends, k, "", "")
	}
	p.ending.Add(-1)
	p.isOver(k, t)
	p.left(left)
}

// isOver tells those that wait for the end of task k.
func (p *Program) isOver(k int, t scheduler.Task) {
	p.ends[k].open()
	if p.parks {
		p.says(p.over[k], t)
	}
}

// left ends the run if no task is left.
func (p *Program) left(left int64) {
	// Between the two a thread may have submitted more, and come to its end.
	if left == 0 && p.joined.Load() && p.pending.Load() == 0 {
		p.allEnded.open()
	}
	p.tell()
}

// runs counts how many tasks run: n is 1 if task k begins to, or goes on, and -1 if it stops.
func (p *Program) runs(k int, n int64) {
	if !p.crowd {
		return
	}
	now, most := p.running.Add(n), int64(p.graph.Most)
	if p.graph.Resizes > 0 && now <= most {
		now, most = p.sizes.runs(k, n)
	}
	if n > 0 && now > most {
		p.note(record.TooMany, record.Runner, "", fmt.Sprintf("%d of %d", now, most))
	}
}

// step does a step of task or thread who. t is nil outside.
func (p *Program) step(s record.TaskStep, who int, t scheduler.Task) {
	// waits waits at a gate, or parks until the event.
	waits := func(g *gate, e *event) {
		if p.parks && t != nil {
			p.parksUntil(e, s, who, t)
			return
		}
		p.note(record.Does, who, s.String(), "")
		g.wait()
		p.note(record.Did, who, s.String(), "")
	}
	switch s.Op {
	case record.Submit, record.Fork:
		p.submit(s, who, t)
	case record.Collect:
		p.collects(s, who)
	case record.Lock:
		p.note(record.Does, who, s.String(), "")
		p.locks[s.Arg].Lock()
		p.note(record.Did, who, s.String(), "")
	case record.Unlock:
		p.locks[s.Arg].Unlock()
	case record.Happen:
		p.happens(s.Arg, t)
		p.note(record.Did, who, s.String(), "")
	case record.Await:
		waits(p.events[s.Arg].gate, p.events[s.Arg])
	case record.Gather:
		p.arrives(s.Arg, t)
		waits(p.events[s.Arg].gate, p.events[s.Arg])
	case record.Join:
		e := (*event)(nil)
		if p.parks {
			e = p.over[s.Arg]
		}
		waits(p.ends[s.Arg], e)
	case record.Park:
		p.parksUntil(p.events[s.Arg], s, who, t)
	case record.Block:
		p.note(record.Does, who, s.String(), "")
		p.runs(who, -1)
		seen := p.blocks(t.(scheduler.Blocker), p.events[s.Arg].gate)
		p.runs(who, 1)
		p.note(record.Did, who, s.String(), seen)
	case record.Turns, record.Spin:
		p.note(record.Does, who, s.String(), "")
		for e := p.events[s.Arg]; !e.happened.Load() && !p.released.Load(); {
			if s.Op == record.Turns {
				p.yields(who, t)
			}
			p.turns.Add(1)
		}
		p.note(record.Did, who, s.String(), "")
	case record.Rally:
		p.note(record.Does, who, s.String(), "")
		p.rallies(s.Arg, who, t.(scheduler.Parker))
		p.note(record.Did, who, s.String(), "")
	case record.Yield:
		p.note(record.Does, who, s.String(), "")
		p.yields(who, t)
		p.note(record.Did, who, s.String(), "")
	case record.Sleep:
		p.note(record.Does, who, s.String(), "")
		p.sleeps(s.For(), who, t)
		p.note(record.Did, who, s.String(), "")
	case record.Naps:
		p.note(record.Does, who, s.String(), "")
		for e := p.events[s.Arg]; !e.happened.Load() && !p.released.Load(); {
			p.sleeps(nap, who, t)
			p.turns.Add(enoughTurns / enoughNaps)
		}
		p.note(record.Did, who, s.String(), "")
	case record.Repeat: // of a thread outside
		p.note(record.Does, who, s.String(), "")
		p.note(record.Did, who, s.String(), p.feeds(s))
	case record.Resize:
		p.resize(s, who, t)
	case record.Panic:
		panic(PanicValue)
	case record.Exit:
		runtime.Goexit()
	case record.Settle:
		p.settles(who)
	case record.Close:
		p.close(who)
	}
}

// parksUntil has a task park until the event: it does not run meanwhile.
func (p *Program) parksUntil(e *event, s record.TaskStep, who int, t scheduler.Task) {
	p.note(record.Does, who, s.String(), "")
	p.runs(who, -1)
	seen := ""
	if !e.park(t.(scheduler.Parker), t) {
		seen = record.NoNeed
	}
	p.runs(who, 1)
	p.note(record.Did, who, s.String(), seen)
}

// PanicValue is what tasks panic with. A scheduler that lets it through ends the program with it.
const PanicValue = "conformance: SC-PANIC: a task of the suite has panicked on purpose, as the contract of the scheduler (panics=isolated) allows"

// rallies has a task take turns with others until an event: each parks until the one before it makes it ready.
func (p *Program) rallies(event, who int, t scheduler.Parker) {
	e, at := p.events[event], slices.Index(p.graph.Rallies[event], who)
	for {
		if p.released.Load() {
			p.happens(event, t)
		}
		p.runs(who, -1) // it may park
		next, parked, over := e.rally(t, t, at)
		p.runs(who, 1)
		if next != nil {
			t.Ready(next)
		}
		if over {
			return
		}
		if !parked {
			p.turns.Add(1)
		}
	}
}

// yields has a task let others run: it does not run meanwhile.
func (p *Program) yields(who int, t scheduler.Task) {
	p.runs(who, -1)
	t.(scheduler.Yielder).Yield()
	p.runs(who, 1)
}

// nap is how long a task sleeps at a time that does so until an event. Each nap counts for as many turns as make enough when there
// were so many naps: a process that is seldom run finds all clocks due at once, and is not seen at rest.
const (
	nap        = 20 * time.Millisecond
	enoughNaps = 50
)

// sleeps has task or thread who sleep.
func (p *Program) sleeps(d time.Duration, who int, t scheduler.Task) {
	if who < 0 {
		until := &p.asleep[len(p.graph.Tasks)+^who]
		until.Store(int64(time.Since(p.begin) + d))
		time.Sleep(d)
		until.Store(0)
		return
	}
	p.runs(who, -1)
	p.asleep[who].Store(int64(time.Since(p.begin) + d))
	t.(scheduler.Sleeper).Sleep(d)
	p.asleep[who].Store(0)
	p.runs(who, 1)
}

// sleeper returns the task whose time has been over for the longest, since when, and whether there is one. others says that somebody else
// sleeps.
func (p *Program) sleeper() (k int, since int64, overdue, others bool) {
	now := int64(time.Since(p.begin))
	for i := range p.asleep {
		until := p.asleep[i].Load()
		switch {
		case until == 0:
		case until >= now || i >= len(p.graph.Tasks):
			others = true
		case !overdue || until < since:
			k, since, overdue = i, until, true
		}
	}
	return k, since, overdue, others
}

// blocks has a task wait at the gate inside Block. It says what is wrong with how the scheduler calls that, or "".
func (p *Program) blocks(t scheduler.Blocker, g *gate) string {
	var calls, returns realatomic.Int32
	t.Block(func() {
		calls.Add(1)
		g.wait()
		returns.Add(1)
	})
	if c, r := calls.Load(), returns.Load(); c != 1 || r != 1 {
		return fmt.Sprintf("called %d times, which has returned %d times", c, r)
	}
	return ""
}

// submit submits a task, from outside or from a task.
func (p *Program) submit(s record.TaskStep, who int, t scheduler.Task) {
	p.peaks(p.pending.Add(1))
	p.note(record.Does, who, s.String(), "")
	if p.last && p.closed.Load() {
		p.note(record.Did, who, s.String(), "refused: it is not asked, since Close has returned")
		p.refused(s.Arg, t)
		return
	}
	p.sizes.submitted(s.Arg)
	asks := p.asks
	if s.Op == record.Fork {
		asks = p.forks(s.Arg)
	}
	if err := asks(t, p.task(s.Arg)); err != nil {
		p.note(record.Did, who, s.String(), "refused: "+err.Error())
		p.refused(s.Arg, t)
		return
	}
	told := p.told.Load()
	p.note(record.Did, who, s.String(), "")
	if p.last && told {
		p.unsaid(s.Arg, t)
	}
}

// unsaid counts a task out that was accepted when Close had returned, where no contract says whether it runs: nobody waits for it.
func (p *Program) unsaid(k int, t scheduler.Task) {
	if !p.out[k].Swap(true) {
		p.letsGo(k, t)
		p.isOver(k, t)
		p.left(p.pending.Add(-1))
	}
}

// asks submits a function, from outside or from task t.
func (p *Program) asks(t scheduler.Task, f func(scheduler.Task)) error {
	submit := p.sched.Submit
	if sp, ok := t.(scheduler.Spawner); ok {
		submit = sp.Spawn
	}
	return called(func() error { return submit(f) })
}

// forks returns what submits task k, so that the task that does so can join it.
func (p *Program) forks(k int) func(scheduler.Task, func(scheduler.Task)) error {
	return func(t scheduler.Task, f func(scheduler.Task)) error {
		return called(func() error {
			join, err := t.(scheduler.Joiner).Fork(f)
			if err == nil {
				p.forked[k] = join
			}
			return err
		})
	}
}

// collects has a task join one that it has forked, if that was accepted. It does not run meanwhile.
func (p *Program) collects(s record.TaskStep, who int) {
	p.note(record.Does, who, s.String(), "")
	text := ""
	if join := p.forked[s.Arg]; join != nil {
		p.runs(who, -1)
		if err := called(func() error { join(); return nil }); err != nil {
			text = err.Error()
		}
		p.runs(who, 1)
	}
	p.pending.Load() // as in close
	p.note(record.Did, who, s.String(), text)
}

// peaks notes how many tasks are pending.
func (p *Program) peaks(n int64) {
	for most := p.peak.Load(); n > most && !p.peak.CompareAndSwap(most, n); most = p.peak.Load() {
	}
}

// resize changes the number of workers, from outside or from a task.
func (p *Program) resize(s record.TaskStep, who int, t scheduler.Task) {
	p.note(record.Does, who, s.String(), "")
	r, ok := t.(scheduler.Resizer)
	if !ok {
		r = p.sched.(scheduler.Resizer)
	}
	p.sizes.begin()
	text := ""
	if err := called(func() error { return r.Resize(s.Arg) }); err != nil {
		text = "refused: " + err.Error()
	}
	p.sizes.end(s.Arg, text == "")
	p.note(record.Did, who, s.String(), text)
}

// called calls f, whose panic is an error, but not that of a task that runs inside the call.
func called(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			text := fmt.Sprint(v)
			if v == PanicValue || strings.HasPrefix(text, "interleave: ") {
				panic(v) // the explorer ends threads by panics
			}
			err = &panicked{"panic: " + text + frames.AtPanic(string(debug.Stack()))}
		}
	}()
	return f()
}

// refused does for a task that will not run what others may wait for. t is the task that submitted it, or nil.
func (p *Program) refused(k int, t scheduler.Task) {
	p.letsGo(k, t)
	p.ended(k, t)
}

// letsGo says what task k would say, and what those would that it submits.
func (p *Program) letsGo(k int, t scheduler.Task) {
	for _, s := range p.graph.Scripts[k] {
		switch s.Op {
		case record.Happen:
			p.happens(s.Arg, t)
		case record.Gather:
			p.arrives(s.Arg, t)
		case record.Submit, record.Fork:
			p.letsGo(s.Arg, t)
			p.isOver(s.Arg, t)
		}
	}
}

// close closes the scheduler.
func (p *Program) close(who int) {
	p.note(record.Does, who, "c", "")
	p.closing.Store(true)
	err := called(p.sched.Close)
	p.pending.Load() // the order of this and of the end of tasks is seen by the explorer
	text := ""
	if err != nil {
		text = err.Error()
	}
	if d, ok := p.sched.(scheduler.Deadlocker); ok && !p.served {
		if n := d.Deadlock(err); n > 0 {
			p.note(record.Deadlock, record.Runner, "", strconv.Itoa(n))
			p.deadlock.Store(true)
		}
	}
	p.closed.Store(true)
	p.note(record.Did, who, "c", text)
	p.told.Store(true)
}

// settles waits for all tasks by the scheduler's own call.
func (p *Program) settles(who int) {
	p.pending.Load() // as in close, for the tasks that were accepted before
	p.note(record.Does, who, "v", "")
	text := ""
	p.settling.Add(1)
	defer p.settling.Add(-1)
	if err := called(func() error { p.sched.(scheduler.Waiter).WaitTasks(); return nil }); err != nil {
		text = err.Error()
	}
	p.pending.Load()
	p.note(record.Did, who, "v", text)
}

// panicked is the error of a call that has panicked.
type panicked struct{ text string }

func (e *panicked) Error() string { return e.text }

// happens has an event happen. t is the task that says so, if it runs. Of a task that was refused, a thread outside says so: if tasks alone make
// others ready, those that have parked stay so, and nothing is said of the run.
func (p *Program) happens(e int, t scheduler.Task) { p.says(p.events[e], t) }

// says is happens, of any event.
func (p *Program) says(e *event, t scheduler.Task) {
	readier, outside := p.sched.(scheduler.Readier)
	for _, waits := range e.happen(t != nil || outside) {
		if t != nil {
			t.(scheduler.Parker).Ready(waits)
		} else if err := readier.Ready(waits); err != nil && !p.served {
			p.note(record.Unready, record.Runner, "", err.Error())
		}
	}
}

// arrives counts who comes to a meeting. t is the task that comes, or the one that submitted it, or nil.
func (p *Program) arrives(e int, t scheduler.Task) {
	switch last := p.events[e].came.Add(1) == int64(p.graph.Meets[e]); {
	case last && p.parks:
		p.happens(e, t)
	case last:
		p.events[e].gate.open()
	}
}

// release lets all go on that wait.
func (p *Program) release() {
	if !p.released.Swap(true) {
		close(p.freed)
	}
	for _, e := range p.events {
		e.gate.open()
	}
	for _, list := range [][]*gate{p.ends, p.joins} {
		for _, g := range list {
			g.open()
		}
	}
	p.allEnded.open()
	if r, ok := p.sched.(scheduler.Readier); ok && p.parks {
		go p.wakes(r)
	}
	runtime.Gosched()
}

// wakes makes all tasks ready that have parked while they wait.
func (p *Program) wakes(r scheduler.Readier) {
	for _, e := range append(slices.Clone(p.events), p.over...) {
		for _, t := range e.happen(true) {
			called(func() error { return r.Ready(t) })
		}
	}
}

// restsNow returns what was seen so far, and that nobody can go on, which is not noted.
func (p *Program) restsNow() *record.TaskRun {
	run := p.Run()
	run.Events = append(run.Events, record.TaskEvent{What: record.AtRest, Who: record.Runner})
	return run
}

// alive notes how many goroutines the scheduler has at a stop, and where they are, a line each.
func (p *Program) alive(n int, where string) {
	text := strconv.Itoa(n)
	if n > 0 && where != "" {
		text += ": " + strings.ReplaceAll(where, "\n", "; ")
	}
	p.note(record.Alive, record.Runner, "", text)
}

// Rest notes that no thread can go on, and where the threads of the scheduler are, nil if that is not known. It returns what was seen.
func (p *Program) Rest(where []string) *record.TaskRun {
	if where != nil {
		p.alive(len(where), strings.Join(where, "\n"))
	}
	p.note(record.AtRest, record.Runner, "", "")
	return p.Run()
}
