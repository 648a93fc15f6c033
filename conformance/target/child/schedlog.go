package child

import (
	"fmt"
	"strings"
	"time"

	"github.com/spindle-go/spindle/spec/record"
)

// A log says what a scheduler did, and the driver that wrote it is not believed before it was held against the graph. What any scheduler may do, right or wrong, is let through:
// a task that runs twice, or never, or that was refused. What no driver can see is an error of the harness.

// checkLog holds a log against the graph, up to where it goes.
func checkLog(g *record.TaskProgram, events []record.TaskEvent, released bool) error {
	if most := mostEvents(g); len(events) > most {
		return protocolError("expected at most %d events, or \"full\", saw %d", most, len(events))
	}
	c := &logged{g: g, did: make(map[int]int), in: make(map[int]string), asked: make(map[int]bool), begun: make([]int, len(g.Tasks)), over: make(map[int]int)}
	var last time.Duration
	for i := range events {
		e := &events[i]
		if e.At < last {
			return protocolError("expected times that do not fall, saw event %d of the log at %d ns, behind one at %d", i, e.At, last)
		}
		last = e.At
		if why := c.event(e); why != "" {
			return protocolError("event %d of the log, %q by %d of step %.40q: %s", i, e.What, e.Who, e.Step, why)
		}
	}
	if c.released && !released {
		return protocolError("expected no release before it was asked, saw one in the log")
	}
	return nil
}

// logged is what a log has had up to some event.
type logged struct {
	g        *record.TaskProgram
	did      map[int]int    // by who: the steps that are over
	in       map[int]string // by who: the step that it is in
	asked    map[int]bool   // by task: a submission has begun
	begun    []int          // by task
	over     map[int]int    // by who: how often it has ended
	released bool
}

// event takes an event over, and says what is wrong with it.
func (c *logged) event(e *record.TaskEvent) string {
	switch {
	case e.Who == record.Runner:
	case e.Who >= len(c.g.Scripts) || ^e.Who >= len(c.g.Threads):
		return "the graph has no such task or thread"
	case e.Who < 0 && c.over[e.Who] > 0:
		return "the thread has ended"
	case e.Who >= 0 && e.What != record.Begins && c.begun[e.Who] == 0:
		return "the task has not begun"
	}
	twice := e.Who >= 0 && c.begun[e.Who] > 1 // its steps are those of two
	switch e.What {
	case record.Begins:
		switch {
		case e.Who < 0 || e.Step != "":
			return "a task begins, without a step"
		case !c.asked[e.Who]:
			return "no step has submitted the task"
		}
		c.begun[e.Who]++
	case record.Ends:
		switch {
		case e.Who == record.Runner || e.Step != "":
			return "a thread or a task ends, without a step"
		case twice:
		case e.Who >= 0 && c.over[e.Who] > 0:
			return "the task has ended"
		case c.in[e.Who] != "":
			return "it is in step " + c.in[e.Who]
		case c.did[e.Who] < len(c.script(e.Who)):
			if s := c.script(e.Who)[c.did[e.Who]]; s.Op != record.Panic {
				return "its script has more steps"
			}
		}
		c.over[e.Who]++
	case record.Does, record.Did:
		return c.step(e, twice)
	case record.Released:
		if e.Who != record.Runner || e.Step != "" || c.released {
			return "the driver releases a run, once"
		}
		c.released = true
	default:
		return "no event of a driver is called so"
	}
	return ""
}

func (c *logged) script(who int) []record.TaskStep {
	if who < 0 {
		return c.g.Threads[^who]
	}
	return c.g.Scripts[who]
}

// step takes the begin or the end of a step over.
func (c *logged) step(e *record.TaskEvent, twice bool) string {
	if e.Who == record.Runner {
		return c.closes(e)
	}
	script, at := c.script(e.Who), c.did[e.Who]
	if twice {
		for _, s := range script {
			if s.String() == e.Step {
				c.asks(s)
				return ""
			}
		}
		return "its script has no such step"
	}
	if at >= len(script) || script[at].String() != e.Step {
		return "its script has another step there"
	}
	s := script[at]
	switch {
	case s.Op == record.Panic:
		return "a panic is not logged"
	case e.What == record.Does && s.Op == record.Happen:
		return "of this step only the end is logged"
	case e.What == record.Does && c.in[e.Who] != "":
		return "it is in step " + c.in[e.Who]
	case e.What == record.Did && s.Op != record.Happen && c.in[e.Who] == "":
		return "the step has not begun"
	case e.Text != "" && (e.What == record.Does || !tells(s.Op)):
		return fmt.Sprintf("this step has no text, saw %.80q", e.Text)
	case e.Text != "" && s.Op == record.Park && e.Text != record.NoNeed:
		return fmt.Sprintf("expected the text %q, saw %.80q", record.NoNeed, e.Text)
	case e.Text != "" && (s.Submits() || s.Op == record.Resize) && !strings.HasPrefix(e.Text, "refused: "):
		return fmt.Sprintf("expected a text that begins with %q, saw %.80q", "refused: ", e.Text)
	}
	if e.What == record.Does {
		c.in[e.Who] = e.Step
		c.asks(s)
	} else {
		c.in[e.Who] = ""
		c.did[e.Who]++
	}
	return ""
}

// tells reports whether the end of such a step may have a text.
func tells(op record.TaskOp) bool {
	switch op {
	case record.Submit, record.Fork, record.Resize, record.Close, record.Settle, record.Collect, record.Park, record.Block:
		return true
	}
	return false
}

func (c *logged) asks(s record.TaskStep) {
	if s.Submits() {
		c.asked[s.Arg] = true
	}
}

// closes takes over that the driver closes, when no script does.
func (c *logged) closes(e *record.TaskEvent) string {
	switch {
	case e.Step != "c" || c.g.Closes:
		return "the driver only closes, and only where no script does"
	case e.What == record.Does && (c.in[e.Who] != "" || c.did[e.Who] > 0):
		return "it closes once"
	case e.What == record.Did && c.in[e.Who] == "":
		return "the step has not begun"
	}
	for i := range c.g.Threads {
		if c.over[^i] == 0 && !c.released { // who only waits for Close is let go on, too
			return fmt.Sprintf("thread %d has not ended", i)
		}
	}
	if c.in[e.Who] = e.Step; e.What == record.Did {
		c.in[e.Who] = ""
		c.did[e.Who]++
	}
	return ""
}

// checkEnd holds the log of a run that is over against the graph. It was checked before.
func checkEnd(g *record.TaskProgram, events []record.TaskEvent) error {
	ended, accepted, closed := make(map[int]bool), make(map[int]bool), 0
	happened, arrived := make([]bool, g.Events), make([]int, g.Events)
	refused := make([]bool, len(g.Tasks))
	released := false
	waited := make(map[string]bool)
	refuse := func(k int) {}
	refuse = func(k int) {
		refused[k] = true
		for _, s := range g.Scripts[k] {
			switch {
			case s.Op == record.Happen:
				happened[s.Arg] = true
			case s.Op == record.Gather:
				arrived[s.Arg]++
			case s.Submits():
				refuse(s.Arg)
			}
		}
	}
	for i := range events {
		e := &events[i]
		steps, _ := record.ParseTaskScript(e.Step)
		switch {
		case e.What == record.Released:
			released = true
		case e.What == record.Ends:
			ended[e.Who] = true
		case len(steps) != 1:
		case e.What == record.Does && steps[0].Op == record.Gather:
			arrived[steps[0].Arg]++
		case e.What != record.Did:
		case steps[0].Submits() && e.Text != "":
			refuse(steps[0].Arg)
		case steps[0].Submits():
			accepted[steps[0].Arg] = true // again, if the task that submits it has run twice
		case steps[0].Op == record.Close:
			closed++
		case steps[0].Op == record.Happen:
			happened[steps[0].Arg] = true
		case steps[0].Op == record.Await, steps[0].Op == record.Gather, steps[0].Op == record.Join, steps[0].Op == record.Park, steps[0].Op == record.Block:
			waited[e.Step] = true
		}
	}
	for i := range g.Threads {
		if !ended[^i] {
			return protocolError("expected an answer when the run is over, saw one in whose log thread %d has not ended", i)
		}
	}
	if closed == 0 {
		return protocolError("expected an answer when the run is over, saw one in whose log no Close has returned")
	}
	pending := 0
	for k := range accepted {
		if !ended[k] {
			pending++
		}
	}
	if pending > 0 {
		return protocolError("expected an answer when the run is over, saw one in whose log %d tasks that were accepted have not ended", pending)
	}
	if released {
		return nil
	}
	for step := range waited {
		s, _ := record.ParseTaskScript(step)
		switch op, n := s[0].Op, s[0].Arg; {
		case op == record.Join && !ended[n] && !refused[n]:
			return protocolError("expected no end of step %v before that of task %d, saw one", step, n)
		case op == record.Gather && arrived[n] < g.Meets[n]:
			return protocolError("expected no end of step %v before all have arrived, saw one", step)
		case op != record.Join && op != record.Gather && !happened[n]:
			return protocolError("expected no end of step %v, since event %d has not happened, saw one", step, n)
		}
	}
	return nil
}

// extends reports whether a log begins with another one.
func extends(log, begin []record.TaskEvent) bool {
	if len(log) < len(begin) {
		return false
	}
	for i := range begin {
		if log[i] != begin[i] {
			return false
		}
	}
	return true
}

// ranTwice reports whether a task has begun twice.
func ranTwice(events []record.TaskEvent) bool {
	begun := make(map[int]bool)
	for i := range events {
		if e := &events[i]; e.What == record.Begins {
			if begun[e.Who] {
				return true
			}
			begun[e.Who] = true
		}
	}
	return false
}

// pendingIn reports whether tasks are left that were submitted, and have neither ended nor been refused, or threads that have not ended.
func pendingIn(events []record.TaskEvent) bool {
	pending, settling, closing := 0, 0, false
	for i := range events {
		e := &events[i]
		steps, _ := record.ParseTaskScript(e.Step)
		switch {
		case e.What == record.Ends && e.Who >= 0:
			pending--
		case len(steps) != 1:
		case e.What == record.Does && steps[0].Submits():
			pending++
		case e.What == record.Did && steps[0].Submits() && e.Text != "":
			pending--
		case steps[0].Op == record.Close:
			closing = true
		case steps[0].Op == record.Settle && e.What == record.Does:
			settling++
		case steps[0].Op == record.Settle:
			settling--
		}
	}
	return pending > 0 || settling > 0 && !closing
}

// A sleeping is who sleeps at some time.
type sleeping struct {
	task    int           // that sleeps though its time is over, for the longest
	overdue time.Duration // for so long; 0: none
	others  bool          // another task or thread sleeps, whose time is not over
}

// sleepersOf returns who sleeps at the end of a log.
func sleepersOf(events []record.TaskEvent, now time.Duration) (z sleeping) {
	in := make(map[int]*record.TaskEvent)
	for i := range events {
		switch e := &events[i]; e.What {
		case record.Does:
			in[e.Who] = e
		case record.Did, record.Ends:
			delete(in, e.Who)
		}
	}
	for who, e := range in {
		steps, _ := record.ParseTaskScript(e.Step)
		if len(steps) != 1 {
			continue
		}
		over := time.Duration(0)
		switch steps[0].Op {
		case record.Naps:
		case record.Sleep:
			over = now - e.At - steps[0].For()
		default:
			continue
		}
		switch {
		case over <= 0 || who < 0:
			z.others = true
		case over > z.overdue || over == z.overdue && who < z.task:
			z.task, z.overdue = who, over
		}
	}
	return z
}

// crowded notes where more tasks run than there may be workers. A task runs from its begin to its end, but in steps in which it leaves its worker: what is
// logged inside it, so that the counts err in favour of the scheduler. Where tasks never keep a worker while they wait (parks), these are all steps in which one may wait.
func crowded(g *record.TaskProgram, events []record.TaskEvent, parks bool) []record.TaskEvent {
	out := make([]record.TaskEvent, 0, len(events))
	running := 0
	for _, e := range events {
		out = append(out, e)
		before := running
		leaves := e.Step != "" && e.Who >= 0 && (leavesWorker(record.TaskOp(e.Step[0])) || parks && keepsWorker(record.TaskOp(e.Step[0])))
		switch {
		case e.Who < 0:
		case e.What == record.Begins, e.What == record.Did && leaves:
			running++
		case e.What == record.Ends, e.What == record.Does && leaves:
			running--
		}
		if running > before && running > g.Most {
			out = append(out, record.TaskEvent{What: record.TooMany, Who: record.Runner, At: e.At, Text: fmt.Sprintf("%d of %d", running, g.Most)})
		}
	}
	return out
}

// keepsWorker reports whether a task waits in such a step, and keeps its worker unless the contract is tasks=cooperative.
func keepsWorker(op record.TaskOp) bool {
	return op == record.Await || op == record.Gather || op == record.Join
}

// leavesWorker reports whether a task may leave its worker in such a step.
func leavesWorker(op record.TaskOp) bool {
	switch op {
	case record.Park, record.Block, record.Yield, record.Turns, record.Sleep, record.Naps, record.Collect, record.Rally:
		return true
	}
	return false
}
