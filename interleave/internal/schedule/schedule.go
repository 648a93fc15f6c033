// Package schedule has the schedules of executions: as text, how to follow one, and how to find one with fewer switches.
package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// A schedule says who goes on where: "0a.9b.12a" is the thread a from step 0 on,
// b from step 9, a again from step 12. Between two switches a thread goes on as
// long as it can; where it cannot, the first that can does. After a Gosched the next one
// does, and it is written who goes on. "7a=2" is a at step 7,
// with an operation that does the third of the things that it may do, not the first.
// Threads have the names that order.Execution.Lineage gives them.

// Empty is the schedule of an execution without steps.
const Empty = "-"

// A Turn is a switch of a schedule: which thread goes on from a step on, by its name, and which of the things that its operation may do it does there, from 0.
type Turn struct {
	Step   int
	Thread string
	Pick   int
}

// Of returns the schedule of an execution so far.
func Of(x *order.Execution) string {
	var b strings.Builder
	last := -1
	for i := range x.Events {
		t, pick := int(x.Events[i].Thread), x.Events[i].Pick
		if t == last && pick < 2 && x.Events[i-1].Kind != object.Gosched {
			continue
		}
		if last >= 0 {
			b.WriteByte('.')
		}
		fmt.Fprintf(&b, "%d%s", i, x.Lineage(t))
		if pick > 1 {
			fmt.Fprintf(&b, "=%d", pick-1)
		}
		last = t
	}
	if last < 0 {
		return Empty
	}
	return b.String()
}

// Parse reads a schedule; the error says what is wrong with it.
func Parse(text string) ([]Turn, error) {
	var turns []Turn
	if text == "" || text == Empty {
		return nil, nil
	}
	for _, part := range strings.Split(text, ".") {
		digits := len(part) - len(strings.TrimLeft(part, "0123456789"))
		n, err := strconv.Atoi(part[:digits])
		name, which, picks := strings.Cut(part[digits:], "=")
		pick := 0
		if picks && err == nil {
			pick, err = strconv.Atoi(which)
		}
		if err != nil || pick < 0 || !order.ValidName(name) {
			return nil, fmt.Errorf("interleave: schedule %q: %q is no switch: want a step and a thread, as in 12b, or 12b1 for the first thread that b starts", text, part)
		}
		if len(turns) > 0 && n <= turns[len(turns)-1].Step {
			return nil, fmt.Errorf("interleave: schedule %q: step %d does not come after step %d", text, n, turns[len(turns)-1].Step)
		}
		turns = append(turns, Turn{Step: n, Thread: name, Pick: pick})
	}
	return turns, nil
}

// A Program is asked about the program that follows a schedule.
type Program interface {
	Comes(thread int) bool    // whether the thread can go on after all, if one waits for it
	WhyNot(thread int) string // why it cannot: "has ended"
}

// Replay follows a schedule. It is a strategy.Chooser.
type Replay struct {
	Program  Program
	Turns    []Turn
	Diverged string // where the program did not follow
	next     int
	now      Turn // the latest
}

// Begin is of strategy.Chooser.
func (r *Replay) Begin(x *order.Execution) {
	r.next, r.now, r.Diverged = 0, Turn{Step: -1}, ""
	x.Fresh, x.Pairs = 0, false
}

// Choose is of strategy.Chooser.
func (r *Replay) Choose(x *order.Execution, c strategy.Choice) (int, error) {
	at := len(x.Events)
	if c.Of > 0 {
		switch {
		case r.now.Step != at:
			return 0, nil
		case r.now.Pick < c.Of:
			return r.now.Pick, nil
		case r.Diverged == "":
			r.Diverged = fmt.Sprintf("at step %d the schedule has the operation do the last of %d things, and it may do %d", at, r.now.Pick+1, c.Of)
		}
		return 0, nil
	}
	for r.next < len(r.Turns) && r.Turns[r.next].Step <= at {
		turn := r.Turns[r.next]
		r.next++
		r.now = turn
		id := x.Named(turn.Thread)
		if id >= 0 && (c.Threads.Has(id) || r.Diverged == "" && r.Program.Comes(id)) {
			return id, nil
		}
		if r.Diverged == "" {
			r.Diverged = fmt.Sprintf("at step %d the schedule has thread %s go on, which %s", at, turn.Thread, r.Program.WhyNot(id))
		}
	}
	return c.Threads.Prefer(c.Now), nil
}

// End is of strategy.Chooser.
func (r *Replay) End(x *order.Execution) bool {
	if r.next < len(r.Turns) && r.Diverged == "" {
		r.Diverged = fmt.Sprintf("it has a switch at step %d, and the execution ended after %d steps", r.Turns[r.next].Step, len(x.Events))
	}
	return false
}
