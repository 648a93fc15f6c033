package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// Those who look and take nothing.
var observers = []Mutant{
	{
		ID: "RQ-1", Title: "empty does not look at tail again",
		Source: "golang/go fcd7c02c70 (runqempty, Go 1.5 and 1.6)",
		// Real threads did not meet between its two loads in 200 million calls of
		// a scenario made for it; nor in RQ-1b. A false yes that reaches into the
		// get after it is found out by the no after that, and then either of the
		// two may be blamed.
		Requirements: []string{"RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{steals("P.Empty", `if tail == p.tail.Load() {`, `{`)},
	},
	{
		ID: "RQ-1b", Title: "empty looks again at head instead of tail",
		Source:       "golang/go fcd7c02c70, second order: head does not move when runnext is kicked",
		Requirements: []string{"RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{steals("P.Empty", `if tail == p.tail.Load() {`, `if head == p.head.Load() {`)},
	},
	{
		ID: "Q-25", Title: "empty ignores runnext",
		Source:       "runqempty (runnext == 0)",
		Requirements: []string{"RQ-EMPTY-TRUE"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{
			steals("P.Empty", `next := p.next.Load() `, `_ = p.next.Load()     `),
			steals("P.Empty", `head == tail && next == 0`, `head == tail`),
		},
	},
	{
		ID: "Q-26", Title: "empty looks into the slot at head, where a G that was taken still lies",
		Source:       "runqempty (the indices say what is in the ring, the slots do not)",
		Requirements: []string{"RQ-EMPTY-FALSE"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.Empty", `head == tail && next == 0`, `p.slot(head).Load() == 0 && next == 0`)},
	},
	{
		ID: "Q-27", Title: "the length ignores runnext",
		Source:       "the length of a P in schedtrace",
		Requirements: []string{"RQ-LEN"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.Len", `	if p.next.Load() != 0 { // RunQueue!LenLoadNext
		n++
	}
`, `


`)},
	},
	{
		ID: "Q-28", Title: "the length is the difference of widened indices",
		Source:       "t - h in 32-bit wrapping arithmetic",
		Requirements: []string{"RQ-WRAP", "RQ-LEN"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.Len", `int(t - h)`, `int(t) - int(h)`)},
	},
}
