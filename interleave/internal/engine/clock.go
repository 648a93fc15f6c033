//go:build spindle_runtime

package engine

import (
	"cmp"
	"slices"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// The clock of an exploration.
//
// Threads, the body and functions given to Finally see a time of their own, which begins at the same moment in each execution. It moves when no thread can go
// on: to the earliest moment that one of them waits for. So a computation takes no time, and what is to happen later does. A thread of its own, the clock, moves
// it, and carries out what is due: it sends to the channel of a timer, or starts a thread for the function of time.AfterFunc. All that has happened is before
// such a moment, and all that follows is after it. So the reduction has no orders to try there; but threads that go on at the same moment do so in all orders.
//
// Under Exec.LateClock the clock may move at any step, as if what a thread does had taken that long.
//
// That time goes by orders no plain accesses. That a timer was set orders what it does.

// An alarm is a timer of package time that is set.
type alarm struct {
	of     unsafe.Pointer // the runtime's
	when   int64
	period int64                                   // 0: once
	by     [2]int                                  // the thread that has set it, -1 for the body, and how many that had set before
	send   func(arg any, seq uintptr, delay int64) // sends the time to the channel arg
	arg    any                                     // or the function of time.AfterFunc
	vain   bool                                    // it was due, and no thread has done anything since
}

// clock is that of an execution.
type clock struct {
	now    int64 // nanoseconds since it began
	alarms []*alarm
	set    int // by the body
	thread *thread
	firing bool
	at     int   // how many events there were when it came to its end last
	step   int64 // how far a loop that asks for the time moves it
	// Of all executions.
	used  bool                      // there is a thread for it
	kinds map[unsafe.Pointer]*alarm // by timer: those that are set, or were
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
	*c = clock{used: c.used, alarms: c.alarms[:0], kinds: c.kinds, step: firstStep}
	clear(c.kinds)
}

// theirs reports whether a thread, or the body, calls package time for itself, or for what is not the explorer's own.
func (s *scheduler) theirs() bool {
	switch {
	case !s.takesPart():
		return false
	case controlled && s.running == s.house.clock.thread:
		return true
	case controlled:
		inside(true)
		defer inside(false)
	}
	c := called(reflectOrTime)
	return c != nil && !c.own
}

// now is asked for the time.
func now() (at int64, is bool) {
	s := current
	if !s.theirs() {
		return 0, false
	}
	at = s.house.clock.now
	if controlled {
		at = s.running.asks(at)
	}
	return at, true
}

// asks returns the time that t sees. If it asks again and again while the clock stands, as a loop does that waits for time to go by, it sees it go by all the same.
func (t *thread) asks(now int64) int64 {
	t.asked = true
	if now > t.at {
		t.at, t.many = now, 0
	}
	if t.many++; t.many > patientAsks {
		t.at = add(t.at, min(firstStep<<min(t.many-patientAsks, 40), lastStep))
	}
	return t.at
}

// uses has there be a clock. If there is none yet, and threads run, the exploration begins anew.
func (s *scheduler) uses() {
	if c := &s.house.clock; !c.used {
		if c.used = true; controlled {
			s.beginAnew()
		}
	}
}

// sleeps is asked where a thread, or the body, calls time.Sleep. It reports whether that is done.
func sleeps(ns int64) bool {
	s := current
	if !s.theirs() {
		return false
	}
	c := &s.house.clock
	if !controlled {
		c.now = add(c.now, ns)
		return !s.accompanied() // who runs beside the body goes by the real clock
	}
	s.uses()
	t := s.running
	inside(true)
	site := called(reflectOrTime).site
	inside(false)
	t.until = add(c.now, ns)
	begin(nil, object.Sleep, site, slept, unsafe.Pointer(t))
	end(0, 0, false, false)
	return true
}

func slept(t unsafe.Pointer) bool { return current.house.clock.now >= (*thread)(t).until }

// add is a sum that is no less than a.
func add(a, b int64) int64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return 1<<63 - 1
}

// setTimer is asked where a thread, or the body, makes a timer, or sets one again. What is due is f of arg, or arg itself if that is a function. It reports whether
// the timer is one of the exploration, and whether it was set.
func setTimer(of unsafe.Pointer, when, period int64, f func(arg any, seq uintptr, delay int64), arg any) (was, is bool) {
	s := current
	if s == nil {
		return false, false
	}
	c := &s.house.clock
	a := c.kinds[of]
	if a == nil && (f == nil || !s.theirs()) {
		return false, false
	}
	s.uses()
	if a == nil {
		if c.kinds == nil {
			c.kinds = make(map[unsafe.Pointer]*alarm)
		}
		a = &alarm{of: of, send: f, arg: arg}
		c.kinds[of] = a
	}
	set := func() {
		was = c.unset(a)
		n, by := &c.set, -1
		if controlled {
			n, by = &s.running.alarms, s.running.ID
		}
		*n++
		a.when, a.period, a.by, a.vain = when, period, [2]int{by, *n}, false
		c.alarms = append(c.alarms, a)
	}
	if a.by[1] == 0 { // nobody else knows it
		set()
	} else {
		s.alarmed(of, object.Reset, set)
	}
	Release(of)
	return was, true
}

// stopTimer is asked where a timer is stopped. It reports whether it is one of the exploration, and whether it was set.
func stopTimer(of unsafe.Pointer) (was, is bool) {
	s := current
	if s == nil || s.house.clock.kinds[of] == nil {
		return false, false
	}
	c := &s.house.clock
	s.alarmed(of, object.Stop, func() { was = c.unset(c.kinds[of]) })
	return was, true
}

// alarmed has a thread carry out an operation on a timer.
func (s *scheduler) alarmed(of unsafe.Pointer, k object.Kind, f func()) {
	if !controlled || s.running == nil || s.unwinding {
		f()
		return
	}
	inside(true)
	site := called(reflectOrTime).site
	inside(false)
	begin(of, k, site, nil, nil)
	f()
	end(0, 0, true, false)
}

func (c *clock) unset(a *alarm) bool {
	i := slices.Index(c.alarms, a)
	if i >= 0 {
		c.alarms = slices.Delete(c.alarms, i, i+1)
	}
	return i >= 0
}

// nextMoment returns the moment to which the clock moves, -1 for none.
func (s *scheduler) nextMoment() int64 {
	c := &s.house.clock
	if len(s.Events) > c.at { // a thread has done something
		for _, a := range c.alarms {
			a.vain = false
		}
		c.step = firstStep
	}
	at := int64(-1)
	earlier := func(when int64) {
		if at < 0 || when < at {
			at = when
		}
	}
	for _, a := range c.alarms {
		if !a.vain {
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
		if t.loop.held && t.asked && c.step < lastStep { // it waits for time to go by
			earlier(add(c.now, c.step))
		}
	}
	return at
}

// moves returns the clock, if it can move, where no thread can go on.
func (s *scheduler) moves() *thread {
	if t := s.house.clock.thread; t != nil && !t.done && t.Next.Kind == object.Tick && s.nextMoment() >= 0 {
		return t
	}
	return nil
}

// ticks is what the thread of the clock runs.
func (s *scheduler) ticks() {
	c := &s.house.clock
	c.thread = s.running
	for {
		c.at = len(s.Events)
		begin(unsafe.Pointer(c), object.Tick, ticking, waitsForAll, nil)
		was := c.now
		c.now = max(c.now, s.nextMoment())
		c.step *= 2
		s.inOrder()
		end(uint64(was), uint64(c.now), true, false)
		s.inOrder()
		for _, t := range s.threads {
			if t.loop.held && t.asked && !t.frozen && t.loop.why != exhausted {
				s.letGo(t)
				t.repetition.reset()
				t.asked = false
			}
		}
		c.firing = true
		var due []*alarm
		for _, a := range c.alarms {
			if a.when <= c.now {
				due = append(due, a)
			}
		}
		slices.SortFunc(due, func(a, b *alarm) int {
			return cmp.Or(cmp.Compare(a.when, b.when), slices.Compare(a.by[:], b.by[:]))
		})
		for _, a := range due {
			s.fires(a)
		}
		c.firing = false
	}
}

// fires carries out what is due. What the one who set it has done before is ordered before that, and not what others have done who set other timers.
func (s *scheduler) fires(a *alarm) {
	c, t := &s.house.clock, s.house.clock.thread
	if a.period > 0 {
		a.when, a.vain = add(a.when, a.period*(1+(c.now-a.when)/a.period)), true
	} else {
		c.unset(a)
	}
	var mine order.Clock
	if PlainAccesses {
		mine = s.plain.now[t.ID]
		Acquire(a.of)
	}
	if f, ok := a.arg.(func()); ok {
		s.spawn(f, true, true)
	} else {
		a.send(a.arg, 0, 0)
	}
	s.inOrder()
	if PlainAccesses {
		mine[t.ID] = s.plain.now[t.ID][t.ID]
		s.plain.now[t.ID] = mine
	}
}

// inOrder has all that threads do from now on come after all that they have done.
func (s *scheduler) inOrder() {
	all := s.all()
	for _, t := range s.threads {
		t.Clock, t.Past = all, int32(len(s.Events)-1)
	}
}

// timely returns who can go on: the clock, while it carries out what is due, or where no other thread can.
func (s *scheduler) timely(enabled order.ThreadSet, alive bool) order.ThreadSet {
	c := &s.house.clock
	switch {
	case c.firing && !c.thread.done:
		return c.thread.Bit()
	case alive && (enabled == 0 || s.late):
		if t := s.moves(); t != nil {
			return enabled | t.Bit()
		}
	}
	return enabled
}

// winds adds the clock to the threads of an execution, if there is one.
func (s *scheduler) winds() {
	if s.house.clock.used {
		if s.rule = WhenIdle; s.late {
			s.rule = Late
		}
		s.x.made = append(s.x.made, newThread{name: clockName, daemon: true, f: s.ticks})
	}
}

// waitsForAll is what the clock waits for: it is asked when no thread can go on.
func waitsForAll(unsafe.Pointer) bool { return false }
