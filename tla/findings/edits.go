package findings

import "github.com/spindle-go/spindle/internal/overlay"

// The edits of each finding. The numbers of a gate, spindleAt(from, to, until), are
// the steps of the schedule that the finding's page shows: who finds the stage from
// makes it to, and goes on at until.

func at(from, to, until string) string { return "spindleAt(" + from + ", " + to + ", " + until + ")" }

// reenter is where a G has looked whether it is waited for, and is not yet seen to
// be in a syscall. The gate is in the stack of g0, which clobbers what save has put
// down.
var reenter = overlay.Insertion{
	At:     overlay.Place{Func: "reentersyscall", Kind: "If", Calls: "CompareAndSwap", Nth: 1, Of: 1},
	Before: "if spindle.marked == gp.goid { systemstack(spindleWindow); save(pc, sp, bp) }",
}

var stwSyscall = []overlay.Insertion{
	reenter,
	{
		At:    overlay.Place{Func: "stopTheWorldWithSema", Kind: "Range", Within: "gcstopP", Nth: 1, Of: 1},
		After: at("2", "3", "0"),
	},
	{ // look again, each time that the wait was in vain
		At: overlay.Place{Func: "stopTheWorldWithSema", Kind: "Expr", Calls: "preemptall", Nth: 2, Of: 2},
		After: "if spindle.mend { lock(&sched.lock); for _, pp := range allp { if sched.stopwait == 0 { break }; " +
			"if thread, ok := setBlockOnExitSyscall(pp); ok { thread.gcstopP(); thread.resume(); if sched.stopwait == 0 { notewakeup(&sched.stopnote) } } }; unlock(&sched.lock) }",
	},
}

var safepoint = []overlay.Insertion{
	reenter,
	{
		At:    overlay.Place{Func: "forEachPInternal", Kind: "Range", Within: "handoffp", Nth: 1, Of: 1},
		After: at("2", "3", "0"),
	},
	{
		At: overlay.Place{Func: "forEachPInternal", Kind: "Expr", Calls: "preemptall", Nth: 2, Of: 2},
		After: "if spindle.mend { for _, p2 := range allp { if atomic.Load(&p2.runSafePointFn) != 1 { continue }; " +
			"if thread, ok := setBlockOnExitSyscall(p2); ok { thread.takeP(); thread.resume(); handoffp(p2) } } }",
	},
}

// throttled is behind the throttle of findRunnable, of an M that does not spin.
func throttled(from, to, until string) overlay.Insertion {
	return overlay.Insertion{
		At:    overlay.Place{Func: "findRunnable", Kind: "If", Within: "stealWork", Nth: 1, Of: 1},
		After: "if !mp.spinning { " + at(from, to, until) + " }",
	}
}

// dropped is where an M has dropped its P and is still counted as spinning.
func dropped(from, to, until string) overlay.Insertion {
	return overlay.Insertion{
		At:     overlay.Place{Func: "findRunnable", Kind: "Assign", Names: "wasSpinning", Nth: 1, Of: 1},
		Before: "if mp.spinning { " + at(from, to, until) + " }",
	}
}

// dropping is before an M takes the lock to drop its P.
func dropping(condition, from, to, until string) overlay.Insertion {
	return overlay.Insertion{
		At:     overlay.Place{Func: "findRunnable", Kind: "Assign", Calls: "snapshotAllp", Nth: 1, Of: 1},
		Before: "if " + condition + " { " + at(from, to, until) + " }",
	}
}

// polled is where an M comes back from the poller and has asked for a P, under the lock.
func polled(text string) overlay.Insertion {
	return overlay.Insertion{At: overlay.Place{Func: "findRunnable", Kind: "Assign", Calls: "pidleget", Nth: 1, Of: 1}, After: text}
}

var wakepEdits = []overlay.Insertion{
	{ // 1: M2 may spin, and has not said so
		At:     overlay.Place{Func: "findRunnable", Kind: "Expr", Calls: "becomeSpinning", Nth: 1, Of: 6},
		Before: at("1", "2", "3"),
	},
	{ // 2: M1 has set needspinning, or in the mended lines taken back its token
		At: overlay.Place{Func: "wakep", Kind: "If", Calls: "Add", Nth: 1, Of: 1}, Before: at("2", "3", "4"),
	},
	{
		At: overlay.Place{Func: "wakep", Kind: "Assign", Calls: "pidlegetSpinning", Nth: 1, Of: 1}, Orelse: true,
		Before: `if spindle.mend { if pp, _ = pidleget(0); pp == nil { if sched.nmspinning.Add(-1) < 0 { throw("wakep: negative nmspinning") }; ` + at("2", "3", "4") +
			"; sched.needspinning.Store(1); unlock(&sched.lock); releasem(mp); return }",
	},
	// 3, mended: M2 sees that there is no token, and waits for the lock that M1 has
	{At: overlay.Place{Func: "wakep", Kind: "Expr", Calls: "lock", Nth: 1, Of: 1}, Before: "if spindle.mend { " + at("3", "4", "0") + " }"},
	throttled("3", "4", "0"), // 3: M2 has run a G and will not spin again
}

var handoffpEdits = []overlay.Insertion{
	{At: overlay.Place{Func: "wakep", Kind: "Expr", Calls: "lock", Nth: 1, Of: 1}, Before: at("1", "2", "3")},
	{At: overlay.Place{Func: "handoffp", Kind: "Expr", Calls: "lock", Nth: 1, Of: 1}, Before: at("2", "3", "4")},
	{At: overlay.Place{Func: "wakep", Kind: "Expr", Calls: "releasem", Nth: 1, Of: 2}, Before: at("3", "4", "0")},
	{
		At: overlay.Place{Func: "handoffp", Kind: "Expr", Calls: "pidleput", Nth: 1, Of: 1},
		Before: "if spindle.mend && sched.needspinning.Load() == 1 { sched.nmspinning.Add(1); sched.needspinning.Store(0); " +
			"unlock(&sched.lock); startm(pp, true, false); return }",
	},
}

// goyieldEdits: M2 is in goyield until M1 has run what was in runnext and has dropped its
// P, M3 has taken that P and will not spin, and M4 has put a G in the global queue.
var goyieldEdits = []overlay.Insertion{
	{At: overlay.Place{Func: "goyield_m", Kind: "Assign", Calls: "traceAcquire", Nth: 1, Of: 1}, Before: at("1", "2", "7")},
	dropped("3", "4", "5"), // the G from runnext has made it 3
	{
		At:     overlay.Place{Func: "exitsyscall", Kind: "If", Calls: "CompareAndSwap", Nth: 1, Of: 1},
		Before: "if gp.goid == spindle.held[0].g || gp.goid == spindle.held[1].g { systemstack(spindleExit) }",
	},
	throttled("4", "5", "8"),
	{At: overlay.Place{Func: "findRunnable", Kind: "Assign", Calls: "checkTimersNoP", Nth: 1, Of: 1}, Before: at("5", "6", "0")},
	{At: overlay.Place{Func: "exitsyscallNoP", Kind: "Expr", Calls: "globrunqput", Nth: 1, Of: 1}, After: at("6", "7", "0")},
	{At: overlay.Place{Func: "goyield_m", Kind: "Expr", Calls: "runqput", Nth: 1, Of: 1}, After: "if spindle.mend { wakep() }"},
}

// batchPut is where an M puts the rest of a batch in its ring, the nth time.
func batchPut(nth int) overlay.Place {
	return overlay.Place{Func: "findRunnable", Kind: "If", Calls: "runqputbatch", Nth: nth, Of: 3}
}

const batchWakep = "if spindle.mend && !mp.spinning { wakep() }"

var batchEdits = []overlay.Insertion{
	dropping("mp.spinning", "1", "2", "3"),
	{At: batchPut(1), Before: "if !q.empty() { " + at("2", "3", "4") + " }", After: batchWakep},
	{At: batchPut(2), After: batchWakep},
	{At: overlay.Place{Func: "findRunnable", Kind: "Assign", Calls: "checkTimersNoP", Nth: 1, Of: 1}, Before: at("3", "4", "0")},
}

var gomaxprocsEdits = []overlay.Insertion{
	dropped("1", "2", "3"),
	{ // under sched.lock, nmspinning is down: are there other Ps than in the snapshot?
		At: overlay.Place{Func: "findRunnable", Kind: "If", Within: "pidlegetSpinning", Nth: 2, Of: 2},
		Before: "if spindle.mend && len(allp) != len(allpSnapshot) { if pp, _ := pidlegetSpinning(0); pp != nil { " +
			"unlock(&sched.lock); acquirep(pp); mp.becomeSpinning(); goto top } }",
	},
}

var timerEdits = []overlay.Insertion{
	dropped("1", "2", "3"),
	dropping("!mp.spinning", "2", "3", "4"),
	polled("if pp == nil { if spindle.mend { sched.needspinning.Store(1) }; " + at("3", "4", "0") + " }"),
}

// Who takes an idle P wakes sysmon, under the lock.
var sysmonEdits = []overlay.Insertion{{
	At:    overlay.Place{Func: "pidleget", Kind: "Expr", Calls: "Add", Nth: 1, Of: 1},
	After: "if spindle.mend && sched.sysmonwait.Load() { sched.sysmonwait.Store(false); notewakeup(&sched.sysmonnote) }",
}}

var pollerEdits = []overlay.Insertion{
	{At: overlay.Place{Func: "findRunnable", Kind: "Expr", Calls: "acquirep", Nth: 4, Of: 4}, After: "if spindle.mend { wakep() }"},
}
