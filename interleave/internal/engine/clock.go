//go:build spindle_runtime

package engine

import (
	"cmp"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
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

// An attendant is a goroutine that moves the clock while the body waits.
type attendant struct{ g unsafe.Pointer }

// attended reports whether the caller is the attendant.
func (c *clock) attended() bool {
	a := c.attendant
	return a != nil && a.g == spindleSelf()
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

// inOrder has all that threads do from now on come after all that they have done.
func (s *scheduler) inOrder() {
	all := s.all()
	for _, t := range s.threads {
		t.Clock, t.Past = all, int32(len(s.Events)-1)
	}
}

// timely returns who can go on, and the clock, if it can move.
func (s *scheduler) timely(enabled order.ThreadSet, alive bool) order.ThreadSet {
	if t := s.house.clock.thread; alive && (enabled == 0 && s.idles() || s.late && s.fair(enabled)) && t != nil && !t.done && t.Next.Kind == object.Tick && s.nextMoment() >= 0 {
		enabled |= t.Bit()
	}
	return enabled
}

// idles reports whether all threads that are held back in loops would go round in vain once more.
func (s *scheduler) idles() bool {
	for _, t := range s.threads {
		if l := &t.loop; l.Held && !t.done && !t.frozen && (s.helped(t) || l.Why == rounds.Repeated && (s.changed || s.idle == 0)) {
			return false
		}
	}
	return true
}

// early is what is known of threads that could go on and did not, while the clock moved.
type early struct {
	moves   int
	waiting order.ThreadSet
	count   [order.MaxThreads]int32 // of their steps
}

// fair reports whether the clock may move though threads could go on.
func (s *scheduler) fair(enabled order.ThreadSet) bool {
	e := &s.house.clock.early
	for w := e.waiting; w != 0; w &= w - 1 {
		if t := s.byID[w.First()]; !enabled.Has(t.ID) || t.Count != e.count[t.ID] {
			e.waiting &^= t.Bit()
		}
	}
	if e.waiting == 0 {
		e.moves = 0
	}
	return e.moves < mostEarly
}

// note notes that the clock moves, and who could have gone on.
func (e *early) note(s *scheduler, enabled order.ThreadSet) {
	if e.moves++; e.waiting == 0 {
		e.waiting = enabled
		for w := enabled; w != 0; w &= w - 1 {
			e.count[w.First()] = s.byID[w.First()].Count
		}
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

// passes has time go by while the body sleeps, if there is none who might do something meanwhile.
func (s *scheduler) passes(ns int64) bool {
	c := &s.house.clock
	c.Lock()
	defer c.Unlock()
	if spindleSelf() != c.body || len(c.alarms) > 0 || s.accompanied() {
		return false
	}
	c.now = add(c.now, ns)
	return true
}

// clockOf has the caller run the body, or a function given to Finally, or no longer.
func clockOf(body unsafe.Pointer) {
	if s := current; s != nil {
		c := &s.house.clock
		c.Lock()
		c.body = body
		c.Unlock()
	}
}

// attend has a goroutine move the clock while the body waits.
func (s *scheduler) attend() {
	if c := &s.house.clock; c.attendant == nil && c.body != nil {
		c.attendant = &attendant{}
		before := spindleMark(0)
		go s.attends(c.body, c.attendant)
		spindleMark(before)
	}
}

// attends moves the clock whenever the body waits, and the goroutines that run beside it, until no moment is waited for.
func (s *scheduler) attends(body unsafe.Pointer, self *attendant) {
	c := &s.house.clock
	self.g = spindleSelf()
	before := 0
	for {
		time.Sleep(20 * time.Microsecond)
		c.Lock()
		if c.attendant == self && (c.body != body || len(c.alarms) == 0) {
			c.attendant = nil
		}
		if c.attendant != self {
			c.Unlock()
			return
		}
		turns := s.resting(body)
		if turns > 0 && turns == before {
			first := c.alarms[0]
			for _, a := range c.alarms {
				if a.when < first.when {
					first = a
				}
			}
			c.now = max(c.now, first.when)
			if first.period > 0 {
				first.when = first.after(c.now)
			} else {
				c.unset(first)
			}
			mark := spindleMark(ofBody)
			if f, ok := first.arg.(func()); ok {
				go f()
			} else {
				first.send(first.arg, 0, 0)
			}
			spindleMark(mark)
			turns = 0
		}
		before = turns
		c.Unlock()
	}
}

// resting returns how often the body has run, and the goroutines that run beside it, if all of them wait, and else 0.
func (s *scheduler) resting(body unsafe.Pointer) (turns int) {
	all := map[unsafe.Pointer]bool{body: true}
	strays := &s.house.strays
	strays.Lock()
	for _, st := range strays.all {
		if st.runs && !st.ended.Load() {
			all[st.g] = true
		}
	}
	strays.Unlock()
	moves := false
	spindleBeside(func(g unsafe.Pointer, _ uintptr, n uint8, moving, _ bool) {
		if all[g] {
			turns += int(n) + 1
			moves = moves || moving
			delete(all, g)
		}
	})
	if moves || len(all) > 0 { // or one has not begun
		return 0
	}
	return turns
}
