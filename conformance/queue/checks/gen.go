package checks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// gen makes scenarios for one target from one seed.
type gen struct {
	*rand.Rand
	facts
}

// capacity returns want where the target can be given a capacity, else its own.
func (g *gen) capacity(want int) int {
	if g.caps.Resize {
		return want
	}
	return g.caps.Capacity
}

// ask is the capacity to put in a scenario.
func (g *gen) ask(want int) int {
	if g.caps.Resize {
		return want
	}
	return 0
}

// thief returns the P of a thief: its own where steals go from ring to ring.
func (g *gen) thief(p int) int {
	if g.half() {
		return p
	}
	return record.None
}

// spills reports whether a full ring overflows to a global queue.
func (f facts) spills() bool { return f.contract.Full == spec.Overflows && f.caps.Global }

// allowed reports whether the target offers calls of kind k, and the contract says what
// they do.
func (f facts) allowed(k record.Kind) bool {
	c := &f.contract
	switch k {
	case record.PutNext:
		return f.caps.RunNext && c.Slot != spec.None
	case record.Steal:
		return c.Steals != spec.None
	case record.StealNext:
		return f.caps.RunNext && f.half() && c.Slot == spec.Thieves
	case record.GlobalPut, record.GlobalGet:
		return f.spills()
	case record.Take:
		return f.caps.Take && c.Slot == spec.None && c.Full == spec.Refuses
	case record.CloseQueue:
		return f.caps.Close && f.allowed(record.Take) && c.Closed != spec.Unsaid
	}
	return f.caps.Supports(k)
}

// asManyThieves returns s with the steals that the contract allows: of several threads that
// steal at once those of the first, or none, and those from a slot if thieves may have it.
// What is left of the others they call.
func (f facts) asManyThieves(s record.Scenario) record.Scenario {
	if s.Order != nil {
		return s
	}
	thieves := 0
	for i := range s.Threads {
		t := &s.Threads[i]
		t.Script = withoutCalls(t.Script, func(k record.Kind) bool { return k.Steals() && !f.allowed(k) })
		if !steals(t.Script) {
			continue
		}
		if thieves++; thieves > 1 && f.contract.Steals == spec.One {
			t.Script = withoutCalls(t.Script, record.Kind.Steals)
		}
	}
	return s
}

// steals reports whether a script has a steal.
func steals(script string) bool { return strings.ContainsAny(script, "sr") }

// withoutCalls returns a script without the calls of some kinds.
func withoutCalls(script string, kinds func(record.Kind) bool) string {
	return rewritten(script, func(in record.Instr) string {
		if kinds(in.Kind) {
			return ""
		}
		return in.String()
	})
}

// rewritten returns a script with each call written as to says.
func rewritten(script string, to func(record.Instr) string) string {
	ins, err := record.ParseScript(script)
	if err != nil {
		panic("checks: " + err.Error())
	}
	var b strings.Builder
	for _, in := range ins {
		b.WriteString(to(in))
	}
	return b.String()
}

// mix returns n letters drawn by weight from the kinds that the target offers;
// weights is letters, repeated as often as they weigh.
func (g *gen) mix(n int, weights string) string {
	var usable []byte
	for _, k := range []byte(weights) {
		if g.caps.Supports(record.Kind(k)) {
			usable = append(usable, k)
		}
	}
	var b strings.Builder
	for range n {
		k := usable[g.IntN(len(usable))]
		b.WriteByte(k)
		switch record.Kind(k) {
		case record.PutBatch:
			fmt.Fprint(&b, 1+g.IntN(max(2, g.capacity(8)*3/4)))
		case record.GlobalGet:
			fmt.Fprint(&b, 1+g.IntN(max(2, g.capacity(8))))
		}
	}
	return b.String()
}

// sizes draws a small capacity most of the time: overflow, wrap-around of the
// ring and the last element are then always near.
func (g *gen) size() int { return []int{2, 4, 4, 8, 8, 16, 64, 256}[g.IntN(8)] }

// ends are where free-running indices of usual types end. Nobody says which type a queue has: its indices start below each of these in turn, so that
// a queue with indices of 31 bits and a sign is not taken for one that has passed their end.
var ends = [...]uint64{1 << 32, 1 << 31, 1 << 16, 1 << 15, 1 << 8}

// below returns a start of the indices from which the put behind n others passes end number i, in turn.
func below(i, n int) uint32 { return uint32(max(1, int64(ends[i%len(ends)])-int64(n))) }

// passes reports whether some queue of h had more puts than there are indices from its start to the next end.
func passes(h *record.History) bool {
	start := uint64(h.Scenario.Start)
	if start == 0 {
		return false
	}
	end := ends[0]
	for _, e := range ends {
		if e > start {
			end = e
		}
	}
	puts := make([]uint64, h.Scenario.Ps)
	for i := range h.Ops {
		if op := &h.Ops[i]; op.Return != 0 && op.Kind.Puts() && op.P >= 0 {
			puts[op.P] += uint64(max(0, op.Count))
		}
	}
	return slices.Max(puts) > end-start
}

// start draws a start of the indices, often near an end.
func (g *gen) start(c int) uint32 {
	if !g.caps.Start || g.IntN(2) == 0 {
		return 0
	}
	return below(g.IntN(len(ends)), c+c/2)
}
