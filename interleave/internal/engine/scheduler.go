package engine

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/dpor"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/race"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
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

// current is the exploration that is going on. Only one does at a time: see
// Explore.
var current *scheduler

// scheduler runs executions, one after another, and keeps what is used again.
type scheduler struct {
	order.Execution
	strategy  strategy.Chooser
	search    dpor.Search // the reduction, if it is asked for
	body      func(*Exec)
	execution uint64      // number of the execution, from 1
	goesOn    func() bool // called after each execution
	ended     bool        // it has said no
	house     house
	x         Exec
	stage
	underWay
	heldBack
	wishes
	limits
	turnedOut
	besideThreads
	sameness
	totals
	races     race.Detector
	doubts    certificate.Doubts
	failure   *Failure
	sorry     error // what makes the exploration itself fail
	unwinding bool
	abandoned bool      // the strategy broke this execution off
	carriesOn bool      // a failure of one thread does not keep the others from going on
	pcs       []uintptr // where operations of unknown sites were made, if asked for
	told      []string  // what came of operations on channels, by event, if asked for
	frozen    *Freeze
	blocked   []Blocked
	longestOf map[string]int
	alive     atomic.Uint64 // executions and some of their steps, for the watchdog
}

// A stage has the threads of an execution, and whose turn it is.
type stage struct {
	byID      [order.MaxThreads]*thread // as long as they live
	threads   []*thread                 // of this execution, in the order of their making
	live      order.ThreadSet           // those that have not ended
	daemons   order.ThreadSet
	waits     order.ThreadSet // those that may have to wait
	exhausted order.ThreadSet // those that have made as many steps as a thread may
	started   int             // threads of the body
	starting  Site            // the go statement of the thread that is about to start
	entering  any             // the newThread.stray of the one that is starting
	running   *thread
	turn      *thread // who goes on, nil if the execution is over
}

// underWay is what is known of the operation that is carried out.
type underWay struct {
	op         object.Op
	with       given // of the one that is announced next
	muted      bool  // it is invisible
	mutedEvent order.Event
}

// heldBack is what is known of threads that are held back: see waiting.go and wait.go.
type heldBack struct {
	rounds  rounds.Log
	coda    coda
	shadow  shadow
	forGood bool // who is held back has ended
	idle    int  // releases since something changed
	changed bool
	cut     int  // repeated iterations at which a thread was held back
	repeats bool // a search that leaves nothing out has held a thread back since it did the same again
}

// wishes are what the body has asked for, of Exec.
type wishes struct {
	finally []func()
	leaks   bool     // NoLeaks
	late    bool     // LateClock
	any     bool     // AnyChoice
	strict  bool     // Strict
	oneStep []string // packages: OneStep
}

// limits are the Options of the exploration.
type limits struct {
	maxSteps int
	bound    int // maxSteps, and more where threads look many times
	patience int
	looks    int // how often a thread may look in vain
	tso      bool
	each     func(*View) bool
}

// turnedOut is what an exploration has learned of the program, and begins anew for.
type turnedOut struct {
	unseen    bool // threads have waited at something that is the runtime's
	counted   bool // the threads are counted: see counted.go
	channels  bool // threads use channels: these are one object, which is there from the beginning
	recount   bool // and the exploration begins anew, since they were not
	differed  bool // two runs of one schedule
	anew      int  // how often the exploration began anew for that
	unordered bool // code that is not explored has started some: what orders plain accesses is not known
}

// besideThreads is what runs outside of any thread: see outside.go.
type besideThreads struct {
	outside bool         // the body runs, or a function given to Finally
	leaving bool         // and comes to its end
	left    *thread      // called t.FailNow
	aside   atomic.Int32 // within, breaking, broken; or 0
}

// sameness is what executions have in common with the one before.
type sameness struct {
	again  bool // that was of the same strategy
	first  int  // steps that the first execution must have: see steady.go
	known  int  // steps of this execution that must be as in the one before
	before int  // steps of the one before, if it was of the same strategy
}

// totals are of all executions.
type totals struct {
	steps      int // carried out
	longest    int
	lost       int      // threads that could not be ended
	unfinished int      // executions that a bound of steps has ended
	mostLeft   int      // see Certificate.Left
	hidden     []Site   // of invisible operations that were reached
	rules      []string // that have decided something
}

// schedulers are those that have done their work, for the sake of their slices:
// the exploration of a small test takes less time than to make them.
var schedulers = sync.Pool{New: func() any { return &scheduler{Execution: order.New()} }}

func newScheduler() *scheduler {
	s := schedulers.Get().(*scheduler)
	search := s.search
	search.Reset()
	*s = scheduler{
		Execution: s.Kept(), search: search,
		heldBack: heldBack{rounds: s.rounds.Kept()},
		races:    s.races.Kept(),
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
