package checks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A verdict is what a run shows.
type verdict struct {
	findings []record.Finding
	// judged counts what the run had of each requirement's matter.
	judged map[string]int64
	// cut says that the run came to a stop, so that it shows nothing more of what it has no finding of.
	cut bool
	// doubt says why nothing can be said of a stop, or "".
	doubt string
	// covered says that a long sleep was over before all threads outside had ended, in a run that came to no stop. The end of that sleep may have
	// woken a task that was late, so that nobody saw it. Else it is "".
	covered string
	// early says that tasks wait beside workers that Close may have ended: it was called, waits, and no goroutine of the scheduler is left that does not
	// run a task. Whether Close is the cause shows the same graph without it.
	early bool
}

// A taskState is what is known of a task at some place of the run.
type taskState struct {
	asked    bool // a submission has begun
	accepted bool
	refused  bool
	unsaid   bool // accepted when Close had returned, of which the contract says nothing
	begun    int
	ended    int
	early    bool          // accepted before Close was called, or spawned by one that was
	step     string        // that it is in
	since    time.Duration // when that began
	late     bool          // it sleeps, and was seen to do so for too long
}

// judging goes through the events of a run.
type judging struct {
	contract spec.SchedulerContract
	run      *record.TaskRun
	program  *record.TaskProgram
	tasks    []taskState
	sized
	threads  map[int]string // the steps that threads are in, by who
	ended    time.Duration  // when the last thread outside has ended
	covers   time.Duration  // when the first long sleep is over, or 0
	happened map[int]bool
	came     map[int]int // by meeting: how many have come
	closing  bool        // Close was called
	closed   bool        // it has returned
	reasons  int         // to wake somebody, that there were
	live     int         // tasks whose submission has begun, and that have not ended
	peak     int         // the most of these
	told     bool        // of a deadlock
	nobody   []bool      // by task: it waits for nobody
	released bool
	stopped  bool
	resting  bool          // at a stop: nobody runs
	alone    string        // the requirement that a task ends alone, once one has panicked, or called runtime.Goexit
	settles  map[int][]int // by thread that waits for all tasks: those that it waits for
	leaves   bool          // tasks leave their workers while they wait (tasks=cooperative)
	alive    int           // at a stop: how many goroutines the scheduler has, -1 if that is not known
	where    string        // where they are
	verdict  verdict
	found    map[string]bool
}

// judge says which requirements a run breaks, of a contract.
func judge(run *record.TaskRun, contract spec.SchedulerContract) verdict {
	program, err := run.Graph.Program()
	if err != nil {
		return verdict{doubt: err.Error()}
	}
	j := &judging{
		contract: contract, run: run, program: program, sized: newSized(program.Workers), nobody: forNobody(program), tasks: make([]taskState, len(program.Tasks)),
		alive: -1, threads: make(map[int]string), settles: make(map[int][]int), happened: make(map[int]bool), came: make(map[int]int),
		leaves:  contract.Is("tasks", spec.Leaving),
		verdict: verdict{judged: make(map[string]int64)}, found: make(map[string]bool),
	}
	for i := range run.Events {
		j.event(&run.Events[i])
	}
	if !j.stopped {
		j.end()
		if j.covers > 0 && j.ended >= j.covers {
			j.verdict.covered = fmt.Sprintf("a long sleep was over %v after the begin, before all threads outside had ended", j.covers)
		}
	}
	return j.verdict
}

// holds reports whether the contract has a choice of that value.
func (j *judging) holds(choice, value string) bool { return j.contract.Is(choice, value) }

// find notes a finding, once for each fingerprint.
func (j *judging) find(id, how, expected, format string, args ...any) {
	// What goes wrong once a task has panicked is the panic's doing, where panics may be.
	if j.alone != "" && id != "SC-CALLS" && id != j.alone {
		how, id = id, j.alone
	}
	fingerprint := strings.TrimSuffix(id+"/"+how, "/")
	if j.found[fingerprint] {
		return
	}
	j.found[fingerprint] = true
	j.verdict.findings = append(j.verdict.findings, record.Finding{Requirement: id, Fingerprint: fingerprint, Expected: expected, Observed: fmt.Sprintf(format, args...)})
}

func (j *judging) about(id string, n int64) { j.verdict.judged[id] += n }

// event takes one event over.
func (j *judging) event(e *record.TaskEvent) {
	steps, _ := record.ParseTaskScript(e.Step)
	var s record.TaskStep
	if len(steps) == 1 {
		s = steps[0]
	}
	switch e.What {
	case record.Begins:
		j.begins(e.Who)
	case record.Ends:
		if e.Who < 0 {
			j.ended = e.At
		} else {
			t := &j.tasks[e.Who]
			inside := t.step
			t.ended, t.step = t.ended+1, ""
			j.live--
			j.endsAlone(e.Who, inside)
		}
	case record.Does:
		j.does(e, s)
	case record.Did:
		j.did(e, s)
	case record.Alive:
		n, where, _ := strings.Cut(e.Text, ": ")
		if n, err := strconv.Atoi(n); err == nil {
			j.alive, j.where = n, where
		}
	case record.AtRest, record.Stalled:
		j.stop(e)
		j.alive, j.where = -1, ""
	case record.Released:
		j.released = true
	case record.LeftOver:
		j.leftOver(e.Text)
	case record.TooMany:
		id, expected := "SC-WORKERS", fmt.Sprintf("at most %d tasks that run at a time", j.workers)
		if j.changes > 0 {
			id, expected = "SC-SHRINK", "no more tasks that run at a time, of those submitted since, than the number of workers was changed to"
		}
		j.find(id, "", expected, "%s", e.Text)
	case record.Deadlock:
		n, _ := strconv.Atoi(e.Text)
		j.deadlock(n)
	case record.Woken:
		n, _ := strconv.Atoi(e.Text)
		j.woken(n)
	case record.Kept:
		n, _ := strconv.Atoi(e.Text)
		j.kept(n)
	case record.Late:
		j.tasks[e.Who].late = true
	case record.Unready:
		j.find("SC-WAKE", "outside", "a parked task is made ready from outside before Close is called", "%s", e.Text)
	}
}

func (j *judging) begins(k int) {
	t := &j.tasks[k]
	t.begun++
	j.about("SC-TWICE", 1)
	j.about("SC-LOST", 1)
	j.about("SC-WORKERS", 1)
	if j.changes > 0 && j.occupied(k) >= j.fewest {
		j.about("SC-GROW", 1)
	}
	if j.fewer {
		j.about("SC-SHRINK", 1)
	}
	switch {
	case t.begun > 1:
		j.find("SC-TWICE", "", fmt.Sprintf("task %d begins once", k), "it begins %d times", t.begun)
	case t.refused:
		j.ranRefused(k)
	}
	if n, occupied := j.blocked(), j.occupied(k); n > 0 && occupied+n >= j.workers && occupied < j.left() {
		j.about("SY-BLOCK", 1)
	}
	if n := j.asleep(); n > 0 && j.occupied(k)+n >= j.workers {
		j.about("TM-LEAVES", 1)
	}
	by := j.program.By[k]
	switch {
	case by >= 0 && j.tasks[by].ended == 0:
		j.about("SC-STEAL", 1)
	case j.occupied(k) > 0:
		j.about("SC-TOGETHER", 1)
	default:
		j.about("SC-WORK", 1)
	}
	if by < 0 && j.program.Most == 1 {
		j.about("SC-ORDER", 1)
		for _, s := range j.program.Threads[^by] {
			if s.Op == record.Submit && s.Arg == k {
				break
			}
			if s.Op == record.Submit && j.tasks[s.Arg].accepted && j.tasks[s.Arg].begun == 0 && j.holds("order", spec.FirstIn) {
				j.find("SC-ORDER", "", fmt.Sprintf("task %d begins before task %d, which was submitted after it", s.Arg, k), "task %d has begun first", k)
			}
		}
	}
}

func (j *judging) ranRefused(k int) {
	j.find("SC-REFUSED", "", fmt.Sprintf("task %d, which was refused, does not run", k), "it runs")
}

func (j *judging) does(e *record.TaskEvent, s record.TaskStep) {
	if e.Who >= 0 {
		j.tasks[e.Who].step, j.tasks[e.Who].since = e.Step, e.At
	} else {
		j.threads[e.Who] = e.Step
	}
	switch s.Op {
	case record.Submit, record.Fork:
		j.tasks[s.Arg].asked = true
		j.live++
		j.peak = max(j.peak, j.live)
		if j.closed {
			j.tasks[s.Arg].step = afterClose
		} else if j.closing {
			j.tasks[s.Arg].step = besideClose
		}
	case record.Gather:
		j.came[s.Arg]++
	case record.Close:
		j.closing = true
	case record.Settle:
		j.settle(e.Who)
	case record.Resize:
		j.sized.begin(s.Arg)
	case record.Sleep:
		if over := e.At + s.For(); e.Who >= 0 && s.For() >= quietOf(j.contract) && (j.covers == 0 || over < j.covers) {
			j.covers = over
		}
	}
}

// In place of a step, a task that has not begun has whether its submission began after Close.
const (
	besideClose = "beside"
	afterClose  = "after"
)

func (j *judging) did(e *record.TaskEvent, s record.TaskStep) {
	if e.Who >= 0 {
		j.tasks[e.Who].step, j.tasks[e.Who].late = "", false
	} else {
		delete(j.threads, e.Who)
	}
	j.about("SC-CALLS", 1)
	if e.Who >= 0 || s.Op == record.Submit {
		j.reasons += reasons(s.Op)
	}
	if e.Who >= 0 && j.leaves && s.Op.Waits() {
		j.reasons++ // it was made ready
	}
	switch s.Op {
	case record.Submit, record.Fork:
		j.submitted(e, s.Arg)
	case record.Collect:
		j.joined(e, s.Arg)
	case record.Close:
		j.didClose(e)
	case record.Settle:
		j.settled(e)
	case record.Happen:
		j.happened[s.Arg] = true
	case record.Park, record.Await, record.Gather, record.Join:
		if (s.Op == record.Park || j.leaves && e.Who >= 0) && e.Text != record.NoNeed {
			j.about("SC-WAKE", 1)
		}
	case record.Block:
		j.about("SY-RETURN", 1)
		if e.Text != "" {
			j.find("SY-RETURN", "calls", fmt.Sprintf("task %d goes on when its call was made once, and has returned", e.Who), "%s", e.Text)
		}
	case record.Resize:
		why, refused := strings.CutPrefix(e.Text, "refused: ")
		j.sized.end(!refused)
		if strings.HasPrefix(why, "panic: ") {
			j.find("SC-CALLS", "resize", "a change of the number of workers returns", "%s", why)
		}
	case record.Sleep:
		j.slept(e, s.For())
	case record.Turns:
		j.about("FA-YIELD", 1)
	case record.Rally:
		if !j.misses(s.Arg) {
			j.about("FA-READY", 1)
		}
	case record.Repeat:
		j.again(e)
	case record.Spin:
		j.about("FA-PREEMPT", 1)
	}
}

// leftOver judges goroutines that are left after Close; text has a line for all that are at one place.
func (j *judging) leftOver(text string) {
	first, rest, more := strings.Cut(text, "\n")
	if more {
		first += fmt.Sprintf(", and at %d other places", 1+strings.Count(rest, "\n"))
	}
	before := len(j.verdict.findings)
	j.find("SC-CLOSE-WORKERS", "", "no goroutine that the scheduler has started, after Close", "%s", first)
	if more && len(j.verdict.findings) > before {
		j.verdict.findings[before].Evidence = []record.Evidence{{Kind: record.Goroutines, Lines: strings.Split(text, "\n")}}
	}
}

// kept judges how many goroutines the scheduler has when all tasks have ended.
func (j *judging) kept(n int) {
	j.about("SC-THREADS", 1)
	if most := record.MostThreads(j.peak, j.program.Most); n > most {
		j.find("SC-THREADS", "", fmt.Sprintf("at most %d goroutines: two for each of %d tasks at a time and of %d workers, and 16", most, j.peak, j.program.Most), "%d", n)
	}
}

// slept judges a sleep that has ended.
func (j *judging) slept(e *record.TaskEvent, d time.Duration) {
	if e.Who < 0 {
		return // it waits by the clock of the suite
	}
	j.about("TM-EARLY", 1)
	if j.occupied(e.Who) > 0 {
		j.about("TM-BESIDE", 1)
	} else {
		j.about("TM-LOST", 1)
	}
	if after := e.At - j.tasks[e.Who].since; after < d {
		j.find("TM-EARLY", "", fmt.Sprintf("task %d, which sleeps for %v, does not go on before that is over", e.Who, d), "it goes on after %v", after)
	}
}

// submitted judges a submission that has returned.
func (j *judging) submitted(e *record.TaskEvent, k int) {
	t := &j.tasks[k]
	when := t.step
	if when == afterClose || when == besideClose {
		t.step = ""
	} else {
		when = ""
	}
	if when == afterClose {
		j.about("SC-CLOSED", 1)
	} else if !j.closing {
		j.about("SC-ACCEPT", 1)
	}
	text, refused := strings.CutPrefix(e.Text, "refused: ")
	if j.closed && !j.holds("closed", spec.Refused) && (!refused || when == afterClose) {
		t.unsaid = !refused // whether it runs is not judged: it may have come when Close had returned
		return
	}
	if !refused {
		if j.closing || !j.holds("refuse", spec.Never) {
			j.about("SC-REFUSED", 1) // it might have been refused
		}
		t.accepted = true
		t.early = !j.closing || e.Who >= 0 && j.tasks[e.Who].early
		if when == afterClose && j.holds("closed", spec.Refused) {
			j.find("SC-CLOSED", "", fmt.Sprintf("the submission of task %d, after Close has returned, is refused", k), "it is accepted")
		}
		return
	}
	t.refused = true
	j.live--
	j.about("SC-REFUSED", 1)
	switch {
	case t.begun > 0:
		j.ranRefused(k)
	case when == afterClose:
	case strings.HasPrefix(text, "panic: "):
		j.find("SC-CALLS", "submit", fmt.Sprintf("the submission of task %d returns", k), "%s", text)
	case !j.closing && j.holds("refuse", spec.Never):
		j.find("SC-ACCEPT", "", fmt.Sprintf("the submission of task %d, before Close is called, is accepted", k), "it is refused: %s", text)
	}
}

// didClose judges what is left when Close returns.
func (j *judging) didClose(e *record.TaskEvent) {
	j.closed = true
	j.about("SC-CLOSE-RETURNS", 1)
	j.about("SC-CLOSE-WORKERS", 1)
	if strings.HasPrefix(e.Text, "panic: ") {
		j.find("SC-CALLS", "close", "Close returns", "%s", e.Text)
		return
	}
	if !j.holds("close", spec.Waits) {
		return
	}
	if n := j.stuck(); n > 0 {
		j.about("SC-DEADLOCK", 1)
		if !j.told {
			j.find("SC-DEADLOCK", "", fmt.Sprintf("Close says that %d tasks can never go on", n), "it returns, and says nothing of that")
		}
	} else {
		j.about("SC-DEADLOCK-TRUE", 1)
	}
	for k := range j.tasks {
		t := &j.tasks[k]
		if !t.accepted || !t.early || j.nobody[k] || j.told {
			continue
		}
		j.about("SC-CLOSE-WAITS", 1)
		if t.ended > 0 || j.stopped {
			continue // what was stranded already has its finding
		}
		fingerprint, what := "waits", "it has not begun"
		if t.begun > 0 {
			fingerprint, what = "runs", "it has begun, and has not ended"
		}
		j.find("SC-CLOSE-WAITS", fingerprint, fmt.Sprintf("task %d has ended when Close returns", k), "%s", what)
	}
}

// occupied counts the tasks that have a worker, but for task k.
func (j *judging) occupied(k int) (n int) {
	for i := range j.tasks {
		if t := &j.tasks[i]; i != k && t.begun > t.ended && !j.off(t) {
			n++
		}
	}
	return n + j.rallies(k)
}

// off reports whether a task that has begun has left its worker, or takes turns with others that have.
func (j *judging) off(t *taskState) bool {
	return strings.HasPrefix(t.step, "p") || strings.HasPrefix(t.step, "b") || strings.HasPrefix(t.step, "t") || inJoin(t) || sleeps(t) || j.leaves && waitsInTask(t)
}

// rallies counts the groups of tasks that take turns: one of each has a worker. It does not count task k.
func (j *judging) rallies(k int) int {
	groups := make(map[string]bool)
	for i := range j.tasks {
		if t := &j.tasks[i]; i != k && t.begun > t.ended && strings.HasPrefix(t.step, "t") {
			groups[t.step] = true
		}
	}
	return len(groups)
}

// sleeps reports whether a task is in a step in which it sleeps.
func sleeps(t *taskState) bool {
	return strings.HasPrefix(t.step, "z") || strings.HasPrefix(t.step, "k")
}

// end judges what a run has come to that has ended by itself.
func (j *judging) end() {
	for k := range j.tasks {
		if t := &j.tasks[k]; t.accepted && t.begun == 0 && j.holds("close", spec.Waits) {
			j.find("SC-LOST", "", fmt.Sprintf("task %d runs", k), "the run has ended, and it has not begun")
		}
	}
}
