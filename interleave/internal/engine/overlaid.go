//go:build spindle_runtime

package engine

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
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
