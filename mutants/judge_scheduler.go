package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The scheduler of impl/sched: each of these is wrong in the dance, or in what Gs do, and
// falls in a scene that the explorer plays to its end, or on real threads. A name in
// brackets is that of the same damage to the model, in tla/variant/sched.edits.
//
// Two do no harm that the scenes see at their end, where the lock's own look at the global queue has
// made up for it (no_recheck_glob, gosched_no_wakep). In the model they break DN-WORK-RESCUER, which looks
// at each state; what sees them here is the tie to the model.
//
// Of three of handoffp and of timers no scene falls at its end: who hands a P off does not look at its ring
// (handoff_no_ring: the P lies idle with work until a thief comes), nor whether somebody polls
// (handoff_no_poll), and who goes to sleep wakes nobody (timer_no_wake). The tie sees them, too.
var ofScheduler = []Judge{
	dances("J-2001", "DN-WORK-QUIET", "who readies a G wakes nobody [ready_no_wakep]",
		"M.runqput", `	m.s.wakep()`, ``),
	dances("J-2002", "DN-WORK-QUIET", "who readies a G wakes somebody, and then puts it in the queue [wakep_first]",
		"M.runqput", `	m.p.runq.Put(&gp.queued, next)
	m.s.wakep()`, `	m.s.wakep()
	m.p.runq.Put(&gp.queued, next)`),
	dances("J-2003", "DN-WORK-QUIET", "who spun and found work wakes nobody [reset_no_wakep]",
		"M.resetspinning", `	m.s.wakep()`, ``),
	dances("J-2004", "DN-WORK-QUIET", "who spun does not look at the queues of Ps again [no_recheck]",
		"M.findRunnable", `if p := s.checkRunqsNoP(allp); p != nil {`, `if p := (*P)(nil); p != nil {`),
	{
		ID: "J-2005", Requirement: "DN-WORK-QUIET", Title: "who spins looks at the queues again, and then is not counted any more [recheck_first]",
		Edits: []overlay.Edit{
			inDance("M.findRunnable", `		s.nmspinning.Add(-1) // Sched!Decrement

		if gp, found := m.recheckGlobal(allp); gp != nil {
`, `		if gp, found := m.recheckGlobal(allp); gp != nil {
			s.nmspinning.Add(-1)
`),
			inDance("M.findRunnable", `		if p := s.checkRunqsNoP(allp); p != nil {
`, `		p := s.checkRunqsNoP(allp)
		s.nmspinning.Add(-1)
		if p != nil {
`),
		},
		Room: "./impl/sched", Tests: "^TestScenes$",
	},
	ties("J-2006", "DN-WORK-RESCUER", "who spun does not look at the global queue again [no_recheck_glob]",
		"M.findRunnable", `if gp, found := m.recheckGlobal(allp); gp != nil {`, `if gp, found := (*G)(nil), false; gp != nil {`),
	dances("J-2007", "DN-WORK-QUIET", "who drops a P does not ask whether somebody should spin [no_needspinning]",
		"M.findRunnable", `if !m.spinning && s.needspinning.Load() == 1 {`, `if !m.spinning && s.needspinning.Load() == 2 {`),
	dances("J-2008", "DN-SPIN-COUNT", "wakep without an idle P leaves its increment behind [leak_nmspinning]",
		"Scheduler.wakep", `			s.nmspinning.Add(-1)    // with Sched!WakepGet: what it writes, with the fix undo_first`, ``),
	dances("J-2009", "DN-WORK-QUIET", "wakep without an idle P tells nobody [wakep_pidleget]",
		"Scheduler.wakep", `			s.needspinning.Store(1) // Sched!WakepUndo`, ``),
	dances("J-2010", "DN-SPIN-COUNT", "an M is woken to spin, and does not know [wake_nonspinning]",
		"Scheduler.mgetOrNew", `m.spinning, m.nextp = spinning, p`, `m.spinning, m.nextp = false, p`),
	dances("J-2011", "DN-SPIN-COUNT", "who begins to spin is not counted",
		"M.becomeSpinning", `	m.s.nmspinning.Add(1)     // Sched!SpinAdd`, ``),
	dances("J-2012", "DN-QUIET", "thieves leave what is in runnext [no_runnext_steal]",
		"M.stealWork", `m.p.runq.Steal(p.runq, last)`, `m.p.runq.Steal(p.runq, false)`),
	schedules("J-2013", "DN-QUIET", "who spins does not steal [no_steal]", "^TestScenes$/^spawn_beside_work$",
		"dance.go", "M.findRunnable", `m.stealWork(now)`, `(*G)(nil), min(0, now), false`),
	ties("J-2073", "DN-WORK-RESCUER", "who hands a P off does not look at its ring [handoff_no_ring]",
		"Scheduler.handoffp", `!p.runq.Empty() ||`, `false ||`),
	ties("J-2074", "DN-WORK-RESCUER", "who hands off the last P at work does not see that nobody polls [handoff_no_poll]",
		"Scheduler.handoffp", `int(s.npidle.Load()) == len(s.allp)-1 &&`, `false &&`),
	ties("J-2075", "DN-WORK-RESCUER", "who goes to sleep first wakes nobody [timer_no_wake]",
		"Scheduler.wakeNetPoller", `		s.wakep()`, ``),
	ties("J-2014", "DN-WORK-RESCUER", "who yields wakes nobody [gosched_no_wakep]",
		"M.goschedImpl", `	s.wakep()`, ``),
	dances("J-2015", "DN-WORK-QUIET", "a G that found an idle P with work drops the P that it took",
		"Scheduler.pidleget", `		s.pidle, p.link = p.link, nil`, `		p.link = nil`),
	dances("J-2016", "DN-QUIET", "a sleeping M stays on the list of idle ones",
		"Scheduler.mget", `		s.midle, m.link = m.link, nil`, `		m.link = nil`),
	dances("J-2017", "SC-RACE", "an M is woken before it is told which P it has",
		"Scheduler.startm", `	m := s.mgetOrNew(p, spinning)
	s.global.Unlock() // with Sched!StartM: the end of its section
	m.wake()`, `	m := s.mgetOrNew(nil, spinning)
	s.global.Unlock() // with Sched!StartM: the end of its section
	m.wake()
	m.nextp = p`),
	dances("J-2018", "SC-RACE", "a P is put on the idle list without the lock",
		"M.findRunnable", `	s.pidleput(m.releasep())
	s.global.Unlock() // with Sched!DropIdle: the end of its section`, `	s.global.Unlock()
	s.pidleput(m.releasep())`),
	schedules("J-2020", "DN-ONE-PLACE", "a G gives its lock back before it waits", "^TestScenes$|^TestPark$|^TestOutside$",
		"g.go", "G.parked", `	g.status.Store(waiting) // Sched!Block: if unlock does not refuse
	// From here on the G may run elsewhere, unless unlock says no.
	if unlock == nil || g.calls(unlock) {
		return false
	}`, `	if unlock == nil || g.calls(unlock) {
		g.status.Store(waiting) // outside: the states of Gs
		return false
	}
	g.status.Store(waiting) // outside: the states of Gs`),
	schedules("J-2021", "SC-LOST", "who comes from outside starts no M", "^TestTree$|^TestOutside$|^TestPanic$",
		"sched.go", "Scheduler.inject", `	s.startIdle(1)`, ``),
	schedules("J-2022", "DN-ONE-PLACE", "an unlock function that refuses is not heard", "^TestUnlock$",
		"g.go", "G.parked", `	g.becomes(waiting, active, "Park")
	return true`, `	return false`),
	schedules("J-2023", "DN-QUIET", "a G that calls Goexit takes its M along", "^TestGoexit$",
		"state.go", "M.mexit", `		go m.mstart()`, ``),
	schedules("J-2024", "DN-DEADLOCK", "a G that waits for ever is no deadlock", "^TestDeadlock$",
		"sched.go", "Scheduler.finish", `			stuck.Waiting = append(stuck.Waiting, Waiting{g.ID(), g.reason})`, ``),
	schedules("J-2025", "DN-DEADLOCK", "a G that waits at the end is left as it is", "^TestDeadlock$",
		"sched.go", "Scheduler.finish", `		g.end()`, `		_ = g`),
	schedules("J-2026", "DN-ONE-PLACE", "the end is not seen while Ms look for work", "^TestClose$",
		"sched.go", "Scheduler.checkdead", `	awake := len(s.allm) - s.nmidle`, `	awake := 0`),
	schedules("J-2027", "DN-ONE-PLACE", "any G may be made runnable", "^TestMisuse$",
		"g.go", "G.becomes", `	if !g.status.CompareAndSwap(from, to) { // outside: the states of Gs`, `	if g.status.Store(to); false {`),
	schedules("J-2028", "DN-ONE-PLACE", "two Gs get one number", "^TestNumbers$",
		"state.go", "P.nextID", `		p.ids[0] = p.ids[1] - idBatch`, `		p.ids[0] = p.ids[1] - idBatch - 1`),
	schedules("J-2029", "DN-ONE-PLACE", "who comes from outside makes an M after all others have ended", "^TestClose$",
		"dance.go", "Scheduler.startIdle", `if !s.ended {`, `if true {`),
	dances("J-2035", "TM-POLL", "the last M at work does not poll [no_poll]",
		"M.findRunnable", `		gp, found := m.poll(pollUntil)`, `		gp, found := (*G)(nil), false`),
	dances("J-2036", "TM-POLL-IDLE", "who polls leaves word that it does, for ever",
		"M.poll", `	s.lastpoll.Store(s.env.nanotime()) // Sched!PollLast`, ``),
	schedules("J-2037", "TM-POLL", "a sleeping poller is not told of an earlier time [timer_no_break]", "^TestSleepAlone$",
		"dance.go", "Scheduler.netpollBreak", `		s.poller.ring()`, ``),
	schedules("J-2038", "DN-ONE-PLACE", "a G that comes back and finds no P is lost [exit_lost]", "^TestScenes$/^block_",
		"syscall.go", "G.exitsyscallNoP", `		s.globrunqput(g)`, ``),
	schedules("J-2039", "DN-WORK-QUIET", "a P is taken from a syscall that has ended", "^TestScenes$",
		"sysmon.go", "Scheduler.takeP", `if !p.insyscall.CompareAndSwap(gp, nil) {`, `if p.insyscall.Store(nil); false {`),
	schedules("J-2040", "DN-WORK-QUIET", "a G in a syscall keeps the P that was taken", "^TestScenes$",
		"syscall.go", "G.exitsyscall", `if oldp.insyscall.CompareAndSwap(g, nil) {`, `if oldp.insyscall.Store(nil); true {`),
	schedules("J-2041", "SY-HANDOFF", "sysmon takes no P [retake]", "^TestBlock$",
		"sysmon.go", "Scheduler.retake", `		if s.takeP(p, gp) {`, `		if s == nil && s.takeP(p, gp) {`),
	schedules("J-2042", "FA-PREEMPT", "sysmon asks nobody to yield", "^TestCheckpoint$",
		"sysmon.go", "Scheduler.retake", `			p.preempt.Store(true) // Sched!Preempt`, ``),
	schedules("J-2240", "FA-PREEMPT", "sysmon takes each time slice for the one that it has seen", "^TestSlices$",
		"state.go", "P.newSlice", `		p.seen.Store(false)         // outside: what sysmon looks at`, ``),
	schedules("J-2241", "FA-PREEMPT", "sysmon takes each time slice for a new one", "^TestSlices$",
		"sysmon.go", "Scheduler.retake", `			p.seen.Store(true) // outside: what sysmon looks at`, ``),
	schedules("J-2242", "DN-ONE-PLACE", "a timer that was stopped does what it is for", "^TestStress$",
		"timer.go", "Timer.Stop", `				heap.Remove(&ts.heap, t.at-1)`, ``),
	schedules("J-2243", "DN-ONE-PLACE", "Close reports one G of a deadlock", "^TestStress$",
		"sched.go", "Scheduler.finish", `			stuck.Waiting = append(stuck.Waiting, Waiting{g.ID(), g.reason})`,
		`			stuck.Waiting = []Waiting{{g.ID(), g.reason}}`),
	schedules("J-2244", "DN-ONE-PLACE", "what a full ring gives away is lost", "^TestStress$",
		"dance.go", "Scheduler.overflow", `	s.global.PutBatch(&q)`, ``),
	schedules("J-2245", "DN-WORK-QUIET", "a word that stands is trusted beside an idle P [word_idle]", "^TestScenes$|^TestTie$",
		"dance.go", "Scheduler.wakep", `		s.npidle.Load() == 0 && // Sched!WakepBusy
`, ``),
	schedules("J-2246", "DN-WORK-QUIET", "nobody is woken while all Ps are at work, nor told [npidle]", "^TestScenes$|^TestTie$",
		"dance.go", "Scheduler.wakep", ` && // Sched!WakepBusy
		s.needspinning.Load() == 1 {`, ` { // Sched!WakepBusy`),
	schedules("J-2043", "FA-YIELD", "who is to yield hands its time slice on", "^TestSlice$",
		"dance.go", "M.runqput", `	next := !m.p.preempt.Load() // outside: whether sysmon has asked`, `	next := true`),
	schedules("J-2044", "DN-QUIET", "sysmon sleeps on when the scheduler has ended", "^TestSysmonRests$",
		"sched.go", "Scheduler.finish", `		s.sysmonnote.ring()`, ``),
	schedules("J-2045", "TM-POLL", "a G wakes too early", "^TestSleep$",
		"timer.go", "M.checkTimers", `		if next > now {`, `		if next > now+int64(5*time.Millisecond) {`),
	schedules("J-2046", "TM-POLL", "Gs that sleep are woken in any order", "^TestSleep$|^TestSleepAlone$",
		"timer.go", "timerHeap.Less", `return h[i].when < h[j].when`, `return h[i].when > h[j].when`),

	schedules("J-2140", "DN-STOP", "who stops the world does not look at those in syscalls again [stw-syscall]", "^TestStopAgain$",
		"world.go", "M.stopTheWorld", `		if !s.config.Shipped.StwSyscall {`, `		if false {`),
	schedules("J-2141", "DN-ONE-PLACE", "what is queued on a P that goes is lost", "^TestScenes$/^from_two_Ps_to_one,_with_a_queue$",
		"world.go", "M.destroy", `	s.global.PutBatch(&q)`, `	_ = q`),
	schedules("J-2142", "TM-POLL", "who sleeps on a P that goes sleeps for ever", "^TestTimersMove$",
		"world.go", "M.destroy", `	m.p.timers.takeAll(&p.timers)
`, ``),
	schedules("J-2144", "DN-WORK-QUIET", "who starts the world wakes nobody for what is on the global queue", "^TestScenes$|^TestSetProcs$",
		"world.go", "M.startTheWorld", `	s.wakep()
`, ``),
	schedules("J-2145", "DN-SPIN-COUNT", "an M that stops stays counted as one that spins", "^TestScenes$",
		"world.go", "M.gcstopm", `		s.nmspinning.Add(-1) // Sched!StopSpinning
`, ``),
	schedules("J-2146", "DN-STOP", "two may stop the world at once", "^TestTwoStops$",
		"world.go", "semaphore.acquire", `	if !l.held {`, `	if true {`),
	schedules("J-2147", "DN-ONE-PLACE", "a G that waits for worldsema is forgotten", "^TestTwoStops$",
		"world.go", "semaphore.release", `		g.Ready(next)
`, ``),
	schedules("J-2148", "DN-STOP", "handoffp makes a P idle while the world is to stop", "^TestStopBesideBlockLong$",
		"dance.go", "Scheduler.handoffp", `	if s.gcwaiting.Load() { // with Sched!HandoffLock: what it reads`, `	if false {`),
	schedules("J-2149", "DN-STOP", "who finds nothing drops its P while the world is to stop", "^TestScenes$",
		"dance.go", "M.findRunnable", `	if s.gcwaiting.Load() || // with Sched!DropLock: what it reads`, `	if false ||`),
	schedules("J-2270", "DN-SAFEPOINT", "ForEachP does not look at those in syscalls again [safepoint]", "^TestSafepointAgain$",
		"safepoint.go", "M.forEachP", `		if !s.config.Shipped.Safepoint {`, `		if false {`),
	schedules("J-2271", "DN-SAFEPOINT", "ForEachP calls its function for no idle P [safe_no_idle]", "^TestScenes$/^each_P_beside_an_idle_one$",
		"safepoint.go", "M.forEachP", `p := s.pidle; p != nil; p = p.link {`, `p := (*P)(nil); p != nil; p = p.link {`),
	schedules("J-2272", "DN-SAFEPOINT", "handoffp makes a P idle whose flag is set [handoff_no_safe]", "^TestSafepointBesideBlockLong$",
		"dance.go", "Scheduler.handoffp", `	if p.safeSeen.Load() < // with Sched!HandoffLock: what it reads`, `	if p.safeSeen.Load() > // with Sched!HandoffLock: what it reads`),
	schedules("J-2273", "DN-SAFEPOINT", "who finds nothing drops a P whose flag is set [drop_no_safe]", "^TestScenes$/^each_P",
		"dance.go", "M.findRunnable", `		p.safeSeen.Load() < // with Sched!DropLock: what it reads`, `		p.safeSeen.Load() > // with Sched!DropLock: what it reads`),
	{
		ID: "J-2274", Requirement: "DN-SAFEPOINT", Title: "ForEachP waits for nobody [safe_no_wait]", Room: "./impl/sched", Tests: "^TestScenes$/^each_P",
		Edits: []overlay.Edit{
			{File: "impl/sched/safepoint.go", Func: "M.forEachP", Old: `s.safePointWait.Load() > 0 {`, New: `s.safePointWait.Load() < 0 {`},
			{File: "impl/sched/safepoint.go", Func: "M.forEachP", Old: `	s.safePointFn = nil // all calls are over`, New: ``}, // else a race shows first
		},
	},
	schedules("J-2275", "DN-QUIET", "who looks for work does not look at its P's flag, and looks for ever", "^TestScenes$/^each_P|^TestForEachP$",
		"dance.go", "M.findRunnable", `	if p.safeSeen.Load() < // Sched!SafeCheck`, `	if p.safeSeen.Load() > // Sched!SafeCheck`),
	schedules("J-2276", "DN-SAFEPOINT", "a P that comes is behind in the calls of ForEachP", "^TestSafepointOfPsThatCome$",
		"world.go", "Scheduler.setProcs", `		p.safeSeen.Store(number) // outside: the world is stopped`, `		_, _ = p, number`),
	{
		ID: "J-2199", Requirement: "SC-WAKES", Title: "a G from outside starts all idle Ps", Room: "./conformance/target/sched", Tests: "^TestWakes$",
		Edits: []overlay.Edit{inDance("Scheduler.startIdle", `	for range n {`, `	for n > 0 {`)},
	},
	{
		ID: "J-2277", Requirement: "DN-SAFEPOINT", Title: "ForEachP calls its function for Ps that are at work, too", Room: "./impl/sched", Tests: "^TestSafepointMoment$",
		Edits: []overlay.Edit{
			{File: "impl/sched/safepoint.go", Func: "M.forEachP", Old: `	for p := s.pidle; p != nil; p = p.link {  // nobody has them, so they are here
`, New: `	for _, p := range s.allp {
		if p == m.p {
			continue
		}
`},
			{File: "impl/sched/safepoint.go", Func: "M.forEachP", Old: `	s.safePointFn = nil // all calls are over`, New: ``}, // else a race shows first
		},
	},
	schedules("J-2150", "TM-POLL", "sysmon does not look who could go on with a descriptor", "^TestDescriptorBesideYield$",
		"sysmon.go", "Scheduler.sysPoll", `		last != 0 && last+sysmonLong < now &&`, `		last < 0 &&`),
	schedules("J-2151", "TM-POLL", "of the Gs that the poller gives one is run, and others are lost", "^TestDescriptorsAtOnce$",
		"dance.go", "M.injectglist", `		s.injectBatch(&global)
`, ``),
	schedules("J-2152", "TM-POLL", "who waits for a descriptor is not counted", "^TestScenes$|^TestDescriptors$",
		"netpoll.go", "side.wait", `		s.netwaiters.Add(1) // Sched!NetWait
`, ``),
	schedules("J-2153", "TM-POLL", "what could be read before somebody waited is forgotten", "^TestReadyBefore$",
		"netpoll.go", "side.event", `		side.ready = true
`, ``),
	schedules("J-2154", "TM-POLL", "a G that waits for a descriptor is never late", "^TestDescriptorErrors$",
		"netpoll.go", "Desc.timeout", `	if side.until <= m.s.env.nanotime() {`, `	if side.until > m.s.env.nanotime() {`),
	schedules("J-2155", "TM-POLL", "Close does not wake who polls for nothing", "^TestDescriptors$|^TestStoppedTimerAndClose$",
		"sched.go", "Scheduler.checkdead", `			s.poller.ring()
`, ``),
	schedules("J-2156", "TM-POLL", "who asks the poller without waiting takes the ring of who waits", "^TestRings$",
		"netpoll_linux.go", "epoll.wait", `			if d != 0 { // else it is for who waits`, `			if true {`),
	schedules("J-2157", "TM-POLL", "a timer that was stopped stays where it is", "^TestAfterFunc$",
		"timer.go", "Timer.Stop", `				heap.Remove(&ts.heap, t.at-1)
`, ``),
	schedules("J-2158", "DN-ONE-PLACE", "an M whose locked G has stopped keeps its P", "^TestGoLocked$|^TestScenes$",
		"locked.go", "G.stopsLocked", `		s.handoffp(m.releasep())`, `		m.releasep()`),
	schedules("J-2159", "DN-ONE-PLACE", "any M runs a locked G", "^TestGoLocked$",
		"dance.go", "M.choose", `		if gp.lockedm != nil {`, `		if false {`),
	schedules("J-2160", "DN-ONE-PLACE", "Close waits for the Ms of locked Gs that have ended", "^TestGoLocked$",
		"locked.go", "M.lockedexit", `	s.forgetm(m)
`, ``),
}

// schedules is a mutant of impl/sched that tests must see.
func schedules(id, requirement, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Requirement: requirement, Title: title, Edits: []overlay.Edit{{File: "impl/sched/" + file, Func: fn, Old: old, New: new}}, Room: "./impl/sched", Tests: tests}
}

func inDance(fn, old, new string) overlay.Edit {
	return overlay.Edit{File: "impl/sched/dance.go", Func: fn, Old: old, New: new}
}

// dances is one of the dance that must fall in a scene.
func dances(id, requirement, title, fn, old, new string) Judge {
	return schedules(id, requirement, title, "^TestScenes$", "dance.go", fn, old, new)
}

// ties is one that the tie to the model must see.
func ties(id, requirement, title, fn, old, new string) Judge {
	return schedules(id, requirement, title, "^TestTie$", "dance.go", fn, old, new)
}
