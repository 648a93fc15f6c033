package sched

import (
	"reflect"
	"runtime"
	"strings"
)

// Module is the name of the TLA+ module.
const Module = "Sched"

// The actions. Those of the first list are places, too: an M is there that takes the
// action next.
const (
	enlistLoad = words + iota
	enlistSpin
	latePut
	kick
	overflow
	goyield
	wakepLoad
	wakepBusy
	wakepWord
	wakepCAS
	wakepGet
	wakepNeed
	wakepIdle
	wakepUndo
	wakepAgain
	startM
	seek
	injectGlob
	injectLoad
	injectSome
	injectPut
	injectIdle
	injectNpidle
	injectStart
	resetSpinning
	wakeAnyway
	tickGet
	getNext
	getRing
	globTest
	globGet
	batchPut
	spinLoad
	idleLoad
	spinAdd
	spinClear
	clearFirst
	stealRing
	stealPut
	stealNext
	extra
	clearLate
	dropLock
	dropPut
	dropIdle
	decrement
	recheckGlob
	recheckGlobIdle
	recheckGlobGet
	recheckGlobPut
	recheck
	recheckGet
	reacquire
	recheckExtra
	recheckExtraGet
	recheckExtraTry
	recheckExtraIdle
	stop
	handoffEmpty
	handoffGlob
	handoffExtra
	handoffSpin
	handoffIdle
	handoffCAS
	handoffClear
	handoffLock
	handoffAdd
	handoffPut
	handoffPutIdle
	exitOld
	exitTry
	exitGet
	exitIdle
	exitNoP
	exitPut
	preempted
	netWait
	timerWake
	timerBreak
	timersCheck
	timerPut
	netTest
	netGet
	netAdjust
	recheckTimers
	recheckTimer
	pollTest
	pollSwap
	pollSet
	poll
	pollClear
	pollLast
	pollGet
	pollIdle
	stopIdle
	stopNpidle
	stopSpinning
	stopP
	resize
	resizeIdle
	startWorld
	startP
	safeCheck
	safeTake
	safeWait
	syscallStop
	enterStatus
	lockPark
	execute
	exitLate
	syscallLook
	syscallWake
	sysLook
	sysSleep
	sysNetpoll
	sysRetake
	chosen // the first of the others
)

// The others are taken at places that have a word, where there is a choice.
const (
	ready = chosen + iota
	flush
	block
	gosched
	enterSyscall
	enterSyscallBlock
	exitSyscall
	submitExtra
	extraDone
	wake
	tick
	flushDecrement
	retake
	preempt
	inject
	sysPoll
	netBlock
	netReady
	timerSet
	timerAfter
	timerDue
	stealTimer
	stopWorld
	stopAgain
	forEachP
	safePreempt
	safeAgain
	safeStale
	stopRunning
	topCheck
	stopStarting
	lockThread
	unlockThread
	stopLocked
	wakeLocked
	sysTick
	sysWake
	sysTimeout
	places // how many places and actions there are
)

// chooser is who decides that an action is taken.
type chooser uint8

const (
	nobody chooser = iota // it is the runtime's own code
	byProgram
	bySysmon
	byWorld
)

// An at is the places where an action is taken, besides the one that bears its name.
type at []place

// table is the actions: the method, whose name is the action's; who decides; and where.
// Flush and FlushDecrement have no place: act takes them wherever an M is.
var table = [places]struct {
	do func(*actor)
	by chooser
	at at
}{
	enlistLoad:       {do: (*actor).EnlistLoad},
	enlistSpin:       {do: (*actor).EnlistSpin},
	latePut:          {do: (*actor).LatePut},
	kick:             {do: (*actor).Kick},
	overflow:         {do: (*actor).Overflow},
	goyield:          {do: (*actor).Goyield},
	wakepLoad:        {do: (*actor).WakepLoad},
	wakepBusy:        {do: (*actor).WakepBusy},
	wakepWord:        {do: (*actor).WakepWord},
	wakepCAS:         {do: (*actor).WakepCAS},
	wakepGet:         {do: (*actor).WakepGet},
	wakepNeed:        {do: (*actor).WakepNeed},
	wakepIdle:        {do: (*actor).WakepIdle},
	wakepUndo:        {do: (*actor).WakepUndo},
	wakepAgain:       {do: (*actor).WakepAgain},
	startM:           {do: (*actor).StartM},
	seek:             {do: (*actor).Seek},
	injectGlob:       {do: (*actor).InjectGlob},
	injectLoad:       {do: (*actor).InjectLoad},
	injectSome:       {do: (*actor).InjectSome},
	injectPut:        {do: (*actor).InjectPut},
	injectIdle:       {do: (*actor).InjectIdle},
	injectNpidle:     {do: (*actor).InjectNpidle},
	injectStart:      {do: (*actor).InjectStart},
	resetSpinning:    {do: (*actor).ResetSpinning},
	wakeAnyway:       {do: (*actor).WakeAnyway},
	tickGet:          {do: (*actor).TickGet},
	getNext:          {do: (*actor).GetNext, at: at{top}},
	getRing:          {do: (*actor).GetRing},
	globTest:         {do: (*actor).GlobTest},
	globGet:          {do: (*actor).GlobGet},
	batchPut:         {do: (*actor).BatchPut},
	spinLoad:         {do: (*actor).SpinLoad},
	idleLoad:         {do: (*actor).IdleLoad},
	spinAdd:          {do: (*actor).SpinAdd},
	spinClear:        {do: (*actor).SpinClear},
	clearFirst:       {do: (*actor).ClearFirst},
	stealRing:        {do: (*actor).StealRing, at: at{steal}},
	stealPut:         {do: (*actor).StealPut},
	stealNext:        {do: (*actor).StealNext},
	extra:            {do: (*actor).Extra},
	clearLate:        {do: (*actor).ClearLate},
	dropLock:         {do: (*actor).DropLock},
	dropPut:          {do: (*actor).DropPut},
	dropIdle:         {do: (*actor).DropIdle},
	decrement:        {do: (*actor).Decrement},
	recheckGlob:      {do: (*actor).RecheckGlob},
	recheckGlobIdle:  {do: (*actor).RecheckGlobIdle},
	recheckGlobGet:   {do: (*actor).RecheckGlobGet},
	recheckGlobPut:   {do: (*actor).RecheckGlobPut},
	recheck:          {do: (*actor).Recheck},
	recheckGet:       {do: (*actor).RecheckGet},
	reacquire:        {do: (*actor).Reacquire},
	recheckExtra:     {do: (*actor).RecheckExtra},
	recheckExtraGet:  {do: (*actor).RecheckExtraGet},
	recheckExtraTry:  {do: (*actor).RecheckExtraTry},
	recheckExtraIdle: {do: (*actor).RecheckExtraIdle},
	stop:             {do: (*actor).Stop},
	handoffEmpty:     {do: (*actor).HandoffEmpty},
	handoffGlob:      {do: (*actor).HandoffGlob},
	handoffExtra:     {do: (*actor).HandoffExtra},
	handoffSpin:      {do: (*actor).HandoffSpin},
	handoffIdle:      {do: (*actor).HandoffIdle},
	handoffCAS:       {do: (*actor).HandoffCAS},
	handoffClear:     {do: (*actor).HandoffClear},
	handoffLock:      {do: (*actor).HandoffLock},
	handoffAdd:       {do: (*actor).HandoffAdd},
	handoffPut:       {do: (*actor).HandoffPut},
	handoffPutIdle:   {do: (*actor).HandoffPutIdle},
	exitOld:          {do: (*actor).ExitOld},
	exitTry:          {do: (*actor).ExitTry},
	exitGet:          {do: (*actor).ExitGet},
	exitIdle:         {do: (*actor).ExitIdle},
	exitNoP:          {do: (*actor).ExitNoP},
	exitPut:          {do: (*actor).ExitPut},
	preempted:        {do: (*actor).Preempted},
	netWait:          {do: (*actor).NetWait},
	timerWake:        {do: (*actor).TimerWake},
	timerBreak:       {do: (*actor).TimerBreak},
	timersCheck:      {do: (*actor).TimersCheck},
	timerPut:         {do: (*actor).TimerPut},
	netTest:          {do: (*actor).NetTest},
	netGet:           {do: (*actor).NetGet},
	netAdjust:        {do: (*actor).NetAdjust},
	recheckTimers:    {do: (*actor).RecheckTimers},
	recheckTimer:     {do: (*actor).RecheckTimer},
	pollTest:         {do: (*actor).PollTest},
	pollSwap:         {do: (*actor).PollSwap},
	pollSet:          {do: (*actor).PollSet},
	poll:             {do: (*actor).Poll},
	pollClear:        {do: (*actor).PollClear},
	pollLast:         {do: (*actor).PollLast},
	pollGet:          {do: (*actor).PollGet},
	pollIdle:         {do: (*actor).PollIdle},
	stopIdle:         {do: (*actor).StopIdle},
	stopNpidle:       {do: (*actor).StopNpidle},
	stopSpinning:     {do: (*actor).StopSpinning},
	stopP:            {do: (*actor).StopP},
	resize:           {do: (*actor).Resize},
	resizeIdle:       {do: (*actor).ResizeIdle},
	startWorld:       {do: (*actor).StartWorld},
	startP:           {do: (*actor).StartP},
	safeCheck:        {do: (*actor).SafeCheck},
	safeTake:         {do: (*actor).SafeTake},
	safeWait:         {do: (*actor).SafeWait},
	syscallStop:      {do: (*actor).SyscallStop},
	enterStatus:      {do: (*actor).EnterStatus},
	lockPark:         {do: (*actor).LockPark},
	execute:          {do: (*actor).Execute},
	exitLate:         {do: (*actor).ExitLate},
	syscallLook:      {do: (*actor).SyscallLook},
	syscallWake:      {do: (*actor).SyscallWake},
	sysLook:          {do: (*actor).SysLook},
	sysSleep:         {do: (*actor).SysSleep},
	sysNetpoll:       {do: (*actor).SysNetpoll},
	sysRetake:        {do: (*actor).SysRetake},

	ready:             {do: (*actor).Ready, by: byProgram, at: at{run}},
	flush:             {do: (*actor).Flush},
	block:             {do: (*actor).Block, by: byProgram, at: at{run}},
	gosched:           {do: (*actor).Gosched, by: byProgram, at: at{run}},
	enterSyscall:      {do: (*actor).EnterSyscall, by: byProgram, at: at{run}},
	enterSyscallBlock: {do: (*actor).EnterSyscallBlock, by: byProgram, at: at{run}},
	exitSyscall:       {do: (*actor).ExitSyscall, by: byProgram, at: at{syscall}},
	submitExtra:       {do: (*actor).SubmitExtra, by: byProgram, at: at{run}},
	extraDone:         {do: (*actor).ExtraDone, by: byProgram, at: at{runextra}},
	wake:              {do: (*actor).Wake, at: at{parked, unborn}},
	tick:              {do: (*actor).Tick, at: at{top, getNext}},
	flushDecrement:    {do: (*actor).FlushDecrement},
	retake:            {do: (*actor).Retake, by: bySysmon, at: at{sysmon}},
	preempt:           {do: (*actor).Preempt, by: bySysmon, at: at{sysmon}},
	inject:            {do: (*actor).Inject, by: bySysmon, at: at{sysmon}},
	sysPoll:           {do: (*actor).SysPoll, by: bySysmon, at: at{sysmon}},
	netBlock:          {do: (*actor).NetBlock, by: byProgram, at: at{run}},
	netReady:          {do: (*actor).NetReady, by: byWorld, at: at{world}},
	timerSet:          {do: (*actor).TimerSet, by: byProgram, at: at{run}},
	timerAfter:        {do: (*actor).TimerAfter, by: byProgram, at: at{run}},
	timerDue:          {do: (*actor).TimerDue, by: byWorld, at: at{world}},
	stealTimer:        {do: (*actor).StealTimer, at: at{steal}},
	stopWorld:         {do: (*actor).StopWorld, by: byProgram, at: at{run}},
	stopAgain:         {do: (*actor).StopAgain, at: at{resize}},
	forEachP:          {do: (*actor).ForEachP, by: byProgram, at: at{run}},
	safePreempt:       {do: (*actor).SafePreempt, at: at{run}},
	safeAgain:         {do: (*actor).SafeAgain, at: at{safeWait}},
	safeStale:         {do: (*actor).SafeStale, at: at{safeTake, safeWait}},
	stopRunning:       {do: (*actor).StopRunning, at: at{run}},
	topCheck:          {do: (*actor).TopCheck, at: at{top}},
	stopStarting:      {do: (*actor).StopStarting, at: at{startM}},
	lockThread:        {do: (*actor).LockThread, by: byProgram, at: at{run}},
	unlockThread:      {do: (*actor).UnlockThread, by: byProgram, at: at{run}},
	stopLocked:        {do: (*actor).StopLocked, at: at{top}},
	wakeLocked:        {do: (*actor).WakeLocked, at: at{lockpark}},
	sysTick:           {do: (*actor).SysTick, at: at{sysmon}},
	sysWake:           {do: (*actor).SysWake, at: at{deep}},
	sysTimeout:        {do: (*actor).SysTimeout, by: bySysmon, at: at{deep}},
}

// actionNames are the names of the actions, in the order of their numbers.
var actionNames = func() (list []string) {
	for _, row := range table[words:] {
		_, name, _ := strings.Cut(runtime.FuncForPC(reflect.ValueOf(row.do).Pointer()).Name(), ").")
		list = append(list, name)
	}
	return list
}()

// taken are the actions that are taken at each place, in the order of the table.
var taken = func() (list [places][]func(*actor)) {
	for i, row := range table[words:] {
		if p := words + place(i); p < chosen {
			list[p] = append(list[p], row.do)
		}
		for _, p := range row.at {
			list[p] = append(list[p], row.do)
		}
	}
	return list
}()

// Actions are the names of the actions, as code names them that takes those steps: the
// module, then the action.
func Actions() []string {
	var list []string
	for _, name := range actionNames {
		list = append(list, Module+"!"+name)
	}
	return list
}

// by is who decides that the action of this number is taken. What nobody decides is
// SysStep in the module, and all else EnvStep.
func by(number uint8) chooser { return table[words+place(number)].by }

// Choices are the names of what the program and the world choose to do but to block and
// to come back from a syscall, without what sysmon does.
func (m *Machine) Choices() []string {
	var list []string
	for i, name := range actionNames {
		switch words + place(i) {
		case block, exitSyscall:
			continue
		}
		switch by(uint8(i)) {
		case byProgram, byWorld:
			list = append(list, name)
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
	for _, do := range taken[a.t.pc] {
		do(a)
	}
}
