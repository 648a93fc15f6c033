package goroot

// knownRelease is the release of which it is known what its programs come to.
const knownRelease = "go1.26.8"

// expected says what programs come to, by kind: each is explored to the end, in part, or not taken. What is better is no failure.
var expected = map[string]string{
	"complete": `
		chan: fifo goroutines select select4 select6 select7 select8 sendstmt sieve1 zerosize
		context: TestAfterFuncCalledAfterCancel TestAfterFuncCalledAfterTimeout TestAfterFuncCalledAsynchronously TestAfterFuncCalledImmediately
		context: TestAfterFuncNotCalledAfterStop TestBackground TestCanceledTimeout TestCause TestCustomContextAfterFuncAfterFunc
		context: TestCustomContextAfterFuncCancel TestCustomContextAfterFuncTimeout TestCustomContextAfterFuncUnregisterAfterFunc
		context: TestCustomContextAfterFuncUnregisterCancel TestCustomContextAfterFuncUnregisterTimeout TestCustomContextPropagation TestDeadline
		context: TestDeadlineExceededIsNetError TestDeadlineExceededSupportsTimeout TestInterlockedCancels TestInvalidDerivedFail TestLayersCancel
		context: TestTODO TestTimeout TestValues TestWithCancel TestWithCancelCanceledParent TestWithCancelSimultaneouslyCanceledParent
		context: TestWithValueChecksKey TestWithoutCancel
		model: atomic-flag close cond creation double-checked-atomic init map mutex once one-order pool rwmutex semaphore semaphore-of-one send
		model: unbuffered waitgroup
		runtime: TestChanSendInterface TestNonblockRecvRace TestNonblockSelectRace TestNonblockSelectRace2
		sync: TestCompareAndSwap_NonExistingKey TestCondBroadcast TestCondSignal TestCondSignalGenerations TestCondSignalStealing
		sync: TestMapRangeNestedCall TestMutex TestNilPool TestOnce TestOncePanic TestOnceValues TestOnceValuesPanic TestRace
		sync: TestWaitGroup TestWaitGroupAlign TestWaitGroupGo TestWaitGroupMisuse TestWaitGroupRace
		sync/atomic: TestValue TestValueCompareAndSwapConcurrent TestValueLarge TestValuePanic TestValue_CompareAndSwap TestValue_Swap
		time: TestAfterFunc TestAfterStop TestAfterTick TestAfterTimes TestIssue5745 TestLongAdjustTimers TestManualTicker TestMultiWakeupTicker
		time: TestMultiWakeupTimer TestNewTickerLtZeroDuration TestOverflowSleep TestReset TestTeardown TestTick TestTickTimes TestTicker
		time: TestTickerResetLtZeroDuration TestTickerStopWithDirectInitialization TestTimerModifiedEarlier TestTimerStopStress TestZeroTimer
		time: TestZeroTimerResetPanics TestZeroTimerStopPanics
`,
	"in part": `
		chan: doubleselect sieve2
		context: TestCustomContextCause TestLayersTimeout TestSimultaneousCancels
		runtime: TestChan TestMultiConsumer TestSelectFairness TestSelectStress TestSelfSelect
		sync: TestConcurrentClear TestParallelReaders TestPoolStress TestRWMutex
		sync/atomic: TestValueConcurrent TestValueSwapConcurrent
		time: TestAdjustTimers TestAfterQueuing TestSleepZeroDeadlock TestTickerConcurrentStress TestTickerStress
`,
	"not taken": `
		chan: perm select5
		context: TestAllocs TestCancelRemoves TestChildFinishesFirst TestCustomContextGoroutines TestParentFinishesChild
		runtime: TestNoShrinkStackWhileParking TestSelectStackAdjust TestShrinkStackDuringBlockedSend
		sync: TestIssue40999 TestIssue76126 TestMapClearOneAllocation TestMapMatchesDeepCopy TestMapMatchesHashTrieMap TestMapMatchesRWMutex
		sync: TestMapRangeNoAllocations TestMutexMisuse TestOnceXGC TestPool TestPoolChain TestPoolDequeue TestPoolGC TestPoolNew TestPoolRelease
		sync: TestSemaphore
		time: TestAfter TestChan TestOverflowPeriodRuntimeTimer TestResetResult TestSleep TestStopResult TestTimerGC
`,
}

// remarkable are those that are in doubt, refused or fail, with what they say, and those that are far from their end; and why.
var remarkable = map[string]struct{ says, why string }{
	"chan/nonblock":                      {"in part", "a ticker of the package is set before the exploration, and so goes by the real clock"},
	"chan/powser1":                       {"fails: data race in", "a race of the program itself: it counts in a variable of the package from several goroutines; the race detector of Go says so, too"},
	"chan/powser2":                       {"fails: data race in", "the same"},
	"chan/select2":                       {"doubt: chance: runtime.ReadMemStats", "it looks at the memory that is in use"},
	"chan/select3":                       {"refused: interleave: more than 32 threads", "it starts two for each of some twenty cases"},
	"context/TestCauseRace":              {"in part", "a loop that looks at Cause, and yields, goes round until the bound of steps"},
	"context/TestContextErrDoneRace":     {"doubt: not seen: the state of a loop that repeats Load", "package context is not rewritten: what a loop on Err does is not known"},
	"model/buffered":                     {"fails: data race in main", "wrong"},
	"model/busy-waiting":                 {"fails: data race in", "wrong"},
	"model/double-checked":               {"fails: data race in", "wrong"},
	"model/exit":                         {"fails: data race in main", "wrong"},
	"model/flag-too-early":               {"fails: assertion in main: the flag is set", "wrong"},
	"model/pointer":                      {"fails: data race in", "wrong"},
	"model/semaphore-of-two":             {"fails: data race in", "wrong"},
	"model/trylock":                      {"fails: data race in tries", "wrong"},
	"model/two-words":                    {"fails: data race in", "wrong"},
	"model/write-under-RLock":            {"fails: data race in", "wrong"},
	"runtime/TestPseudoRandomSend":       {"fails: assertion in test: Want pseudorandom", "it asks that a select is fair, which nothing says: one that takes the same case each time is explored, too"},
	"runtime/TestSelectDuplicateChannel": {"doubt: in which order a select waits at a channel that it names more than once", "of a select that names a channel three times, not all orders are tried"},
	"sync/TestConcurrentRange":           {"in part", "its goroutines go on until they are told to stop, round after round"},
	"sync/TestCondCopy":                  {"fails: assertion in test: got <nil>, expect sync.Cond is copied", "the Cond of an exploration does not look whether it was copied, as go vet does"},
	"sync/TestMutexFairness":             {"in part", "a goroutine takes the lock round after round until another has had it ten times, and a Mutex need not be fair"},
	"sync/TestOnceFunc":                  {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestOnceFuncGoexit":            {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestOnceFuncPanic":             {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestOnceFuncPanicNil":          {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestOnceFuncPanicTraceback":    {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestOnceValue":                 {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestOnceValuePanic":            {"doubt: not compared: what a function in package-level variable", "the function is in a variable of the package"},
	"sync/TestRLocker":                   {"in part", "a loop takes the lock by an interface, and so is not known"},
	"time/TestAfterFuncStarvation":       {"in part", "two goroutines go on for ever until a timer ends them, and the clock stands meanwhile: no execution ends"},
}
