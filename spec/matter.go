package spec

import "cmp"

// Matter says what has to come about, so that a requirement is judged: "a task that begins while the task that has spawned it goes on". A target that never
// lets it come about has not kept the requirement.
func Matter(id string) string {
	return cmp.Or(matters[id], "a run of it that comes to its end")
}

var matters = map[string]string{
	"SC-LOST": "a task that begins", "SC-TWICE": "a task that begins", "SC-WORKERS": "a task that begins",
	"SC-ACCEPT":  "a submission that returns before Close is called",
	"SC-REFUSED": "a submission that is refused",
	"SC-WORK":    "a task that begins while no other has a worker", "SC-TOGETHER": "a task that begins while another has a worker",
	"SC-STEAL":       "a task that begins while the task that has spawned it goes on",
	"SC-WAKE":        "a task that parks, is made ready, and goes on",
	"SC-ORDER":       "a task that begins, on one worker, behind another of the same thread",
	"SC-CLOSE-WAITS": "a task that was accepted before Close is called, and Close that returns", "SC-CLOSE-RETURNS": "Close that returns", "SC-CLOSE-WORKERS": "Close that returns",
	"SC-THREADS":      "all tasks of a graph that end before Close is called",
	"SC-CLOSED":       "a submission after Close has returned",
	"SC-PANIC":        "a task that panics, and ends by that",
	"SC-EXIT":         "a task that ends by runtime.Goexit",
	"SC-WAIT-RETURNS": "a call of WaitTasks that returns", "SC-WAIT-WAITS": "a call of WaitTasks that returns, with tasks accepted before it",
	"SC-JOIN":       "a join that returns",
	"SC-AFTER-IDLE": "a task that begins after an idle phase as long as a time-out of the scheduler",
	"SC-CALLS":      "a call that returns",
	"SC-RACE":       "an execution in which accesses to memory are seen",
	"SC-IDLE":       "all tasks that end, and the process at work or at rest for sure", "SC-SPIN": "two tasks that have a worker each and wait, after the scheduler was at rest with nothing to do",
	"SC-GROW": "a task that begins on a worker that there was not before the number of workers was raised", "SC-SHRINK": "a task that was submitted after the number of workers was lowered, and begins",
	"SC-DEADLOCK": "Close that returns while tasks have parked for good", "SC-DEADLOCK-TRUE": "Close that returns when all tasks have ended",
	"SC-WAKES": "a count of the workers woken (WakeCounter) at rest",
	"SY-BLOCK": "a task that begins while blocked tasks could keep all workers", "SY-RETURN": "a call of Block that returns",
	"TM-EARLY": "a sleep that ends", "TM-LOST": "a sleep that ends while no other task has a worker", "TM-BESIDE": "a sleep that ends while another task has a worker",
	"TM-LEAVES": "a task that begins while tasks that sleep could keep all workers",
	"FA-YIELD":  "a task that yields until another has run, and ends", "FA-READY": "tasks that make each other ready until another has run, and end",
	"FA-PREEMPT": "a task that runs on until another has run, and ends",
	"FA-AGAIN":   "a task that submits itself again until another has run, and ends",

	"RQ-LOST": "a G that comes out again", "RQ-TWICE": "a G that comes out again", "RQ-INVENTED": "a G that comes out again", "RQ-FIFO": "a G that comes out again", "RQ-LIFO": "a G that comes out again",
	"RQ-GET-NONE": "a get that returns", "RQ-STEAL-NONE": "a steal that returns", "RQ-STEAL-SOME": "steals of a G that is there, asked again",
	"RQ-STEAL-HALF": "a steal that gives something", "RQ-STEAL-ORDER": "a steal that gives something",
	"RQ-EMPTY-TRUE": "a call of Empty that returns", "RQ-EMPTY-FALSE": "a call of Empty that returns", "RQ-LEN": "a call of Len that returns",
	"RQ-CAPACITY": "a put that returns", "RQ-OVERFLOW": "a put that returns", "RQ-SIZES": "a queue of a capacity that was asked for",
	"RQ-WRAP":  "indices that go past their end",
	"RQ-DRAIN": "a drain that returns", "RQ-PUT-BATCH": "a put of a batch that returns",
	"RQ-GLOBAL-FIFO": "a get of the global queue that returns", "RQ-GLOBAL-BATCH": "a get of the global queue that returns",
	"RQ-RUNNEXT-FIRST": "a put into the slot that returns", "RQ-RUNNEXT-KICK": "a put into the slot that returns", "RQ-RUNNEXT-OWNER": "a put into the slot that returns",
	"RQ-STEAL-RUNNEXT": "a steal that may take from the slot, and returns",
	"RQ-TAKE-WAKES":    "a take that returns", "RQ-TAKE-NONE": "a take that returns",
	"RQ-CLOSE-WAKES": "a close, and a take that returns", "RQ-CLOSE-DROPS": "a call that begins after a close, and returns", "RQ-CLOSE-PUT": "a put that begins after a close, and returns",
	"RQ-CRASH": "a call that returns", "RQ-RACE": "an execution in which accesses to memory are seen",
	"RQ-RANDOM": "a steal order",
}
