package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// A schedule says who goes on where: "0a.9b.12a" is the thread a from step 0 on,
// b from step 9, a again from step 12. Between two switches a thread goes on as
// long as it can; where it cannot, the first that can does.
//
// A thread is named by who made it: the body's are letters, in the order of their
// making; a2 is the second that a has started, a2-1 the first that this one has;
// a+ is what empties a's store buffer. So a name means the same thread in every
// execution, however the search came to it.

// empty is the schedule of an execution without steps.
const empty = "-"

const letters = "abcdefghijklmnopqrstuvwxyzABCDEF"

// A turn is a switch of a schedule.
type turn struct {
	step   int
	thread string
}

// schedule returns the schedule of the execution so far.
func (s *scheduler) schedule() string {
	var b strings.Builder
	last := -1
	for i := range s.events {
		if t := int(s.events[i].thread); t != last {
			if last >= 0 {
				b.WriteByte('.')
			}
			fmt.Fprintf(&b, "%d%s", i, s.lineage(t))
			last = t
		}
	}
	if last < 0 {
		return empty
	}
	return b.String()
}

// lineage returns the name that a schedule has for a thread.
func (s *scheduler) lineage(id int) string {
	t := s.byID[id]
	switch {
	case t == nil:
		return "?"
	case t.owner != nil:
		return s.lineage(t.owner.id) + "+"
	case t.parent < 0:
		return letters[t.nth : t.nth+1]
	}
	up := s.lineage(t.parent)
	if len(up) > 1 {
		up += "-"
	}
	return up + strconv.Itoa(t.nth+1)
}

// idOfName returns the id of the thread that a schedule calls name: a valid one. To
// be called when the threads of the body have theirs.
func (s *scheduler) idOfName(name string) int {
	body, buffer := strings.CutSuffix(name, "+")
	id := s.idOf(-1, strings.IndexByte(letters, body[0]))
	if body = body[1:]; body != "" {
		for _, nth := range strings.Split(body, "-") {
			n, _ := strconv.Atoi(nth)
			if id >= 0 {
				id = s.idOf(id, n-1)
			}
		}
	}
	if buffer && id >= 0 {
		id = s.idOf(id, -1)
	}
	return id
}

// validName reports whether a schedule may call a thread so.
func validName(name string) bool {
	body, _ := strings.CutSuffix(name, "+")
	if body == "" || strings.IndexByte(letters, body[0]) < 0 {
		return false
	}
	if body = body[1:]; body == "" {
		return true
	}
	for _, nth := range strings.Split(body, "-") {
		if n, err := strconv.Atoi(nth); err != nil || n < 1 || n > MaxThreads || nth[0] == '+' {
			return false
		}
	}
	return true
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
		name := part[digits:]
		if err != nil || !validName(name) {
			return nil, fmt.Errorf("interleave: schedule %q: %q is no switch: want a step and a thread, as in 12b, or 12b1 for the first thread that b starts", text, part)
		}
		if len(turns) > 0 && n <= turns[len(turns)-1].step {
			return nil, fmt.Errorf("interleave: schedule %q: step %d does not come after step %d", text, n, turns[len(turns)-1].step)
		}
		turns = append(turns, turn{step: n, thread: name})
	}
	return turns, nil
}

// replay follows a schedule.
type replay struct {
	turns    []turn
	next     int
	diverged string // where the program did not follow
}

func (r *replay) begin(s *scheduler) {
	r.next, r.diverged = 0, ""
	s.fresh = 0
	s.pairs = false
}

func (r *replay) choose(s *scheduler, enabled threadSet, now int) int {
	at := len(s.events)
	for r.next < len(r.turns) && r.turns[r.next].step <= at {
		turn := r.turns[r.next]
		r.next++
		id := s.idOfName(turn.thread)
		if id >= 0 && enabled.has(id) {
			return id
		}
		if r.diverged == "" {
			r.diverged = fmt.Sprintf("at step %d the schedule has thread %s go on, which %s", at, turn.thread, s.whyNot(id))
		}
	}
	return prefer(enabled, now)
}

// whyNot says why a thread cannot go on.
func (s *scheduler) whyNot(id int) string {
	for _, t := range s.threads {
		if t.id != id {
			continue
		}
		if t.done {
			return "has ended"
		}
		return "cannot go on: it is at " + s.announced(t)
	}
	return "does not exist"
}

func (r *replay) end(s *scheduler) bool {
	if r.next < len(r.turns) && r.diverged == "" {
		r.diverged = fmt.Sprintf("it has a switch at step %d, and the execution ended after %d steps", r.turns[r.next].step, len(s.events))
	}
	return false
}
