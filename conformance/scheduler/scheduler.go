// Package scheduler has the interfaces that a scheduler offers to the suite.
//
// Two methods are enough. Everything else is an optional interface, found by type assertion
// on the scheduler, or on what it gives to its tasks: a method that is there is called
// and checked, one that is not there is not.
//
//interleave:off
package scheduler

import "time"

// A Scheduler runs tasks on workers. Its contract says which threads may call Submit, and when it may refuse.
type Scheduler interface {
	// Submit has the task run, soon and once. An error means that it will not run.
	Submit(task func(Task)) error
	// Close waits until all tasks have ended that were accepted, and ends the workers. It is called once, unless the contract says otherwise (closers).
	// Its error is for people.
	Close() error
}

// A Task is what a scheduler gives to the function that it runs: whatever it has for it, or nil. The optional interfaces
// of tasks are found on it. A scheduler of plain functions is adapted by
//
//	func (p pool) Submit(task func(scheduler.Task)) error { return p.Pool.Submit(func() { task(nil) }) }
type Task = any

// Spawner is a task that submits another from inside. It is called by the task itself.
type Spawner interface {
	Spawn(task func(Task)) error
}

// Joiner is a task that can wait for tasks by the scheduler's own means.
type Joiner interface {
	// Fork submits a task as Spawn does. The task that has forked it may call join, once: it returns when the other has ended. Meanwhile other tasks
	// run, here or on another worker, so that no number of tasks that join keeps all workers. Behind an error join is not called.
	Fork(task func(Task)) (join func(), err error)
}

// Parker is a task that can stop and leave its worker to others.
type Parker interface {
	// Park stops the task until it is made ready. As soon as others may make it ready, Park calls unlock, once.
	Park(unlock func())
	// Ready makes a task ready that is parked, or that has called unlock and is about to be. It is called by a task that runs, of
	// another.
	Ready(parked Task)
}

// Readier is a scheduler whose parked tasks are made ready from outside.
type Readier interface {
	Ready(parked Task) error
}

// Yielder is a task that lets others run.
type Yielder interface{ Yield() }

// Blocker is a task that can wait for what the scheduler does not know of, and whose worker is replaced meanwhile.
type Blocker interface {
	// Block calls call, once, and returns when it has. While it waits, other tasks run on as many workers as there are, however many
	// tasks block; or on one at least, where the contract says so (block=one). When it returns, the task has a worker again.
	Block(call func())
}

// Sleeper is a task that can wait for a time.
type Sleeper interface {
	// Sleep stops the task for d, and leaves its worker to others. It never returns before d is over; if a worker is idle then, the task
	// goes on within the bound of the contract.
	Sleep(d time.Duration)
}

// Waiter is a scheduler that can be waited for, without an end to it. Its method is not named Wait, since that closes many a pool.
type Waiter interface {
	// WaitTasks returns when no task is left, or earlier: when all tasks have ended that were accepted before it was called. Any number of threads call
	// it at once, beside submissions, beside Close, and after it. No task calls it.
	WaitTasks()
}

// Resizer is a scheduler whose number of workers changes, or a task that can change it.
type Resizer interface {
	// Resize has the scheduler have so many workers, 1 or more. When it returns, as many tasks run at a time as that, and where the contract says
	// that there are no more than workers, of those that are submitted from then on no more run at a time. Any number of threads
	// may call it at once: which of them is the last is not said. An error means that it was not done; it may come once Close was called.
	Resize(workers int) error
}

// Deadlocker is a scheduler whose tasks park. Its Close returns, and says so, when all tasks that are left have parked and can never be made
// ready: all others have ended, and no call comes from outside once Close was called. What becomes of them is not checked.
type Deadlocker interface {
	// Deadlock returns how many tasks can never go on, as an error of Close has it; 0 if the error is another, or nil.
	Deadlock(err error) (tasks int)
}

// WakeCounter is a scheduler that counts how often it wakes workers.
type WakeCounter interface {
	// Wakes returns how often, since the scheduler was made, a worker that waited was woken, or was started. It is called at any time, by any
	// thread.
	Wakes() uint64
}

// SliceCounter is a scheduler that ends the time slices of its tasks, and counts them.
type SliceCounter interface {
	// SlicesOver returns how many time slices, since the scheduler was made, were found to be over. It is called at any time, by any thread.
	SlicesOver() uint64
}

// Idler is a scheduler that does something when it was idle for some time: it sends workers home, or gives memory back.
type Idler interface {
	// IdleTimes returns after which times of idleness it does so. All schedulers of the target have the same. The suite has schedulers idle for a
	// little less, for as long and for longer, and then needs all workers at once. It spends 10 s on that: longer times are to be made shorter
	// for the test.
	IdleTimes() []time.Duration
}

// Sizer is a scheduler that can make others of its kind, whose workers have smaller queues: what happens when one is full then takes few tasks.
type Sizer interface {
	// Sized makes a fresh scheduler whose workers have queues for so many tasks, or for as many as is next to that. It is called of a scheduler that
	// was closed, and must not depend on what that has done. ring is 2 or 4.
	Sized(workers, ring int) Scheduler
}

// A Factory makes a fresh scheduler with so many workers for each run.
type Factory func(workers int) Scheduler

// Of makes a Factory of a function that returns schedulers of one type.
func Of[S Scheduler](newScheduler func(workers int) S) Factory {
	return func(workers int) Scheduler { return newScheduler(workers) }
}

// Capabilities says what a scheduler and its tasks can do beyond the two methods.
type Capabilities struct {
	Spawn bool `json:"spawn,omitempty"`
	Join  bool `json:"join,omitempty"`
	Park  bool `json:"park,omitempty"`
	Ready bool `json:"ready,omitempty"` // from outside
	Yield bool `json:"yield,omitempty"`
	Block bool `json:"block,omitempty"`
	Sleep bool `json:"sleep,omitempty"`

	Wait         bool `json:"wait,omitempty"`          // until tasks have ended
	Sized        bool `json:"sized,omitempty"`         // the queues of its workers
	IdleTimes    bool `json:"idle_times,omitempty"`    // it says after which it does something
	Wakes        bool `json:"wakes,omitempty"`         // it counts them
	Deadlock     bool `json:"deadlock,omitempty"`      // Close reports it
	Resize       bool `json:"resize,omitempty"`        // from outside
	ResizeInside bool `json:"resize_inside,omitempty"` // by tasks
}

// CapabilitiesOf returns what s and its task t can do.
func CapabilitiesOf(s Scheduler, t Task) (c Capabilities) {
	_, c.Spawn = t.(Spawner)
	_, c.Join = t.(Joiner)
	_, c.Park = t.(Parker)
	_, c.Ready = s.(Readier)
	_, c.Yield = t.(Yielder)
	_, c.Block = t.(Blocker)
	_, c.Sleep = t.(Sleeper)
	_, c.Wait = s.(Waiter)
	_, c.Resize = s.(Resizer)
	_, c.ResizeInside = t.(Resizer)
	_, c.IdleTimes = s.(Idler)
	_, c.Sized = s.(Sizer)
	_, c.Deadlock = s.(Deadlocker)
	_, c.Wakes = s.(WakeCounter)
	c.Ready, c.Deadlock = c.Ready && c.Park, c.Deadlock && c.Park
	return c
}

// Words names what the capabilities are, for people.
func (c Capabilities) Words() []string {
	var words []string
	for _, w := range []struct {
		has  bool
		name string
	}{{c.Spawn, "spawn"}, {c.Join, "fork and join"}, {c.Park, "park"}, {c.Ready, "ready from outside"}, {c.Yield, "yield"}, {c.Block, "block"}, {c.Sleep, "sleep"}, {c.Wait, "wait for all tasks"}, {c.Resize, "resize"}, {c.ResizeInside, "resize from inside"}, {c.Sized, "queues of any size"}, {c.IdleTimes, "idle times"}, {c.Deadlock, "report a deadlock"}, {c.Wakes, "count wake-ups"}} {
		if w.has {
			words = append(words, w.name)
		}
	}
	return words
}
