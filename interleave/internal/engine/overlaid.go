//go:build spindle_runtime

package engine

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
	"github.com/spindle-go/spindle/interleave/internal/variables"
)

// How threads take turns in the runtime of package goroot: each is a goroutine that
// hands over to the next. The goroutine that explores runs the body and the functions
// given to Finally, and what is between executions. A thread that cannot go on when an
// execution is over is never resumed: its goroutine begins anew in the next one, without
// unwinding, so that no recover and no deferred call sees it.

// A fiber is where the goroutine is that goes on when somebody hands over to it. Its
// layout is the runtime's.
type fiber struct{ g unsafe.Pointer }

// What the runtime asks. Its layout is the runtime's.
type hooks struct {
	spawn     func(f func()) bool
	end       func(message string)
	threads   func() int
	now       func() (int64, bool)
	sleep     func(ns int64) bool
	setTimer  func(t unsafe.Pointer, when, period int64, f func(arg any, seq uintptr, delay int64), arg any) (was, is bool)
	stopTimer func(t unsafe.Pointer) (was, is bool)
	later     func(code uintptr) func(func())
	finalizer func(f any) any
	yield     func() bool
	ranges    func()
	random    func() (uint64, bool)
	channels  func(kind, n int, orElse bool) int
	made      func(c unsafe.Pointer)
	chance    func(what string)
	waits     func(what string) bool
}

//go:linkname spindleInstall runtime.spindleInstall
func spindleInstall(*hooks)

//go:linkname spindleBeside runtime.spindleBeside
func spindleBeside(f func(g unsafe.Pointer, start uintptr, turns uint8, moving, noted bool))

//go:linkname spindleNew runtime.spindleNew
func spindleNew(f func()) *fiber

//go:linkname spindleMark runtime.spindleMark
func spindleMark(mark uintptr) uintptr

//go:linkname spindleMarked runtime.spindleMarked
func spindleMarked() bool

//go:linkname spindleSwitch runtime.spindleSwitch
func spindleSwitch(from, to *fiber) bool

//go:linkname spindleExit runtime.spindleExit
func spindleExit(to *fiber)

//go:linkname spindleReset runtime.spindleReset
func spindleReset(f *fiber, run func()) bool

//go:linkname spindleBaseIs runtime.spindleBaseIs
func spindleBaseIs(base *fiber)

// onThread reports whether the caller is the running thread: goroutines may run beside it.
//
//go:linkname onThread runtime.spindleOnThread
func onThread() bool

//go:linkname spindleSelf runtime.spindleSelf
func spindleSelf() unsafe.Pointer

//go:linkname spindleUnpinned runtime.spindleUnpinned
func spindleUnpinned() string

// spindleInside says that the running thread is in an operation of a drop-in, which uses what it stands in for.
//
//go:linkname spindleInside runtime.spindleInside
var spindleInside bool

// inside says that what follows is an operation of a drop-in, or that it is over. Threads do not take turns in it.
func inside(is bool) { spindleInside = is }

//go:linkname spindleQuietly runtime.spindleQuietly
func spindleQuietly(begins bool)

//go:linkname spindleRoom runtime.spindleRoom
func spindleRoom()

//go:linkname spindleDue runtime.spindleDue
var spindleDue bool

//go:linkname spindleRests runtime.spindleRests
func spindleRests()

// quietly says that threads begin, or have ended: until then nothing but they themselves should change their stacks.
func quietly(begin bool) { spindleQuietly(begin) }

// rests lets other goroutines run, if it is time: a thread is stopped nowhere else.
func rests() {
	if spindleDue {
		spindleRests()
	}
}

//go:linkname spindleTake runtime.spindleTake
func spindleTake() unsafe.Pointer

//go:linkname spindleCanRun runtime.spindleCanRun
func spindleCanRun(g unsafe.Pointer) bool

// ofBody is the mark of the goroutine that runs the body.
const ofBody = 4

// Hosted reports whether threads are goroutines.
const Hosted = true

func init() {
	time.NewTicker(time.Hour).Stop() // what package time makes once is made before threads could wait for each other there
	spindleInstall(&hooks{spawn: spawns, end: fatalUnseen, threads: goroutines, now: now, sleep: sleeps, setTimer: setTimer, stopTimer: stopTimer, later: later, finalizer: finalizer, yield: yields, ranges: ranges, random: random, channels: talks, made: madeChannel, chance: chances, waits: waitsOutside})
}

// A seat is where a thread runs.
type seat struct {
	at      *fiber         // nil: it has no goroutine
	home    unsafe.Pointer // its goroutine, which may have switched to a coroutine of package iter
	idle    bool           // its goroutine is about to begin
	spawner *fiber         // waits for its first operation
	begin   func()
	stray   *stray           // whose goroutine it is, or nil
	waits   unsafe.Pointer   // its goroutine, which waits at something that is the runtime's
	partner bool             // it is known what it waits for: a partner at a channel
	on      *object.Channels // of its last operation on channels
	seen    watch
	roused  bool // it has one, and comes to its next operation
}

// A house is what all seats of an exploration have in common.
type house struct {
	base   fiber          // the goroutine that explores
	caller unsafe.Pointer // the goroutine that waits for it
	others others
	talk   talk
	called Site          // of the operation that is about to be made
	walk   walk          // and the stack there
	cleans bool          // what is left over in stacks is cleared
	drawn  uint64        // how many random numbers, by the body
	draws  bool          // the next one is for a program, and not for the runtime itself
	beside atomic.Uint64 // and by goroutines beside it
	coros  int           // how often threads had switched to another coroutine
	clock  clock
	strays strays
	held   variables.State
	before variables.Memory // a shadow round
}

// Controlled reports whether the caller is a thread of an exploration. Outside
// of one the drop-ins behave as the originals.
func Controlled() bool { return controlled && spindleMarked() }

// Operates is Controlled, of an operation on a word. That of another goroutine is noted.
func Operates(addr unsafe.Pointer) bool { return (controlled || noting) && operates(addr) }

func operates(addr unsafe.Pointer) bool {
	if controlled && spindleMarked() {
		return true
	}
	spindleWorks(addr)
	return false
}

// insider reports whether the caller is a goroutine of the exploration.
func insider() bool { return spindleMarked() }

// begins has the body of a test run, or a function given to Finally: goroutines that the body starts are threads.
func begins() (ends func()) {
	before := spindleMark(ofBody)
	clockOf(spindleSelf())
	return func() {
		clockOf(nil)
		spindleMark(before)
	}
}

// spindleBroken says that the body is to end at its next operation.
//
//go:linkname spindleBroken runtime.spindleBroken
var spindleBroken bool

// breaks has the body end at its next operation: see outside.go.
func breaks(is bool) { spindleBroken = is }

// breaksHere is called by an operation of the body, if it is to end. What is asked here makes operations, too.
func (s *scheduler) breaksHere() {
	if s == nil || !spindleBroken || s.leaving {
		return
	}
	spindleBroken = false
	is := s.running == nil && s.aside.Load() == broken
	if spindleBroken = true; is {
		panic(giveUp{})
	}
}

// here returns the fiber of the caller.
func (s *scheduler) here() *fiber {
	if s.running == nil {
		return &s.house.base
	}
	return s.running.seat.at
}

// next returns the fiber that goes on when t, or its goroutine, does not any more.
func (s *scheduler) next(t *thread) *fiber {
	switch {
	case t.seat.spawner != nil: // it has ended without an operation
		return t.seat.spawner
	case s.turn != nil:
		return s.chosen(s.turn)
	}
	return &s.house.base
}

// chosen returns the fiber of t, whose turn it is.
func (s *scheduler) chosen(t *thread) *fiber {
	if t.seat.waits != nil {
		t.seat.waits = nil
		s.running = t
		s.record(t, 0, 0, false, false)
	}
	return t.seat.at
}

// hands over from one to another.
func (s *scheduler) hands(from, to *fiber) {
	for {
		for !spindleSwitch(from, to) { // the caller has called LockOSThread
			if s.sorry == nil && s.running != nil {
				s.sorry = fmt.Errorf("%w: thread %s has called runtime.LockOSThread\n%s", ErrRefused, s.running.name, stack())
			}
			runtime.UnlockOSThread()
		}
		if from != &s.house.base {
			return
		}
		g := spindleTake()
		if g == nil {
			return
		}
		if to = s.parked(g); to == from {
			return
		}
	}
}

// parked notes that the running thread waits at something that is the runtime's, in code that is not explored. It returns who goes on.
func (s *scheduler) parked(g unsafe.Pointer) *fiber {
	s.drain()
	t := s.running
	t.seat.at.g = g
	t.seat.roused = false
	if t.seat.partner {
		s.waitsForPartner(t)
	} else if s.waitsUnseen(t); s.reduces() { // it cannot tell what comes before what
		return s.abandon()
	}
	to := t.seat.spawner
	t.seat.spawner = nil
	s.running = nil
	switch {
	case to != nil:
		t.fresh = false
		return to
	case t.fresh:
		t.fresh = false
		s.startNext()
	default:
		s.turn = s.choose()
	}
	if s.turn != nil {
		return s.chosen(s.turn)
	}
	return &s.house.base
}

// abandon breaks the execution off. It returns who goes on.
func (s *scheduler) abandon() *fiber {
	s.abandoned = true
	s.turn, s.running = nil, nil
	return &s.house.base
}

// waitsUnseen has t announce that it waits at something that is the runtime's.
func (s *scheduler) waitsUnseen(t *thread) {
	t.seat.waits = t.seat.at.g
	n := &t.Next
	n.Kind, n.Write, n.Waits, n.Site, n.Loc = object.Resume, false, true, 0, -1
	t.op.drain, t.op.ready, t.op.arg = false, canRun, unsafe.Pointer(t)
	s.waits |= t.Bit()
	s.unseen, s.unordered = true, true
	s.doubts.Add(certificate.NotSeen, "what thread "+t.name+" waits for", "")
}

// canRun reports whether a thread can go on that waits at something that is the runtime's.
func canRun(t unsafe.Pointer) bool { return spindleCanRun((*thread)(t).seat.waits) }

// waiting returns those of the threads that wait at something that is the runtime's.
func (s *scheduler) waiting(threads []*thread) (all []*thread) {
	for _, t := range threads {
		if t.Owner == nil && s.live.Has(t.ID) && t.seat.waits != nil && !t.seat.partner {
			all = append(all, t)
		}
	}
	return all
}

// comes waits until one of these threads can go on, of those that wait at something that is the runtime's. It reports false if there is none,
// or if none can for some time: then it is not known whether one ever could.
func (s *scheduler) comes(threads ...*thread) bool {
	all := s.waiting(threads)
	if all == nil {
		return false
	}
	before := spindleMark(0) // to sleep
	defer func() { spindleMark(before) }()
	for begin := time.Now(); time.Since(begin) < Stuck/10; time.Sleep(20 * time.Microsecond) {
		for _, t := range all {
			if canRun(unsafe.Pointer(t)) {
				return true
			}
		}
	}
	return false
}

// awaits waits until a thread can go on, where nobody can.
func (s *scheduler) awaits() bool {
	if s.strangersTalk() || s.comes(s.threads...) {
		return true
	}
	if all := s.waiting(s.threads); all != nil {
		s.sorry = fmt.Errorf("%w: nobody can go on, and it is not known whether that is a deadlock: %s in code that is not explored\n%s", ErrRefused, isWaiting(all), waiters())
	}
	return false
}

func isWaiting(threads []*thread) string {
	var names []string
	for _, t := range threads {
		names = append(names, t.name)
	}
	if len(names) == 1 {
		return "thread " + names[0] + " waits"
	}
	return "threads " + strings.Join(names, ", ") + " wait"
}

// waiters returns the stacks of threads that wait at something that is the runtime's.
func waiters() string {
	buf := make([]byte, 1<<20)
	var all []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if first, _, _ := strings.Cut(g, "\n"); sits(g) && !strings.Contains(first, "running") {
			all = append(all, g)
		}
	}
	return strings.Join(all, "\n\n")
}

// enter runs t, which has just been made, to its first operation.
func (s *scheduler) enter(t *thread) {
	from := s.here()
	t.seat.spawner, t.seat.waits, t.seat.stray = nil, nil, nil
	t.seat.partner, t.seat.roused, t.seat.seen = false, false, watch{}
	if st, _ := s.entering.(*stray); st != nil {
		s.entering = nil
		st.thread = t
		t.seat = seat{at: &fiber{st.g}, home: st.g, stray: st}
		t.fresh = false
		s.waitsUnseen(t)
		s.startNext()
		return
	}
	if t.Parent >= 0 {
		t.seat.spawner = from
	}
	if t.seat.at == nil {
		t.seat.begin = t.plays
		t.seat.at = spindleNew(t.seat.begin)
		t.seat.home = t.seat.at.g
	}
	t.seat.idle = false
	s.running = t
	s.hands(from, t.seat.at)
}

// plays is what the goroutine of t runs, again for each execution.
func (t *thread) plays() {
	spindleRoom()
	for {
		current.wipes() // what the execution before has left
		t.main()
		t.seat.idle = true
		s := current
		s.hands(t.seat.at, s.next(t))
	}
}

// entered goes back to the thread that has started t.
func (s *scheduler) entered(t *thread) {
	to := t.seat.spawner
	t.seat.spawner = nil
	s.hands(t.seat.at, to)
}

// pass waits until it is t's turn, which is called by t. It does not return if the execution is over.
func (s *scheduler) pass(t *thread) {
	for s.turn != t {
		s.hands(t.seat.at, s.next(t))
	}
	s.running = t
}

// plays has threads take turns until nobody can go on.
func (s *scheduler) plays() {
	for s.turn != nil && s.left == nil {
		s.running = s.turn
		s.hands(&s.house.base, s.chosen(s.turn))
		s.running = nil
	}
	if s.left != nil {
		runtime.Goexit()
	}
}

// endThread ends what runs outside of any thread, if it is to be broken off.
func (s *scheduler) endThread(*thread) { s.endOutside() }

// quit ends the caller, and the execution with it. It does not return.
func (s *scheduler) quit(why any) {
	t := s.running
	if !controlled || t == nil {
		panic(why)
	}
	t.ended()
	for {
		s.hands(t.seat.at, s.next(t))
	}
}

// unwind has the goroutines of threads that have not ended begin anew.
func (s *scheduler) unwind() {
	s.beginUnwinding()
	for _, t := range s.threads {
		if t.Owner == nil && t.seat.at != nil && !t.seat.idle {
			t.seat.idle = true
			if t.seat.stray != nil { // the body starts others
				s.dismiss(t.seat.at)
				t.seat.at = nil
				continue
			}
			if t.seat.at.g != t.seat.home {
				s.dismiss(&fiber{t.seat.at.g})
				t.seat.at.g = t.seat.home
			}
			if !spindleReset(t.seat.at, t.seat.begin) {
				t.seat.at = nil
				s.lost++
			}
		}
	}
	s.unwinding = false
}

// dismiss ends a goroutine that waits. One that cannot be taken out of where it waits is lost.
func (s *scheduler) dismiss(f *fiber) {
	if !spindleReset(f, func() { spindleExit(&s.house.base) }) {
		s.lost++
		return
	}
	s.hands(&s.house.base, f)
}

// leave is the end of the goroutine of t by runtime.Goexit, after the deferred calls of
// the program. A test that ends itself so takes the exploration with it.
func (t *thread) leave() {
	s := current
	to := s.next(t)
	if s.left == nil && ofTest() {
		s.left = t
		to = &s.house.base
	}
	t.seat.at = nil
	spindleExit(to)
}

// explores runs executions until there is no other.
func (s *scheduler) explores() {
	spindleBaseIs(&s.house.base)
	if s.house.others.around == nil { // it begins
		if digest := spindleUnpinned(); digest != "" {
			s.doubts.Add(certificate.NotSeen, "whether goroutines hand over as on toolchains that are pinned (toolchain not pinned, digest "+digest[:12]+", self-test passed)", "")
		}
		for _, what := range unseen.Values() {
			s.doubts.Add(certificate.NotSeen, what+", which may be called by way of a value", "")
		}
		s.besides()
		s.house.held.Keep()
	}
	s.ended = false
	s.loop()
	s.movers()
}

// calledFrom notes the goroutine that waits for the exploration.
func (s *scheduler) calledFrom() {
	s.house.caller, s.house.cleans = spindleSelf(), rounds.LeftOvers
}

// close ends the goroutines of threads.
func (s *scheduler) close() {
	for _, t := range s.byID {
		if t != nil && t.seat.at != nil {
			s.dismiss(t.seat.at)
			t.seat.at = nil
		}
	}
}

// sits reports whether a goroutine, as runtime.Stack prints it, is a thread's, and is not waiting for its turn.
func sits(stack string) bool {
	first, _, _ := strings.Cut(stack, "\n")
	return strings.Contains(stack, "engine.(*thread).main") && !strings.Contains(first, "coroutine")
}

// inBody reports whether the body is running.
func (s *scheduler) inBody() bool { return s.outside && !s.x.started }

// spawnOutside has f be a thread, if the body calls it.
func (s *scheduler) spawnOutside(site Site, f func()) bool {
	if s.inBody() {
		s.x.spawned = true
		s.x.add("go", newThread{f: f, from: site})
	}
	return s.inBody()
}
