package sched

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A scene is a scheduler under the explorer. It begins with one M that has a P and one G
// to run, and has no end: Ms that find nothing sleep. Thieves make one round, the one that
// takes runnext; the other three look at less. They go through the Ps in one order
// that is by chance elsewhere: with three Ps, the other orders are not explored.
type scene struct {
	name    string
	main    func(*G)
	procs   int     // 0: two
	most    int     // Ps at a time, where their number changes; else 0
	safe    bool    // it calls ForEachP
	ring    int     // 0: two
	retakes int     // how often sysmon takes all Ps from syscalls
	hours   int     // how often an hour goes by
	events  int     // for so many descriptors there is something to read, one after the other
	shipped Shipped // flaws
	tick    uint32  // schedtick of all Ps at the start: who looks for a G when it is 0 looks at the global queue first
	some    int     // so many executions are enough in the ordinary run; 0: all
	endless bool    // its end takes longer than it was waited for: after six minutes park was right in 2.7 million executions
}

func (sc scene) config() Config {
	c := Config{Procs: sc.procs, Ring: sc.ring, Shipped: sc.shipped, Unwatched: true}
	if c.Procs == 0 {
		c.Procs = 2
	}
	if c.Ring == 0 {
		c.Ring = 2
	}
	return c
}

// play explores a scene whose first G runs main. sysmon and time go by as often as it says.
func play(t *testing.T, sc scene, opts ...interleave.Option) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		s := begun(x, sc)
		x.Finally(func() { atRest(x, s) })
	}, opts...)
}

// begun begins a scene.
func begun(x *interleave.Exec, sc scene) *Scheduler {
	clock := newVirtualTime()
	s, err := newIn(sc.config(), clock)
	if err != nil {
		x.Fatalf("%v", err)
	}
	s.runnext = true
	s.stealTries = 1
	s.poller.bell.(*virtualBell).polls = true
	for _, p := range s.allp {
		p.schedtick = sc.tick
	}
	m := s.newm()
	m.born, m.nextp = true, s.pidleget()
	gp := s.newG()
	s.know(gp)
	gp.init(sc.main, 0) // the others count from 1
	m.nextp.runq.Put(&gp.queued, true)
	x.Daemon("M1", m.mstart)
	if sc.retakes > 0 {
		x.Daemon("sysmon", func() { retakes(s, sc.retakes) })
	}
	if sc.hours > 0 {
		x.Daemon("time", func() { clock.pass(sc.hours) })
	}
	if sc.events > 0 {
		x.Daemon("events", func() { clock.happen(sc.events) })
	}
	return s
}

// retakes is sysmon that takes each P from a syscall at once.
func retakes(s *Scheduler, times int) {
	for range times {
		for _, p := range s.allp {
			if gp := p.insyscall.Load(); gp != nil {
				s.takeP(p, gp)
			}
		}
	}
}

// atRest looks at a scheduler in which nobody can go on: each M sleeps, polls, or runs a G that
// does not end.
func atRest(x *interleave.Exec, s *Scheduler) {
	if len(s.errs) > 0 {
		x.Fatalf("DN-ONE-PLACE: %v", s.errs[0])
	}
	idle, held, inSyscall, queued := 0, 0, 0, s.global.Len()
	for p := s.pidle; p != nil; p = p.link {
		if idle++; !p.runq.Empty() {
			x.Fatalf("DN-IDLE-EMPTY: P%d is idle and has work", p.id)
		}
	}
	due := false
	for key, d := range s.poller.descs {
		due = due || d.sides[reading].g != nil && key <= uint64(s.env.(*virtualTime).events)
	}
	for _, p := range s.allp {
		if !p.runq.Empty() {
			queued++
		}
		if p.insyscall.Load() != nil {
			inSyscall++
		}
		next := p.timers.first.Load()
		due = due || next != 0 && next <= s.env.nanotime()
	}
	for _, m := range s.allm {
		if m.p != nil {
			held++
			// What is left of the M of a locked G when all is over is not what it was.
			if gp := m.curg; m.lockedg == nil && (m.spinning || gp == nil || gp.m != m) {
				x.Fatalf("DN-QUIET: M %d has P%d and runs nothing, and looks for work for ever", m.id, m.p.id)
			}
		}
	}
	inBlock := 0
	for _, g := range s.allg.list {
		if g.status.Load() == blocked {
			inBlock++
		}
	}
	if n := len(s.allm) - s.nmidle - s.nmidlelocked - held - inBlock; n > 0 && s.lastpoll.Load() != 0 {
		x.Fatalf("DN-QUIET: %d Ms have no P, and look for work for ever", n)
	}
	if n := s.npidle.Load(); int(n) != idle {
		x.Fatalf("DN-IDLE-COUNT: npidle is %d, and %d Ps are idle", n, idle)
	}
	if n := s.nmspinning.Load(); n != 0 {
		x.Fatalf("DN-SPIN-COUNT: nmspinning is %d, and nobody spins", n)
	}
	if s.idlework.state.Load() != noExtra && idle > 0 {
		x.Fatalf("DN-WORK-QUIET: idle-priority work waits beside an idle P, and nobody comes; %s", seen(s))
	}
	if queued > 0 && idle > 0 {
		x.Fatalf("DN-WORK-QUIET: a G waits in a queue beside an idle P, and nobody comes; %s", seen(s))
	}
	if due && idle == len(s.allp) {
		x.Fatalf("TM-POLL: a G is to wake or has something to read, no P is at work, and nobody comes; %s", seen(s))
	}
	if due && idle > 0 {
		x.Fatalf("TM-POLL-IDLE: a G is to wake or has something to read, a P is idle, and nobody comes; %s", seen(s))
	}
	// Who stops the world waits for Gs that run, and looks again after a while: what lies in a syscall is
	// then taken.
	stopping := s.gcwaiting.Load()
	if stopping && held == 1 && (inSyscall == 0 || s.config.Shipped.StwSyscall) {
		x.Fatalf("DN-STOP: the world is to stop, %d Ps have not, and nobody comes; %s", s.stopwait, seen(s))
	}
	if n := s.safePointWait.Load(); n > 0 && held == 1 && (inSyscall == 0 || s.config.Shipped.Safepoint) {
		x.Fatalf("DN-SAFEPOINT: ForEachP waits for %d Ps, and nobody comes; %s", n, seen(s))
	}
	if n := s.safePointWait.Load(); n < 0 {
		x.Fatalf("DN-SAFEPOINT: the function of ForEachP was called %d times more than there are Ps", -n)
	}
	if !stopping && idle+held+inSyscall != len(s.allp) {
		x.Fatalf("DN-P-OWNED: of %d Ps %d are idle, %d at work, and %d lie with an M in a syscall", len(s.allp), idle, held, inSyscall)
	}
	runs := make(map[*G]bool)
	for _, m := range s.allm {
		if m.p != nil {
			runs[m.curg] = true
			runs[m.lockedg] = true
		}
	}
	for _, g := range s.allg.list {
		switch state := g.status.Load(); {
		case state == dead || runs[g]:
		case state == waiting && strings.HasSuffix(g.reason, "descriptor") && due:
		case state == waiting || state == active && queued == 0 || state == sleeping && g.timer.when <= s.env.nanotime() && !due:
			x.Fatalf("DN-ONE-PLACE: G %d %s, and nobody can go on", g.ID(), statusNames[state])
		}
	}
	s.endStacks()
}

// seen words where all are when nobody can go on.
func seen(s *Scheduler) string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	with := make(map[*P]string)
	for p := s.pidle; p != nil; p = p.link {
		with[p] = "is idle"
	}
	for _, m := range s.allm {
		if m.p != nil {
			with[m.p] = fmt.Sprintf("is M%d's", m.id)
		}
	}
	for _, p := range s.allp {
		if gp := p.insyscall.Load(); gp != nil {
			with[p] = fmt.Sprintf("lies with G %d in a syscall", gp.ID())
		} else if with[p] == "" {
			with[p] = "is stopped"
		}
		say("P%d %s, %d in its queue", p.id, with[p], p.runq.Len())
		if next := p.timers.first.Load(); next != 0 && next <= s.env.nanotime() {
			list[len(list)-1] += " and a timer due"
		}
	}
	for _, m := range s.allm {
		switch {
		case m.p != nil:
			say("M%d runs G %d", m.id, m.curg.ID())
		case m.curg != nil && m.curg.status.Load() == blocked:
			say("M%d is in a syscall with G %d", m.id, m.curg.ID())
		default:
			say("M%d sleeps", m.id)
		}
	}
	return strings.Join(list, ", ")
}

// virtualTime passes when a scene says so, an hour at a time.
//
// It has a netpoll as well, of descriptors that are numbers from 1, for which there is something to read
// once.
type virtualTime struct {
	mu    sync.Mutex
	later sync.Cond
	now   atomic.Int64

	rung   bool // of the netpoll
	events int  // for so many descriptors there was something to read
	unseen int  // for so many of them wait has not said so
}

func newVirtualTime() *virtualTime {
	v := new(virtualTime)
	v.later.L = &v.mu
	v.now.Store(1)
	return v
}

func (v *virtualTime) nanotime() int64 { return v.now.Load() }

func (v *virtualTime) ticks() int64 { return 1 } // nothing to explore

func (v *virtualTime) pauses() bool { return false }

func (v *virtualTime) pause(int64) {} // the explorer tries all orders

func (v *virtualTime) procs() int { return 2 }

func (v *virtualTime) lockThread() {} // threads of the explorer are coroutines

func (v *virtualTime) newNetpoll() (netpoll, error) { return (*virtualNetpoll)(v), nil }

// happen gives descriptors something to read.
func (v *virtualTime) happen(events int) {
	for range events {
		v.mu.Lock()
		v.events++
		v.unseen++
		v.later.Broadcast()
		v.mu.Unlock()
	}
}

type virtualNetpoll virtualTime

func (v *virtualNetpoll) add(uintptr, uint64) error { return nil }
func (v *virtualNetpoll) remove(uintptr)            {}
func (v *virtualNetpoll) close()                    {}

func (v *virtualNetpoll) ring() {
	v.mu.Lock()
	v.rung = true
	v.later.Broadcast()
	v.mu.Unlock()
}

func (v *virtualNetpoll) wait(d time.Duration, event func(key uint64, read, write bool)) {
	v.mu.Lock()
	until := v.now.Load() + int64(d)
	for d != 0 && !v.rung && v.unseen == 0 && (d < 0 || v.now.Load() < until) {
		v.later.Wait()
	}
	if d != 0 {
		v.rung = false
	}
	first := v.events - v.unseen
	v.unseen = 0
	last := v.events
	v.mu.Unlock()
	for key := first; key < last; key++ {
		event(uint64(key+1), true, false)
	}
}

// virtualConn is a descriptor of a virtual netpoll.
type virtualConn struct{ *virtualTime }

func (c virtualConn) SyscallConn() (syscall.RawConn, error) { return c, nil }
func (c virtualConn) Control(f func(uintptr)) error         { f(0); return nil }
func (c virtualConn) Read(func(uintptr) bool) error         { panic("there is a netpoll") }
func (c virtualConn) Write(func(uintptr) bool) error        { panic("there is a netpoll") }

// reads waits until there is something to read for the next descriptor, and does what follows.
func reads(then func(*G)) func(*G) {
	return func(g *G) {
		v := g.s.env.(*virtualTime)
		d, err := g.s.Open(virtualConn{v})
		if err != nil {
			panic(err)
		}
		if err := d.Read(g, time.Time{}, func(uintptr) bool {
			v.mu.Lock()
			defer v.mu.Unlock()
			return v.events >= int(d.key)
		}); err != nil {
			panic(err)
		}
		then(g)
	}
}

func runsOn(*G) { forever() }

func (v *virtualTime) pass(hours int) {
	for range hours {
		v.mu.Lock()
		v.now.Add(int64(time.Hour))
		v.later.Broadcast()
		v.mu.Unlock()
	}
}

func (v *virtualTime) newBell() bell { return &virtualBell{virtualTime: v} }

type virtualBell struct {
	*virtualTime
	rung  bool
	polls bool // it is that of who polls
}

func (b *virtualBell) ring() {
	b.mu.Lock()
	b.rung = true
	b.later.Broadcast()
	if b.polls {
		b.mu.Unlock() // with Sched!TimerBreak: from now on it is heard
	} else {
		b.mu.Unlock()
	}
}

func (b *virtualBell) sleep(until int64) (rung bool) {
	b.mu.Lock()
	for !b.rung && b.now.Load() < until {
		b.later.Wait()
	}
	rung, b.rung = b.rung, false
	if b.polls {
		b.mu.Unlock() // Sched!Poll
	} else {
		b.mu.Unlock()
	}
	return rung
}

// What Gs do in scenes.

func nothing(*G) {}

// eachP calls ForEachP with a function that notes for which Ps it was called, and panics if it was not once for each.
func eachP(g *G) {
	times := make([]atomic.Int32, len(g.s.allp)+1)
	g.ForEachP(func(p int) { times[p].Add(1) })
	for p := range times {
		expected := int32(0)
		if p < len(g.s.allp) {
			expected = 1
		}
		if n := times[p].Load(); n != expected {
			panic(fmt.Sprintf("DN-SAFEPOINT: expected that ForEachP calls its function for P%d %d times, saw %d", p, expected, n))
		}
	}
}

// forever runs on, and leaves its P to nobody.
func forever() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// An event happens once. A G may wait for it.
type event struct {
	mu       sync.Mutex
	happened bool
	waits    *G
}

func (e *event) wait(g *G) {
	e.mu.Lock()
	if e.happened {
		e.mu.Unlock()
		return
	}
	e.waits = g
	g.Park("event", func() bool { e.mu.Unlock(); return true })
}

func (e *event) happen(g *G) {
	e.mu.Lock()
	e.happened = true
	waits := e.waits
	e.mu.Unlock()
	if waits != nil {
		g.Ready(waits)
	}
}

// scenes are explored to their end, some only in the full tier, unless they are endless.
var scenes = []scene{
	{name: "end", main: nothing},
	{name: "spawn", main: func(g *G) { g.Go(nothing) }},
	{name: "spawn beside work", main: func(g *G) { g.Go(nothing); g.Go(nothing); forever() }},
	{name: "spawn work", main: func(g *G) { g.Go(func(*G) { forever() }); g.Go(nothing); forever() }},
	{name: "spawn work, 3 Ps", procs: 3, main: func(g *G) { g.Go(func(*G) { forever() }); g.Go(func(*G) { forever() }); forever() }},
	{name: "yield, one P", procs: 1, main: func(g *G) { g.Go(func(g *G) { g.Yield() }); g.Yield() }},
	{name: "park, one P", procs: 1, main: func(g *G) { e := new(event); g.Go(func(g *G) { e.happen(g) }); e.wait(g) }},
	{name: "park, then work", some: 3000, main: func(g *G) {
		e := new(event)
		g.Go(func(g *G) { e.happen(g); forever() })
		e.wait(g)
		forever()
	}},
	{name: "yield, then work", some: 3000, main: func(g *G) { g.Go(nothing); g.Yield(); forever() }},
	{name: "yield here, one P", procs: 1, main: func(g *G) { g.Go(func(g *G) { g.YieldHere() }); g.YieldHere() }},
	{name: "yield here, then work", some: 3000, main: func(g *G) { g.Go(runsOn); g.YieldHere(); forever() }},
	{name: "block, one P", procs: 1, retakes: 1, main: func(g *G) { g.Go(nothing); g.Block(func() {}) }},
	{name: "block beside work, retake, exit", some: 3000, retakes: 1, main: func(g *G) { g.Go(func(*G) { forever() }); g.Block(func() {}); forever() }},
	{name: "block long beside work", some: 3000, main: func(g *G) { g.Go(func(*G) { forever() }); g.BlockLong(func() {}); forever() }},
	{name: "block long, one P", procs: 1, main: func(g *G) { g.Go(nothing); g.BlockLong(func() {}) }},
	{name: "block long alone", main: func(g *G) { g.BlockLong(forever) }},
	{name: "block for ever", some: 3000, retakes: 1, main: func(g *G) { g.Go(nothing); g.Block(forever) }},
	{name: "idle work", main: func(g *G) { g.Idle(func() {}) }},
	{name: "idle work beside work", some: 3000, main: func(g *G) { g.Idle(func() {}); forever() }},
	{name: "idle work of two", some: 3000, endless: true, main: func(g *G) { g.Go(func(g *G) { g.Idle(func() {}); forever() }); g.Idle(func() {}) }},
	{name: "idle work, then block", some: 3000, procs: 1, main: func(g *G) { g.Idle(func() {}); g.BlockLong(forever) }},
	{name: "sleep, one P", procs: 1, hours: 2, main: func(g *G) { g.Sleep(1) }},
	{name: "sleep, one P, beside another", procs: 1, hours: 2, main: func(g *G) { g.Go(nothing); g.Sleep(1) }},
	{name: "sleep beside work", some: 3000, hours: 1, main: func(g *G) { g.Go(func(g *G) { forever() }); g.Sleep(1); forever() }},
	{name: "from one P to two", most: 2, procs: 1, main: func(g *G) { g.Go(func(*G) { forever() }); g.SetProcs(2); forever() }},
	{name: "from two Ps to one", most: 2, main: func(g *G) { g.SetProcs(1); g.Go(nothing) }},
	{name: "one P, again", most: 1, procs: 1, hours: 1, main: func(g *G) { g.Go(func(g *G) { g.SetProcs(1) }); g.SetProcs(1) }},
	{name: "from two Ps to one beside work", most: 2, some: 3000, hours: 1, main: func(g *G) {
		g.Go(func(g *G) { g.Yield(); forever() })
		g.SetProcs(1)
		forever()
	}},
	{name: "from two Ps to one, with a queue", most: 2, some: 3000, hours: 1, main: func(g *G) {
		g.Go(func(g *G) { g.Go(nothing) })
		g.SetProcs(1)
		forever()
	}},
	{name: "from two Ps to one and back", most: 2, some: 3000, hours: 1, main: func(g *G) { g.Go(nothing); g.SetProcs(1); g.SetProcs(2); forever() }},
	{name: "a stop beside a syscall", most: 2, some: 3000, hours: 1, main: func(g *G) {
		g.Go(func(g *G) { g.Block(forever) })
		g.SetProcs(1)
		forever()
	}},
	{name: "a stop beside block long", most: 2, hours: 1, main: func(g *G) { g.Go(func(g *G) { g.BlockLong(forever) }); g.SetProcs(1); forever() }},
	{name: "each P, one P", procs: 1, safe: true, main: func(g *G) { eachP(g); g.Go(nothing) }},
	{name: "each P beside an idle one", safe: true, main: func(g *G) { eachP(g); g.Go(nothing); forever() }},
	{name: "each P beside work", safe: true, hours: 1, main: func(g *G) { g.Go(func(g *G) { g.Yield(); forever() }); eachP(g); forever() }},
	{name: "each P beside one that ends", safe: true, main: func(g *G) { g.Go(nothing); eachP(g); forever() }},
	{name: "each P beside a syscall", safe: true, hours: 1, main: func(g *G) { g.Go(func(g *G) { g.Block(forever) }); eachP(g); forever() }},
	{name: "each P beside block long", safe: true, main: func(g *G) { g.Go(func(g *G) { g.BlockLong(forever) }); eachP(g); forever() }},
	{name: "locked, one P", procs: 1, main: func(g *G) {
		e := new(event)
		g.GoLocked(func(g *G) { e.wait(g) })
		e.happen(g)
	}},
	{name: "locked, block, one P", procs: 1, some: 1000, retakes: 1, main: func(g *G) { g.GoLocked(func(g *G) { g.Block(func() {}) }) }},
	{name: "locked, block long, one P", procs: 1, some: 1000, main: func(g *G) { g.GoLocked(func(g *G) { g.BlockLong(func() {}) }); g.Go(nothing) }},
	{name: "locked beside another", some: 3000, main: func(g *G) { g.GoLocked(runsOn); g.Go(nothing); forever() }},
	{name: "read, one P", procs: 1, events: 1, main: reads(nothing)},
	{name: "read beside work", some: 3000, events: 1, main: func(g *G) { g.Go(reads(runsOn)); forever() }},
	{name: "two read, one P", procs: 1, some: 3000, events: 2, main: func(g *G) { g.Go(reads(nothing)); reads(nothing)(g) }},
	{name: "another sleeps", hours: 1, main: func(g *G) { g.Go(func(g *G) { g.Sleep(1) }); forever() }},
	{name: "block, retake, exit", endless: true, some: 3000, retakes: 1, main: func(g *G) { g.Go(nothing); g.Block(func() {}); forever() }},
	{name: "block long, then work", endless: true, some: 3000, main: func(g *G) { g.Go(nothing); g.BlockLong(func() {}); forever() }},
	{name: "sleep", endless: true, some: 3000, hours: 2, main: func(g *G) { g.Sleep(1) }},
	{name: "read", endless: true, some: 3000, events: 1, main: reads(nothing)},
	{name: "read, then work, beside work", endless: true, some: 3000, events: 1, main: func(g *G) { g.Go(runsOn); reads(runsOn)(g) }},
	{name: "two read, then work", endless: true, some: 3000, events: 2, main: func(g *G) { g.Go(reads(runsOn)); reads(runsOn)(g) }},
	{name: "sleep, then work", endless: true, some: 3000, hours: 1, main: func(g *G) { g.Sleep(1); forever() }},
	{name: "park", endless: true, some: 3000, main: func(g *G) { e := new(event); g.Go(func(g *G) { e.happen(g) }); e.wait(g) }},
	{name: "yield", endless: true, some: 3000, main: func(g *G) { g.Go(nothing); g.Yield() }},
	{name: "spawn three beside work", endless: true, some: 3000, main: threeBesideWork},
}

// TestClose explores who comes from outside, starts a G and closes, or closes while somebody
// else starts one: the Ms end, and nothing is left.
func TestClose(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	tier.OnlyFull(t)
	spawn := func(g *G) { g.Go(nothing) }
	for _, c := range []struct {
		name   string
		beside bool // somebody else starts one, too
		procs  int
		main   func(*G)
	}{{"end, one P", false, 1, nothing}, {"spawn, one P", false, 1, spawn}, {"end", false, 2, nothing}, {"beside, one P", true, 1, nothing}} {
		t.Run(c.name, func(t *testing.T) {
			interleave.Test(t, func(x *interleave.Exec) {
				s, err := newIn(Config{Procs: c.procs, Ring: 2, Unwatched: true}, newVirtualTime())
				if err != nil {
					x.Fatalf("%v", err)
				}
				s.stealTries, s.runnext = 1, true
				start := func() {
					if err := s.Go(c.main); err != nil && err != ErrClosed {
						x.Fatalf("%v", err)
					}
				}
				if c.beside {
					x.Go("beside", start)
				}
				x.Go("outside", func() {
					start()
					if err := s.Close(); err != nil {
						x.Fatalf("%v", err)
					}
				})
				x.Finally(func() {
					for _, g := range s.allg.list {
						if state := g.status.Load(); state != dead {
							x.Fatalf("G %d %s after Close", g.ID(), statusNames[state])
						}
					}
				})
			}, interleave.Exhaustive())
		})
	}
}

func threeBesideWork(g *G) {
	for range 3 {
		g.Go(nothing)
	}
	forever()
}

// TestShipped: the explorer finds flaws of Go 1.26 with nothing but a scheduler that has one and a
// program of a few Gs. Each needs three preemptions; without the flaw, all executions of
// that program with two are right, and with three (in the full tier). Those of gomaxprocs and
// poller have too many executions for that: they are found by chance (PCT), and without the flaw 10,000 tries are right.
func TestShipped(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WORK-QUIET")
	for _, c := range tier.Some(t, []struct {
		page   string // of tla/findings
		breaks string
		parts  string // where the mended scheduler does something else
		chance string // which scheduler is searched by chance, because a search in order takes long: "" (none), "flaw" (the flawed one), "both" (the mended one, too)
		scene  scene
	}{
		{"wakep", "DN-WORK-QUIET", "wakep (dance.go", "", scene{ring: 4, shipped: Shipped{Wakep: true}, main: threeBesideWork}},
		{"handoffp", "DN-WORK-QUIET", "handoffp (dance.go", "", scene{shipped: Shipped{Handoffp: true}, main: func(g *G) {
			g.Go(func(g *G) { g.BlockLong(forever) })
			g.Go(nothing)
			forever()
		}}},
		{"batch", "DN-WORK-QUIET", "wakep (dance.go", "", scene{ring: 4, shipped: Shipped{Batch: true}, main: func(g *G) {
			g.Go(func(g *G) { g.Yield(); forever() })
			g.Yield()
			forever()
		}}},
		{"stw-syscall", "DN-STOP", "goes on then", "", scene{hours: 1, shipped: Shipped{StwSyscall: true}, main: func(g *G) {
			g.Go(func(g *G) { g.Block(forever) })
			g.SetProcs(1)
			forever()
		}}},
		{"safepoint", "DN-SAFEPOINT", "goes on then", "flaw", scene{safe: true, hours: 1, shipped: Shipped{Safepoint: true}, main: func(g *G) {
			g.Go(func(g *G) { g.Block(forever) })
			eachP(g)
			forever()
		}}},
		{"gomaxprocs", "DN-WORK-QUIET", "recheckGlobal (dance.go", "both", scene{hours: 1, shipped: Shipped{Gomaxprocs: true}, main: func(g *G) {
			var first, second sync.Mutex
			first.Lock()
			second.Lock()
			g.Go(func(g *G) { g.BlockLong(first.Lock); second.Unlock(); forever() })
			g.Go(func(g *G) { g.BlockLong(second.Lock); g.Go(nothing); forever() })
			g.SetProcs(4)
			first.Unlock()
			forever()
		}}},
		{"poller", "TM-POLL-IDLE", "wait (netpoll.go", "both", scene{events: 2, shipped: Shipped{Poller: true}, main: func(g *G) { g.Go(reads(runsOn)); reads(runsOn)(g) }}},
	}, 1) {
		t.Run(c.page, func(t *testing.T) {
			var found *interleave.Failure
			search, most := interleave.Preemptions(3), 6
			if c.chance != "" {
				search, most = interleave.PCT(), 10 // found by execution 4, 23 and 85
			}
			play(t, c.scene, search, interleave.Executions(1_000_000), interleave.MustFail(func(r interleave.Report) {
				if f := r.Failure; !strings.Contains(f.Message, c.breaks) || f.Switches > most {
					t.Errorf("expected %s with at most %d switches, saw\n%s", c.breaks, most, r.Text(""))
				}
				t.Logf("after %d executions:\n%s", r.Certificate.Executions, r.Text(""))
				found = r.Failure
			}))
			again(t, c.scene, found, c.parts)
		})
		t.Run(c.page+", mended", func(t *testing.T) {
			tier.OnlyFull(t)
			c.scene.shipped = Shipped{}
			if c.chance == "both" { // it has too many executions to try all
				play(t, c.scene, interleave.PCT(), interleave.Executions(10_000))
				return
			}
			play(t, c.scene, interleave.Preemptions(tier.N(t, 2, 3)), interleave.Executions(1_000_000)) // more than there are, 512,306 of safepoint: a minute may not be enough
		})
	}
}

// TestShippedTimer is TestShipped for the flaw of timer.md, which takes 20 s: it comes after 144,229 executions
// with at most two preemptions. Without the flaw all 448,923 of them are right. TestTieCounterexample finds it at once,
// guided by the model.
func TestShippedTimer(t *testing.T) {
	t.Attr("req", "TM-POLL-IDLE")
	tier.OnlyFull(t)
	sc := scene{hours: 1, shipped: Shipped{Timer: true}, main: func(g *G) {
		var here sync.Mutex
		here.Lock()
		g.Go(func(*G) { here.Unlock() })
		g.BlockLong(here.Lock)
		g.AfterFunc(1, nothing)
		forever()
	}}
	t.Run("timer", func(t *testing.T) {
		var found *interleave.Failure
		play(t, sc, interleave.Preemptions(2), interleave.Executions(1_000_000), interleave.MustFail(func(r interleave.Report) {
			if f := r.Failure; !strings.Contains(f.Message, "TM-POLL-IDLE") || f.Switches > 6 {
				t.Errorf("expected TM-POLL-IDLE with at most 6 switches, saw\n%s", r.Text(""))
			}
			t.Logf("after %d executions:\n%s", r.Certificate.Executions, r.Text(""))
			found = r.Failure
		}))
		again(t, sc, found, "pidlegetSpinning (dance.go")
	})
	t.Run("timer, mended", func(t *testing.T) {
		sc.shipped = Shipped{}
		play(t, sc, interleave.Preemptions(2), interleave.Executions(1_000_000)) // more than there are: a bound of time would end it early, and pass
	})
}

// againVar has the failure that again looks at for its instrumented binaries.
const againVar = "SPINDLE_INTERNAL_SCHED_AGAIN"

// again executes the schedule of a failure that was found in a scene with a flaw: it is the same failure. And it says where
// the code is wrong: the first step at which the scheduler that is mended does something else in that schedule; a mend of
// several lines may matter at a later one.
func again(t *testing.T, sc scene, found *interleave.Failure, parts string) {
	t.Helper()
	if found == nil { // in an instrumented binary
		found = new(interleave.Failure)
		found.Schedule, found.Message, _ = strings.Cut(os.Getenv(againVar), "\n")
	}
	t.Setenv(againVar, found.Schedule+"\n"+found.Message)
	play(t, sc, interleave.Schedule(found.Schedule), interleave.MustFail(func(r interleave.Report) {
		if r.Failure.Message != found.Message {
			t.Errorf("expected that %s gives %s again, saw %s", found.Schedule, found.Message, r.Failure.Message)
		}
	}))
	wrong, err := harness.Remote(t, func() ([]byte, error) {
		run, err := runOf(sc)(found.Schedule)
		if err != nil {
			return nil, err
		}
		mended := sc
		mended.shipped = Shipped{}
		for turns := strings.Split(found.Schedule, "."); ; turns = turns[:len(turns)-1] {
			other, err := runOf(mended)(strings.Join(turns, "."))
			if err == nil {
				return []byte(differs(run.Steps, other.Steps)), nil
			}
			if len(turns) == 1 {
				return nil, err
			} // else the schedule does not fit any more where the mended scheduler does something else
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if wrong == nil {
		return
	}
	if !strings.Contains(string(wrong), parts) {
		t.Errorf("expected that the mended scheduler does something else first in %s, saw %q", parts, wrong)
	}
	t.Logf("%s", wrong)
}

// differs words the first step that an execution with a flaw has and that without has not.
func differs(flawed, mended []harness.Step) string {
	shown := func(s *harness.Step) string {
		p := s.Site.Place()
		return fmt.Sprintf("%s of %s in %s (%s:%d)", s.Kind, p.Expr, p.Func, filepath.Base(p.File), p.Line)
	}
	for i := range min(len(flawed), len(mended)) {
		a, b := &flawed[i], &mended[i]
		if a.Thread != b.Thread || a.Site != b.Site || a.Kind != b.Kind || a.Read != b.Read || a.Wrote != b.Wrote {
			return fmt.Sprintf("wrong: step %d is %s; the mended scheduler makes a %s there", i, shown(a), shown(b))
		}
	}
	return "wrong: what comes next; the mended scheduler makes the same steps, and goes on then"
}

// TestScenes explores scenes: nothing is lost, nobody sleeps beside work. An ordinary run has 8 scenes. Where a scene has many
// executions, some of them are enough here.
func TestScenes(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WORK-QUIET")
	for _, sc := range tier.Some(t, scenes, 8) {
		t.Run(sc.name, func(t *testing.T) {
			if sc.some == 0 {
				play(t, sc, interleave.Exhaustive())
			} else {
				play(t, sc, interleave.Executions(sc.some))
			}
		})
	}
}

// TestScenesWhole explores the scenes that TestScenes does not explore to their end: to their end, or in 100,000 executions where
// they are endless.
func TestScenesWhole(t *testing.T) {
	t.Attr("req", "DN-WORK-QUIET")
	for sc := range tier.Split(t, slices.DeleteFunc(slices.Clone(scenes), func(sc scene) bool { return sc.some == 0 }), 0) {
		t.Run(sc.name, func(t *testing.T) {
			if sc.endless {
				play(t, sc, interleave.Executions(100_000))
			} else {
				play(t, sc, interleave.Exhaustive())
			}
		})
	}
}
