package sched

// Module is the name of the TLA+ module.
const Module = "Sched"

// An action is a step, by its place in the list of their names.
type action uint8

const (
	doReady action = iota
	doLatePut
	doKick
	doFlush
	doOverflow
	doBlock
	doGosched
	doGoyield
	doEnterSyscall
	doEnterSyscallBlock
	doExitSyscall
	doSubmitExtra
	doExtraDone

	doWakepLoad
	doWakepCAS
	doWakepGet
	doWakepNeed
	doWakepIdle
	doWakepUndo
	doWakepAgain
	doStartM
	doWake
	doSeek
	doInjectGlob
	doInjectLoad
	doInjectSome
	doInjectPut
	doInjectIdle
	doInjectNpidle
	doInjectStart

	doResetSpinning
	doWakeAnyway
	doTick
	doTickGet
	doGetNext
	doGetRing
	doGlobTest
	doGlobGet
	doBatchPut
	doSpinLoad
	doIdleLoad
	doSpinAdd
	doSpinClear
	doClearFirst
	doStealRing
	doStealPut
	doStealNext
	doExtra

	doClearLate
	doDropLock
	doDropPut
	doDropIdle
	doDecrement
	doFlushDecrement
	doRecheckGlob
	doRecheckGlobIdle
	doRecheckGlobGet
	doRecheckGlobPut
	doRecheck
	doRescan
	doRecheckGet
	doReacquire
	doRecheckExtra
	doRecheckExtraGet
	doRecheckExtraTry
	doRecheckExtraIdle
	doStop

	doHandoffEmpty
	doHandoffGlob
	doHandoffExtra
	doHandoffSpin
	doHandoffIdle
	doHandoffCAS
	doHandoffClear
	doHandoffLock
	doHandoffAdd
	doHandoffPut
	doHandoffPutIdle
	doExitOld
	doExitTry
	doExitGet
	doExitIdle
	doExitNoP
	doExitPut
	doRetake
	doPreempt
	doPreempted
	doInject
	doSysPoll

	doNetBlock
	doNetWait
	doNetReady
	doTimerSet
	doTimerAfter
	doTimerWake
	doTimerBreak
	doTimerDue
	doTimersCheck
	doTimerPut
	doStealTimer
	doNetTest
	doNetGet
	doNetAdjust
	doRecheckTimers
	doRecheckTimer
	doPollTest
	doPollSwap
	doPollSet
	doPoll
	doPollClear
	doPollLast
	doPollGet
	doPollIdle

	doStopWorld
	doStopIdle
	doStopNpidle
	doStopRunning
	doTopCheck
	doStopSpinning
	doStopP
	doResize
	doResizeIdle
	doStartWorld
	doStartP
	doSyscallStop
	doStopStarting

	doLockThread
	doUnlockThread
	doStopLocked
	doLockPark
	doExecute
	doWakeLocked
	doExitLate

	actions // how many there are
)

var actionNames = [actions]string{
	"Ready", "LatePut", "Kick", "Flush", "Overflow", "Block", "Gosched", "Goyield", "EnterSyscall",
	"EnterSyscallBlock", "ExitSyscall", "SubmitExtra", "ExtraDone",
	"WakepLoad", "WakepCAS", "WakepGet", "WakepNeed", "WakepIdle", "WakepUndo", "WakepAgain", "StartM", "Wake", "Seek",
	"InjectGlob", "InjectLoad", "InjectSome", "InjectPut", "InjectIdle", "InjectNpidle", "InjectStart",
	"ResetSpinning", "WakeAnyway", "Tick", "TickGet", "GetNext", "GetRing", "GlobTest", "GlobGet", "BatchPut",
	"SpinLoad", "IdleLoad", "SpinAdd", "SpinClear", "ClearFirst", "StealRing", "StealPut", "StealNext", "Extra",
	"ClearLate", "DropLock", "DropPut", "DropIdle", "Decrement", "FlushDecrement", "RecheckGlob", "RecheckGlobIdle",
	"RecheckGlobGet", "RecheckGlobPut", "Recheck", "Rescan", "RecheckGet", "Reacquire", "RecheckExtra",
	"RecheckExtraGet", "RecheckExtraTry", "RecheckExtraIdle", "Stop",
	"HandoffEmpty", "HandoffGlob", "HandoffExtra", "HandoffSpin", "HandoffIdle", "HandoffCAS", "HandoffClear",
	"HandoffLock", "HandoffAdd", "HandoffPut", "HandoffPutIdle", "ExitOld", "ExitTry", "ExitGet", "ExitIdle",
	"ExitNoP", "ExitPut", "Retake", "Preempt", "Preempted", "Inject", "SysPoll",
	"NetBlock", "NetWait", "NetReady", "TimerSet", "TimerAfter", "TimerWake", "TimerBreak", "TimerDue", "TimersCheck",
	"TimerPut", "StealTimer", "NetTest", "NetGet", "NetAdjust", "RecheckTimers", "RecheckTimer", "PollTest",
	"PollSwap", "PollSet", "Poll", "PollClear", "PollLast", "PollGet", "PollIdle",
	"StopWorld", "StopIdle", "StopNpidle", "StopRunning", "TopCheck", "StopSpinning", "StopP", "Resize",
	"ResizeIdle", "StartWorld", "StartP", "SyscallStop", "StopStarting",
	"LockThread", "UnlockThread", "StopLocked", "LockPark", "Execute", "WakeLocked", "ExitLate",
}

// Actions are the names of the actions, in the order of the module, as code names
// them that takes those steps: the module, then the action.
func Actions() []string {
	var list []string
	for _, name := range actionNames {
		list = append(list, Module+"!"+name)
	}
	return list
}

// userSteps are what the program, sysmon and the world choose to do: EnvStep in the
// module. All others are SysStep.
var userSteps = func() (set [actions]bool) {
	for _, do := range []action{
		doReady, doBlock, doGosched, doGoyield, doEnterSyscall, doEnterSyscallBlock, doExitSyscall,
		doSubmitExtra, doExtraDone, doNetBlock, doTimerSet, doTimerAfter, doStopWorld, doLockThread, doUnlockThread,
		doRetake, doPreempt, doInject, doSysPoll, doNetReady, doTimerDue,
	} {
		set[do] = true
	}
	return set
}()

// Choices are the names of what the program and the world choose to do but to block and
// to come back from a syscall, without what sysmon does.
func (m *Machine) Choices() []string {
	var list []string
	for do, chosen := range userSteps {
		switch action(do) {
		case doBlock, doExitSyscall, doRetake, doPreempt, doInject, doSysPoll:
		default:
			if chosen {
				list = append(list, actionNames[do])
			}
		}
	}
	return list
}

// act takes the steps that the M can take where it is.
func (a *actor) act() {
	if a.t.has(sb) {
		a.Flush()
	}
	if a.buffered() {
		a.FlushDecrement()
	}
	switch a.t.pc {
	case parked, unborn:
		a.Wake()
	case seek:
		a.Seek()
	case run:
		a.running()
	case late:
		a.LatePut()
	case kick:
		a.Kick()
	case overflow:
		a.Overflow()
	case syscall:
		a.ExitSyscall()
	case runextra:
		a.ExtraDone()
	case wakeload:
		a.WakepLoad()
	case wakecas:
		a.WakepCAS()
	case wakeget:
		a.WakepGet()
	case wakeneed:
		a.WakepNeed()
	case wakenp:
		a.WakepIdle()
	case wakeundo:
		a.WakepUndo()
	case wakeagain:
		a.WakepAgain()
	case start:
		a.StartM()
		a.StopStarting()
	case reset:
		a.ResetSpinning()
	case again:
		a.WakeAnyway()
	case top:
		if !a.mayFind() {
			a.StopLocked()
			break
		}
		a.TopCheck()
		if a.after.wake == top {
			a.Tick()
			a.GetNext()
		}
	case tickget:
		a.TickGet()
	case getnext:
		if a.after.wake == getnext {
			a.Tick()
		}
		a.GetNext()
	case getring:
		a.GetRing()
	case globtest:
		a.GlobTest()
	case globget:
		a.GlobGet()
	case batchput:
		a.BatchPut()
	case spinload:
		a.SpinLoad()
	case idleload:
		a.IdleLoad()
	case spinadd:
		a.SpinAdd()
	case spinclear:
		a.SpinClear()
	case clearfirst:
		a.ClearFirst()
	case steal:
		if a.has.timer {
			a.StealTimer()
		} else {
			a.StealRing(a.t.todo)
		}
	case stealring:
		a.StealRing(pset(0).with(a.t.cand))
	case stealput:
		a.StealPut()
	case stealnext:
		a.StealNext()
	case extra:
		a.Extra()
	case clearlate:
		a.ClearLate()
	case drop:
		a.DropLock()
	case dropput:
		a.DropPut()
	case dropnp:
		a.DropIdle()
	case decr:
		a.Decrement()
	case reglob:
		a.RecheckGlob()
	case reglobnp:
		a.RecheckGlobIdle()
	case reglobget:
		a.RecheckGlobGet()
	case reglobput:
		a.RecheckGlobPut()
	case recheck:
		a.Recheck()
	case rescan:
		a.Rescan()
	case recheckget:
		a.RecheckGet()
	case reacquire:
		a.Reacquire()
	case reextra:
		a.RecheckExtra()
	case reextraget:
		a.RecheckExtraGet()
	case reextratry:
		a.RecheckExtraTry()
	case reextranp:
		a.RecheckExtraIdle()
	case stop:
		a.Stop()
	case hempty:
		a.HandoffEmpty()
	case hglob:
		a.HandoffGlob()
	case hextra:
		a.HandoffExtra()
	case hspin:
		a.HandoffSpin()
	case hidle:
		a.HandoffIdle()
	case hcas:
		a.HandoffCAS()
	case hclear:
		a.HandoffClear()
	case hlock:
		a.HandoffLock()
	case hadd:
		a.HandoffAdd()
	case hput:
		a.HandoffPut()
	case hputnp:
		a.HandoffPutIdle()
	case exitold:
		a.ExitOld()
	case exittry:
		a.ExitTry()
	case exitget:
		a.ExitGet()
	case exitnp:
		a.ExitIdle()
	case exitnop:
		a.ExitNoP()
	case exitput:
		a.ExitPut()
	case sysmon:
		a.Retake()
		a.Preempt()
		a.Inject()
		a.SysPoll()
	case preempted:
		a.Preempted()
	case sysgc:
		a.SyscallStop()
	case lockstop:
		a.LockPark()
	case lockpark:
		a.WakeLocked()
	case exec:
		a.Execute()
	case exitlate:
		a.ExitLate()
	case injglob:
		a.InjectGlob()
	case injidle:
		a.InjectIdle()
	case injnp:
		a.InjectNpidle()
	case injstart:
		a.InjectStart()
	case injload:
		a.InjectLoad()
	case injsome:
		a.InjectSome()
	case injput:
		a.InjectPut()
	case netwait:
		a.NetWait()
	case timewake:
		a.TimerWake()
	case timeread:
		a.TimerBreak()
	case timers:
		a.TimersCheck()
	case timerput:
		a.TimerPut()
	case nettest:
		a.NetTest()
	case netget:
		a.NetGet()
	case netadj:
		a.NetAdjust()
	case retimers:
		a.RecheckTimers()
	case retimer:
		a.RecheckTimer()
	case polltest:
		a.PollTest()
	case pollswap:
		a.PollSwap()
	case pollset:
		a.PollSet()
	case polling:
		a.Poll()
	case pollclear:
		a.PollClear()
	case polllast:
		a.PollLast()
	case pollget:
		a.PollGet()
	case pollnp:
		a.PollIdle()
	case stwtake:
		a.StopIdle()
	case stwnp:
		a.StopNpidle()
	case gcspin:
		a.StopSpinning()
	case gcstop:
		a.StopP()
	case stwwait:
		a.Resize()
	case stwidle:
		a.ResizeIdle()
	case stwgo:
		a.StartWorld()
	case stwstart:
		a.StartP()
	}
}

// running takes the steps of an M that runs a G.
func (a *actor) running() {
	a.Ready()
	a.Block()
	a.Gosched()
	a.Goyield()
	a.EnterSyscall()
	a.EnterSyscallBlock()
	a.SubmitExtra()
	a.NetBlock()
	a.TimerSet()
	a.TimerAfter()
	a.StopWorld()
	a.StopRunning()
	a.LockThread()
	a.UnlockThread()
}
