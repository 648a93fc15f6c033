package main

import "time"

// A row is a line of the table, and how it is measured.
type row struct {
	name, statements string
	what             string // what is counted, and from what
	unit             string
	procs            int  // Ps
	counts           bool // a count, which needs no processor for each P
	linux            bool // it needs Linux
	threads          bool // threads that the Go runtime keeps from before are ended first
	locked           bool // each task has a thread for itself: LockOSThread, GoLocked
	unwatched        bool // Config.Unwatched; the runtime has no such thing
	limit            time.Duration
	pools            bool   // pond is a side, too
	ofMs             string // the unit of the column Ms, if it is not how many there were
	run              func(*trial)
}

var rows = []row{
	{name: "ready-1p", statements: "S3.4", what: "a task comes back from a blocking read while a pair of tasks on each P make each other ready: from the write to the pipe until it runs, by the clock", unit: "ms", procs: 1, linux: true, run: ready},
	{name: "ready-2p", statements: "S3.4", what: "the same on 2 Ps", unit: "ms", procs: 2, linux: true, run: ready},
	{name: "unwatched-1p", statements: "S3.5", what: "the same on 1 P without sysmon (Config.Unwatched)", unit: "ms", procs: 1, linux: true, unwatched: true, limit: 5 * time.Second, run: ready},
	{name: "pingpong-threads-2p", statements: "S1.15", what: "two tasks wake each other, 300,000 rounds: share in which the first was on another thread than before, by gettid. Ms: share in which it was on another M, by Config.Trace in a run of 20,000 rounds of its own",
		unit: "%", procs: 2, linux: true, ofMs: "%", run: pingPongThreads},
	{name: "pingpong-threads-4p", statements: "S1.15", what: "the same on 4 Ps", unit: "%", procs: 4, linux: true, ofMs: "%", run: pingPongThreads},
	{name: "pingpong-ns", statements: "S1.16", what: "two tasks wake each other, 300,000 rounds: time of a switch, by the clock", unit: "ns", procs: 2, run: pingPong},
	{name: "pingpong-locked-ns", statements: "S1.16", what: "the same, 3,000 rounds, and each task has a thread for itself (LockOSThread, GoLocked): time of a switch between threads", unit: "ns", procs: 2, locked: true, run: pingPongLocked},
	{name: "syscall-return", statements: "S1.8, S4.5", what: "getppid by syscall.Syscall, in Block for sched: time of a call, by the clock, of 100,000", unit: "ns", procs: 2, linux: true, run: syscallReturn},
	{name: "syscall-return-busy", statements: "S1.8, S4.5", what: "nanosleep of 1 ms while a task on each P yields again and again: how much later the caller runs again, by the clock; the median of 30 calls", unit: "µs", procs: 2, linux: true, run: syscallReturnBusy},
	{name: "timer-late", statements: "M25", what: "sleep of 1 ms while nothing else runs: how much later the task runs, by the clock; the median of 50", unit: "µs", procs: 2, run: timerLate},
	{name: "spawn-run", statements: "S1.3", what: "from the start of a task to its first step while its parent keeps its P and the other P is idle, by the clock; the median of 30", unit: "µs", procs: 2, run: spawnRun},
	{name: "flood-threads", statements: "S4.6", what: "most threads (/proc/self/task) while 100 nanosleeps of 50 ms are in flight", procs: 2, counts: true, linux: true, threads: true, run: floodThreads},
	{name: "idle-conns", statements: "S4.7", what: "threads (/proc/self/task) while 10,000 tasks each wait to read from an idle pipe", procs: 2, counts: true, linux: true, threads: true, run: idleConns},
	{name: "idle-cpu", statements: "S4", what: "processor time of one second with 100 tasks that wait and nothing to do, by getrusage", unit: "ms", procs: 2, counts: true, linux: true, run: idleCPU},
	{name: "stop-world", statements: "S4.8", what: "a stop of the world beside a task on each other P that computes with safe points, the median of 20 that take away a P. Runtime: runtime.GOMAXPROCS, by /sched/pauses/total/other:seconds; sched: G.SetProcs, by its caller's clock", unit: "µs", procs: 2, run: stopWorld},
	{name: "wakes", statements: "M10", what: "1,000 submissions from outside, one every 100 µs, to an idle scheduler: voluntary context switches (ru_nvcsw) for each", procs: 2, counts: true, linux: true, run: wakes},
	{name: "fan-out-2", what: "16 threads outside start 64 empty tasks each: time of a task, by the clock", unit: "ns", procs: 2, pools: true, run: fanOut},
	{name: "fan-out-16", what: "the same on 16 Ps", unit: "ns", procs: 16, pools: true, run: fanOut},
	{name: "spawn-join-2", what: "one task starts 1,000 empty ones and waits for them: time of a task, by the clock", unit: "ns", procs: 2, pools: true, run: spawnJoin},
	{name: "spawn-join-16", what: "the same on 16 Ps", unit: "ns", procs: 16, pools: true, run: spawnJoin},
}

// sides are where a row is measured.
func (r row) sides() []string {
	switch {
	case r.unwatched:
		return []string{onSched}
	case r.pools:
		return []string{onRuntime, onSched, onPond}
	}
	return []string{onRuntime, onSched}
}
