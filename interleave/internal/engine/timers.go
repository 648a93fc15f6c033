//go:build spindle_runtime

package engine

import (
	"cmp"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// Timers of package time, which go by the clock of the exploration.

// An alarm is a timer of package time that is set.
type alarm struct {
	of     unsafe.Pointer // the runtime's
	when   int64
	period int64                                   // 0: once
	by     [2]int                                  // the thread that has set it, -1 for the body, and how many that had set before
	send   func(arg any, seq uintptr, delay int64) // sends the time to the channel arg
	arg    any                                     // or the function of time.AfterFunc
	others int                                     // how much other threads had done when it was due last; -1 before
	many   int                                     // how often it was set
	locked bool
}

// asks returns the thread that asks for something of the clock, nil for the body, which has the lock then until it calls done.
func (c *clock) asks(s *scheduler) (by *thread, done func()) {
	if onThread() {
		return s.running, func() {}
	}
	c.Lock()
	return nil, c.Unlock
}

// setTimer is asked where a thread, or the body, makes a timer, or sets one again. What is due is f of arg, or arg itself if that is a function. It reports whether
// the timer is one of the exploration, and whether it was set.
func setTimer(of unsafe.Pointer, when, period int64, f func(arg any, seq uintptr, delay int64), arg any) (was, is bool) {
	defer handsBack(takesOver().changes())
	s := current
	if s == nil || f != nil && !s.theirs() {
		return false, false
	}
	c := &s.house.clock
	by, done := c.asks(s)
	defer done()
	a := c.kinds[of]
	switch {
	case a == nil && f == nil:
		return false, false
	case controlled && by == nil: // it runs beside the threads, which is in doubt
		return false, a != nil
	}
	s.uses(by)
	if a == nil {
		if c.kinds == nil {
			c.kinds = make(map[unsafe.Pointer]*alarm)
		}
		a = &alarm{of: of, send: f, arg: arg}
		c.kinds[of] = a
		s.set(a, when, period, by) // nobody else knows it
		return false, true
	}
	return s.changes(a, by, "set again", func() { s.set(a, when, period, by) }), true
}

// stopTimer is asked where a timer is stopped. It reports whether it is one of the exploration, and whether it was set.
func stopTimer(of unsafe.Pointer) (was, is bool) {
	defer handsBack(takesOver().changes())
	s := current
	if s == nil {
		return false, false
	}
	c := &s.house.clock
	by, done := c.asks(s)
	defer done()
	a := c.kinds[of]
	switch {
	case a == nil:
		return false, false
	case controlled && by == nil:
		return false, true
	}
	return s.changes(a, by, "stopped", func() {}), true
}

// set has an alarm be due at a moment, for the thread that runs, or the body if by is nil.
func (s *scheduler) set(a *alarm, when, period int64, by *thread) {
	c := &s.house.clock
	n, id := &c.set, -1
	if by != nil {
		n, id = &by.alarms, by.ID
	}
	*n++
	a.when, a.period, a.by, a.others = when, period, [2]int{id, *n}, -1
	a.many++
	c.alarms = append(c.alarms, a)
	Release(a.of)
	switch {
	case by == nil:
		s.attend()
	case when <= c.now: // it need not wait until no thread can go on
		many := a.many
		s.start(by.ID, "", true, false, func() {
			t := s.running
			t.fires = true
			s.fires(t, a, many)
		})
	}
}

// changes stops a timer, for the thread that runs, or the body if by is nil, and does what follows, under the timer's lock. It reports whether the timer was set,
// or had sent what nobody has received.
func (s *scheduler) changes(a *alarm, by *thread, what string, f func()) (was bool) {
	thread := by != nil && !s.unwinding
	if thread {
		inside(true)
		site := called(place.Reflect | place.Timers).Site
		inside(false)
		s.locks(a, "of a timer", site)
	}
	was = s.house.clock.unset(a)
	if c, ok := a.arg.(chan time.Time); ok {
		select {
		case <-c:
			was = true
		default:
		}
	}
	f()
	if thread {
		if !was {
			what += ", too late"
		}
		s.unlocks(a, "of a timer that is "+what)
	}
	return was
}

// locks takes the lock of a timer.
func (s *scheduler) locks(a *alarm, why string, site Site) {
	s.Locate(a.of) // it is no Mutex, whose state the body may have left
	begin(a.of, object.Lock, site, unlocked, unsafe.Pointer(a))
	event := int32(len(s.Events))
	a.locked = true
	end(0, 1, true, false)
	s.tellOf(event, why)
}

func (s *scheduler) unlocks(a *alarm, what string) {
	begin(a.of, object.Unlock, place.Time, nil, nil)
	event := int32(len(s.Events))
	a.locked = false
	end(1, 0, true, false)
	s.tellOf(event, what)
}

func unlocked(a unsafe.Pointer) bool { return !(*alarm)(a).locked }

func (c *clock) unset(a *alarm) bool {
	i := list.Index(c.alarms, a)
	if i >= 0 {
		c.alarms = list.Delete(c.alarms, i)
	}
	return i >= 0
}

// after returns the first moment after another at which it is due.
func (a *alarm) after(at int64) int64 {
	return add(a.when, a.period*(1+(at-a.when)/a.period))
}

// due carries out what is due since another moment, in any order.
func (s *scheduler) due(was int64) {
	c := &s.house.clock
	type due struct {
		*alarm
		many int
	}
	var all []due
	for _, a := range c.alarms {
		if a.when <= c.now && a.when > was && (was >= 0 || a.by[0] < 0) { // what a thread has set, and is due at once, another carries out
			all = append(all, due{a, a.many})
		}
	}
	list.Sort(all, func(a, b due) int {
		return cmp.Or(cmp.Compare(a.when, b.when), list.Compare(a.by[:], b.by[:]))
	})
	for len(all) > 0 {
		i := 0
		if len(all) > 1 {
			begin(unsafe.Pointer(c), object.Choose, place.Time, nil, nil)
			i = s.pick(len(all))
			end(0, 0, true, false)
		}
		s.fires(c.thread, all[i].alarm, all[i].many)
		all = list.Delete(all, i)
	}
}

// fires carries out what is due, if it was not stopped or set again meanwhile. What the one who set it has done before is ordered before that, and not what others
// have done who set other timers.
func (s *scheduler) fires(t *thread, a *alarm, many int) {
	c := &s.house.clock
	s.locks(a, "of a timer, since it is due", place.Time)
	if a.many == many && list.Contains(c.alarms, a) {
		if a.period > 0 {
			a.when, a.others = a.after(c.now), s.progress()
		} else {
			c.unset(a)
		}
		var mine race.Past
		if PlainAccesses {
			mine = *s.races.Now(t.ID)
			Acquire(a.of)
		}
		if f, ok := a.arg.(func()); ok {
			s.spawn(f, true, true)
		} else {
			a.send(a.arg, 0, 0)
		}
		if PlainAccesses {
			now := s.races.Now(t.ID)
			mine.Clock[t.ID] = now.Clock[t.ID]
			*now = mine
		}
	}
	s.unlocks(a, "of a timer")
}
