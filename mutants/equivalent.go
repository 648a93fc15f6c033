package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// Changes that change nothing that anyone could see. They keep the witnesses
// honest from the other side: whoever kills one of these is wrong, or the reason is.
var equivalent = []Mutant{
	{
		ID: "E-1", Title: "put reads tail before head",
		Source:       "runqput",
		Requirements: []string{"RQ-CAPACITY"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{runq("P.Put", `		h := p.head.Load() // RunQueue!PutLoadHead
		t := p.tail.Load() // with RunQueue!PutLoadHead: only the owner writes tail
`, `		t := p.tail.Load() // with RunQueue!PutLoadHead: only the owner writes tail
		h := p.head.Load() // RunQueue!PutLoadHead
`)},
		Equivalent: "only the owner writes tail, and put is the owner's: the two loads do not compete with any write of tail",
	},
	{
		ID: "E-2", Title: "a steal publishes its loot before it reads the G that it returns",
		Source:       "runqsteal",
		Requirements: []string{"RQ-LOST"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			steals("P.Steal", `	ref := p.slot(t + n).Load() `, `	`),
			steals("P.Steal", `	g := p.g(ref)
	if n == 0 {
		return g
	}
`, `	if n == 0 {
		return p.g(p.slot(t).Load())
	}
`),
			steals("P.Steal", `	return g
}`, `	return p.g(p.slot(t + n).Load())
}`),
		},
		Equivalent: "the G that is returned lies one slot behind the published ones, and only the thief itself writes its ring",
	},
	{
		ID: "E-3", Title: "a G keeps its link after it was popped",
		Source:       "gQueue.pop",
		Requirements: []string{"RQ-LOST"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{globals("List.Pop", `	g.link = nil
`, ``)},
		Equivalent: "PushBack clears the link, and nobody follows the link of a G that is in no list",
	},
}
