package trace

import (
	"fmt"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// maxOrders bounds the states of a search for an order.
const maxOrders = 5_000_000

// Accept reports whether the machine can do what t says: whether there is an order of
// steps in which each call returns what it did return, no call begins before those have
// returned that did so before it was called, and in the end the same is left. States is
// how many were looked at; an error is that there were too many. It is what TLC looks for
// in tla/TraceRunQueue.tla.
func (t *Trace) Accept() (accepted bool, states int, err error) {
	m, err := runqueue.New(t.config)
	if err != nil {
		return false, 0, fmt.Errorf("%w: %w", ErrOutside, err)
	}
	earlier := t.earlier()
	seen := make(map[runqueue.State]bool)
	start := m.Start()
	seen[start] = true
	waiting := []runqueue.State{start}
	for len(waiting) > 0 {
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if t.over(m, &s) {
			return true, len(seen), nil
		}
		for p := range t.calls {
			call, busy := m.Calls(&s, p)
			if busy {
				call--
			} else if call == len(t.calls[p]) || !t.inTime(m, &s, earlier[p][call]) {
				continue
			}
			n := s
			a, ok := m.Take(&n, p)
			if !ok || !recorded(&a.Answer, t.calls[p][call]) || seen[n] {
				continue
			}
			if len(seen) == maxOrders {
				return false, len(seen), fmt.Errorf("trace: no order found in %d states, and not all were looked at", maxOrders)
			}
			seen[n] = true
			waiting = append(waiting, n)
		}
	}
	return false, len(seen), nil
}

// earlier says of each call how many of each thread had returned when it was called.
func (t *Trace) earlier() [][][]int {
	all := make([][][]int, len(t.calls))
	for p := range t.calls {
		for _, op := range t.calls[p] {
			counts := make([]int, len(t.calls))
			for q := range t.calls {
				for _, other := range t.calls[q] {
					if other.Return < op.Call {
						counts[q]++
					}
				}
			}
			all[p] = append(all[p], counts)
		}
	}
	return all
}

func (t *Trace) inTime(m *runqueue.Machine, s *runqueue.State, earlier []int) bool {
	for q, want := range earlier {
		begun, busy := m.Calls(s, q)
		if busy {
			begun--
		}
		if begun < want {
			return false
		}
	}
	return true
}

// recorded reports whether an answer is what the call returned. A get in another call, of
// a queue that was found empty, must find nothing.
func recorded(a *runqueue.Answer, op *record.Op) bool {
	switch {
	case a.Op == runqueue.None:
		return true
	case kinds[a.Op] != op.Kind:
		return len(a.Gs) == 0
	}
	return agrees(a, op)
}

// over reports whether all calls were made, and what is left is what was left.
func (t *Trace) over(m *runqueue.Machine, s *runqueue.State) bool {
	for p := range t.calls {
		if begun, busy := m.Calls(s, p); busy || begun < len(t.calls[p]) {
			return false
		}
	}
	c, _ := m.Contents(s)
	return differs(&c, &t.left, func(p int) int { return p }) == nil
}
