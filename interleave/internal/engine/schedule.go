package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// A schedule says who goes on where: "0a.9b.12a" is the thread a from step 0 on,
// b from step 9, a again from step 12. Threads are letters in the order of their
// making. Between two switches a thread goes on as long as it can; where it
// cannot, the first that can does.

// empty is the schedule of an execution without steps.
const empty = "-"

const letters = "abcdefghijklmnopqrstuvwxyzABCDEF"

type turn struct {
	step   int
	thread int
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
			fmt.Fprintf(&b, "%d%c", i, letters[t])
			last = t
		}
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
		bad := fmt.Errorf("interleave: schedule %q: %q is no switch: want a step and a thread, as in 12b", text, part)
		if len(part) < 2 {
			return nil, bad
		}
		n, err := strconv.Atoi(part[:len(part)-1])
		t := strings.IndexByte(letters, part[len(part)-1])
		if err != nil || n < 0 || t < 0 {
			return nil, bad
		}
		if len(turns) > 0 && n <= turns[len(turns)-1].step {
			return nil, fmt.Errorf("interleave: schedule %q: step %d does not come after step %d", text, n, turns[len(turns)-1].step)
		}
		turns = append(turns, turn{n, t})
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
		if enabled.has(turn.thread) {
			return turn.thread
		}
		if r.diverged == "" {
			why := "cannot go on"
			if t := s.byID[turn.thread]; t == nil {
				why = "does not exist"
			} else if t.done {
				why = "has ended"
			} else {
				why += ": it is at " + s.announced(t)
			}
			r.diverged = fmt.Sprintf("at step %d the schedule has thread %c go on, which %s", at, letters[turn.thread], why)
		}
	}
	return prefer(enabled, now)
}

func (r *replay) end(s *scheduler) bool {
	if r.next < len(r.turns) && r.diverged == "" {
		r.diverged = fmt.Sprintf("it has a switch at step %d, and the execution ended after %d steps", r.turns[r.next].step, len(s.events))
	}
	return false
}
