package sched

import "github.com/spindle-go/spindle/impl/runq"

// This file is the dance: how Ms look for work, go to sleep and are woken. It can be held
// against src/runtime/proc.go of Go 1.26: functions bear the names of their originals.
// Each line that touches what Ms share ends in the name of the action of tla/Sched.tla that it is.
// "with" marks a line that is part of the action of its thread before it or after it;
// "outside" one that the model does not have.
//
// # Who wakes whom
//
// A G that becomes runnable is put in a queue, and then somebody must look there, if there is
// a P for it. To wake an M for each G costs too much: the M that is woken for a short G
// finds nothing, and goes to sleep again. To wake none leaves Ps idle beside work. So some Ms
// that have a P and nothing to do spin: they look for work for a while before they sleep.
// nmspinning is how many do. Three rules make that enough:
//
//   - Who makes a G runnable wakes an M if nobody spins (wakep). If somebody spins, that
//     M will find the G.
//   - An M that spins and finds work stops to spin, and if it was the last one wakes
//     another (resetspinning): there may be more work.
//   - An M that spins and finds nothing stops to spin, and then looks at every queue
//     again.
//
// Between the first rule and the third there are two barriers. The submitter puts the G in a
// queue, and then reads nmspinning. The spinner decrements nmspinning, and then reads the
// queues. Neither may read before others see what it wrote (StoreLoad), or each could miss
// the other: the submitter sees a spinner, who sees no G. Atomics of Go are sequentially
// consistent, which is enough. "StoreLoad" stands below at both places.
//
// # A submitter who finds no idle P
//
// It wakes nobody: whoever has a P will come by. But an M that does not spin does not look
// at the queues of others before it drops its P. needspinning tells it to. wakep sets it
// under the lock when it finds no idle P, and who is about to drop a P without spinning tests
// it under the same lock.
//
// In Go 1.26 that message can be lost (tla/findings/wakep.md): wakep sets needspinning first
// and takes back its increment of nmspinning second. Between the two an M may begin to spin,
// which clears needspinning, steal one of two Gs, and call wakep, which sees the increment
// that is about to be taken back, and wakes nobody. Here the two lines stand the other way
// round, unless Config.Shipped asks for the order of Go 1.26.
//
// # Designs that were not taken
//
// They are those that proc.go names. All state in one place would not scale. To hand a P
// over to another M directly whenever a G is readied costs a thread switch for each, and
// takes the G away from what its waker has in its caches. To wake an M for each G that
// becomes runnable, and let none spin, parks and unparks threads all the time.

// becomeSpinning: m looks for work from now on, and is counted. (M.becomeSpinning)
func (m *M) becomeSpinning() {
	m.spinning = true
	m.s.nmspinning.Add(1)     // Sched!SpinAdd
	m.s.needspinning.Store(0) // Sched!SpinClear
}

// stopm puts m on the list of idle Ms, and sleeps until it is given a P. It reports false
// if the scheduler has ended, and m is to end.
func (m *M) stopm() bool {
	s := m.s
	s.global.Lock() // Sched!Stop
	s.mput(m)
	s.checkdead()
	s.global.Unlock() // with Sched!Stop: the end of its section
	return m.mPark()
}

// mPark sleeps until somebody gives m a P. It reports false if nobody will.
func (m *M) mPark() bool {
	m.note.sleep()
	if m.nextp == nil {
		return false
	}
	m.acquirep(m.nextp)
	m.nextp = nil
	return true
}

// startm has an M run p: an idle one, or a new one. If spinning is set the caller has counted
// it in nmspinning.
func (s *Scheduler) startm(p *P, spinning bool) {
	s.global.Lock() // Sched!StartM
	m := s.mgetOrNew(p, spinning)
	s.global.Unlock() // with Sched!StartM: the end of its section
	m.wake()
}

// mgetOrNew is the part of startm that needs the lock.
func (s *Scheduler) mgetOrNew(p *P, spinning bool) *M {
	m := s.mget()
	if m == nil {
		m = s.newm()
		s.wakes++
	}
	m.spinning, m.nextp = spinning, p
	return m
}

// wakep has an M look for work, if no M does and a P is idle. It is to be called when a G
// became runnable.
func (s *Scheduler) wakep() {
	// StoreLoad: the G was put in a queue before this load.
	if s.nmspinning.Load() != 0 { // Sched!WakepLoad
		return
	}
	// No P is idle, and who is about to drop one was told already: as long as all are at work, that makes a
	// G runnable at three loads. Go 1.26 takes the lock each time.
	if !s.config.Shipped.Wakep &&
		s.npidle.Load() == 0 && // Sched!WakepBusy
		s.needspinning.Load() == 1 { // Sched!WakepWord
		return
	}
	if !s.nmspinning.CompareAndSwap(0, 1) { // Sched!WakepCAS
		return
	}
	s.global.Lock() // Sched!WakepGet
	p := s.pidleget()
	if p == nil {
		if s.config.Shipped.Wakep {
			s.needspinning.Store(1) // with Sched!WakepGet: what it writes
			s.nmspinning.Add(-1)    // Sched!WakepUndo
		} else {
			s.nmspinning.Add(-1)    // with Sched!WakepGet: what it writes, with the fix undo_first
			s.needspinning.Store(1) // Sched!WakepUndo
		}
	}
	s.global.Unlock() // with Sched!WakepIdle, WakepUndo: the end of their section
	if p != nil {
		s.startm(p, true)
	}
}

// findRunnable finds a G for m to run. inheritTime says that the G goes on in the time slice of
// the one before it. Nil means that the scheduler has ended.
func (m *M) findRunnable() (gp *G, inheritTime bool) {
	s := m.s
top:
	if s.gcwaiting.Load() { // Sched!TopCheck
		if !m.gcstopm() {
			return nil, false
		}
		goto top
	}
	p := m.p
	if p.safeSeen.Load() < // Sched!SafeCheck
		s.safePoint.Load() { // Sched!SafeCheck
		s.runSafePointFn(p)
	}

	// The Gs that are to wake on this P.
	now, pollUntil, _ := m.checkTimers(p, 0)

	// Now and then the global queue comes first. Else two Gs that wake each other could keep
	// it waiting for ever.
	if p.schedtick%61 == 0 &&
		s.runqsize.Load() > 0 { // Sched!Tick
		if gp := s.globrunqget(); gp != nil {
			return gp, false
		}
	}

	// The P's own queue.
	if g, inheritTime := p.runq.Get(); g != nil {
		return gOf(g), inheritTime
	}

	// The global queue.
	if s.runqsize.Load() > 0 { // Sched!GlobTest
		s.global.Lock() // Sched!GlobGet
		gp, rest := s.globrunqgetbatch()
		s.global.Unlock() // with Sched!GlobGet: the end of its section
		if gp != nil {
			m.runqputbatch(&rest)
			return gp, false
		}
	}

	// Descriptors, without waiting, unless somebody waits there.
	if s.netwaiters.Load() > 0 && // Sched!NetTest
		s.lastpoll.Load() != 0 { // with Sched!NetTest: what it reads
		list := s.poller.wait(atOnce) // Sched!NetGet
		if gp := m.injectglist(&list); gp != nil {
			return gp, false
		}
	}

	// The queues of others, and who is to wake there. But no more Ms spin than half as many as
	// there are Ps at work: more would take much time from them to find little.
	if m.spinning || !s.neverSpins && m.maySpin() {
		if !m.spinning {
			m.becomeSpinning()
		}
		gp, next, ran := m.stealWork(now)
		if gp != nil {
			return gp, false
		}
		if ran {
			goto top // what it has woken is here, unless others have taken it
		}
		pollUntil = sooner(pollUntil, next)
	}

	// What only an idle P does.
	if s.takeExtra() {
		m.runExtra()
		goto top
	}

	// There is nothing: drop the P. What else may come must be looked for under the lock.
	allp := s.allp           // what it will look at; it may change when m has no P
	s.global.Lock()          // Sched!DropLock
	if s.gcwaiting.Load() || // with Sched!DropLock: what it reads
		p.safeSeen.Load() < // with Sched!DropLock: what it reads
			s.safePoint.Load() { // with Sched!DropLock: what it reads
		s.global.Unlock() // with Sched!DropLock: the end of its section
		goto top
	}
	if s.global.Len() > 0 {
		gp, rest := s.globrunqgetbatch()
		s.global.Unlock() // with Sched!DropLock: the end of its section
		m.runqputbatch(&rest)
		return gp, false
	}
	if !m.spinning && s.needspinning.Load() == 1 { // with Sched!DropLock: what it reads
		m.becomeSpinning()
		s.global.Unlock() // with Sched!SpinClear: the end of its section
		goto top
	}
	s.pidleput(m.releasep())
	s.global.Unlock() // with Sched!DropIdle: the end of its section

	// An M that spun must look at everything again, now that it is not counted any more: who
	// put a G in a queue while it was counted has woken nobody.
	wasSpinning := m.spinning
	if wasSpinning {
		m.spinning = false
		// StoreLoad: the queues are read after this.
		s.nmspinning.Add(-1) // Sched!Decrement

		if gp, found := m.recheckGlobal(allp); gp != nil {
			return gp, false
		} else if found {
			goto top
		}
		if p := s.checkRunqsNoP(allp); p != nil {
			m.acquirep(p)
			m.becomeSpinning()
			goto top
		}
		if m.recheckExtra() {
			m.runExtra()
			goto top
		}
		pollUntil = sooner(pollUntil, timeSleepUntil(allp))
	}

	// One M at most waits until somebody is to wake, or may go on with a descriptor.
	if pollUntil != 0 ||
		s.netwaiters.Load() > 0 { // with Sched!PollTest: what it reads
		gp, found := m.poll(pollUntil)
		if gp != nil {
			return gp, false
		}
		if found {
			if wasSpinning || s.pollsFor() {
				m.becomeSpinning()
			}
			goto top
		}
	}
	if !m.stopm() {
		return nil, false
	}
	goto top
}

// poll waits until a time, or for ever if it is 0, or for a descriptor, without a P, unless another M
// does: that one is told if its own time is later. It reports whether m has a P then: an idle one, and a
// G to run that could go on, or nil.
func (m *M) poll(until int64) (gp *G, found bool) {
	s := m.s
	if s.lastpoll.Swap(0) == 0 { // Sched!PollSwap
		if until != noTime {
			s.netpollBreak(until)
		}
		return nil, false
	}
	s.pollUntil.Store(until)           // Sched!PollSet
	list := s.poller.wait(until)       // Sched!Poll
	s.pollUntil.Store(0)               // Sched!PollClear
	s.lastpoll.Store(s.env.nanotime()) // Sched!PollLast
	s.global.Lock()                    // Sched!PollGet
	s.wakes++
	var p *P
	if s.config.Shipped.Timer {
		p = s.pidleget()
	} else {
		p = s.pidlegetSpinning()
	}
	s.global.Unlock() // with Sched!PollGet, PollIdle: the end of their section
	if p == nil {
		s.injectGlobal(&list)
		return nil, false
	}
	m.acquirep(p)
	return m.injectglist(&list), true
}

// pollsFor reports whether somebody is to wait for descriptors, while others run. (tla/findings/poller.md)
func (s *Scheduler) pollsFor() bool {
	return !s.config.Shipped.Poller &&
		s.netwaiters.Load() > 0 // outside: the model has no mend of poller
}

// injectglist makes Gs runnable that could go on with their descriptors. It returns the first, for m to
// run, or nil. As many as there are idle Ps go to the global queue, where those will be started, and
// the others to m's P.
func (m *M) injectglist(list *runq.List) *G {
	s := m.s
	first := list.Pop()
	if first == nil {
		return nil
	}
	n := int32(1 + list.Len())
	if list.Len() > 0 {
		var global runq.List
		for range s.npidle.Load() { // Sched!InjectLoad
			if list.Len() > 0 {
				global.PushBack(list.Pop())
			}
		}
		s.injectBatch(&global)
		m.p.runq.PutBatch(list)
		s.injectBatch(list) // for which there was no room
		s.wakep()           // a P may be idle by now
	}
	s.netwaiters.Add(-n) // Sched!NetAdjust
	if !m.spinning && !s.config.Shipped.Poller {
		s.wakep() // somebody else is to poll now. Go 1.26 wakes nobody (tla/findings/poller.md)
	}
	return gOf(first)
}

// injectGlobal is injectglist for who has no P.
func (s *Scheduler) injectGlobal(list *runq.List) {
	if n := int32(list.Len()); n > 0 {
		s.injectBatch(list)
		s.netwaiters.Add(-n) // Sched!NetAdjust
	}
}

// injectBatch puts Gs on the global queue, and starts idle Ps for them.
func (s *Scheduler) injectBatch(list *runq.List) {
	n := list.Len()
	if n == 0 {
		return
	}
	s.global.Lock() // Sched!InjectGlob
	s.global.PutBatch(list)
	s.runqsize.Store(int32(s.global.Len())) // with Sched!InjectGlob: what it writes
	s.global.Unlock()                       // with Sched!InjectGlob: the end of its section
	s.startIdle(n)
}

// wakeNetPoller sees to it that somebody is there when a G is to wake.
func (s *Scheduler) wakeNetPoller(when int64) {
	if s.lastpoll.Load() == 0 { // Sched!TimerWake
		s.netpollBreak(when)
	} else {
		s.wakep()
	}
}

// netpollBreak wakes who polls, unless it wakes in time by itself.
func (s *Scheduler) netpollBreak(when int64) {
	if until := s.pollUntil.Load(); until == 0 || until > when { // Sched!TimerBreak
		s.poller.ring()
	}
}

// maySpin is the throttle of findRunnable.
func (m *M) maySpin() bool {
	s := m.s
	spinning := s.nmspinning.Load() // Sched!SpinLoad
	idle := s.npidle.Load()         // Sched!IdleLoad
	return 2*spinning < int32(len(s.allp))-idle
}

// stealWork takes Gs from the queues of other Ps, in several rounds from a P by chance
// on. In the last round it takes what is in runnext, too: who put it there is about to run it;
// and before that it wakes who is to wake there. It returns when the next is to wake that it saw, and
// whether it has woken one, which is where m finds it then.
func (m *M) stealWork(now int64) (gp *G, next int64, ran bool) {
	s := m.s
	for i := range s.stealTries {
		last := i == s.stealTries-1
		for k := range s.stealOrder.from(m.cheaprand()) {
			p := s.allp[k]
			if p == m.p {
				continue
			}
			m.looks++
			if last {
				tnow, w, ran := m.checkTimers(p, now)
				now, next = tnow, sooner(next, w)
				if ran {
					return nil, next, true
				}
			}
			if g := m.p.runq.Steal(p.runq, last); g != nil {
				return gOf(g), next, false
			}
		}
	}
	return nil, next, false
}

// recheckGlobal looks at the global queue again, without a P. If there is something, and an
// idle P, m takes both. If there are other Ps by now than those that it will look at, it takes an idle
// one to look at all of them, which Go 1.26 does not (tla/findings/gomaxprocs.md). It reports
// whether m has a P.
func (m *M) recheckGlobal(allp []*P) (gp *G, found bool) {
	s := m.s
	s.global.Lock() // Sched!RecheckGlob
	var rest runq.List
	var p *P
	if s.global.Len() > 0 || len(s.allp) != len(allp) && !s.config.Shipped.Gomaxprocs {
		if p = s.pidlegetSpinning(); p != nil {
			gp, rest = s.globrunqgetbatch()
		}
	}
	s.global.Unlock() // with Sched!RecheckGlob, RecheckGlobGet, Reacquire: the end of their section
	if p == nil {
		return nil, false
	}
	m.acquirep(p)
	m.p.runq.PutBatch(&rest)
	m.becomeSpinning()
	return gp, true
}

// checkRunqsNoP looks at the queues of all Ps again, without a P. If one is not empty it
// returns an idle P to go there with, if there is one.
func (s *Scheduler) checkRunqsNoP(allp []*P) *P {
	for _, p := range allp {
		if p.runq.Empty() {
			continue
		}
		s.global.Lock() // Sched!RecheckGet
		p := s.pidlegetSpinning()
		s.global.Unlock() // with Sched!RecheckGet, Reacquire: the end of their section
		return p
	}
	return nil
}

// resetspinning: m has found work and spins no more. Another M is to look for more.
func (m *M) resetspinning() {
	m.spinning = false
	m.s.nmspinning.Add(-1) // Sched!ResetSpinning
	m.s.wakep()
}

// runqputbatch puts the rest of a batch from the global queue in the queue of m's P. Nobody saw these Gs
// while m had them in its hands. If m spins it wakes another when it runs the first G;
// else it wakes one here. Go 1.26 does not (tla/findings/batch.md).
func (m *M) runqputbatch(rest *runq.List) {
	if rest.Len() == 0 {
		return
	}
	m.p.runq.PutBatch(rest)
	if !m.spinning && !m.s.config.Shipped.Batch {
		m.s.wakep() // with the fix batch_wakep
	}
}

// handoffp has another M run p, whose M is in a syscall, if there is anything to do with it; else p
// becomes idle.
func (s *Scheduler) handoffp(p *P) {
	if !p.runq.Empty() ||
		s.runqsize.Load() > 0 || // Sched!HandoffGlob
		s.extraHere() {
		s.startm(p, false)
		return
	}
	// Nobody looks for work, and no P is idle: this M's G may have been about to start others.
	if s.nmspinning.Load() == 0 && // Sched!HandoffSpin
		s.npidle.Load() == 0 && // Sched!HandoffIdle
		s.nmspinning.CompareAndSwap(0, 1) { // Sched!HandoffCAS
		s.needspinning.Store(0) // Sched!HandoffClear
		s.startm(p, true)
		return
	}
	s.global.Lock()         // Sched!HandoffLock
	if s.gcwaiting.Load() { // with Sched!HandoffLock: what it reads
		s.stopped()
		s.global.Unlock() // with Sched!HandoffLock: the end of its section
		return
	}
	if p.safeSeen.Load() < // with Sched!HandoffLock: what it reads
		s.safePoint.Load() { // with Sched!HandoffLock: what it reads
		s.runSafePointFn(p)
	}
	if s.global.Len() > 0 {
		s.global.Unlock() // with Sched!HandoffLock: the end of its section
		s.startm(p, false)
		return
	}
	// Who put a G in a queue meanwhile and found no idle P has left word. Go 1.26 does not look
	// (tla/findings/handoffp.md).
	if !s.config.Shipped.Handoffp && s.needspinning.Load() == 1 { // with Sched!HandoffLock: what it reads, with the fix handoff_need
		s.nmspinning.Add(1)     // Sched!HandoffAdd
		s.needspinning.Store(0) // Sched!HandoffClear
		s.global.Unlock()       // with Sched!HandoffClear: the end of its section
		s.startm(p, true)
		return
	}
	// The last P that is at work, and nobody polls: whoever gets it will.
	if int(s.npidle.Load()) == len(s.allp)-1 && // with Sched!HandoffLock: what it reads
		s.lastpoll.Load() != 0 { // with Sched!HandoffLock: what it reads
		s.global.Unlock() // with Sched!HandoffLock: the end of its section
		s.startm(p, false)
		return
	}
	when := p.timers.first.Load() // Sched!HandoffPut
	s.pidleput(p)
	s.global.Unlock() // with Sched!HandoffPutIdle: the end of its section
	if when != 0 {
		s.wakeNetPoller(when)
	}
}

// startIdle starts Ms for n Gs that were put on the global queue by somebody without a P, as
// long as Ps are idle. They do not spin: there is a G for each. (injectglist)
func (s *Scheduler) startIdle(n int) {
	for range n {
		s.global.Lock() // Sched!InjectIdle
		var p *P
		if !s.ended { // else others have run them all, and nobody would end a new M
			p = s.pidlegetSpinning()
		}
		if p == nil {
			s.global.Unlock() // with Sched!InjectIdle: the end of its section
			return
		}
		m := s.mgetOrNew(p, false)
		s.global.Unlock() // Sched!InjectStart
		m.wake()
	}
}

// schedule runs Gs until the scheduler has ended.
func (m *M) schedule() {
	for m.chosen || !m.over && m.choose() {
		m.chosen = false
		for m.gogo() {
		}
	}
}

// choose finds the G that m runs next, curg. It reports false if the scheduler has ended.
func (m *M) choose() bool {
	for m.p != nil || m.stopm() { // it has none if its G came back from a syscall in vain
		gp, inheritTime := m.findRunnable()
		if gp == nil {
			break
		}
		if m.spinning {
			m.resetspinning()
		}
		if inheritTime && m.sliceIsOver() {
			m.goschedImpl(gp) // it is made to yield before it begins to run
			continue
		}
		if gp.lockedm != nil {
			m.startlockedm(gp)
			continue
		}
		m.execute(gp, inheritTime)
		return true
	}
	m.over = true
	return false
}

// execute makes gp the G that m runs.
func (m *M) execute(gp *G, inheritTime bool) {
	m.curg = gp
	if !inheritTime {
		m.p.newSlice()
	}
}

// ready makes a G runnable that waits. It goes to runnext: what its waker has done for it
// is in the caches here. (ready)
func (m *M) ready(gp *G) {
	gp.becomes(waiting, active, "Ready")
	gp.hasParked()
	m.runqput(gp)
}

// runqput puts a G that is runnable now in runnext, and sees to it that somebody runs it.
func (m *M) runqput(gp *G) {
	gp.tracks()
	m.p.runq.Put(&gp.queued, m.s.runnext)
	m.s.wakep()
}

// goschedImpl puts a G that ran on the global queue, behind all others.
func (m *M) goschedImpl(gp *G) {
	s := m.s
	s.global.Lock() // Sched!Gosched
	s.globrunqput(gp)
	s.global.Unlock() // with Sched!Gosched, Preempted: the end of their section
	s.wakep()
}

// globrunqput puts a G on the global queue. The lock must be held.
func (s *Scheduler) globrunqput(gp *G) {
	gp.tracks()
	s.global.Put(&gp.queued)
	s.runqsize.Store(int32(s.global.Len())) // with Sched!Gosched, Preempted, InjectGlob, ExitNoP: what they write
}

// overflow puts the half of a full ring that its owner took out on the global queue.
// (runqputslow)
func (s *Scheduler) overflow(q runq.List) {
	s.global.Lock() // Sched!Overflow
	s.global.PutBatch(&q)
	s.runqsize.Store(int32(s.global.Len())) // with Sched!Overflow: what it writes
	s.global.Unlock()                       // with Sched!Overflow: the end of its section
}

// globrunqget takes the first G of the global queue, or returns nil.
func (s *Scheduler) globrunqget() (gp *G) {
	s.global.Lock() // Sched!TickGet
	if g := s.global.Get(); g != nil {
		gp = gOf(g)
	}
	s.runqsize.Store(int32(s.global.Len())) // with Sched!TickGet: what it writes
	s.global.Unlock()                       // with Sched!TickGet: the end of its section
	return gp
}

// globrunqgetbatch takes a fair share of the global queue, at most half a ring: a G to run, or nil, and
// others. The lock must be held.
func (s *Scheduler) globrunqgetbatch() (gp *G, rest runq.List) {
	g, rest := s.global.GetBatch(s.config.Ring/2, len(s.allp))
	if g != nil {
		gp = gOf(g)
		s.runqsize.Store(int32(s.global.Len())) // with Sched!GlobGet, DropLock, RecheckGlobGet: what they write
	}
	return gp, rest
}

// mput puts m on the list of idle Ms. The lock must be held.
func (s *Scheduler) mput(m *M) {
	m.link, s.midle = s.midle, m
	s.nmidle++
}

// mget takes the M from the list of idle ones that was put last, or returns nil. The lock must be
// held.
func (s *Scheduler) mget() *M {
	m := s.midle
	if m != nil {
		s.midle, m.link = m.link, nil
		s.nmidle--
		s.wakes++
	}
	return m
}

// pidleput puts p, which has no work, on the list of idle Ps. The lock must be held.
func (s *Scheduler) pidleput(p *P) {
	p.link, s.pidle = s.pidle, p
	s.npidle.Add(1) // Sched!DropIdle, HandoffPutIdle
	s.countsPs(s.busyness.idle + 1)
}

// pidleget takes the P from the list of idle ones that was put last, or returns nil. The
// lock must be held.
func (s *Scheduler) pidleget() *P {
	p := s.pidle
	if p != nil {
		s.pidle, p.link = p.link, nil
		s.npidle.Add(-1) // Sched!WakepIdle, InjectNpidle, RecheckGlobIdle, Reacquire, ExitIdle, PollIdle
		s.countsPs(s.busyness.idle - 1)
		if !s.config.Shipped.SysmonSleep {
			s.wakeSysmon() // with the fix pidleget_wakes_sysmon
		}
	}
	return p
}

// pidlegetSpinning is pidleget for who has seen work. If no P is idle, who is about to drop
// one is told. The lock must be held.
func (s *Scheduler) pidlegetSpinning() *P {
	p := s.pidleget()
	if p == nil {
		s.needspinning.Store(1) // with Sched!InjectIdle, RecheckGlob, RecheckGet, PollGet: what they write
	}
	return p
}
