package drift

import (
	"slices"
	"strings"
)

// inFiles are the functions of package runtime that the model is about, by the file that
// has them; methods with their type: timers.check. Those that only some of the versions
// have are here as well. One that is in a second row has a body there, too: which of
// them is built, build constraints say.
var inFiles = []struct{ file, functions string }{
	{"proc.go", `
		goready ready newproc gopark park_m goexit0 goschedImpl gosched_m gopreempt_m goyield_m preemptPark
		schedule findRunnable stealWork execute resetspinning m.becomeSpinning m.snapshotAllp m.clearAllpSnapshot
		wakep startm newm mspinning mstart1 stopm mPark mput mget mgetSpecific handoffp injectglist
		checkRunqsNoP checkTimersNoP checkIdleGCNoP wakeNetPoller pollWork
		pidleput pidleget pidlegetSpinning pMask.read pMask.set pMask.clear pMask.resize
		acquirep acquirepNoTrace wirep releasep releasepNoTrace
		reentersyscall entersyscall entersyscallWakeSysmon entersyscallHandleGCWait entersyscallblock exitsyscall exitsyscallTryGetP exitsyscallNoP
		entersyscall_sysmon entersyscall_gcwait entersyscallblock_handoff exitsyscallfast exitsyscallfast_pidle exitsyscallfast_reacquired exitsyscall0
		setBlockOnExitSyscall syscallingThread.gcstopP syscallingThread.takeP syscallingThread.releaseP syscallingThread.resume
		addGSyscallNoP decGSyscallNoP
		sysmon retake preemptall preemptone incidlelocked checkdead
		stopTheWorldWithSema startTheWorldWithSema procresize p.init p.destroy gcstopm
		forEachP forEachPInternal runSafePointFn
		stoplockedm startlockedm dolockOSThread dounlockOSThread
		globrunqput globrunqputhead globrunqputbatch globrunqget globrunqgetbatch
		runqput runqputslow runqputbatch runqget runqdrain runqgrab runqsteal runqempty schedtrace
		gQueue.empty gQueue.push gQueue.pushBack gQueue.pushBackAll gQueue.pop gList.empty gList.push gList.pop`},
	{"mgcpacer.go", `
		gcControllerState.enlistWorker gcControllerState.findRunnableGCWorker gcControllerState.assignWaitingGCWorker
		gcControllerState.releaseNextGCMarkWorker gcControllerState.addIdleMarkWorker gcControllerState.removeIdleMarkWorker
		gcControllerState.needIdleMarkWorker`},
	{"mgc.go", `gcBgMarkWorker gcMarkWorkAvailable gcShouldScheduleWorker`},
	{"mgcmark_greenteagc.go", `gcMarkWorkAvailable`},
	{"mgcmark_nogreenteagc.go", `gcMarkWorkAvailable`},
	{"netpoll.go", `netpollblock netpollblockcommit netpollgoready netpollAnyWaiters netpollAdjustWaiters`},
	{"netpoll_stub.go", `netpollAnyWaiters netpollAdjustWaiters`},
	{"sema.go", `semrelease1 readyWithTime`},
	{"time.go", `
		timeSleep resetForSleep goroutineReady newTimer timer.modify timer.maybeAdd timer.needsAdd
		timers.wakeTime timers.check timers.run timeSleepUntil`},
}

// bodyIn is between the name of a function and the file of a further body of it.
const bodyIn = "@"

// fileOf is the file of each function, and of each declaration.
var fileOf = func() map[string]string {
	of := make(map[string]string)
	for _, in := range inFiles {
		for _, f := range strings.Fields(in.functions) {
			if _, ok := of[f]; ok {
				f += bodyIn + in.file
			}
			of[f] = in.file
		}
	}
	return of
}()

// Functions are the functions of package runtime that are compared, sorted. A method has
// its type in front: "timers.check". One that some version has more than once, under
// build constraints, has an entry for each of its bodies; those behind the first have
// their files: "netpollAnyWaiters@netpoll_stub.go".
func Functions() []string { return named(false) }

// declared is the name that an entry's function or declaration has in the source.
func declared(name string) string {
	name, _, _ = strings.Cut(name, bodyIn)
	return name
}

// bodies are the entries of what is declared by a name, the first body's in front.
func bodies(name string) []string {
	var list []string
	for entry := range fileOf {
		if declared(entry) == name {
			list = append(list, entry)
		}
	}
	slices.Sort(list)
	return list
}

// full returns the name in [Functions] of a function or of a method that is named
// without its type, if there is just one.
func full(name string) (string, bool) {
	if _, ok := fileOf[name]; ok {
		return name, true
	}
	var found []string
	for _, f := range Functions() {
		if strings.HasSuffix(f, "."+name) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}
