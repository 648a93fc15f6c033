package sched

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spindle-go/spindle/internal/valve"
)

// This file has a scene for each valve. A valve is a rule by a count, a clock or chance, which no result of a call
// shows. A scene drives parts of a scheduler by hand, on one thread. Its clock moves only in a sleep or a pause.

func init() {
	valve.Scenes = []valve.Scene{
		{Requirement: "VA-TICK", Doc: "Gs of the ring yield to each other without end, beside Gs in the global queue", Run: tickScene},
		{Requirement: "VA-SLICE", Doc: "sysmon watches a G that runs for long, and Gs that run for 5 ms each", Run: sliceScene},
		{Requirement: "VA-INHERIT", Doc: "two Gs ready each other every ms, beside one in the global queue", Run: inheritScene},
		{Requirement: "VA-SYSMON", Doc: "sysmon watches a P that runs, then takes one from a syscall", Run: sysmonScene},
		{Requirement: "VA-PASSES", Doc: "a thief looks at three Ps that have nothing, a G in the ring, one in runnext, or a timer", Run: passesScene},
		{Requirement: "VA-VICTIM", Doc: "a thief steals 4,000 times from four Ps, and 4,000 times from two of them", Run: victimScene},
		{Requirement: "VA-CAP", Doc: "an M finds nothing, for each number of busy Ps and of Ms that spin", Run: capScene},
		{Requirement: "VA-LIFO", Doc: "wakep is called twice when two Ms and two Ps are idle", Run: lifoScene},
		{Requirement: "VA-BACKOFF", Doc: "a thief finds a G in the runnext of a P that runs, and of one in a syscall", Run: backOffScene},
		{Requirement: "VA-REUSE", Doc: "Gs are born on one P and end there, or on another P", Run: reuseScene},
		{Requirement: "VA-FIGURES", Doc: "64 Gs wait for 5 ms until they run, 64 park for 3 ms, and one of four Ps is not idle for 10 ms", Run: figuresScene},
		{Requirement: "VA-PROCS", Doc: "the number of processors changes, while sysmon watches, with and without a number that was asked for", Run: procsScene},
		{Requirement: "VA-ONE-P", Doc: "two Gs ready each other 1,000 times, and 100 are born and end, on the only P", Run: onePScene},
	}
}

// A stage is a scheduler whose Ms are driven by hand.
type stage struct {
	*Scheduler
	clock *handClock
	ms    []*M // the first Ps are theirs, one each
	born  uint64
}

// newStage makes a stage of Ps, the first of which have Ms. Eight more Ms are idle: those can be woken, and do nothing then.
func newStage(procs, ms int) *stage {
	c := &handClock{now: 1}
	s, err := newIn(Config{Procs: procs, Ring: 256, Unwatched: true}, c)
	if err != nil {
		panic(err)
	}
	s.runnext = true
	st := &stage{Scheduler: s, clock: c}
	for s.pidleget() != nil {
	}
	for i, p := range s.allp {
		if i >= ms {
			s.pidleput(p)
			continue
		}
		m := st.newM()
		m.acquirep(p)
		st.ms = append(st.ms, m)
	}
	for range 8 {
		s.mput(st.newM())
	}
	return st
}

func (st *stage) newM() *M {
	m := st.newm()
	m.born = true // no goroutine
	return m
}

// newGs makes Gs that may run.
func (st *stage) newGs(n int) (list []*G) {
	for range n {
		g := st.newG()
		st.know(g)
		st.born++
		g.init(func(*G) {}, st.born)
		list = append(list, g)
	}
	return list
}

// toGlobal puts Gs on the global queue.
func (st *stage) toGlobal(list ...*G) {
	st.Scheduler.global.Lock() // outside: valves
	for _, g := range list {
		st.globrunqput(g)
	}
	st.Scheduler.global.Unlock() // outside: valves
}

// watch runs sysmon, with look after each of its sleeps, until that returns false.
func (st *stage) watch(look func() bool) {
	st.clock.slept = func() {
		if !look() {
			for _, m := range st.ms {
				if m.p != nil {
					st.pidleput(m.releasep())
				}
			}
			st.npidle.Store(int32(len(st.allp))) // outside: valves
			st.ended = true
		}
	}
	st.Scheduler.ms.Add(1) // outside: valves
	st.sysmon()
}

// A handClock is an environment in which time goes by when somebody sleeps.
type handClock struct {
	now        int64
	processors int
	sleeps     []int64     // how long each sleep was
	slept      func()      // is called after each
	paused     func(int64) // is called by pause
}

func (c *handClock) nanotime() int64              { return c.now }
func (c *handClock) ticks() int64                 { return c.now }
func (c *handClock) procs() int                   { return c.processors }
func (c *handClock) pauses() bool                 { return true }
func (c *handClock) lockThread()                  {}
func (c *handClock) newBell() bell                { return c }
func (c *handClock) ring()                        {}
func (c *handClock) newNetpoll() (netpoll, error) { return nil, nil }

func (c *handClock) pause(ns int64) {
	c.now += ns
	if c.paused != nil {
		c.paused(ns)
	}
}

func (c *handClock) sleep(until int64) bool {
	c.sleeps = append(c.sleeps, until-c.now)
	c.now = until
	if c.slept != nil {
		c.slept()
	}
	return false
}

const ms = int64(time.Millisecond)

func tickScene() error {
	st := newStage(1, 1)
	m := st.ms[0]
	local, global := st.newGs(2), st.newGs(3)
	for _, g := range local {
		m.p.runq.Put(&g.queued, false)
	}
	st.toGlobal(global...)
	var between []int // slices of the ring's Gs
	n := 0
	for range 1000 {
		if !m.choose() {
			return fmt.Errorf("expected a G, saw none")
		}
		if slices.Contains(local, m.curg) {
			m.p.runq.Put(&m.curg.queued, false)
			n++
			continue
		}
		between, n = append(between, n), 0
		if len(between) == len(global) {
			break
		}
	}
	if len(between) != 3 || between[1] != 60 || between[2] != 60 {
		return fmt.Errorf("expected that every 61st time slice is a G's from the global queue, saw those after %v slices of the ring's, and %d more", between, n)
	}
	// A slice that is inherited is not counted: with 30 of those between, the 61st of the others is the 61st still.
	st = newStage(1, 1)
	m = st.ms[0]
	local, global = st.newGs(2), st.newGs(2)
	m.p.runq.Put(&local[0].queued, false)
	st.toGlobal(global...)
	between, n = nil, 0
	for range 1000 {
		if !m.choose() {
			return fmt.Errorf("expected a G, saw none")
		}
		if slices.Contains(global, m.curg) {
			if between = append(between, n); len(between) == len(global) {
				break
			}
			n = 0
			continue
		}
		if m.curg == local[0] {
			n++
			m.p.runq.Put(&local[1].queued, true) // it inherits the slice
			m.p.runq.Put(&local[0].queued, false)
		}
	}
	if len(between) != 2 || between[1] != 60 {
		return fmt.Errorf("expected that every 61st time slice is a G's from the global queue, of those that are not inherited, saw those after %v slices of the ring's, and %d more", between, n)
	}
	return nil
}

func sliceScene() error {
	st := newStage(1, 1)
	m := st.ms[0]
	m.execute(st.newGs(1)[0], false)
	began, asks := st.clock.now, []int64(nil)
	st.watch(func() bool {
		if m.p.preempt.Load() == sliceOver { // outside: valves
			asks = append(asks, st.clock.now-began)
			began = st.clock.now
			m.execute(m.curg, false)
		}
		return len(asks) < 3 && st.clock.now < 1000*ms
	})
	if len(asks) < 3 || slices.Min(asks) < 10*ms || slices.Max(asks) > 30*ms {
		return fmt.Errorf("expected that a G is asked to yield three times, when it has run for 10 to 30 ms, saw after %v", inMs(asks))
	}
	st = newStage(1, 1)
	m = st.ms[0]
	m.execute(st.newGs(1)[0], false)
	began = st.clock.now
	asked := false
	st.watch(func() bool {
		asked = asked || m.p.preempt.Load() == sliceOver // outside: valves
		if st.clock.now-began >= 5*ms {
			began = st.clock.now
			m.execute(m.curg, false)
		}
		return st.clock.now < 200*ms
	})
	if asked {
		return fmt.Errorf("expected that no G is asked to yield that has run for less than 10 ms, saw that one was")
	}
	st = newStage(3, 3)
	for _, m := range st.ms {
		m.execute(st.newGs(1)[0], false)
	}
	st.watch(func() bool { return st.clock.now < 50*ms })
	for _, p := range st.allp {
		if p.preempt.Load() != sliceOver { // outside: valves
			return fmt.Errorf("expected that the G of each of three Ps is asked to yield, which runs for 50 ms, saw that the one of P%d is not", p.id)
		}
	}
	// A G that has its M for itself begins a time slice, too.
	locked := st.newM()
	locked.lockedg, locked.nextp = st.newGs(1)[0], st.allp[2]
	locked.runsLocked()
	if locked.p.seen.Load() || // outside: valves
		locked.p.preempt.Load() != goOn { // outside: valves
		return fmt.Errorf("expected that a time slice begins with a G that has its M for itself, saw that it goes on in the one before")
	}
	return nil
}

func inMs(list []int64) (text []string) {
	for _, ns := range list {
		text = append(text, time.Duration(ns).String())
	}
	return text
}

func inheritScene() error {
	st := newStage(1, 1)
	m, pair, third := st.ms[0], st.newGs(2), st.newGs(1)[0]
	m.execute(pair[0], false)
	began := st.clock.now
	ran := began // until then the last G ran
	asked := int64(0)
	st.watch(func() bool {
		for ; ran+ms <= st.clock.now; ran += ms {
			other := pair[0]
			if m.curg == other {
				other = pair[1]
			}
			if m.p.preempt.Load() == sliceOver { // outside: valves
				asked = st.clock.now - began
				st.toGlobal(third)
			}
			m.runqput(other) // the one that ran readies the other, and parks
			if !m.choose() || asked > 0 {
				return false
			}
		}
		return st.clock.now < 1000*ms
	})
	if asked < 10*ms || asked > 30*ms {
		return fmt.Errorf("expected that two Gs that ready each other every ms are asked to yield after 10 to 30 ms, as one G is, saw after %v", time.Duration(asked))
	}
	if m.curg != third {
		return fmt.Errorf("expected that the G of the global queue runs next, when the pair was asked to yield, saw one of the pair")
	}
	return nil
}

func sysmonScene() error {
	st := newStage(2, 2)
	for _, m := range st.ms {
		m.execute(st.newGs(1)[0], false)
	}
	c, m, took := st.clock, st.ms[1], 0
	st.watch(func() bool {
		switch n := len(c.sleeps); {
		case took == 0 && n >= 3 && c.sleeps[n-3] == 10*ms:
			took = n
			m.p.insyscall.Store(m.curg) // outside: valves
			m.releasep()
		case took > 0 && n >= took+70:
			return false
		}
		return len(c.sleeps) < 1000
	})
	want := slices.Repeat([]int64{20_000}, 51)
	for d := int64(40_000); d < 10*ms; d *= 2 {
		want = append(want, d)
	}
	want = append(want, 10*ms, 10*ms, 10*ms)
	if took < len(want) || !slices.Equal(c.sleeps[:len(want)], want) {
		return fmt.Errorf("expected that sysmon sleeps 51 times for 20 µs, then twice as long each time, up to 10 ms, saw %s", runs(c.sleeps[:min(len(c.sleeps), took)]))
	}
	// sysmon sees the syscall first. It takes the P at a later look, when the call has lasted for 10 ms.
	again := slices.Index(c.sleeps[took:], 20_000)
	if again < 0 || again > 4 || !slices.Equal(c.sleeps[took+again:took+again+51], want[:51]) {
		return fmt.Errorf("expected that sysmon sleeps 51 times for 20 µs again when it has taken a P from a syscall, saw %s", runs(c.sleeps[took:]))
	}
	return nil
}

// runs writes a list of times with repetitions counted.
func runs(list []int64) (text string) {
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j] == list[i] {
			j++
		}
		text += fmt.Sprintf("%d x %v ", j-i, time.Duration(list[i]))
		i = j
	}
	return text
}

func passesScene() error {
	for _, c := range []struct {
		what        string
		put         func(*stage, *P)
		least, most uint32 // looks
		found       bool
	}{
		{"nothing anywhere", func(*stage, *P) {}, 12, 12, false},
		{"a G in a ring", func(st *stage, p *P) { p.runq.Put(&st.newGs(1)[0].queued, false) }, 1, 3, true},
		{"a G in runnext", func(st *stage, p *P) { p.runq.Put(&st.newGs(1)[0].queued, true) }, 10, 12, true},
		{"a G in runnext, and timers that are not due", func(st *stage, p *P) {
			p.runq.Put(&st.newGs(1)[0].queued, true)
			for _, p := range st.allp {
				p.timers.add(&Timer{when: 1000 * ms, run: func(*M) {}})
			}
		}, 10, 12, true},
		{"a timer that is due", func(st *stage, p *P) { p.timers.add(&Timer{when: 1, run: func(*M) {}}) }, 10, 12, true},
	} {
		st := newStage(4, 4)
		m := st.ms[0]
		c.put(st, st.allp[2])
		g, _, ran := m.stealWork(0)
		if found := g != nil || ran; found != c.found || m.looks < c.least || m.looks > c.most {
			return fmt.Errorf("%s: expected %d to %d looks at three Ps in four passes, and found: %v; saw %d looks, and found: %v", c.what, c.least, c.most, c.found, m.looks, found)
		}
	}
	return nil
}

// victimScene has two tests, each of which would fail a right thief for less than one seed of cheaprand in a million.
// Chi-square of three degrees of freedom is above 30.7 that seldom, and a share of a half is five standard deviations off. The
// seeds are the same in each run.
func victimScene() error {
	const n = 4000
	count := func(victims ...int) (of map[*P]int) {
		st := newStage(5, 5)
		m := st.ms[0]
		of = make(map[*P]int)
		lies := make(map[*G]*P)
		for _, v := range victims {
			g := st.newGs(1)[0]
			lies[g] = st.allp[v]
			st.allp[v].runq.Put(&g.queued, false)
		}
		for range n {
			g, _, _ := m.stealWork(0)
			if g == nil {
				return nil
			}
			of[lies[g]]++
			lies[g].runq.Put(&g.queued, false)
		}
		return of
	}
	chi, sum := 0.0, ""
	of := count(1, 2, 3, 4)
	if len(of) > 4 || of == nil {
		return fmt.Errorf("expected that each steal finds a G of the four Ps, saw %v", of)
	}
	for _, k := range of {
		chi += math.Pow(float64(k)-n/4, 2) / (n / 4)
		sum += fmt.Sprint(k, " ")
	}
	if chi += float64(4-len(of)) * n / 4; chi > 30.7 {
		return fmt.Errorf("expected that each of four Ps is the first victim as often, of %d steals, saw %s(chi-square %.0f)", n, sum, chi)
	}
	// With a step that is always 1, the first of two neighbours would be found in four of five steals.
	for p, k := range count(1, 2) {
		if share := float64(k) / n; math.Abs(share-0.5) > 5*math.Sqrt(0.25/n) {
			return fmt.Errorf("expected that of two neighbours each is found first in half of %d steals, by a step by chance, saw P%d in %.0f %%", n, p.id, 100*share)
		}
	}
	return nil
}

func capScene() error {
	for busy := 1; busy <= 8; busy++ {
		for spinning := 0; spinning <= 5; spinning++ {
			st := newStage(8, busy)
			m := st.ms[0]
			st.nmspinning.Store(int32(spinning)) // outside: valves
			// What comes to the global queue behind its first look is found when m is about to drop its P.
			st.Scheduler.global.Put(&st.newGs(1)[0].queued)
			if gp, _ := m.findRunnable(); gp == nil {
				return fmt.Errorf("expected a G, saw none")
			}
			looks, want := m.looks > 0, 2*spinning < busy
			if !want { // and if nothing is anywhere it goes to sleep without a look
				m.note.wakeup() // nobody gives it a P: it ends
				m.findRunnable()
				looks = m.looks > 0
			}
			if looks != want {
				return fmt.Errorf("%d Ps are busy and %d Ms spin: expected that another looks for work at other Ps: %v, saw %v", busy, spinning, want, looks)
			}
		}
	}
	return nil
}

func lifoScene() error {
	st := newStage(4, 4)
	for st.mget() != nil {
	}
	first, last := st.newM(), st.newM()
	early, late := st.ms[1].releasep(), st.ms[2].releasep()
	st.mput(first)
	st.mput(last)
	st.pidleput(early)
	st.pidleput(late)
	for i, want := range []struct {
		m *M
		p *P
	}{{last, late}, {first, early}} {
		st.wakep()
		if want.m.nextp != want.p {
			return fmt.Errorf("wake-up %d: expected that the M and the P that became idle last are put to work, saw others", i+1)
		}
		st.nmspinning.Store(0) // outside: valves
	}
	return nil
}

func backOffScene() error {
	for _, c := range []struct {
		what      string
		inSyscall bool
		takes     bool // the owner takes the G while the thief waits
		waits     bool
		stolen    bool
	}{
		{"its owner runs it", false, true, true, false},
		{"its owner runs on", false, false, true, true},
		{"its owner is in a syscall", true, false, false, true},
	} {
		st := newStage(2, 2)
		thief, owner := st.ms[0], st.ms[1]
		g := st.newGs(2)
		if owner.curg = g[0]; c.inSyscall {
			owner.p.insyscall.Store(g[0]) // outside: valves
		}
		victim := owner.p
		victim.runq.Put(&g[1].queued, true)
		waited := int64(0)
		st.clock.paused = func(ns int64) {
			waited += ns
			if c.takes {
				victim.runq.Get()
			}
		}
		got, _, _ := thief.stealWork(0)
		if (waited >= 3000 && waited <= 4000) != c.waits || !c.waits && waited > 0 || (got != nil) != c.stolen {
			return fmt.Errorf("%s: expected that the thief waits for 3 µs: %v, and takes it: %v; saw that it waits for %v, and takes it: %v", c.what, c.waits, c.stolen, time.Duration(waited), got != nil)
		}
	}
	real := realTime{} // the clock of programs
	began := real.nanotime()
	real.pause(stealBackOff)
	if d := real.nanotime() - began; d < 3000 {
		return fmt.Errorf("expected that a thief waits for 3 µs by the clock of programs, saw %v", time.Duration(d))
	}
	return nil
}

func reuseScene() error {
	st := newStage(2, 2)
	a, b := st.ms[0], st.ms[1]
	born := func() *G {
		g := a.newproc(func(*G) {})
		a.p.runq.Get()
		return g
	}
	made := func() int { return len(st.allg.list) }
	for range 1000 {
		a.gdestroy(born())
	}
	if n := made(); n != 1 {
		return fmt.Errorf("expected that a G is used again for each of 1,000 that are born and end on one P, saw %d made", n)
	}
	for i, n := 0, 0; i < 1000; i++ {
		g := born()
		after := len(st.gfree.list)
		if after != n && after != n-32 {
			return fmt.Errorf("expected that a P without dead Gs takes 32 of those of all, saw %d of %d left", after, n)
		}
		b.gdestroy(g)
		if n = len(st.gfree.list); n != after && n != after+32 {
			return fmt.Errorf("expected that a P with many dead Gs gives 32 to all, saw %d more", n-after)
		}
	}
	if n := made(); n > 100 {
		return fmt.Errorf("expected that at most 100 Gs are made for 1,000 that are born on one P and end on another, saw %d", n)
	}
	before := made()
	var live []*G
	for range 400 {
		live = append(live, born())
	}
	for _, g := range live {
		b.gdestroy(g)
	}
	most := made()
	for range 400 {
		born()
	}
	if n := made(); n > most+64 {
		return fmt.Errorf("expected that at most 64 dead Gs stay with the P on which they ended, saw that of %d, %d are made anew on another", most-before, n-most)
	}
	// Who has no P takes from those of all; and to those goes what a P has that is taken away.
	all := len(st.gfree.list)
	kept := len(b.p.gfree)
	st.nmspinning.Store(1)   // outside: valves: wakep wakes nobody
	st.gcwaiting.Store(true) // outside: valves: the world is stopped
	b.releasep()
	a.procresize(1)
	if n := len(st.gfree.list); n != all+kept || kept == 0 {
		return fmt.Errorf("expected that %d dead Gs, of a P that is taken away, are those of all then, saw %d", kept, n-all)
	}
	most = made()
	for range 10 {
		if err := st.Go(func(*G) {}); err != nil {
			return err
		}
	}
	if n := made(); n != most {
		return fmt.Errorf("expected that Gs that have ended are used again by who has no P, saw %d made", n-most)
	}
	return nil
}

func figuresScene() error {
	st := newStage(4, 1)
	m, g := st.ms[0], st.newGs(1)[0]
	st.clock.now += 10 * ms
	if c := st.Snapshot(); c.TotalTime != 40*time.Millisecond || c.IdleTime != 30*time.Millisecond {
		return fmt.Errorf("expected that four Ps were there for 40 ms, and idle for 30 ms, saw %v and %v", c.TotalTime, c.IdleTime)
	}
	st.nmspinning.Store(1) // outside: valves: wakep wakes nobody
	for range 64 {
		m.runqput(g)
		st.clock.now += 5 * ms
		if !m.choose() {
			return fmt.Errorf("expected a G, saw none")
		}
		m.runs()
	}
	c := st.Snapshot()
	if n, most := c.Latency.N(), c.Latency.Quantile(1); n != 2 || most < 5*time.Millisecond || most > 10*time.Millisecond || c.Latency.Quantile(0) != most {
		return fmt.Errorf("expected that two of 64 waits of 5 ms for a P are counted, saw %d, of up to %v", n, most)
	}
	for range 64 {
		g.parked()
		st.clock.now += 3 * ms
		m.ready(g)
		m.choose()
		m.runs()
	}
	if got := st.Snapshot().ParkTime; got != 192*time.Millisecond {
		return fmt.Errorf("expected 192 ms of 64 times 3 ms in Park, saw %v", got)
	}
	for range 64 { // from outside
		g.parked()
		st.clock.now += 3 * ms
		if err := st.Ready(g); err != nil {
			return err
		}
		m.choose()
		m.runs()
	}
	if got := st.Snapshot().ParkTime; got != 384*time.Millisecond {
		return fmt.Errorf("expected 192 ms more of 64 times 3 ms in Park until Ready from outside, saw %v", got-192*time.Millisecond)
	}
	for _, c := range []struct {
		what  string
		stops func()
	}{
		{"yields", func() { g.yielded() }}, {"yields to its P", func() { g.yieldedHere() }},
		{"sleeps", func() { g.status.Store(sleeping); g.wakes(m) }}, // outside: valves
	} {
		before := st.Snapshot().Latency.N()
		for range 64 {
			c.stops()
			st.clock.now += 5 * ms
			m.choose()
			m.runs()
		}
		if n := st.Snapshot().Latency.N() - before; n != 2 {
			return fmt.Errorf("expected that two of 64 waits of a G that %s are counted, saw %d", c.what, n)
		}
	}
	// A park that is refused is no wait.
	before, longest := st.Snapshot().Latency.N(), 100*ms
	for range 64 {
		g.unlock = func() bool { return false }
		g.parked()
		st.clock.now += longest
		m.runs()
		m.runqput(g)
		m.choose()
		m.runs()
	}
	if c := st.Snapshot().Latency; c.N() != before+2 || c.Quantile(1) >= time.Duration(longest) {
		return fmt.Errorf("expected that two of 64 waits of no length are counted, and no park that is refused, saw %d of up to %v", c.N()-before, c.Quantile(1))
	}
	locked := st.newM()
	locked.lockedg, locked.nextp = st.newGs(1)[0], m.p
	locked.lockedg.since = st.clock.now - 5*ms
	before = st.Snapshot().Latency.N()
	if locked.runsLocked(); st.Snapshot().Latency.N() != before+1 {
		return fmt.Errorf("expected that the wait of a G is counted that has its M for itself, saw that it is not")
	}
	return busyScene()
}

// busyScene has Ps become busy, become idle, and be taken away.
func busyScene() error {
	st := newStage(4, 1)
	m := st.ms[0]
	resize := func(n int) {
		st.pidle = nil     // as a stop of the world leaves it
		st.npidle.Store(0) // outside: valves
		st.countsPs(0)
		m.procresize(n)
	}
	want, idle := time.Duration(0), time.Duration(0)
	for _, c := range []struct {
		what       string
		does       func()
		busy, idle time.Duration
	}{
		{"three of four Ps are idle", func() {}, 1, 3},
		{"one more becomes busy", func() { st.pidleget() }, 2, 2},
		{"and idle again", func() { st.pidleput(st.allp[3]) }, 1, 3},
		{"there are two Ps", func() { resize(2) }, 1, 1},
		{"there are four again", func() { resize(4) }, 1, 3},
	} {
		c.does()
		st.clock.now += 10 * ms
		want, idle = want+(c.busy+c.idle)*10*time.Millisecond, idle+c.idle*10*time.Millisecond
		if saw := st.Snapshot(); saw.TotalTime != want || saw.IdleTime != idle {
			return fmt.Errorf("%s: expected that Ps were there for %v, and idle for %v, saw %v and %v", c.what, want, idle, saw.TotalTime, saw.IdleTime)
		}
	}
	return nil
}

func procsScene() error {
	for i := range 6 {
		follows, changed := i%2 == 0, time.Duration(1100+300*i)*time.Millisecond
		st := newStage(2, 2)
		st.follows, st.clock.processors = follows, 2
		for _, m := range st.ms {
			m.execute(st.newGs(1)[0], false)
		}
		var asked []time.Duration
		st.watch(func() bool {
			if n := st.Scheduler.global.Len(); n > len(asked) {
				asked = append(asked, time.Duration(st.clock.now))
			}
			if st.clock.now > int64(changed) {
				st.clock.processors = 4
			}
			return st.clock.now < 5000*ms
		})
		// The change is made by a G. Here none runs, so that sysmon asks once and waits for that. It looks each second, and sleeps for 10 ms at most.
		if follows && (len(asked) != 1 || asked[0] < changed || asked[0] > changed+1010*time.Millisecond) || !follows && len(asked) > 0 {
			return fmt.Errorf("expected that sysmon asks for other Ps within a second after the default has changed, at %v: %v; saw that it asks after %v", changed, follows, asked)
		}
	}
	return nil
}

func onePScene() error {
	st := newStage(1, 1)
	m, pair := st.ms[0], st.newGs(2)
	m.execute(pair[0], false)
	wakes, ms := st.wakes, len(st.allm)
	for i := range 1000 {
		m.runqput(pair[(i+1)%2])
		if !m.choose() {
			return fmt.Errorf("expected a G, saw none")
		}
	}
	for range 100 {
		g := m.newproc(func(*G) {})
		m.p.runq.Get()
		m.gdestroy(g)
	}
	if st.wakes != wakes || len(st.allm) != ms || st.nmspinning.Load() != 0 || m.looks != 0 { // outside: valves
		return fmt.Errorf("expected that no M is woken or made, that none spins, and no look at other Ps, saw %d, %d, %d and %d", st.wakes-wakes, len(st.allm)-ms, st.nmspinning.Load(), m.looks) // outside: valves
	}
	return nil
}
