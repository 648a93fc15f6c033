package engine

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

// An operation is what a thread has announced, beside order.Next.
type operation struct {
	drain bool // it waits until the thread's buffer is empty
	ready func(unsafe.Pointer) bool
	arg   unsafe.Pointer
}

// clockName is the name of the thread that moves the clock: see clock.go.
const clockName = "the clock"

func (t *thread) isClock() bool { return t.Parent < 0 && t.name == clockName }

type thread struct {
	order.Thread
	name       string
	body       func()
	seat       seat
	op         operation
	fresh      bool // it has not announced anything yet
	done       bool
	daemon     bool
	stranger   bool // it was started in code that is not explored
	lost       bool // it could not be ended
	stopped    bool // a fatal error has ended it
	loop       rounds.Loops
	with       given // of the operation that it has announced
	repetition rounds.Repetition
	panics     int        // how often it was told to end
	label      string     // see Exec.Do
	drawn      uint64     // how many random numbers
	alarms     int        // how many timers it has set
	until      int64      // when it is to go on that sleeps
	fires      bool       // it is the clock, or carries out what is due
	asked      bool       // for the time
	from       Site       // where it was started by a go statement, or 0
	engaged    bool       // by the engine: what it reads and writes is not its own
	frozen     bool       // see Freeze
	buffer     []buffered // stores that are on their way
	spawns     int
}

// sentinel ends a thread from inside.
type sentinel struct{}

func (sentinel) Error() string {
	return "interleave: this execution is over; the panic ends its threads and must not be recovered"
}

// giveUp is what Fatalf panics with.
type giveUp struct{}

// startNext starts the next of the threads that the body made. Each starts the
// next when it has come to its first operation, and the last of them chooses who
// goes on.
func (s *scheduler) startNext() {
	if i := s.started; i < len(s.x.made) && !s.over() {
		s.started++
		m := &s.x.made[i]
		s.entering, s.starting = m.stray, m.from
		s.start(-1, m.name, m.daemon, m.stranger, m.f)
		return
	}
	s.running = nil
	s.turn = s.choose()
}

// start makes a thread and runs it to its first operation.
func (s *scheduler) start(parent int, name string, daemon, stranger bool, f func()) {
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
		t = new(thread)
		s.byID[id] = t
	}
	t.ID, t.Parent, t.Nth = id, parent, nth
	s.Start(&t.Thread)
	t.name, t.body, t.daemon, t.stranger = name, f, daemon, stranger
	t.fresh, t.done, t.lost, t.stopped = true, false, false, false
	t.spawns, t.panics = 0, 0
	t.label, t.frozen, t.engaged, t.from = "", false, false, s.starting
	s.starting = 0
	t.drawn, t.alarms, t.until, t.asked, t.fires = 0, 0, 0, false, false
	t.loop.Begin()
	t.repetition.Begin()
	t.buffer = t.buffer[:0]
	s.live |= t.Bit()
	if daemon {
		s.daemons |= t.Bit()
	}
	if t.name == "" {
		t.name = s.byID[parent].name + "." + fmt.Sprint(nth+1)
	}
	if s.drain(); PlainAccesses {
		s.races.Start(id, parent)
	}
	s.threads = append(s.threads, t)
	before := s.running
	s.enter(t)
	s.running = before
	forget()
}

// idOf is IDOf. If there are too many threads, the exploration ends.
func (s *scheduler) idOf(parent, nth int) int {
	id := s.IDOf(parent, nth)
	if id < 0 {
		s.sorry = fmt.Errorf("interleave: more than %d threads", order.MaxThreads)
	}
	return id
}

// main is what runs in a thread's seat.
func (t *thread) main() {
	exits := true // by runtime.Goexit
	defer func() {
		current.died()
		t.ended()
		if exits {
			t.leave()
		}
	}()
	t.calls()
	exits = false
}

// calls calls the body of t. A panic ends with it, but not a runtime.Goexit that the panic has come in the midst of.
func (t *thread) calls() {
	defer func() {
		if v := recover(); v != nil {
			current.panicked(t, v)
		}
	}()
	t.beginsUnseen()
	forget()
	t.body()
}

// beginsUnseen leaves a doubt if the body of t is a function of a package of which not all is reported: nothing tells that it is entered.
func (t *thread) beginsUnseen() {
	if len(unseen.Packages) == 0 || t.isClock() {
		return
	}
	defer handsBack(takesOver())
	pkg := place.PackageOf(runtime.FuncForPC(**(**uintptr)(unsafe.Pointer(&t.body))).Name())
	if what := unseen.Packages[pkg]; what != "" {
		current.doubts.Add(certificate.NotSeen, what+" of package "+pkg, "as a thread")
	}
}

// ended has the others go on, since t has ended.
func (t *thread) ended() {
	s := current
	s.drain()
	s.strayed(t, "has ended")
	t.done, t.engaged = true, true
	s.coda.moved = true
	s.live &^= t.Bit()
	t.body = nil
	switch {
	case t.fresh: // ended without an operation
		t.fresh = false
		if t.Parent < 0 && !t.hasBeenRoused() {
			s.startNext()
		}
	case s.unwinding:
	default:
		s.turn = s.choose()
	}
}

// panicked notes what ended t.
func (s *scheduler) panicked(t *thread, v any) {
	switch v := v.(type) {
	case sentinel, giveUp:
		return
	default:
		if s.unwinding {
			return // it does not count, and a stack costs more than an execution
		}
		f := &Failure{Kind: Panic, Thread: t.name, Message: fmt.Sprint(v)}
		if !s.carriesOn { // or there may be thousands
			f.Stack = stack()
		}
		s.fail(f)
	}
}

// fatal ends the execution as wrong, as the runtime ends the process: no recover helps.
func (s *scheduler) fatal(message string) {
	f := &Failure{Kind: Panic, Thread: "the body or Finally", Message: "fatal error: " + message}
	if controlled {
		f.Thread = s.running.name
		s.running.stopped = true
	}
	if !s.carriesOn {
		f.Stack = stack()
	}
	s.fail(f)
	s.quit(giveUp{})
}

func spawn(site Site, f func()) {
	t := current.running
	current.starting = site
	current.spawn(f, t.daemon, t.stranger)
}

// spawn is a go statement of the running thread.
func (s *scheduler) spawn(f func(), daemon, stranger bool) {
	if s.unwinding {
		s.endThread(s.running)
	}
	s.born()
	s.running.loop.Changes()
	defer handsBack(takesOver())
	s.start(s.running.ID, "", daemon, stranger, f)
}

// strangers returns the threads that were started in code that is not explored, and that have not ended.
func (s *scheduler) strangers() (all []*thread) {
	for _, t := range s.threads {
		if t.stranger && !t.done {
			all = append(all, t)
		}
	}
	return all
}

// leftThreads counts those that are left when nobody can go on and nobody must: see Exec.NoLeaks.
func (s *scheduler) leftThreads() {
	all := s.strangers()
	s.mostLeft = max(s.mostLeft, len(all))
	if len(all) == 0 || !s.leaks {
		return
	}
	var names []string
	for _, t := range all {
		names = append(names, t.name+" at "+s.announced(t))
	}
	s.fail(&Failure{Kind: Leak, Thread: all[0].name, Message: "goroutines are left that a dependency has started: " + strings.Join(names, ", "), Stack: waiters()})
}
