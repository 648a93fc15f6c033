package engine

import (
	"fmt"
	"iter"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// How an execution goes.
//
// Each thread is a coroutine (iter.Pull), kept from execution to execution. The
// body of the test runs first, uncontrolled, and names the threads; each is then
// run to its first operation, which it announces and does not carry out. From
// then on every thread that has not ended has one announced operation, and a
// strategy chooses which is carried out next.
//
// The thread that has just announced asks the strategy itself, in line, and
// switches only if another is chosen: most steps of most executions go on with
// the thread that is running. A switch goes by way of the goroutine that
// explores, and costs two coroutine switches of about 60 ns.
//
// What runs between two operations touches nothing that another thread can see,
// or it is a data race, which is looked for; so it is no matter when it runs.

// MaxThreads bounds the threads of an execution.
const MaxThreads = 32

type threadSet uint32

func (s threadSet) has(t int) bool { return s>>t&1 != 0 }

// An operation is what a thread has announced.
type operation struct {
	kind  Kind
	write bool // it may write
	drain bool // it waits until the thread's buffer is empty
	site  Site
	loc   int32 // index into locs, -1 for none
	ready func(unsafe.Pointer) bool
	arg   unsafe.Pointer
}

type thread struct {
	id      int
	name    string
	body    func()
	co      *coroutine
	op      operation
	fresh   bool // it has not announced anything yet
	done    bool
	daemon  bool
	lost    bool // it could not be ended
	last    int32
	count   int16
	clock   clock // what happens before its next event
	loop    loop
	panics  int        // how often it was told to end
	parent  int        // -1: made by the body
	buffer  []buffered // stores that are on their way
	flusher *thread    // who empties buffer
	owner   *thread    // of a flusher: whose buffer it empties
	spawns  int
}

// A coroutine runs one thread after another.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	run   func()
}

func newCoroutine() *coroutine {
	c := new(coroutine)
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.run()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// current is the exploration that is going on. Only one does at a time: see
// Explore.
var current *scheduler

// scheduler runs executions, one after another, and keeps what is used again.
type scheduler struct {
	strategy  strategy
	body      func(*Exec)
	execution uint64 // number of the execution, from 1

	byID    [MaxThreads]*thread // as long as they live
	threads []*thread           // of this execution, in the order of their making
	spare   []*coroutine
	names   map[[2]int]int // which id the nth thread that a thread started has
	running *thread
	turn    *thread // who goes on when the controller has the turn

	events  []event
	clocks  []clock
	locs    []location
	table   addressTable
	fresh   int  // events before this one have been seen in the execution before
	again   bool // the execution before was of the same strategy
	races   []race
	waiters []waiter
	pairs   bool // the strategy wants races

	unwinding  bool
	failure    *Failure
	finally    []func()
	steps      int // carried out, of all executions
	longest    int
	maxSteps   int
	patience   int
	tso        bool
	cut        int  // repeated iterations at which a thread was held back
	muted      bool // the operation that is under way is a stutter
	mutedEvent event
	lost       int // threads that could not be ended
	idle       int // releases since something changed
	changed    bool
	abandoned  bool // the strategy broke this execution off
	plain      plainState
	sorry      error // what makes the exploration itself fail
	before0    snapshot
	each       func(*View) bool
	pcs        []uintptr     // where operations of unknown sites were made, if asked for
	alive      atomic.Uint64 // executions, for the watchdog
}

// Execution returns the number of the execution that is under way, counted
// through all explorations of the process, or 0.
func Execution() uint64 {
	if current == nil {
		return 0
	}
	return current.execution
}

var executions uint64

// sentinel ends a thread from inside.
type sentinel struct{}

func (sentinel) Error() string {
	return "interleave: this execution is over; the panic ends its threads and must not be recovered"
}

// giveUp is what Fatalf panics with.
type giveUp struct{}

func begin(addr unsafe.Pointer, k Kind, site Site, ready func(unsafe.Pointer) bool, arg unsafe.Pointer) {
	s := current
	t := s.running
	if s.unwinding {
		s.endThread(t)
	}
	o := &t.op
	if stutters(site) {
		s.mute(t, addr, ready, arg, k, site)
		return
	}
	*o = operation{kind: k, write: mayWrite[k], site: site, loc: -1, ready: ready, arg: arg}
	if addr != nil {
		known := len(s.locs)
		o.loc = s.locate(addr)
		if known < len(s.locs) && k.lock() && Peek != nil {
			l := &s.locs[known]
			l.held, l.readers, l.count = Peek(addr, k)
		}
	}
	if s.tso && k.drains() && !(k == Store && addr == nil) {
		o.drain = true
	}
	if t.fresh {
		t.fresh = false
		t.co.yield(struct{}{})
	} else {
		if t.loop.repeat != 0 {
			s.holdBack(t)
		}
		if next := s.choose(); next != t {
			s.turn = next
			t.co.yield(struct{}{})
		}
	}
	if s.unwinding {
		s.endThread(t)
	}
	if o.drain {
		s.drained(t)
	}
}

// endThread makes t end: by a panic, and where that was recovered too often, by
// never resuming it.
func (s *scheduler) endThread(t *thread) {
	t.panics++
	if t.panics > 1000 {
		t.lost = true
		s.lost++
		for {
			t.co.yield(struct{}{})
		}
	}
	panic(sentinel{})
}

// choose returns who goes on, or nil if the execution is over.
func (s *scheduler) choose() *thread {
	if s.failure != nil || s.sorry != nil {
		return nil
	}
	if len(s.events) >= s.maxSteps {
		s.fail(&Failure{Kind: StepBound, Message: fmt.Sprintf("no end after %d steps", s.maxSteps)})
		return nil
	}
	enabled, alive := s.enabled()
	if enabled == 0 {
		if enabled = s.release(); enabled == 0 {
			if alive && s.failure == nil {
				s.deadlock()
			}
			return nil
		}
	}
	now := -1
	if r := s.running; r != nil && enabled.has(r.id) {
		now = r.id
	}
	n := s.strategy.choose(s, enabled, now)
	if n < 0 {
		s.abandoned = true
		return nil
	}
	t := s.byID[n]
	if t.owner != nil {
		s.flush(t)
		return s.choose()
	}
	return t
}

// enabled returns the threads that can go on, and whether there are others that
// have not ended and should.
func (s *scheduler) enabled() (set threadSet, alive bool) {
	for _, t := range s.threads {
		if t.done {
			continue
		}
		alive = alive || !t.daemon
		if t.op.drain && len(t.buffer) > 0 {
			continue
		}
		if !t.loop.held && (t.op.ready == nil || t.op.ready(t.op.arg)) {
			set |= 1 << t.id
		}
	}
	return set, alive
}

// start makes a thread and runs it to its first operation.
func (s *scheduler) start(parent int, name string, daemon bool, f func()) {
	nth := 0
	if parent >= 0 {
		p := s.byID[parent]
		nth = p.spawns
		p.spawns++
	} else {
		nth = len(s.threads)
	}
	id := s.idOf(parent, nth)
	if id < 0 {
		return
	}
	t := s.byID[id]
	if t == nil {
		t = &thread{id: id}
		s.byID[id] = t
	}
	co := t.co
	*t = thread{id: id, name: name, body: f, co: co, fresh: true, daemon: daemon, last: -1, parent: parent}
	t.loop.reset()
	if t.name == "" {
		t.name = s.byID[parent].name + "." + fmt.Sprint(nth+1)
	}
	if t.co == nil {
		t.co = newCoroutine()
	}
	t.co.run = t.main
	if parent >= 0 {
		t.clock = s.byID[parent].clock
	}
	s.plain.start(t, parent)
	s.threads = append(s.threads, t)
	before := s.running
	s.running = t
	t.co.next()
	s.running = before
}

// idOf returns the id of the nth thread that a thread makes: the same in all
// executions.
func (s *scheduler) idOf(parent, nth int) int {
	id, known := s.names[[2]int{parent, nth}]
	if !known {
		id = len(s.names)
		if id >= MaxThreads {
			s.sorry = fmt.Errorf("interleave: more than %d threads", MaxThreads)
			return -1
		}
		s.names[[2]int{parent, nth}] = id
	}
	return id
}

// main is what a thread's coroutine runs.
func (t *thread) main() {
	s := current
	defer func() {
		t.done = true
		if v := recover(); v != nil {
			s.panicked(t, v)
		}
		t.body = nil
		switch {
		case t.fresh: // ended without an operation
			t.fresh = false
		case s.unwinding:
		default:
			s.turn = s.choose()
		}
	}()
	t.body()
}

// panicked notes what ended t.
func (s *scheduler) panicked(t *thread, v any) {
	switch v := v.(type) {
	case sentinel, giveUp:
		return
	default:
		if s.unwinding {
			return // what follows from being ended
		}
		s.fail(&Failure{Kind: Panic, Thread: t.name, Message: fmt.Sprint(v), Stack: stack()})
	}
}

func spawn(site Site, f func()) {
	s := current
	if s.unwinding {
		s.endThread(s.running)
	}
	s.start(s.running.id, "", false, f)
}

// run carries out one execution. It is over when nobody can go on.
func (s *scheduler) run() {
	executions++
	s.execution = executions
	s.reset()
	x := &Exec{s: s}
	s.strategy.begin(s)
	s.guard("the body", func() { s.body(x) })
	if s.failure == nil && s.sorry == nil {
		x.started = true
		controlled = true
		for _, t := range x.made {
			if s.failure == nil && s.sorry == nil {
				s.start(-1, t.name, t.daemon, t.f)
			}
		}
		s.running = nil
		s.turn = s.choose()
		for s.turn != nil {
			t := s.turn
			s.running = t
			t.co.next()
		}
		s.unwind()
		controlled = false
	}
	s.steps += len(s.events)
	s.longest = max(s.longest, len(s.events))
	if s.failure == nil && s.sorry == nil && !s.abandoned {
		x.over = true
		s.running = nil
		for _, f := range s.finally {
			s.guard("Finally", f)
		}
		s.checkGlobals()
	}
	s.running = nil
}

// unwind ends the threads that have not ended.
func (s *scheduler) unwind() {
	s.unwinding = true
	s.noteWaiters()
	for _, t := range s.threads {
		for n := 0; t.owner == nil && !t.done && !t.lost && n < 2; n++ {
			s.running = t
			t.co.next()
		}
		if t.lost {
			s.byID[t.id] = nil // with its coroutine
		}
	}
	s.unwinding = false
}

// guard runs a function of the test outside of any thread.
func (s *scheduler) guard(where string, f func()) {
	defer func() {
		switch v := recover(); v.(type) {
		case nil, giveUp:
		default:
			s.fail(&Failure{Kind: Panic, Thread: where, Message: fmt.Sprint(v), Stack: stack()})
		}
	}()
	f()
}

func (s *scheduler) reset() {
	s.threads = s.threads[:0]
	s.events = s.events[:0]
	s.locs = s.locs[:0]
	s.table.clear()
	s.races, s.waiters = s.races[:0], s.waiters[:0]
	s.idle, s.muted = 0, false
	s.failure, s.abandoned, s.unwinding = nil, false, false
	s.finally = s.finally[:0]
	s.running, s.turn = nil, nil
	s.plain.reset()
}

// fail notes the first thing that went wrong in this execution.
func (s *scheduler) fail(f *Failure) {
	if s.failure == nil {
		s.failure = f
		f.Schedule = s.schedule()
	}
}

func stack() string {
	buf := make([]byte, 8<<10)
	return string(buf[:runtime.Stack(buf, false)])
}
