package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// Thieves: what they take, when they may, and what they do with it.
var steal = []Mutant{
	{
		ID: "G-5", Title: "a thief copies slots after its swap, when the owner may already fill them again",
		Source:       "runqgrab (copy, then swap); legal in runqdrain only",
		Requirements: []string{"RQ-TWICE", "RQ-LOST"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			steals("P.grab", `		for i := range n {
			ref := p.slot(h + i).Load()          // RunQueue!GrabCopySlot
			batch[(batchHead+i)&mask].Store(ref) // with RunQueue!GrabCopySlot: the thief's own slot, not published
		}
		if p.head.CompareAndSwap(h, h+n) { // RunQueue!GrabCASHead
`, `		if p.head.CompareAndSwap(h, h+n) { // RunQueue!GrabCASHead
			for i := range n {
				ref := p.slot(h + i).Load()          // RunQueue!GrabCopySlot
				batch[(batchHead+i)&mask].Store(ref) // with RunQueue!GrabCopySlot: the thief's own slot, not published
			}
`),
		},
	},
	{
		ID: "G-6", Title: "a thief reads tail before head and trusts the difference",
		Source:       "runqgrab (head is read first, and \"read inconsistent h and t\")",
		Requirements: []string{"RQ-CRASH", "RQ-LOST", "RQ-TWICE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			steals("P.grab", `		h := p.head.Load() // RunQueue!GrabLoadHead
		t := p.tail.Load() // RunQueue!GrabLoadTail
`, `		t := p.tail.Load() // RunQueue!GrabLoadTail
		h := p.head.Load() // RunQueue!GrabLoadHead
`),
			steals("P.grab", `		if n > uint32(len(p.slots)/2) { // head and tail are not of one moment
			continue
		}
`, `


`),
		},
	},
	{
		ID: "G-7", Title: "a thief does not hold the length against the ring's",
		Source: "runqgrab (\"read inconsistent h and t\")",
		// If head and tail were not of one moment, the swap of head fails. But before it fails, a thief whose own ring is not
		// empty has overwritten what lies there.
		Requirements: []string{"RQ-TWICE", "RQ-LOST"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{steals("P.grab", `		if n > uint32(len(p.slots)/2) { // head and tail are not of one moment
			continue
		}
`, `


`)},
	},
	{
		ID: "G-8", Title: "a thief reads tail before head",
		Source: "runqgrab (head is read first)",
		// Several puts and a get have to come between two loads: with real
		// threads they did in 1 of 3 million calls of a scenario made for it.
		Requirements: []string{"RQ-STEAL-NONE", "RQ-STEAL-HALF"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			steals("P.grab", `		h := p.head.Load() // RunQueue!GrabLoadHead
		t := p.tail.Load() // RunQueue!GrabLoadTail
`, `		t := p.tail.Load() // RunQueue!GrabLoadTail
		h := p.head.Load() // RunQueue!GrabLoadHead
`),
		},
	},
	{
		ID: "Q-17", Title: "a thief gives up after a race for head that it lost",
		Source:       "runqgrab (the loop around the compare-and-swap)",
		Requirements: []string{"RQ-STEAL-NONE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{steals("P.grab", `if p.head.CompareAndSwap(h, h+n) { // RunQueue!GrabCASHead
			return n
		}`, `if p.head.CompareAndSwap(h, h+n) { // RunQueue!GrabCASHead
			return n
		}
		return 0`)},
	},
	{
		ID: "Q-18", Title: "a thief takes half rounded down, so that a lone G is never stolen",
		Source:       "runqgrab (n = n - n/2)",
		Requirements: []string{"RQ-STEAL-NONE", "RQ-STEAL-HALF"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.grab", `n -= n / 2`, `n /= 2`)},
	},
	{
		ID: "Q-19", Title: "a steal returns the oldest of its loot",
		Source:       "runqsteal (the last of the batch is returned, the others are published)",
		Requirements: []string{"RQ-STEAL-ORDER"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.Steal", `	ref := p.slot(t + n).Load() `, `	ref := p.slot(t).Load()
	for i := range n {
		p.slot(t + i).Store(p.slot(t + i + 1).Load())
	} `)},
	},
	{
		ID: "Q-20", Title: "a steal returns one G and forgets the rest of its loot",
		Source:       "runqsteal (the store of the thief's runqtail)",
		Requirements: []string{"RQ-LOST", "RQ-STEAL-HALF", "RQ-STEAL-ORDER"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.Steal", `	p.tail.Store(t + n) // RunQueue!StealStoreTail
`, `
`)},
	},
	{
		ID: "Q-21", Title: "a steal takes runnext without being asked to",
		Source:       "runqgrab (stealRunNextG)",
		Requirements: []string{"RQ-STEAL-RUNNEXT"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.grab", `			if !stealNext {
				return 0
			}
`, `


`)},
	},
	{
		ID: "Q-22", Title: "a steal takes runnext though the ring has Gs",
		Source:       "runqgrab (runnext only if n == 0)",
		Requirements: []string{"RQ-STEAL-RUNNEXT"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.grab", `if n == 0 {`, `if n == 0 || stealNext && p.next.Load() != 0 {`)},
	},
	{
		ID: "Q-23", Title: "a steal never takes runnext",
		Source:       "runqgrab (stealRunNextG); tokio #4941",
		Requirements: []string{"RQ-STEAL-RUNNEXT"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.grab", `if !stealNext {`, `{`)},
	},
	{
		ID: "Q-24", Title: "a thief takes a tail below head for an empty ring",
		Source:       "runqgrab (t - h in wrapping arithmetic)",
		Requirements: []string{"RQ-WRAP", "RQ-STEAL-NONE"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{steals("P.grab", `n -= n / 2`, `if n -= n / 2; t < h {
			n = 0
		}`)},
	},
}
