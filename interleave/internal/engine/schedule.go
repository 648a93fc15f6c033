package engine

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

// empty is the schedule of an execution without steps.
const empty = "-"

// A turn is a switch of a schedule.
type turn struct {
	step   int
	thread string
	pick   int
}

// schedule returns the schedule of the execution so far.
func (s *scheduler) schedule() string {
	var b strings.Builder
	last := -1
	for i := range s.Events {
		t, pick := int(s.Events[i].Thread), s.Events[i].Pick
		if t == last && pick < 2 && s.Events[i-1].Kind != object.Gosched {
			continue
		}
		if last >= 0 {
			b.WriteByte('.')
		}
		fmt.Fprintf(&b, "%d%s", i, s.Lineage(t))
		if pick > 1 {
			fmt.Fprintf(&b, "=%d", pick-1)
		}
		last = t
	}
	if last < 0 {
		return empty
	}
	return b.String()
}

// parseSchedule reads a schedule; the error says what is wrong with it.
func parseSchedule(text string) ([]turn, error) {
	var turns []turn
	if text == "" || text == empty {
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
		if len(turns) > 0 && n <= turns[len(turns)-1].step {
			return nil, fmt.Errorf("interleave: schedule %q: step %d does not come after step %d", text, n, turns[len(turns)-1].step)
		}
		turns = append(turns, turn{step: n, thread: name, pick: pick})
	}
	return turns, nil
}

// replay follows a schedule.
type replay struct {
	s        *scheduler // for what the error says
	turns    []turn
	next     int
	now      turn   // the latest
	diverged string // where the program did not follow
}

func (r *replay) Begin(x *order.Execution) {
	r.next, r.now, r.diverged = 0, turn{step: -1}, ""
	x.Fresh, x.Pairs = 0, false
}

func (r *replay) Choose(x *order.Execution, c strategy.Choice) (int, error) {
	at := len(x.Events)
	if c.Of > 0 {
		switch {
		case r.now.step != at:
			return 0, nil
		case r.now.pick < c.Of:
			return r.now.pick, nil
		case r.diverged == "":
			r.diverged = fmt.Sprintf("at step %d the schedule has the operation do the last of %d things, and it may do %d", at, r.now.pick+1, c.Of)
		}
		return 0, nil
	}
	for r.next < len(r.turns) && r.turns[r.next].step <= at {
		turn := r.turns[r.next]
		r.next++
		r.now = turn
		id := x.Named(turn.thread)
		if id >= 0 && (c.Threads.Has(id) || r.diverged == "" && r.s.byID[id] != nil && r.s.comes(r.s.byID[id])) {
			return id, nil
		}
		if r.diverged == "" {
			r.diverged = fmt.Sprintf("at step %d the schedule has thread %s go on, which %s", at, turn.thread, r.s.whyNot(id))
		}
	}
	return c.Threads.Prefer(c.Now), nil
}

// whyNot says why a thread cannot go on.
func (s *scheduler) whyNot(id int) string {
	for _, t := range s.threads {
		if t.ID != id {
			continue
		}
		if t.done {
			return "has ended"
		}
		return "cannot go on: it is at " + s.announced(t)
	}
	return "does not exist"
}

func (r *replay) End(x *order.Execution) bool {
	if r.next < len(r.turns) && r.diverged == "" {
		r.diverged = fmt.Sprintf("it has a switch at step %d, and the execution ended after %d steps", r.turns[r.next].step, len(x.Events))
	}
	return false
}
