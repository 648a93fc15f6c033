package checks

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// What a plan may require to have been seen. All of it is read off the
// histories: a run in which the threads never met has shown little.
const (
	obsSteals        = "steals"
	obsStealGet      = "steals that overlapped a get"
	obsLoot          = "steals from a thief"
	obsOverflows     = "overflows"
	obsOverflowTwice = "overflows that overlapped another"
	obsOverflowSteal = "overflows that overlapped a steal"
	obsEmpty         = "emptiness asked during a call of the owner"
	obsWrap          = "wrap-arounds crossed"
)

// meetings are what is seen only where threads are at work at the same time.
var meetings = []string{obsStealGet, obsOverflowTwice, obsOverflowSteal, obsEmpty}

// observe adds to seen what h shows.
func observe(h *record.History, seen map[string]int) {
	if h.Scenario.Order != nil {
		return
	}
	var steals, gets, overflows, empties, owners spans
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Return == 0 {
			continue
		}
		s := span{op.Call, op.Return, op.Thread}
		switch op.Kind {
		case record.Steal, record.StealNext:
			if op.OK {
				steals = append(steals, s)
				if op.P > 0 {
					seen[obsLoot]++
				}
			}
		case record.Empty:
			empties = append(empties, s)
		case record.Get:
			if op.OK && op.P == 0 {
				gets = append(gets, s)
			}
			owners = append(owners, s)
		case record.Put, record.PutNext:
			owners = append(owners, s)
		}
		for _, m := range op.Moved {
			if m.From.Object == record.Ring && m.To.Object == record.Global {
				overflows = append(overflows, s)
			}
		}
	}
	if hasWaits(h) {
		seen[obsWaited] += waited(h)
	}
	seen[obsSteals] += len(steals)
	seen[obsOverflows] += len(overflows)
	seen[obsStealGet] += steals.overlapping(gets)
	seen[obsOverflowTwice] += overflows.overlapping(overflows)
	seen[obsOverflowSteal] += overflows.overlapping(steals)
	seen[obsEmpty] += empties.overlapping(owners)
	if passes(h) {
		seen[obsWrap]++
	}
}

// span is the interval of one call.
type span struct {
	call, ret int64
	thread    int
}

// spans are in the order of their calls.
type spans []span

// overlapping returns how many of a met a call of b by another thread.
func (a spans) overlapping(b spans) int {
	longest := int64(0)
	for _, s := range b {
		longest = max(longest, s.ret-s.call)
	}
	n := 0
	for _, s := range a {
		// Only a call that began at most the longest call before s can reach it.
		from, _ := slices.BinarySearchFunc(b, s.call-longest, func(x span, t int64) int { return cmp.Compare(x.call, t) })
		for _, x := range b[from:] {
			if x.call > s.ret {
				break
			}
			if x.ret >= s.call && x.thread != s.thread {
				n++
				break
			}
		}
	}
	return n
}
