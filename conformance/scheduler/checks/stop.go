package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// stop judges a run that has come to a stop: who waits, and who is idle.
func (j *judging) stop(e *record.TaskEvent) {
	first := !j.stopped
	j.stopped, j.verdict.cut = true, true
	j.resting = e.What == record.AtRest
	how := "everything is blocked or asleep"
	if e.What == record.Stalled {
		how = "nothing happens any more"
	}
	if e.Text != "" {
		how += " (" + e.Text + ")"
	}
	if !first && !j.closed && !j.closeHangs() {
		return // as before
	}
	found := len(j.verdict.findings)
	waiting, occupied := j.waiting(), j.atWork()
	j.stuckCalls(how)
	switch {
	case j.closed && j.holds("close", spec.Waits):
		for _, k := range waiting {
			if t := &j.tasks[k]; t.begun == 0 {
				j.find("SC-LOST", "", fmt.Sprintf("task %d, which was accepted, runs", k), "Close has returned, and %s: it has not begun", how)
			}
		}
	case j.released:
	case len(waiting) > 0 && (occupied >= j.left() || occupied > 0 && j.leaves):
		j.starved(waiting, how)
	default:
		for _, k := range waiting {
			j.stranded(k, occupied, how)
		}
		if j.resting && j.fed() {
			j.find("SC-WORK", "fed", "the tasks run that a thread outside keeps submitting", "%s, and they wait; %d of %d workers are idle", how, j.workers-occupied, j.workers)
		}
	}
	if j.closeHangs() && j.allEnded() {
		id, expected := "SC-CLOSE-RETURNS", "Close returns: all tasks have ended"
		if n := j.stuck(); n > 0 {
			id, expected = "SC-DEADLOCK", fmt.Sprintf("Close returns, and says that %d tasks can never go on: all others have ended", n)
		}
		j.find(id, "", expected, "%s, and it has not returned", how)
	}
	j.unsettled(how)
	for i := range j.verdict.findings[found:] {
		if f := &j.verdict.findings[found+i]; j.alive >= 0 {
			f.Observed += "; " + j.goroutines()
		}
	}
	if len(j.verdict.findings) == found && first && slices.ContainsFunc(j.tasks, func(t taskState) bool { return t.unsaid && t.ended == 0 }) {
		j.verdict.cut = !j.allEnded() || len(j.threads) > 0 // who is left may wait for that one
		return
	}
	if len(j.verdict.findings) == found && first {
		j.verdict.doubt = untold(j.run.Graph.Name, how+": "+j.state())
	}
}

// untold says of a run that has come to a stop that nothing can be said of it, and what to do.
func untold(graph, how string) string {
	return fmt.Sprintf("graph %s came to a stop, and the contract does not say what should have gone on: %s. Look where each waits: what should go on there is the fault; "+
		"if nothing should, the contract promises too much for this graph (conformance/CONTRACTS.md)", graph, worded(how))
}

// goroutines says which goroutines the scheduler has.
func (j *judging) goroutines() string {
	switch {
	case j.alive == 0:
		return "the scheduler has no goroutine left"
	case j.idle() == 0 && j.inTasks() > 0:
		return fmt.Sprintf("the scheduler has no goroutine left but for the tasks that have begun (%s)", j.where)
	}
	return fmt.Sprintf("the goroutines of the scheduler: %s", j.where)
}

// idle counts the goroutines of the scheduler that run no task, -1 if that is not known.
func (j *judging) idle() int {
	if j.alive < 0 {
		return -1
	}
	return max(0, j.alive-j.inTasks())
}

// inTasks counts the tasks that have begun and not ended: each has a goroutine.
func (j *judging) inTasks() (n int) {
	for i := range j.tasks {
		if t := &j.tasks[i]; t.begun > t.ended {
			n++
		}
	}
	return n
}

// closeHangs reports whether Close was called and has not returned.
func (j *judging) closeHangs() bool {
	for _, step := range j.threads {
		if step == "c" {
			return true
		}
	}
	return false
}

// stuckCalls finds calls that do not return, and may not wait: submissions, and changes of the number of workers.
func (j *judging) stuckCalls(how string) {
	tell := func(step string) {
		if k, ok := strings.CutPrefix(strings.Replace(step, "f", "s", 1), "s"); ok {
			switch {
			case j.atWork() < j.left() || j.holds("waits", spec.Never):
				j.find("SC-CALLS", "submit-hangs", fmt.Sprintf("the submission of task %s returns", k), "%s, and it has not returned", how)
			case j.closing && !j.moving():
				j.find("SC-CALLS", "submit-hangs", fmt.Sprintf("the submission of task %s returns, since Close was called: it is refused, or need not wait any longer", k),
					"%s, and it has not returned: all workers are taken", how)
			}
		}
		if n, ok := strings.CutPrefix(step, "r"); ok && (j.atWork() == 0 || j.holds("resizes", spec.Never)) {
			j.find("SC-CALLS", "resize-hangs", fmt.Sprintf("the change of the number of workers to %s returns", n), "%s, and it has not returned", how)
		}
	}
	for _, step := range j.threads {
		tell(step)
	}
	for i := range j.tasks {
		if j.tasks[i].begun > j.tasks[i].ended {
			tell(j.tasks[i].step)
		}
	}
}

// moving reports whether some thread or task goes on by itself: it sleeps, and its time is not over, or does the same again and again.
func (j *judging) moving() bool {
	for _, step := range j.threads {
		if strings.HasPrefix(step, "z") {
			return true
		}
	}
	return j.asleep() > 0 || slices.ContainsFunc(j.tasks, func(t taskState) bool {
		return t.begun > t.ended && t.step != "" && strings.ContainsAny(t.step[:1], "hltk")
	})
}

// waiting returns the tasks that could run: they were accepted and have not begun, or were made ready, or have
// yielded.
func (j *judging) waiting() (list []int) {
	for k := range j.tasks {
		t := &j.tasks[k]
		if t.accepted && t.begun == 0 || j.ready(t) {
			list = append(list, k)
		}
	}
	return list
}

// ready reports whether a task has left its worker and may go on.
func (j *judging) ready(t *taskState) bool {
	if t.begun <= t.ended {
		return false
	}
	steps, err := record.ParseTaskScript(t.step)
	if err != nil || len(steps) != 1 {
		return false
	}
	switch steps[0].Op {
	case record.Yield:
		return true
	case record.Turns:
		return j.resting // it is inside Yield, which does not return
	case record.Repeat:
		return j.resting // it has submitted itself
	case record.Rally:
		return j.resting && !j.misses(steps[0].Arg) // nobody has the turn
	case record.Collect:
		return j.tasks[steps[0].Arg].ended > 0
	case record.Park, record.Block:
		return j.happened[steps[0].Arg]
	case record.Await:
		return j.leaves && j.happened[steps[0].Arg]
	case record.Gather:
		return j.leaves && j.came[steps[0].Arg] == j.program.Meets[steps[0].Arg]
	case record.Join:
		return j.leaves && j.tasks[steps[0].Arg].ended > 0
	case record.Sleep, record.Naps:
		return t.late
	}
	return false
}

// misses reports whether a task was refused that others would take turns with until an event: they wait for its turn.
func (j *judging) misses(event int) bool {
	return slices.ContainsFunc(j.program.Rallies[event], func(k int) bool { return j.tasks[k].refused })
}

// blocked counts the tasks that wait in a call, and may not go on: each may keep a worker that nobody has replaced.
func (j *judging) blocked() (n int) {
	for i := range j.tasks {
		if t := &j.tasks[i]; t.begun > t.ended && strings.HasPrefix(t.step, "b") && !j.ready(t) {
			n++
		}
	}
	return n
}

// asleep counts the tasks whose time is not over: each may keep a worker.
func (j *judging) asleep() (n int) {
	for i := range j.tasks {
		if t := &j.tasks[i]; t.begun > t.ended && sleeps(t) && !t.late {
			n++
		}
	}
	return n
}

// atWork counts the tasks that have a worker when a run has come to a stop.
func (j *judging) atWork() (n int) {
	for i := range j.tasks {
		if t := &j.tasks[i]; t.begun > t.ended && !j.off(t) && !j.ready(t) {
			n++
		}
	}
	if !j.resting {
		n += j.rallies(-1)
		if j.fed() {
			n = max(n, j.workers)
		}
	}
	return n
}

func (j *judging) allEnded() bool {
	for i := range j.tasks {
		if t := &j.tasks[i]; !j.nobody[i] && (t.accepted && t.ended == 0 || t.begun > t.ended) {
			return false
		}
	}
	return true
}

// stranded finds which promise is broken to a task that waits beside an idle worker.
func (j *judging) stranded(k, occupied int, how string) {
	t := &j.tasks[k]
	idle := fmt.Sprintf("%d of %d workers are idle", j.workers-occupied, j.workers)
	switch {
	case !j.closeHangs():
	case j.idle() == 0:
		idle = fmt.Sprintf("%d of %d workers have ended, or have not begun: Close was called, and has to wait for all tasks", j.workers-occupied, j.workers)
		j.verdict.early = j.verdict.early || j.holds("close", spec.Waits)
	case j.idle() < 0:
		idle += ", or have ended: Close was called, and has to wait for all tasks"
	}
	by := j.program.By[k]
	switch {
	case t.begun > 0 && strings.HasPrefix(t.step, "b"):
		j.find("SY-RETURN", "", fmt.Sprintf("task %d goes on, whose call may return", k), "%s, and it does not; %s", how, idle)
	case t.begun > 0 && sleeps(t):
		id := "TM-LOST"
		if occupied > 0 {
			id = "TM-BESIDE"
		}
		j.find(id, "", fmt.Sprintf("task %d goes on, whose time is over", k), "%s, and it sleeps on; %s", how, idle)
	case t.begun > 0 && inJoin(t):
		j.find("SC-JOIN", "", fmt.Sprintf("task %d goes on: the task that it joins has ended", k), "%s, and it does not; %s", how, idle)
	case j.joining() > 0 && occupied+j.joining() >= j.workers:
		j.find("SC-JOIN", "keeps", fmt.Sprintf("task %d runs while %d others join", k, j.joining()), "%s, and it waits; tasks that do not join have %d of %d workers", how, occupied, j.workers)
	case j.asleep() > 0 && occupied+j.asleep() >= j.workers:
		j.find("TM-LEAVES", "", fmt.Sprintf("task %d runs while %d others sleep", k, j.asleep()), "%s, and it waits; tasks that do not sleep have %d of %d workers", how, occupied, j.workers)
	case occupied+j.blocked() >= j.workers:
		j.find("SY-BLOCK", "", fmt.Sprintf("task %d runs while %d others block", k, j.blocked()), "%s, and it waits; tasks that do not block have %d of %d workers", how, occupied, j.workers)
	case t.begun > 0 && strings.HasPrefix(t.step, "g"):
		j.find("SC-WORK", "again", fmt.Sprintf("task %d, which has submitted itself again, runs", k), "%s, and it waits; %s", how, idle)
	case t.begun > 0 && !j.off(t):
		j.find("SC-WAKE", "yield", fmt.Sprintf("task %d, which has yielded, goes on", k), "%s, and it has not; %s", how, idle)
	case t.begun > 0:
		j.find("SC-WAKE", "", fmt.Sprintf("task %d, which was made ready, goes on", k), "%s, and it has not; %s", how, idle)
	case j.changes > 0 && occupied >= j.fewest:
		j.find("SC-GROW", "", fmt.Sprintf("task %d runs beside the %d that have a worker, since there are %d workers now", k, occupied, j.workers), "%s, and it waits; there were %d", how, j.fewest)
	case by >= 0 && j.tasks[by].begun > j.tasks[by].ended && !j.off(&j.tasks[by]):
		j.find("SC-STEAL", "", fmt.Sprintf("task %d runs while task %d, which has spawned it, goes on", k, by), "%s, and it has not begun; %s", how, idle)
	case occupied > 0:
		j.find("SC-TOGETHER", "", fmt.Sprintf("task %d runs beside the %d that have a worker", k, occupied), "%s, and it waits; %s", how, idle)
	default:
		j.find("SC-WORK", "", fmt.Sprintf("task %d runs", k), "%s, and it waits; all workers are idle", how)
	}
}

// starved finds which promise is broken to tasks that wait behind others that do not end.
func (j *judging) starved(waiting []int, how string) {
	for i := range j.tasks {
		switch t := &j.tasks[i]; {
		case t.begun > t.ended && strings.HasPrefix(t.step, "l") && !j.holds("fair", spec.None):
			j.find("FA-YIELD", "", fmt.Sprintf("task %d runs, since task %d yields", waiting[0], i), "%s, and it waits", how)
		case t.begun > t.ended && strings.HasPrefix(t.step, "g") && j.holds("again", spec.Fair):
			j.find("FA-AGAIN", "", fmt.Sprintf("task %d runs, since task %d ends whenever it has submitted itself again", waiting[0], i), "%s, and it waits", how)
		case t.begun > t.ended && strings.HasPrefix(t.step, "t") && (j.holds("fair", spec.Switching) || j.holds("fair", spec.Preempted)):
			j.find("FA-READY", "", fmt.Sprintf("task %d runs, since task %d and others make each other ready, and park", waiting[0], i), "%s, and it waits", how)
		case t.begun > t.ended && strings.HasPrefix(t.step, "h") && j.holds("fair", spec.Preempted):
			j.find("FA-PREEMPT", "", fmt.Sprintf("task %d runs, although task %d does not end", waiting[0], i), "%s, and it waits", how)
		}
	}
	if j.fed() && j.holds("again", spec.Fair) {
		j.find("FA-AGAIN", "", fmt.Sprintf("task %d runs, although a thread outside keeps submitting tasks that end", waiting[0]), "%s, and it waits", how)
	}
}

// state says where all are, for people.
func (j *judging) state() string {
	var list []string
	for k := range j.tasks {
		t := &j.tasks[k]
		list = append(list, fmt.Sprintf("task %d: accepted %v, begun %d, ended %d, step %q", k, t.accepted, t.begun, t.ended, t.step))
		if len(list) == 8 {
			break
		}
	}
	for who, step := range j.threads {
		list = append(list, fmt.Sprintf("T%d: step %q", ^who, step))
	}
	return strings.Join(list, "; ")
}
