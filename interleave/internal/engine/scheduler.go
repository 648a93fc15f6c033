package engine

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
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
// the thread that is running.
//
// What runs between two operations touches nothing that another thread can see,
// or it is a data race, which is looked for; so it is no matter when it runs.

// MaxThreads bounds the threads of an execution.
const MaxThreads = 32

type threadSet uint32

func (s threadSet) has(t int) bool { return s>>(t&31)&1 != 0 }
func (s threadSet) first() int     { return bits.TrailingZeros32(uint32(s)) }

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
	active  bool // its coroutine runs, or waits for one that it has resumed
	lost    bool // it could not be ended
	last    int32
	count   int16
	clock   clock // what happens before its next event
	loop    loop
	panics  int        // how often it was told to end
	parent  int        // -1: made by the body
	nth     int        // of its parent
	label   string     // see Exec.Do
	frozen  bool       // see Freeze
	buffer  []buffered // stores that are on their way
	flusher *thread    // who empties buffer
	owner   *thread    // of a flusher: whose buffer it empties
	spawns  int
}

func (t *thread) bit() threadSet { return 1 << (t.id & 31) }

// current is the exploration that is going on. Only one does at a time: see
// Explore.
var current *scheduler

// scheduler runs executions, one after another, and keeps what is used again.
type scheduler struct {
	strategy  strategy
	body      func(*Exec)
	execution uint64 // number of the execution, from 1

	byID    [MaxThreads]*thread   // as long as they live
	threads []*thread             // of this execution, in the order of their making
	ids     [MaxThreads + 1][]int // by parent+1: which id the nth thread that it made has; -1 for not known
	width   int                   // ids that are in use
	live    threadSet             // those that have not ended
	daemons threadSet
	waits   threadSet  // those that may have to wait
	host    *coroutine // which explores, and runs the first thread
	x       Exec
	goesOn  func() bool // called after each execution
	ended   bool        // it has said no
	started int         // threads of the body
	running *thread
	turn    *thread // who goes on, nil if the execution is over

	events  []event
	clocks  []clock
	locs    []location
	table   addressTable
	fresh   int  // events before this one have been seen in the execution before
	again   bool // the execution before was of the same strategy
	races   []race
	path    []node // of the reduction
	waiters []waiter
	pairs   bool // the strategy wants races
	clocked bool // somebody wants clocks

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
	pcs        []uintptr // where operations of unknown sites were made, if asked for
	looks      int       // how often a thread may look in vain
	outside    bool      // the body runs, or a function given to Finally
	left       *thread   // called runtime.Goexit
	frozen     *Freeze
	blocked    []Blocked
	longestOf  map[string]int
	alive      atomic.Uint64 // executions, for the watchdog
}

// schedulers are those that have done their work, for the sake of their slices:
// the exploration of a small test takes less time than to make them.
var schedulers = sync.Pool{New: func() any {
	return &scheduler{
		events: make([]event, 0, 64), clocks: make([]clock, 0, 64), races: make([]race, 0, 32), locs: make([]location, 0, 8),
		path: make([]node, 0, 64),
	}
}}

func newScheduler() *scheduler {
	s := schedulers.Get().(*scheduler)
	*s = scheduler{
		events: s.events[:0], clocks: s.clocks[:0], races: s.races[:0], locs: s.locs[:0], table: s.table, path: s.path[:0],
		plain: plainState{table: s.plain.table, words: s.plain.words[:0], released: s.plain.released[:0]},
	}
	return s
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
	// Field by field: a literal would be made elsewhere and copied, which takes
	// five times as long.
	o.kind, o.write, o.drain, o.site, o.loc, o.ready, o.arg = k, mayWrite[k], false, site, -1, ready, arg
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
	if ready != nil || o.drain {
		s.waits |= t.bit()
	} else {
		s.waits &^= t.bit()
	}
	if s.frozen != nil {
		s.freeze(t)
	}
	if t.fresh {
		t.fresh = false
		if t.parent >= 0 {
			t.co.yield(struct{}{}) // to start, called by the parent
			s.running = t
		} else {
			s.startNext()
			s.pass(t)
		}
	} else {
		if t.loop.repeat != 0 {
			s.holdBack(t)
		}
		if s.turn = s.choose(); s.turn != t {
			s.pass(t)
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
	set = s.live &^ s.waits
	for w := s.live & s.waits; w != 0; w &= w - 1 {
		t := s.byID[w.first()]
		if t.op.drain && len(t.buffer) > 0 {
			continue
		}
		if !t.loop.held && (t.op.ready == nil || t.op.ready(t.op.arg)) {
			set |= t.bit()
		}
	}
	return set, s.live&^s.daemons != 0
}

// startNext starts the next of the threads that the body made. Each starts the
// next when it has come to its first operation, and the last of them chooses who
// goes on.
func (s *scheduler) startNext() {
	if i := s.started; i < len(s.x.made) && s.failure == nil && s.sorry == nil {
		s.started++
		m := &s.x.made[i]
		s.start(-1, m.name, m.daemon, m.f)
		return
	}
	s.running = nil
	s.turn = s.choose()
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
	t.name, t.body, t.parent, t.daemon = name, f, parent, daemon
	t.fresh, t.done, t.active, t.lost = true, false, false, false
	t.last, t.count, t.spawns, t.panics = -1, 0, 0, 0
	t.nth, t.label, t.frozen = nth, "", false
	t.clock = clock{}
	t.loop.reset()
	t.loop.pc = 0
	t.buffer, t.flusher = t.buffer[:0], nil
	s.live |= t.bit()
	if daemon {
		s.daemons |= t.bit()
	}
	if t.name == "" {
		t.name = s.byID[parent].name + "." + fmt.Sprint(nth+1)
	}
	hosted := len(s.threads) == 0
	if hosted {
		t.co = s.host
	} else if t.co == nil {
		t.co = newCoroutine(t.main)
	}
	if parent >= 0 {
		t.clock = s.byID[parent].clock
	}
	if PlainAccesses {
		s.plain.start(t, parent)
	}
	s.threads = append(s.threads, t)
	before := s.running
	if hosted {
		s.running, t.active = t, true
		t.main()
	} else {
		s.resume(t)
	}
	s.running = before
}

// idOf returns the id of the nth thread that a thread makes: the same in all
// executions.
func (s *scheduler) idOf(parent, nth int) int {
	ids := &s.ids[parent+1]
	for nth+1 >= len(*ids) { // a buffer is number -1
		*ids = append(*ids, -1)
	}
	id := &(*ids)[nth+1]
	if *id < 0 {
		if s.width == MaxThreads {
			s.sorry = fmt.Errorf("interleave: more than %d threads", MaxThreads)
			return -1
		}
		*id = s.width
		s.width++
	}
	return *id
}

// main is what a thread's coroutine runs.
func (t *thread) main() {
	s := current
	returned := false
	defer func() {
		t.done = true
		s.live &^= t.bit()
		if v := recover(); v != nil {
			s.panicked(t, v)
		} else if !returned && s.left == nil {
			s.left = t // by runtime.Goexit, which takes the exploration with it
		}
		t.body = nil
		switch {
		case t.fresh: // ended without an operation
			t.fresh = false
			if t.parent < 0 {
				s.startNext()
			}
		case s.unwinding:
		default:
			s.turn = s.choose()
		}
	}()
	t.body()
	returned = true
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
	x := &s.x
	*x = Exec{s: s, made: x.made[:0]}
	s.strategy.begin(s)
	s.clocked = s.pairs || s.each != nil
	s.guard("the body", func() { s.body(x) })
	if s.failure == nil && s.sorry == nil {
		x.started = true
		controlled = true
		s.startNext()
		for s.turn != nil {
			s.resume(s.turn)
		}
	}
	s.finish()
}

// finish is the end of an execution: all threads are made to end, and what they
// leave behind is looked at.
func (s *scheduler) finish() {
	x := &s.x
	if controlled {
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

// beginUnwinding has the threads that have not ended end when they are resumed.
func (s *scheduler) beginUnwinding() {
	if !s.unwinding {
		s.unwinding = true
		s.noteWaiters()
	}
}

// unwind ends the threads that have not ended.
func (s *scheduler) unwind() {
	s.beginUnwinding()
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
	s.outside = true
	defer func() {
		s.outside = false
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
	s.events = s.events[:0]
	s.locs = s.locs[:0]
	s.table.clear()
	s.races, s.waiters = s.races[:0], s.waiters[:0]
	s.idle, s.muted = 0, false
	s.failure, s.abandoned, s.unwinding = nil, false, false
	s.finally = s.finally[:0]
	s.running, s.turn, s.started = nil, nil, 0
	s.live, s.daemons, s.waits = 0, 0, 0
	if PlainAccesses {
		s.plain.reset()
	}
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
