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
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

// Goroutines that the body starts. They are threads, and begin when it has returned. But the
// body may wait for them, as many a constructor does for its workers. If it does, they run beside it, and are threads when it has returned, and
// they wait.

//go:linkname spindleAdopt runtime.spindleAdopt
func spindleAdopt(all []unsafe.Pointer) bool

//go:linkname spindleInBubble runtime.spindleInBubble
func spindleInBubble() bool

//go:linkname spindleBodyIs runtime.spindleBodyIs
func spindleBodyIs(g unsafe.Pointer) (waits bool, yields uint32)

// A stray is such a goroutine.
type stray struct {
	f                func()
	daemon, stranger bool // see thread
	runs             bool // beside the body
	g                unsafe.Pointer
	ended            atomic.Bool
	thread           *thread
}

// brief is a lock that is held for moments, and at which no goroutine is seen to wait. A goroutine that holds it may be preempted.
type brief struct{ held atomic.Bool }

func (l *brief) Lock() {
	for n := 0; !l.held.CompareAndSwap(false, true); n++ {
		if n > 100 {
			runtime.Gosched()
		}
	}
}

func (l *brief) Unlock() { l.held.Store(false) }

// strays are those of an execution.
type strays struct {
	brief
	all    []*stray
	body   unsafe.Pointer // the goroutine of the body, which is looked after
	nth    int            // execution
	beside bool           // it has waited: they run at once
}

// spawns is called by a go statement. It reports whether f is a thread's. A thread that a dependency starts need not end: most wait for
// work that never comes.
func spawns(f func()) bool {
	defer handsBack(takesOver())
	by := called(place.Reflect)
	own := by != nil && place.Explored(by.Package)
	return spawnUnseen(f, !own, !own, by)
}

// spawnUnseen is spawns, by a caller that may be known.
func spawnUnseen(f func(), daemon, stranger bool, by *place.Call) bool {
	s := current
	switch {
	case s == nil || s.unwinding:
		return false
	case onThread() && s.running != nil:
		s.startsUnseen(f)
		if by != nil {
			s.starting = by.Site
		}
		s.spawn(f, daemon || s.running.daemon, stranger || s.running.stranger)
		return true
	}
	if !s.inBody() || s.aside.Load() != within {
		return false
	}
	s.startsUnseen(f)
	all := &s.house.strays
	all.Lock()
	defer all.Unlock()
	st := &stray{f: f, daemon: daemon, stranger: stranger}
	all.all = append(all.all, st)
	switch {
	case all.beside || spindleInBubble(): // of which the clock goes on when all wait
		st.runsBeside()
	case all.body == nil:
		all.body = spindleSelf()
		before := spindleMark(0)
		go all.watch(all.body, all.nth)
		spindleMark(before)
	}
	return true
}

// startsUnseen notes that a goroutine is started in code of which not all is seen.
func (s *scheduler) startsUnseen(f func()) {
	name := runtime.FuncForPC(**(**uintptr)(unsafe.Pointer(&f))).Name()
	if unseen.Packages[place.PackageOf(name)] != "" && !strings.HasPrefix(name, place.Suite) { // the suite's own goroutines are waited for
		s.unordered = true
		s.doubts.Add(certificate.NotSeen, certificate.Strangers, "")
	}
}

// patience is how long a body may run that neither waits nor yields.
const patience = time.Second

// watch has strays run beside the body if that waits.
func (all *strays) watch(body unsafe.Pointer, nth int) {
	_, before := spindleBodyIs(body)
	for begin := time.Now(); ; time.Sleep(20 * time.Microsecond) {
		all.Lock()
		over := all.body != body || all.nth != nth || all.beside
		waits, yields := spindleBodyIs(body)
		if !over && (waits || yields-before > 100 || time.Since(begin) > patience) {
			all.beside, over = true, true
			for _, st := range all.all {
				st.runsBeside()
			}
		}
		all.Unlock()
		if over {
			return
		}
	}
}

func (st *stray) runsBeside() {
	st.runs = true
	before := spindleMark(0)
	go st.run()
	spindleMark(before)
}

// run is what the goroutine of a stray runs.
func (st *stray) run() {
	st.g = spindleSelf()
	spindleMark(ofBody)
	defer func() {
		spindleMark(0)
		t := st.thread
		if t == nil {
			st.ended.Store(true)
			return
		}
		current.died()
		if v := recover(); v != nil {
			current.panicked(t, v)
		}
		t.ended()
		to := current.next(t)
		t.seat.at = nil
		spindleExit(to)
	}()
	st.f()
}

// adopt makes threads of the strays, when the body has returned.
func (s *scheduler) adopt() {
	all := &s.house.strays
	defer all.forget()
	for begin := time.Now(); ; time.Sleep(20 * time.Microsecond) {
		all.Lock()
		all.all = list.DeleteFunc(all.all, func(st *stray) bool { return st.ended.Load() })
		if !all.beside {
			all.body = nil // nobody has them run any more
		}
		var running []unsafe.Pointer
		for _, st := range all.all {
			if st.runs {
				running = append(running, st.g)
			}
		}
		all.Unlock()
		if running == nil || !list.Contains(running, nil) && spindleAdopt(running) {
			break
		}
		if time.Since(begin) > Stuck/10 {
			s.doubts.Add(certificate.NotSeen, "goroutines that the body has started, and that go on without waiting", "")
			return
		}
	}
	for _, st := range all.all {
		m := newThread{name: fmt.Sprintf("T%d", len(s.x.made)), daemon: st.daemon, f: st.f, stranger: st.stranger}
		if st.runs {
			m.stray = st
		}
		s.x.made = append(s.x.made, m)
	}
}

// forget forgets them. Those that have not begun never do.
func (all *strays) forget() {
	all.Lock()
	defer all.Unlock()
	all.all, all.body, all.beside = nil, nil, false
	all.nth++
}

// accompanied reports whether goroutines are there that the body has started, and may wait for.
func (s *scheduler) accompanied() bool {
	all := &s.house.strays
	all.Lock()
	defer all.Unlock()
	return list.ContainsFunc(all.all, func(st *stray) bool { return !st.ended.Load() })
}
