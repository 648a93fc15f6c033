package spec

// The conditions that requirements of schedulers share.
var (
	closeWaits = []Condition{If("close", Waits)}
	byThreads  = []Witness{Stress, Interleave}
	// Where a submission may wait for a worker, no task waits that could be kept from running.
	returnsAtOnce = If("waits", Never)
)

// ofSchedulers are the requirements of a whole scheduler, of which nothing is known but what its callers and its
// tasks see. A task waits while it is accepted, or made ready, and does not run. A worker is idle while no task runs on
// it; a task that waits for another without parking keeps its worker.
var ofSchedulers = []Requirement{
	{
		ID: "SC-LOST", Level: Must, When: closeWaits,
		Sentence:  "Every task that is accepted runs, at the latest before Close returns.",
		Intent:    "a task that was taken from one queue and put on no other; a worker that ends with a task in its hands; a queue that Close does not drain",
		Source:    "newproc, runqput; golang/go#40457; tokio 18efef7d3b (#4383)",
		Mechanism: []string{"M02", "M04", "M15"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-TWICE", Level: Must,
		Sentence:  "No task runs twice.",
		Intent:    "a task that two workers took; a submission that was tried again although it had succeeded",
		Source:    "execute; the compare-and-swap of runqhead",
		Mechanism: []string{"M02", "M16"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-ACCEPT", Level: Must, When: []Condition{If("refuse", Never)},
		Sentence:  "A submission that comes before Close is called is accepted.",
		Intent:    "a queue that is full where the contract says that none is; a state of being closed that is set too early",
		Source:    "newproc, which cannot fail",
		Mechanism: []string{"M04", "M05"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-REFUSED", Level: Must,
		Sentence:  "A task whose submission was refused does not run.",
		Intent:    "a task that was queued before the state of the scheduler was looked at",
		Source:    "java.util.concurrent.ThreadPoolExecutor.execute, which removes a task again if it finds the pool shut down",
		Witnesses: byThreads,
	},
	{
		ID: "SC-WORK", Level: Must,
		Sentence:  "While all workers are idle, no task waits longer than the bound, and none waits for ever.",
		Intent:    "a worker that looks at the queue, then says that it is idle, and does not look again; a wake-up that went to somebody who was about to sleep",
		Source:    "the comment at the head of proc.go; golang/go#45867, #55160",
		Mechanism: []string{"M09", "M10", "M11", "M12", "M13"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-TOGETHER", Level: Must,
		Sentence:  "Tasks that need one another at the same time all run, if there are workers enough: none waits beside an idle worker for longer than the bound.",
		Intent:    "a wake-up that is left out since the queue was not empty, or since somebody was awake; a worker that finds work and wakes no other",
		Source:    "wakep, resetspinning; golang/go#5586; libuv 0f1bdb6b1 (1.7.0)",
		Mechanism: []string{"M10", "M11", "M12"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-STEAL", Level: Must,
		Sentence:  "What a task has spawned runs while that task goes on, if a worker is idle: it does not wait for longer than the bound.",
		Intent:    "a local queue, or a slot in front of it, that nobody steals from; a spawn that wakes nobody, since its worker will look by itself",
		Source:    "runqsteal, stealWork; tokio issue 4941 (a slot that is not stolen from)",
		Mechanism: []string{"M03", "M07", "M08", "M10"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-WAKE", Level: Must,
		Sentence:  "A task that has parked and was made ready goes on.",
		Intent:    "a task that is made ready before it has stopped; a ready that wakes no worker",
		Source:    "gopark, goready; golang/go#46524",
		Mechanism: []string{"M18"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-WORKERS", Level: Must, When: []Condition{If("workers", Exact)},
		Sentence:  "No more tasks run at a time than there are workers.",
		Intent:    "a worker that is started beside one that is about to take work; a permission to run that two hold",
		Source:    "acquirep; tla/SchedAbs.tla",
		Mechanism: []string{"M01"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-ORDER", Level: Must, When: []Condition{If("order", FirstIn)},
		Sentence:  "With one worker, tasks that one thread submits begin in the order in which it submitted them.",
		Intent:    "a batch that is put back in another order; a slot in front of the queue",
		Source:    "globrunqput, globrunqget",
		Mechanism: []string{"M05"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-CLOSE-WAITS", Level: Must, When: closeWaits,
		Sentence:  "When Close returns, all tasks have ended that were accepted before it was called, and all that they have spawned.",
		Intent:    "a queue that is found empty while a worker has its last task in its hands; a count that falls to zero before a task that is being submitted is counted",
		Source:    "java.util.concurrent.ForkJoinPool.awaitQuiescence; sync.WaitGroup's rule for Add",
		Witnesses: byThreads,
	},
	{
		ID: "SC-CLOSE-RETURNS", Level: Must,
		Sentence:  "Close returns once all tasks have ended.",
		Intent:    "a worker that goes to sleep after Close has woken all; a count of tasks that does not come back to zero",
		Source:    "golang/go#11280 (a count that leaks); checkdead",
		Mechanism: []string{"M13", "M27"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-CLOSE-WORKERS", Level: Must, When: closeWaits,
		Sentence:  "After Close the workers end: no goroutine is left that the scheduler has started.",
		Intent:    "a worker that is woken and not told to end; a helper, such as a clock, that nobody stops",
		Source:    "go.uber.org/goleak",
		Witnesses: byThreads,
	},
	{
		ID: "SC-CLOSED", Level: Must, When: []Condition{If("closed", Refused)},
		Sentence:  "What is submitted after Close has returned is refused.",
		Intent:    "a task put on a queue that nobody looks at any more",
		Source:    "java.util.concurrent.RejectedExecutionException",
		Witnesses: byThreads,
	},
	{
		ID: "SC-PANIC", Level: Must, When: []Condition{If("panics", Isolated)},
		Sentence:  "A task that panics ends alone: its worker goes on, all other tasks run, and Close returns.",
		Intent:    "a worker that ends by the panic and is not replaced; a count that is not taken back on the way out",
		Source:    "net/http.conn.serve, which recovers; golang.org/x/sync/errgroup, issue 53757",
		Mechanism: []string{"M17"},
		Witnesses: []Witness{Stress},
	},
	{
		ID: "SC-CALLS", Level: Must,
		Sentence:  "No call of a valid program panics, or fails to return. A submission that may wait (waits=worker) returns once a worker is free.",
		Intent:    "Submit that waits for room which only its caller could make; a lock that is held while a task is called",
		Source:    "golang/go#10573; the throws of proc.go",
		Mechanism: []string{"M31"},
		Witnesses: byThreads,
	},
	{
		ID: "SC-RACE", Level: Must,
		Sentence:  "The scheduler's accesses to memory are atomic, or ordered by its own operations: there is no data race.",
		Intent:    "a field that a worker reads before it takes the lock; a count that is read without",
		Source:    "The Go Memory Model (2022)",
		Witnesses: []Witness{Interleave},
	},
	{
		ID: "SC-IDLE", Level: Must,
		Sentence:  "A scheduler that has nothing to do is at rest: nearly all the time all its workers wait.",
		Intent:    "a worker that looks for work without end; workers that wake each other in turn",
		Source:    "findRunnable; golang/go#43997, #13527",
		Mechanism: []string{"M12", "M13", "M21"},
		Witnesses: byThreads,
	},
	{
		ID: "SY-BLOCK", Level: Must,
		Sentence:  "While tasks block (Blocker), other tasks run on as many workers as there are: none waits for longer than the bound for a worker that a blocked task keeps.",
		Intent:    "a worker that waits with its task and is not replaced; a replacement that nobody wakes, or of which there are only so many",
		Source:    "entersyscall, retake, handoffp; tokio block_in_place; java.util.concurrent.ForkJoinPool.ManagedBlocker",
		Mechanism: []string{"M22", "M23"},
		Witnesses: byThreads,
	},
	{
		ID: "SY-RETURN", Level: Must,
		Sentence:  "A task that blocks (Blocker) has its call made once, and goes on when that has returned.",
		Intent:    "a task that comes back when all workers are taken, and is put on no queue; one that waits for a worker that nobody gives back",
		Source:    "exitsyscall, exitsyscallNoP",
		Mechanism: []string{"M22"},
		Witnesses: byThreads,
	},
	{
		ID: "FA-YIELD", Level: Must, When: []Condition{If("fair", Yielding, Preempted), returnsAtOnce}, Asked: []Condition{If("fair", Yielding)},
		Sentence:  "Where every worker has a task that yields again and again, each task that waits runs in the end.",
		Intent:    "a task that yields into the place that is looked at first; a global queue that is looked at only when the local one is empty",
		Source:    "Gosched, schedtick%61; golang/go#5639, #13546",
		Mechanism: []string{"M06", "M19"},
		Witnesses: []Witness{Stress},
	},
	{
		ID: "FA-PREEMPT", Level: Must, When: []Condition{If("fair", Preempted), returnsAtOnce},
		Sentence:  "Where every worker has a task that neither ends nor yields, each task that waits runs in the end.",
		Intent:    "a time slice that nobody ends; a slot in front that inherits the time slice",
		Source:    "retake, preemptone; golang/go#10958",
		Mechanism: []string{"M20"},
		Witnesses: []Witness{Stress},
	},
}
