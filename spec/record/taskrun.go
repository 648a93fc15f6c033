package record

import (
	"fmt"
	"strings"
	"time"
)

// A TaskEvent is one thing that was seen of a run, in its place in the order of all.
type TaskEvent struct {
	What TaskSight `json:"what"`
	// Who saw it: a task, or ^thread for a thread outside, or Runner.
	Who int `json:"who"`
	// Step is what Who is about to do, or has done.
	Step string `json:"step,omitempty"`
	// At is the time since the beginning of the run, as far as there is a clock.
	At time.Duration `json:"at,omitempty"`
	// Text is the error of a call, or what was left.
	Text string `json:"text,omitempty"`
}

// Runner is who runs a graph, in place of a task or a thread.
const Runner = -1 << 30

// NoNeed is the Text of a Park that has ended without one.
const NoNeed = "the event had happened, so that it did not park"

// RanInside is the Text of a Repeat that has ended before its event.
const RanInside = "the scheduler runs tasks inside their submissions, so that it does not go on"

// A TaskSight is what kind of thing was seen.
type TaskSight string

// The kinds.
const (
	Begins   TaskSight = "begins"   // a task begins
	Ends     TaskSight = "ends"     // a task has come to its end, or a thread
	Does     TaskSight = "does"     // a step begins: only those that take time
	Did      TaskSight = "did"      // it has ended; Text is the error of a call that was refused
	AtRest   TaskSight = "rest"     // nobody could go on but by a clock, for as long as the runner waits; Text says how that was seen
	Stalled  TaskSight = "stalled"  // nothing was seen for as long as the runner waits, though somebody runs
	Released TaskSight = "release"  // the runner lets all go on that wait for events, to take the run down
	LeftOver TaskSight = "left"     // goroutines are there after Close; Text says where they are, a line for all that are at one place
	Unready  TaskSight = "unready"  // a parked task was refused when it was to be made ready from outside
	TooMany  TaskSight = "crowd"    // more tasks run than there are workers
	Deadlock TaskSight = "deadlock" // Close, about to return, says that tasks wait for nobody; Text is how many
	Woken    TaskSight = "woken"    // before Close is called, when all tasks have ended: how often workers were woken; Text is the number
	Kept     TaskSight = "kept"     // before Close is called, when all tasks have ended: how many goroutines the scheduler has; Text is the number
	Alive    TaskSight = "alive"    // right before a stop: how many goroutines the scheduler has, and where they are; Text begins with the number
	Late     TaskSight = "late"     // a task sleeps on, though its time has been over for as long as the runner waits and nobody could go on
)

// A TaskRun is what was seen when a graph was run on a fresh scheduler.
type TaskRun struct {
	Graph  TaskGraph   `json:"graph"`
	Events []TaskEvent `json:"events"`
	// Unseen are requirements that the runner could not look at in this run.
	Unseen []string `json:"unseen,omitempty"`
}

// String returns the event in words: "T0 submits task 1", "task 1 begins".
func (e TaskEvent) String() string {
	who := fmt.Sprintf("task %d", e.Who)
	switch {
	case e.Who == Runner:
		who = "the run"
	case e.Who < 0:
		who = fmt.Sprintf("T%d", ^e.Who)
	}
	what := string(e.What)
	steps, _ := ParseTaskScript(e.Step)
	if len(steps) == 1 {
		what = steps[0].Words()
		if e.What == Did {
			what += ": done"
		}
	} else if words := sightWords[e.What]; words != "" {
		what = words
	}
	if e.Text != "" {
		what += ": " + strings.ReplaceAll(e.Text, "\n", "; ")
	}
	return who + " " + what
}

var sightWords = map[TaskSight]string{
	AtRest: "is at rest: everything is blocked or asleep", Stalled: "stands still", Released: "is taken down: all events happen now",
	Unready: "cannot make a parked task ready from outside", LeftOver: "has left goroutines", TooMany: "has more tasks that run than workers",
	Woken: "counts how often workers were woken", Kept: "counts the goroutines of the scheduler", Deadlock: "is told of a deadlock by Close, of as many tasks",
	Alive: "counts the goroutines of the scheduler",
	Late:  "sleeps on, though its time is over",
}

// Lines returns the events in words, the last of them if there are many.
func (r *TaskRun) Lines() []string {
	const most = 200
	var lines []string
	from := max(0, len(r.Events)-most)
	if from > 0 {
		lines = append(lines, fmt.Sprintf("%d events before these", from))
	}
	for _, e := range r.Events[from:] {
		lines = append(lines, e.String())
	}
	return lines
}

// Stalls reports whether the run stood still while somebody ran.
func (r *TaskRun) Stalls() bool {
	for i := range r.Events {
		if r.Events[i].What == Stalled {
			return true
		}
	}
	return false
}
