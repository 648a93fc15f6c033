package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// The slot in front: who may fill and empty it, and in which order it is looked at.
var runnext = []Mutant{
	{
		ID: "G-9a", Title: "put stores runnext where it must swap, while a thief may be taking it",
		Source:       "runqput (the compare-and-swap of runnext)",
		Requirements: []string{"RQ-TWICE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{runq("P.Put", `if p.next.CompareAndSwap(old, ref) {`, `if p.next.Store(ref); true {`)},
	},
	{
		ID: "G-9b", Title: "get empties runnext by a store, while a thief may be taking it",
		Source:       "runqget (the compare-and-swap of runnext)",
		Requirements: []string{"RQ-TWICE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{runq("P.Get", `if next != 0 && p.next.CompareAndSwap(next, 0) {`, `if next != 0 {
		p.next.Store(0)`)},
	},
	{
		ID: "G-9c", Title: "a thief empties runnext by a store, while its owner may be filling it",
		Source:       "runqgrab (the compare-and-swap of runnext)",
		Requirements: []string{"RQ-TWICE", "RQ-LOST"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{steals("P.grab", `if !p.next.CompareAndSwap(next, 0) { // RunQueue!GrabCASNext
				continue
			}
`, `p.next.Store(0) // RunQueue!GrabCASNext


`)},
	},
	{
		ID: "Q-6", Title: "get looks at the ring before runnext",
		Source:       "runqget (\"If there's a runnext, it's the next G to run\")",
		Requirements: []string{"RQ-RUNNEXT-FIRST"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Get", `if next != 0 && p.next.CompareAndSwap(next, 0) {`, `if next != 0 && p.head.Load() == p.tail.Load() && p.next.CompareAndSwap(next, 0) {`)},
	},
	{
		ID: "Q-7", Title: "get does not say that a G came from runnext",
		Source:       "runqget (inheritTime); golang/go#15706",
		Requirements: []string{"RQ-RUNNEXT-FIRST"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Get", `return p.g(next), true`, `return p.g(next), false`)},
	},
	{
		ID: "Q-8", Title: "a kick drops the old G",
		Source:       "runqput (\"Kick the old runnext out to the regular run queue\")",
		Requirements: []string{"RQ-LOST", "RQ-RUNNEXT-KICK"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Put", `				ref = old
				break
`, `				return

`)},
	},
	{
		ID: "Q-9", Title: "a kick puts the old G at the head of the ring",
		Source:       "runqput (the kicked G goes to the tail)",
		Requirements: []string{"RQ-FIFO", "RQ-RUNNEXT-KICK"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Put", `				ref = old
				break`, `				ref = old
				if h := p.head.Load(); p.tail.Load()-h < uint32(len(p.slots)) {
					p.slot(h - 1).Store(ref)
					if p.head.CompareAndSwap(h, h-1) {
						return
					}
				}
				break`)},
	},
}
