package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Options say how to explore. The zero value is the portfolio, without bounds
// but DefaultSteps.
type Options struct {
	Strategy   Strategy
	Bound      int           // of preemptions, for DFS: -1 for none
	Seed       uint64        // for what goes by chance
	Executions int           // at most so many; 0: no bound
	Time       time.Duration // at most so long; 0: no bound
	Steps      int           // of one execution; 0: DefaultSteps
	Looks      int           // how often a thread may look in vain before it is held back; 0: as the strategy needs, at most 30
	Patience   int           // how often threads that repeat themselves are let go in vain; 0: DefaultPatience
	Schedule   string        // for Replay
	Bytes      []byte        // for Script
	TSO        bool          // total store order: see Buffer
	Freeze     *Freeze       // one thread stops
	// Each is called after each execution; false ends the exploration, and a
	// failure does not.
	Each func(*View) bool
	// Progress is called now and then.
	Progress func(Certificate)

	custom strategy
}

// DefaultSteps bounds the steps of one execution.
const DefaultSteps = 10_000

// Stuck is how long one thread may run without coming to an operation.
var Stuck = 10 * time.Second

// A Strategy is a way to choose.
type Strategy string

// The strategies.
const (
	Portfolio  Strategy = ""           // a little of Exhaustive, Random, PCT, Walk, then DFS with bounds, then Exhaustive
	Exhaustive Strategy = "exhaustive" // one execution of each class
	DFS        Strategy = "dfs"        // all executions, up to Bound
	Random     Strategy = "random"     // the same chance for each thread at each step
	PCT        Strategy = "pct"        // priorities and few changes of them
	Walk       Strategy = "walk"       // about the same chance for each interleaving
	Replay     Strategy = "replay"     // Schedule
	Script     Strategy = "script"     // Bytes, as a fuzzer makes them
)

// A Certificate says what an exploration did, and with it what its silence is
// worth.
type Certificate struct {
	Strategy   Strategy
	Bound      int    // of preemptions that was exhausted, -1 if none
	Executions int    // all that were begun
	Classes    int    // of those, executions of classes of their own, under Exhaustive
	Redundant  int    // broken off: of a class that had been explored
	Steps      int    // of all executions
	Longest    int    // steps of the longest
	Threads    int    // the most that one had
	Cut        int    // how often a thread was held back at a repeated iteration
	Lost       int    // threads that could not be ended
	Complete   bool   // every class was explored, up to Cut
	Why        string // what ended it, if it is not complete
	Elapsed    time.Duration
}

// String is the certificate in a line.
func (c Certificate) String() string {
	var b strings.Builder
	n := c.Executions
	if c.Complete && c.Classes > 0 {
		n = c.Classes + c.Redundant
	}
	switch {
	case c.Complete && c.Cut == 0:
		fmt.Fprintf(&b, "complete: %d executions, no bound", n)
	case c.Complete:
		fmt.Fprintf(&b, "complete up to repeated iterations: %d executions, %d iterations cut", n, c.Cut)
	default:
		fmt.Fprintf(&b, "not complete (%s): %d executions", c.Why, c.Executions)
		if c.Bound >= 0 {
			fmt.Fprintf(&b, ", all with up to %d preemptions", c.Bound)
		}
		if c.Cut > 0 {
			fmt.Fprintf(&b, ", %d iterations cut", c.Cut)
		}
	}
	fmt.Fprintf(&b, ", %d steps, at most %d in one", c.Steps, c.Longest)
	if more := c.Executions - n; more > 0 {
		fmt.Fprintf(&b, ", %d more by chance or with bounds", more)
	}
	if c.Redundant > 0 {
		fmt.Fprintf(&b, ", %d of a known class", c.Redundant)
	}
	if c.Lost > 0 {
		fmt.Fprintf(&b, ", %d threads could not be ended", c.Lost)
	}
	return b.String()
}

// ErrUncontrolled is wrapped by errors about what cannot be explored: a thread
// that blocks or spins without an operation, a channel, behaviour that differs
// between two runs of one schedule.
var ErrUncontrolled = errors.New("interleave: cannot be controlled")

// exploring is held by the exploration that is going on.
var exploring sync.Mutex

// Explore runs body again and again. The failure is of the first execution that
// was wrong, and ended the exploration. Errors wrap ErrUncontrolled, or are
// about Options.
func Explore(o Options, body func(*Exec)) (Certificate, *Failure, error) {
	s := newScheduler()
	s.body, s.maxSteps, s.before0, s.each, s.tso, s.frozen = body, o.Steps, takeSnapshot(), o.Each, o.TSO, o.Freeze
	if s.maxSteps == 0 {
		s.maxSteps = DefaultSteps
	}
	if s.patience = o.Patience; s.patience == 0 {
		s.patience = DefaultPatience
	}
	e := &exploration{s: s, Options: o, begin: time.Now(), c: Certificate{Strategy: o.Strategy, Bound: -1}}
	if o.Time > 0 {
		e.deadline = e.begin.Add(o.Time)
	}
	if o.Strategy == Replay {
		turns, err := parseSchedule(o.Schedule)
		if err != nil {
			return e.c, nil, err
		}
		e.turns = turns
	}
	exploring.Lock()
	type result struct {
		c   Certificate
		f   *Failure
		err error

		again bool // s can be used again
	}
	results := make(chan result, 1)
	go func() {
		defer exploring.Unlock()
		ok := false
		defer func() {
			if !ok { // runtime.Goexit came through a coroutine
				controlled = false
				current = nil
				results <- result{c: e.certificate(), err: s.exited()}
			}
		}()
		current, Buffering = s, s.tso
		f, err := e.run()
		current = nil
		s.close()
		ok = true
		results <- result{e.certificate(), f, err, s.lost == 0}
	}()
	watch := time.NewTicker(Stuck / 4)
	defer watch.Stop()
	last, since := uint64(0), time.Now()
	for {
		select {
		case r := <-results:
			if r.again {
				schedulers.Put(s)
			}
			return r.c, r.f, r.err
		case <-watch.C:
			n := s.alive.Load()
			if n != last {
				last, since = n, time.Now()
			} else if time.Since(since) > Stuck {
				return e.c, nil, s.stuck()
			}
		}
	}
}

// exploration is one call of Explore.
type exploration struct {
	Options
	s        *scheduler
	c        Certificate
	turns    []turn
	begin    time.Time
	deadline time.Time
	reported time.Time
}

func (e *exploration) certificate() Certificate {
	c := e.c
	c.Steps, c.Longest, c.Cut, c.Lost = e.s.steps, e.s.longest, e.s.cut, e.s.lost
	c.Threads = e.s.width
	c.Elapsed = time.Since(e.begin)
	return c
}

// Of the portfolio: how many executions its parts have.
const (
	firstLook  = 300    // of the reduction: most scenarios of two threads end here
	byChance   = 200    // of each of the ways to choose by chance
	boundedMax = 50_000 // of each bound of preemptions
)

func (e *exploration) run() (*Failure, error) {
	if e.custom != nil {
		return e.with(e.custom, 0)
	}
	if e.Each == nil && (e.Strategy == Portfolio || e.Strategy == Exhaustive) {
		if f, err := e.twice(); f != nil || err != nil {
			return f, err
		}
	}
	switch e.Strategy {
	case Portfolio:
		return e.portfolio()
	case Exhaustive:
		d := newDPOR(e.s)
		f, err := e.with(d, 0)
		e.finish(d)
		return f, err
	case DFS:
		d := &dfs{bound: e.Bound}
		f, err := e.with(d, 0)
		if d.done {
			e.c.Bound = e.Bound
			e.c.Complete = !d.limited
			e.c.Why = "bounded"
		}
		return f, err
	case Replay:
		r := &replay{turns: e.turns}
		f, err := e.with(r, 0)
		e.c.Why = "one schedule"
		if err == nil && f == nil && r.diverged != "" {
			err = fmt.Errorf("interleave: the schedule does not fit this program: %s", r.diverged)
		}
		return f, err
	case Script:
		e.c.Why = "one schedule"
		return e.with(&script{bytes: e.Bytes}, 0)
	case Random, PCT, Walk:
		n := e.Executions
		if n == 0 {
			n = math.MaxInt
		}
		e.c.Why = "by chance"
		return e.with(e.chance(e.Strategy, 3, n), 0)
	}
	return nil, fmt.Errorf("interleave: unknown strategy %q", e.Strategy)
}

func (e *exploration) chance(st Strategy, depth, n int) *random {
	r := &random{Rand: rand.New(rand.NewPCG(e.Seed, uint64(depth))), executions: n}
	switch st {
	case PCT:
		r.walk, r.pct = pct, depth
	case Walk:
		r.walk = walk
	default:
		r.walk, r.word = uniform, r.Uint64()
	}
	return r
}

func (e *exploration) portfolio() (*Failure, error) {
	all := newDPOR(e.s)
	f, err := e.with(all, firstLook)
	if f != nil || err != nil || all.done && e.s.cut == 0 || e.over() {
		e.finish(all)
		return f, err
	}
	// Also where the reduction is at its end but has held threads back: by chance
	// a thread may look for longer.
	cut := e.s.cut
	for _, r := range []*random{e.chance(PCT, 2, byChance), e.chance(Random, 0, byChance), e.chance(PCT, 3, byChance), e.chance(Walk, 1, byChance), e.chance(PCT, 4, byChance)} {
		if f, err := e.with(r, 0); f != nil || err != nil || e.over() {
			return f, err
		}
	}
	for bound := 1; bound <= 2 && !all.done; bound++ {
		d := &dfs{bound: bound}
		f, err := e.with(d, boundedMax)
		if f != nil || err != nil || e.over() {
			return f, err
		}
		if !d.done {
			break
		}
		e.c.Bound = bound
	}
	e.s.cut = cut
	if !all.done {
		f, err = e.with(all, 0)
	}
	e.finish(all)
	return f, err
}

func (e *exploration) finish(d *dpor) {
	e.s.path = d.path
	e.c.Redundant = d.redundant
	e.c.Classes += d.count - d.redundant
	if d.done && (e.Each != nil || e.s.failure == nil) {
		e.c.Complete, e.c.Why = true, ""
	}
}

// over reports whether a bound has been reached.
func (e *exploration) over() bool {
	switch {
	case e.Executions > 0 && e.c.Executions >= e.Executions:
		e.c.Why = fmt.Sprintf("%d executions", e.Executions)
	case !e.deadline.IsZero() && e.c.Executions%64 == 0 && time.Now().After(e.deadline):
		e.c.Why = "after " + e.Time.String()
	default:
		return false
	}
	return true
}

// with runs executions of one strategy, at most n unless n is 0.
func (e *exploration) with(st strategy, n int) (f *Failure, err error) {
	if e.over() {
		return nil, nil
	}
	s := e.s
	s.strategy, s.again = st, false
	if s.looks = e.Looks; s.looks == 0 {
		s.looks = looksOf(st)
	}
	s.goesOn = func() (more bool) {
		f, more, err = e.after(st)
		n--
		s.again = true
		return more && n != 0 && !e.over()
	}
	for s.ended = false; !s.ended; {
		if s.host == nil {
			s.host = newCoroutine(s.loop)
		}
		s.host.next()
		if !s.ended {
			// The first thread could not be ended, and has kept the coroutine.
			s.host = nil
			s.finish()
			s.ended = !s.goesOn()
		}
	}
	return f, err
}

// loop is what the host runs.
func (s *scheduler) loop() {
	for s.run(); s.goesOn(); s.run() {
	}
	s.ended = true
}

// after is what follows an execution. It reports whether there is another.
func (e *exploration) after(st strategy) (f *Failure, more bool, err error) {
	s := e.s
	s.alive.Add(1)
	e.c.Executions++
	if d, ok := st.(*dpor); ok {
		d.count++
	}
	if s.sorry != nil {
		return nil, false, s.sorry
	}
	if s.each != nil && !s.abandoned {
		if !s.each(&View{s}) {
			e.c.Why = "ended by the caller"
			return nil, false, nil
		}
	} else if s.failure != nil {
		e.c.Why = "failed"
		s.measure()
		return s.failure, false, nil
	}
	if e.Progress != nil && e.c.Executions%1024 == 0 && time.Since(e.reported) > time.Second {
		e.reported = time.Now()
		e.Progress(e.certificate())
	}
	return nil, st.end(s), nil
}

func looksOf(st strategy) int {
	switch st.(type) {
	case *dpor, *dfs:
		return fewLooks
	}
	return manyLooks
}

// measure completes the failure.
func (s *scheduler) measure() {
	f := s.failure
	f.Schedule = s.schedule()
	f.Steps = len(s.events)
	f.Looks = s.looks
	f.Switches = strings.Count(f.Schedule, ".")
}

// close ends the coroutines that are not in use.
func (s *scheduler) close() {
	if s.host != nil {
		s.host.stop()
	}
	for _, t := range s.byID {
		if t != nil && t.co != nil {
			t.co.stop()
		}
	}
}

// notEnabled is called when a schedule that was run before cannot be run again.
func (s *scheduler) notEnabled(at, t int) {
	s.sorry = fmt.Errorf("%w: behaviour differs between two runs of one schedule: at step %d thread %s could go on, and now cannot", ErrUncontrolled, at, s.name(t))
}

func (s *scheduler) name(id int) string {
	if t := s.byID[id]; t != nil {
		return t.name
	}
	return string(letters[id])
}

// unsteady is called when two runs of one schedule did different things.
func (s *scheduler) unsteady(i int, old, now event) {
	if s.sorry == nil {
		s.sorry = fmt.Errorf("%w: behaviour differs between two runs of one schedule: step %d was %s, and now is %s (time, chance, the order of a map, or state that survives an execution)",
			ErrUncontrolled, i, s.word(&old), s.word(&now))
	}
}

// word words an event for an error.
func (s *scheduler) word(ev *event) string {
	p := placeOf(ev.site)
	text := ev.kind.String()
	if p.Expr != "" {
		text = p.Expr + "." + text
	}
	if p.Line > 0 {
		text += fmt.Sprintf(" at %s:%d", p.File, p.Line)
	}
	if !ev.pointer {
		text += fmt.Sprintf(" (read %d, wrote %d)", ev.read, ev.wrote)
	}
	return fmt.Sprintf("%s: %s", s.name(int(ev.thread)), text)
}

func refuse(site Site, what string) { current.refuse("thread "+current.running.name, site, what) }

func (s *scheduler) refuse(who string, site Site, what string) {
	p := placeOf(site)
	if s.sorry == nil {
		s.sorry = fmt.Errorf("%w: %s has reached %s at %s:%d", ErrUncontrolled, who, what, p.File, p.Line)
	}
	panic(sentinel{})
}

// exited is the error when a thread called runtime.Goexit, as t.FailNow does.
func (s *scheduler) exited() error {
	who := "the body, or a function given to Finally,"
	if s.left != nil {
		who = "thread " + s.left.name
	}
	return fmt.Errorf("%w: %s called runtime.Goexit, or t.Fatal, t.FailNow or t.Skip, which do: call Fatalf of the Exec instead, so that the schedule is shown (%s)", ErrUncontrolled, who, s.schedule())
}

// stuck is the error when a thread neither comes to an operation nor ends. It
// cannot be stopped; this process can explore nothing more.
func (s *scheduler) stuck() error {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for _, g := range strings.Split(string(buf), "\n\n") {
		if strings.Contains(g, "engine.(*thread).main") && !strings.Contains(g, "iter.Pull") {
			continue
		}
		if strings.Contains(g, "engine.(*thread).main") && !strings.Contains(strings.SplitN(g, "\n", 2)[0], "coroutine") {
			return fmt.Errorf("%w: for %v a thread has neither come to an operation nor ended; it is at\n%s", ErrUncontrolled, Stuck, g)
		}
	}
	return fmt.Errorf("%w: for %v nothing has happened; the body, Finally or a thread blocks on something that is not controlled\n%s", ErrUncontrolled, Stuck, buf)
}
