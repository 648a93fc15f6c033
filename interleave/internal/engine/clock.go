//go:build spindle_runtime

package engine

import (
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// The clock of an exploration.
//
// Threads, the body and functions given to Finally see a time of their own, which begins at the same moment in each execution. It moves when no thread can go
// on: to the earliest moment that one of them waits for. So a computation takes no time, and what is to happen later does. A thread of its own, the clock, moves
// it, and carries out what is due: it sends to the channel of a timer, or starts a thread for the function of time.AfterFunc. All that has happened is before
// such a moment, and all that follows is after it. So the reduction has no orders to try there. What is due at the same moment is done in all orders.
//
// A timer has a lock, as the runtime's have. It is held while it sends, and while Stop and Reset take out what nobody has received.
//
// Under Exec.LateClock the clock may move at any step, as if what a thread does had taken that long.
//
// That time goes by orders no plain accesses. That a timer was set orders what it does.

// A clock is that of an exploration.
type clock struct {
	brief // while threads do not run, of what the body changes and what its attendant looks at
	state
	used  bool                      // there is a thread for it
	kinds map[unsafe.Pointer]*alarm // by timer: those that are set, or were
	body  unsafe.Pointer            // the goroutine that runs the body, or a function given to Finally, or nil
}

// A state is that of an execution.
type state struct {
	now       int64 // nanoseconds since it began
	alarms    []*alarm
	set       int // how many, by the body
	thread    *thread
	done      int   // how much other threads had done when it was asked last
	step      int64 // how far a loop that asks for the time moves it
	seen      watch // by the body
	early     early
	attendant *attendant // or nil
}

// The clock begins at the moment at which that of a bubble of testing/synctest does.
const (
	clockBegin = 946684800 // seconds of the Unix time
	firstStep  = int64(time.Microsecond)
	lastStep   = int64(time.Hour)

	patientAsks = 100
)

func (s *scheduler) resetClock() {
	c := &s.house.clock
	c.Lock()
	defer c.Unlock()
	s.house.drawn = 0
	c.state = state{alarms: c.alarms[:0], step: firstStep}
	clear(c.kinds)
}

// theirs reports whether a thread, or the body, calls package time for itself, or for what is not the explorer's own.
func (s *scheduler) theirs() bool {
	switch {
	case !s.takesPart():
		return false
	case onThread() && s.running.fires, !onThread() && s.house.clock.attended():
		return true
	case onThread():
		inside(true)
		defer inside(false)
	}
	c := called(place.Reflect | place.Timers)
	return c != nil && !c.Own
}

// now is asked for the time.
func now() (at int64, is bool) {
	defer handsBack(takesOver().changes())
	s := current
	if !s.theirs() {
		return 0, false
	}
	c := &s.house.clock
	if onThread() {
		t := s.running
		t.asked = true
		if step := t.seat.seen.step(c.now); step > 0 {
			s.sleeps(t, step, movedSince)
			t.seat.seen.at = c.now // it asks on
		}
		return c.now, true
	}
	if c.attended() { // which has the lock
		return c.now, true
	}
	c.Lock()
	defer c.Unlock()
	step := c.seen.step(c.now)       // which may move c.seen.at
	c.seen.at = add(c.seen.at, step) // the body sees it go by, and nobody else does
	return c.seen.at, true
}

// movedSince is what a thread waits for that asks again and again while the clock stands, as a loop does that waits for time to go by.
func movedSince(t unsafe.Pointer) bool {
	return current.house.clock.now > (*thread)(t).seat.seen.at
}

// sleeps has a thread wait, in what the runtime asks: for the clock to move, at the latest after a time.
func (s *scheduler) sleeps(t *thread, ns int64, over func(unsafe.Pointer) bool) {
	s.uses(t)
	inside(true)
	site := called(place.Reflect | place.Timers).Site
	inside(false)
	t.until = add(s.house.clock.now, ns)
	begin(nil, object.Sleep, site, over, unsafe.Pointer(t))
	end(0, 0, false, false)
	t.repetition.Reset() // it was not in vain
}

// A watch is what one sees of the clock.
type watch struct {
	at   int64
	many int // how often it was looked at since it has changed
}

// step notes that it is asked for, and returns how far it is to move, since it was asked for again and again while it stood; or 0.
func (w *watch) step(now int64) int64 {
	if now > w.at {
		w.at, w.many = now, 0
	}
	if w.many++; w.many <= patientAsks {
		return 0
	}
	return min(firstStep<<min(w.many-patientAsks, 40), lastStep)
}

// uses has there be a clock, for a thread, or the body if that is nil. If there is none yet, and threads run, the exploration begins anew.
func (s *scheduler) uses(by *thread) {
	if c := &s.house.clock; !c.used {
		if c.used = true; by != nil {
			s.beginAnew()
		}
	}
}

// sleeps is asked where a thread, or the body, calls time.Sleep. It reports whether that is done.
func sleeps(ns int64) bool {
	defer handsBack(takesOver().changes())
	s := current
	if !s.theirs() {
		return false
	}
	c := &s.house.clock
	if !onThread() {
		if !s.passes(ns) {
			over := make(chan bool, 1)
			c.Lock()
			s.set(&alarm{send: func(any, uintptr, int64) { over <- true }}, add(c.now, ns), 0, nil)
			c.Unlock()
			<-over
		}
		return true
	}
	s.sleeps(s.running, ns, slept)
	return true
}

// SleepFor has the running thread sleep, as if it called time.Sleep of code that is explored.
func SleepFor(ns int64) {
	defer handsBack(takesOver().changes())
	if s := current; onThread() && s.takesPart() {
		s.sleeps(s.running, ns, slept)
	}
}

func slept(t unsafe.Pointer) bool { return current.house.clock.now >= (*thread)(t).until }

// add is a sum that is no less than a.
func add(a, b int64) int64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return 1<<63 - 1
}

// progress counts what threads have done besides the clock, but for rounds in vain.
func (s *scheduler) progress() (n int) {
	for _, t := range s.threads {
		if t.Owner == nil && !t.fires {
			n += int(t.Count - t.loop.Idle)
			if t.done {
				n++
			}
		}
	}
	return n
}

// nextMoment returns the moment to which the clock moves, -1 for none.
func (s *scheduler) nextMoment() int64 {
	c := &s.house.clock
	done := s.progress()
	if done != c.done {
		c.done, c.step = done, firstStep
	}
	at := int64(-1)
	earlier := func(when int64) {
		if at < 0 || when < at {
			at = when
		}
	}
	for _, a := range c.alarms {
		if a.others != done && a.when > c.now { // or a thread of its own carries it out
			earlier(a.when)
		}
	}
	for _, t := range s.threads {
		if t.done || t.frozen {
			continue
		}
		if t.Next.Kind == object.Sleep && s.waits.Has(t.ID) && t.until > c.now {
			earlier(t.until)
		}
		if t.loop.Held && t.asked && c.step < lastStep { // it waits for time to go by
			earlier(add(c.now, c.step))
		}
	}
	return at
}

// ticks is what the thread of the clock runs.
func (s *scheduler) ticks() {
	c := &s.house.clock
	c.thread = s.running
	c.thread.fires = true
	s.due(-1) // what the body has set
	for {
		begin(unsafe.Pointer(c), object.Tick, place.Time, waitsForAll, nil)
		was := c.now
		c.now = max(c.now, s.nextMoment())
		c.step *= 2
		for _, a := range c.alarms { // nobody has received what it has sent, and what it would have sent since is lost
			if a.period > 0 && a.when < c.now {
				a.when = a.after(c.now - 1)
			}
		}
		if s.late {
			enabled, _ := s.enabled()
			c.early.note(s, enabled)
		}
		s.noteWaiters() // nothing else can go on, as at the end: what they wait for might have come otherwise
		s.inOrder()
		end(uint64(was), uint64(c.now), true, false)
		s.inOrder()
		for _, t := range s.threads { // what they look at may be different by now, and no other execution shows it
			if l := &t.loop; l.Held && !t.frozen && l.Why != rounds.Exhausted {
				s.letGo(t)
				l.Roused, l.RousedAt = l.At, t.Count
				t.repetition.Reset()
				t.asked = false
			}
		}
		s.due(was)
	}
}

// inOrder has all that threads do from now on come after all that they have done.
func (s *scheduler) inOrder() {
	all := s.all()
	for _, t := range s.threads {
		t.Clock, t.Past = all, int32(len(s.Events)-1)
	}
}

// winds adds the clock to the threads of an execution, if there is one.
func (s *scheduler) winds() {
	if s.house.clock.used {
		rule := TimeGoesBy.usual
		if s.late {
			rule = TimeGoesBy.any
		}
		s.goesBy(rule)
		s.x.made = append(s.x.made, newThread{name: clockName, daemon: true, f: s.ticks})
	}
}

// waitsForAll is what the clock waits for: it is asked when no thread can go on.
func waitsForAll(unsafe.Pointer) bool { return false }
