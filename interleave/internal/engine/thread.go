package engine

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// MaxThreads bounds the threads of an execution.
const MaxThreads = 32

type threadSet uint32

func (s threadSet) has(t int) bool { return s>>(t&31)&1 != 0 }

func (s threadSet) first() int { return bits.TrailingZeros32(uint32(s)) }

func (s threadSet) size() int { return bits.OnesCount32(uint32(s)) }

// nth returns the member that k others come before.
func (s threadSet) nth(k int) int {
	for ; k > 0; k-- {
		s &= s - 1
	}
	return s.first()
}

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
	id         int
	name       string
	body       func()
	co         *coroutine
	op         operation
	fresh      bool // it has not announced anything yet
	done       bool
	daemon     bool
	active     bool // its coroutine runs, or waits for one that it has resumed
	lost       bool // it could not be ended
	last       int32
	count      int32
	clock      clock // what happens before its next event
	loop       loop
	repetition repetition
	panics     int        // how often it was told to end
	parent     int        // -1: made by the body
	nth        int        // of its parent
	born       int32      // how many operations its parent had carried out
	label      string     // see Exec.Do
	frozen     bool       // see Freeze
	buffer     []buffered // stores that are on their way
	flusher    *thread    // who empties buffer
	owner      *thread    // of a flusher: whose buffer it empties
	spawns     int
}

func (t *thread) bit() threadSet { return 1 << (t.id & 31) }

// sentinel ends a thread from inside.
type sentinel struct{}

func (sentinel) Error() string {
	return "interleave: this execution is over; the panic ends its threads and must not be recovered"
}

// giveUp is what Fatalf panics with.
type giveUp struct{}

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

// startNext starts the next of the threads that the body made. Each starts the
// next when it has come to its first operation, and the last of them chooses who
// goes on.
func (s *scheduler) startNext() {
	if i := s.started; i < len(s.x.made) && !s.over() {
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
		nth = s.started - 1
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
	t.loop.begin()
	t.repetition.reset()
	t.repetition.pc = 0
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
	if t.born = 0; parent >= 0 {
		t.clock, t.born = s.byID[parent].clock, s.byID[parent].count
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
		s.coda.moved = true
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
	if len(unseenPackages) > 0 {
		CallsFunc(0, t.body) // nobody saw a call of it
	}
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
		f := &Failure{Kind: Panic, Thread: t.name, Message: fmt.Sprint(v)}
		if !s.carriesOn { // or there may be thousands, and a stack costs more than an execution
			f.Stack = stack()
		}
		s.fail(f)
	}
}

func spawn(site Site, f func()) {
	s := current
	if s.unwinding {
		s.endThread(s.running)
	}
	l := &s.running.loop
	l.fresh = l.tick + 1
	s.start(s.running.id, "", false, f)
}
