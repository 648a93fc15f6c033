package spec

// asRuntime is the contract of impl/sched alone: its parts are reached by no other way.
var asRuntime = []Condition{If("parts", AsRuntime)}

// valves are what the Go runtime's scheduler decides by a count, a clock or chance. No result of a call shows them, so that
// scenes drive the parts of impl/sched by hand.
var valves = []Requirement{
	{
		ID: "VA-TICK", Level: Must, When: asRuntime,
		Sentence:  "Every 61st time slice of a P begins with a look at the global queue, before its own; a slice that is inherited is not counted.",
		Intent:    "the test of schedtick in findRunnable; what execute counts",
		Source:    "findRunnable (schedtick%61)",
		Mechanism: []string{"M06"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-SLICE", Level: Must, When: asRuntime,
		Sentence:  "A G is asked to yield when it has run for 10 ms and sysmon looks, so for 30 ms at most; no G is that has run for less.",
		Intent:    "what sysmon remembers of a time slice; a slice that begins and does not say so",
		Source:    "retake, forcePreemptNS",
		Mechanism: []string{"M20", "M21"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-INHERIT", Level: Must, When: asRuntime,
		Sentence:  "A G from runnext goes on in the time slice of the G before it: two that ready each other are asked to yield as one is, and the next of them goes behind the global queue then.",
		Intent:    "an inherited slice that is counted as a new one; a slice that is over and is handed on",
		Source:    "execute (inheritTime), runqget, retake",
		Mechanism: []string{"M03", "M20", "M42"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-SYSMON", Level: Must, When: asRuntime,
		Sentence:  "sysmon sleeps for 20 µs 51 times, then twice as long each time, up to 10 ms; when it has taken a P from a syscall, it begins again.",
		Intent:    "the count of vain looks; the bound of the sleep",
		Source:    "sysmon",
		Mechanism: []string{"M21"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-PASSES", Level: Must, When: asRuntime,
		Sentence:  "A thief looks at each other P four times before it gives up. It takes from runnext, and runs timers, in the last pass alone.",
		Intent:    "the number of passes; what is taken in which",
		Source:    "stealWork (stealTries)",
		Mechanism: []string{"M08", "M25"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-VICTIM", Level: Must, When: asRuntime,
		Sentence:  "A thief begins with a P by chance, and goes on by a step by chance that reaches all: no P is the victim more often than another.",
		Intent:    "an order that is always the same; a step that is always one",
		Source:    "stealOrder (randomOrder), stealWork",
		Mechanism: []string{"M08"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-CAP", Level: Must, When: asRuntime,
		Sentence:  "An M begins to spin only if the Ms that spin are fewer than half of the busy Ps.",
		Intent:    "the throttle in findRunnable; a count of idle Ps that is not taken off",
		Source:    "findRunnable (2*nmspinning < gomaxprocs-npidle)",
		Mechanism: []string{"M09"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-LIFO", Level: Must, When: asRuntime,
		Sentence:  "The P and the M that became idle last are put to work first: what they had is in caches still.",
		Intent:    "an idle list that is a queue",
		Source:    "pidleput, pidleget, mput, mget",
		Mechanism: []string{"M13", "M14"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-BACKOFF", Level: Must, When: asRuntime,
		Sentence:  "A thief waits for 3 µs before it takes the G in runnext of a P that runs, and finds nothing if the owner takes it meanwhile. It does not wait for a P in a syscall.",
		Intent:    "the wait; the compare-and-swap that may fail after it",
		Source:    "runqgrab (usleep(3))",
		Mechanism: []string{"M08"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-REUSE", Level: Must, When: asRuntime,
		Sentence:  "A G that has ended is used again, on its P, or on others by way of a list of all: fewer than 64 stay with a P, and 32 go at a time.",
		Intent:    "a free list that nothing is taken from; one that grows where Gs end and are not born",
		Source:    "gfget, gfput",
		Mechanism: []string{"M15", "M17"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-FIGURES", Level: Must, When: asRuntime,
		Sentence:  "A snapshot tells how long Gs that might run waited for a P, one in 32 counted; how long Gs were parked; how long Ps were there, and idle.",
		Intent:    "a time that begins when a G runs, or does not end then; a P that becomes idle and is not counted",
		Source:    "casgstatus (gTrackingPeriod, timeToRun), sched.idleTime, sched.totaltime; runtime/metrics /sched/latencies:seconds",
		Mechanism: []string{"M36"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-PROCS", Level: Must, When: asRuntime,
		Sentence:  "Where no number of Ps was asked for, there are as many as the processors and the cgroup allow, and sysmon follows a change within a second.",
		Intent:    "a default that is read once; a change that overrides a number that was asked for",
		Source:    "sysmonUpdateGOMAXPROCS, defaultGOMAXPROCS (Go 1.25)",
		Mechanism: []string{"M28"},
		Witnesses: []Witness{Scene},
	},
	{
		ID: "VA-ONE-P", Level: Must, When: asRuntime,
		Sentence:  "With one P, a G that becomes runnable wakes no M, and no M looks for work at other Ps.",
		Intent:    "an M that is woken although no P is idle",
		Source:    "wakep; Vyukov, Scalable Go Scheduler Design (2012): a program with GOMAXPROCS=1 is not affected",
		Mechanism: []string{"M10", "M34"},
		Witnesses: []Witness{Scene},
	},
}
