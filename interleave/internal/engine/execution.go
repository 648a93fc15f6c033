package engine

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/dpor"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// How an execution goes.
//
// The body of the test runs first, uncontrolled, and names the threads; each is then
// run to its first operation, which it announces and does not carry out. From
// then on every thread that has not ended has one announced operation, and a
// strategy chooses which is carried out next.
//
// The thread that has just announced asks the strategy itself, in line, and
// switches only if another is chosen: most steps of most executions go on with
// the thread that is running. A thread keeps its goroutine from execution to execution.
//
// What runs between two operations touches nothing that another thread can see,
// or it is a data race, which is looked for; so it is no matter when it runs.

// choose returns who goes on, or nil if the execution is over.
func (s *scheduler) choose() *thread {
	if s.over() {
		return nil
	}
	if len(s.Events)%64 == 63 {
		s.alive.Add(1)
	}
	s.rouse()
	enabled, alive := s.enabled()
	enabled = s.timely(enabled, alive)
	if t := s.foretold(); t != nil && s.extend(t) {
		enabled, alive = s.enabled()
	}
	if enabled == 0 && (alive && s.awaits() || !alive && s.leaks && s.comes(s.strangers()...)) {
		enabled, alive = s.enabled()
	}
	if enabled == 0 {
		if enabled = s.stalled(alive); enabled == 0 {
			return nil
		}
	}
	enabled = s.inShadow(enabled)
	now, n := s.turnOf(enabled), -1
	if s.coda.on {
		one := s.inCoda(enabled)
		switch {
		case one != 0 && s.forGood:
			n = one.First()
		case one != 0:
			enabled = one
		case s.forGood:
			s.Blocked = true
			return nil
		}
	}
	if n < 0 {
		var err error
		if n, err = s.strategy.Choose(&s.Execution, strategy.Choice{Threads: enabled, Now: now}); err != nil {
			s.unlike(err)
		}
	}
	if n < 0 {
		s.abandoned = true
		return nil
	}
	t := s.byID[n]
	if t.loop.Held {
		s.letGo(t)
	}
	if t.Owner != nil {
		s.flush(t)
		return s.choose()
	}
	return t
}

// foretold returns the thread that the reduction must choose now, if it is held back
// only since it has made too many steps: it made this one before others had ended.
func (s *scheduler) foretold() *thread {
	if d, ok := s.strategy.(*dpor.Search); ok && s.exhausted != 0 {
		if n := d.Next(&s.Execution); n >= 0 && s.exhausted.Has(n) {
			return s.byID[n]
		}
	}
	return nil
}

// over reports whether the execution is broken off. One that has failed is not,
// where the search goes on after failures: what the others would have done
// decides which executions there are besides.
func (s *scheduler) over() bool {
	return s.sorry != nil || s.failure != nil && !s.carriesOn
}

// enabled returns the threads that can go on, and whether there are others that
// have not ended and should.
func (s *scheduler) enabled() (set order.ThreadSet, alive bool) {
	set = s.live &^ s.waits
	inside(true)
	defer inside(false)
	for w := s.live & s.waits; w != 0; w &= w - 1 {
		t := s.byID[w.First()]
		if t.op.drain && len(t.buffer) > 0 {
			continue
		}
		if t.loop.Held && (s.forGood && !s.coda.on || !s.helped(t)) {
			continue
		}
		if t.op.ready == nil || t.op.ready(t.op.arg) {
			set |= t.Bit()
		}
	}
	return set, s.live&^s.daemons != 0
}

// run carries out one execution. It is over when nobody can go on.
func (s *scheduler) run() {
	executions++
	s.execution = executions
	if s.before = 0; s.again {
		s.before = len(s.Events)
	}
	s.reset()
	x := &s.x
	*x = Exec{s: s, made: x.made[:0]}
	s.strategy.Begin(&s.Execution)
	spindleDeepIs(s.pcs != nil)
	s.known = s.first
	if s.again {
		s.known = s.Fresh
	}
	s.Clocked = s.Pairs || s.each != nil
	s.guard("the body", func() { s.body(x) })
	if s.adopt(); s.failure == nil && s.sorry == nil {
		s.winds()
		x.started = true
		if s.late && s.reduces() { // a moment that comes earlier changes what comes later
			s.unseen, s.abandoned = true, true
		} else {
			controlled = true
			quietly(true)
			forget()
			s.onlyThreads()
			s.startNext()
			s.plays()
		}
	}
	s.finish()
}

// finish is the end of an execution: all threads are made to end, and what they
// leave behind is looked at.
func (s *scheduler) finish() {
	x := &s.x
	if controlled {
		if s.failure == nil && s.sorry == nil && !s.abandoned && !s.Blocked {
			s.leftThreads()
		}
		s.unwind()
		controlled = false
		quietly(false)
	}
	if s.failure == nil && s.forGood {
		s.endCoda()
	}
	s.steps += len(s.Events)
	s.longest = max(s.longest, len(s.Events))
	if s.failure == nil && s.sorry == nil && !s.abandoned && !s.Blocked {
		x.over = true
		s.running = nil
		for _, f := range s.finally {
			s.guard("Finally", f)
		}
	}
	s.putState()
	s.running = nil
}

// beginUnwinding has the threads that have not ended end when they are resumed.
func (s *scheduler) beginUnwinding() {
	if !s.unwinding {
		s.unwinding = true
		if !s.coda.noted {
			s.noteWaiters()
		}
	}
}

// guard runs a function of the test outside of any thread.
func (s *scheduler) guard(where string, f func()) {
	s.outside = true
	defer begins()()
	watched, outsideOf = true, where
	s.aside.Store(within)
	defer func() {
		s.leaveOutside()
		s.outside, watched = false, false
		switch v := recover(); v.(type) {
		case nil, giveUp, sentinel:
		default:
			s.fail(&Failure{Kind: Panic, Thread: where, Message: fmt.Sprint(v), Stack: stack()})
		}
	}()
	f()
}

func (s *scheduler) reset() {
	s.threads = s.threads[:0]
	s.Execution.Begin()
	if s.channels {
		s.Locate(unsafe.Pointer(&s.channels))
		s.forgetChannels()
	}
	s.resetClock()
	s.op = object.Op{}
	s.idle, s.muted, s.shadow.thread = 0, false, nil
	s.failure, s.abandoned, s.unwinding = nil, false, false
	s.rounds.Begin(&s.Execution)
	s.rounds.Writes = PlainAccesses
	s.coda = coda{}
	s.wishes = wishes{finally: s.finally[:0], oneStep: s.oneStep[:0], strict: s.strict}
	s.running, s.turn, s.started = nil, nil, 0
	s.live, s.daemons, s.waits, s.exhausted = 0, 0, 0, 0
	if PlainAccesses {
		s.races.Begin(&s.Execution, s)
	}
}

// fail notes the first thing that went wrong in this execution. What threads report while
// they are made to end does not count: the program may have recovered the panic that ends
// them, and goes on in a way that it never would.
func (s *scheduler) fail(f *Failure) {
	if s.failure == nil && !s.unwinding {
		s.failure = f
		f.Schedule = schedule.Of(&s.Execution)
	}
}

func stack() string {
	buf := make([]byte, 8<<10)
	return string(buf[:runtime.Stack(buf, false)])
}
