package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// The ring: room, order of publication, ownership of head, arithmetic.
var ring = []Mutant{
	{
		ID: "G-1", Title: "put takes a full ring for one with room",
		Source:       "runqput (t-h < len(runq)); tokio #2361",
		Requirements: []string{"RQ-CAPACITY", "RQ-LOST", "RQ-TWICE", "RQ-FIFO"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Put", `t-h < uint32(len(p.slots))`, `t-h <= uint32(len(p.slots))`)},
	},
	{
		ID: "G-2", Title: "put publishes tail before it writes the slot",
		Source:       "runqput (the release store of runqtail makes the slot visible)",
		Requirements: []string{"RQ-TWICE", "RQ-LOST", "RQ-INVENTED"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			runq("P.Put", `p.slot(t).Store(ref) `, `p.tail.Store(t + 1)  `),
			runq("P.Put", "p.tail.Store(t + 1)  // RunQueue!PutStoreTail", "p.slot(t).Store(ref) // RunQueue!PutStoreTail"),
		},
	},
	{
		ID: "G-4", Title: "get stores head where it must swap",
		Source:       "runqget (the compare-and-swap of runqhead commits the take)",
		Requirements: []string{"RQ-TWICE", "RQ-LOST"}, Witness: spec.Stress,
		Impl: []overlay.Edit{runq("P.Get", `if p.head.CompareAndSwap(h, h+1) { // RunQueue!GetCASHead
			return p.g(ref), false
		}
`, `p.head.Store(h + 1) // RunQueue!GetCASHead
		return p.g(ref), false

`)},
	},
	{
		ID: "Q-1", Title: "get gives up after a race for head that it lost",
		Source:       "runqget (the loop around the compare-and-swap)",
		Requirements: []string{"RQ-GET-NONE"}, Witness: spec.Linearizability,
		Impl: []overlay.Edit{runq("P.Get", `if p.head.CompareAndSwap(h, h+1) { // RunQueue!GetCASHead
			return p.g(ref), false
		}`, `if p.head.CompareAndSwap(h, h+1) { // RunQueue!GetCASHead
			return p.g(ref), false
		}
		return nil, false`)},
	},
	{
		ID: "Q-2", Title: "put compares indices instead of their difference",
		Source:       "runqhead and runqtail are uint32 and may overflow; tokio #2361",
		Requirements: []string{"RQ-WRAP", "RQ-CRASH", "RQ-CAPACITY"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Put", `t-h < uint32(len(p.slots))`, `t < h+uint32(len(p.slots))`)},
	},
	{
		ID: "Q-3", Title: "get takes a tail below head for an empty ring",
		Source:       "runqget (t == h); runqhead and runqtail may overflow",
		Requirements: []string{"RQ-WRAP", "RQ-GET-NONE", "RQ-LOST"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Get", `if t == h {`, `if t <= h {`)},
	},
	{
		ID: "RQ-2", Title: "drain links Gs before it owns them",
		Source: "golang/go CL 310149 (fbb600b283), reverted by 48e3d92454; never released",
		// A thief has to link the same G within a few nanoseconds: real threads
		// did in 1 of 5 million calls of a scenario made for it.
		Requirements: []string{"RQ-LOST", "RQ-TWICE", "RQ-DRAIN", "RQ-CRASH", "RQ-GLOBAL-FIFO"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			runq("P.Drain", `		// Swap first, read after: to link a G one must own it, and no thief may
		// be linking it meanwhile. Reading after the swap is safe only here,
		// because the one who reads is the one who writes slots.
		if !p.head.CompareAndSwap(h, h+n) { // RunQueue!DrainCASHead
			continue
		}
		for i := range n {
			ref := p.slot(h + i).Load() // RunQueue!DrainReadSlots
			q.PushBack(p.g(ref))
		}
`, `		if q.tail != nil {
			q.tail.link = nil // the list of the try before is thrown away
		}
		taken := q
		for i := range n {
			ref := p.slot(h + i).Load() // RunQueue!DrainReadSlots
			taken.PushBack(p.g(ref))
		}
		if !p.head.CompareAndSwap(h, h+n) { // RunQueue!DrainCASHead
			continue
		}
		q = taken
`)},
	},
	{
		ID: "Q-4", Title: "drain forgets runnext",
		Source:       "runqdrain (runnext first)",
		Requirements: []string{"RQ-DRAIN", "RQ-RUNNEXT-FIRST"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.Drain", `if next != 0 && p.next.CompareAndSwap(next, 0) { // RunQueue!DrainCASNext
		q.PushBack(p.g(next))
	}
`, `_ = next


`)},
	},
	{
		ID: "Q-5", Title: "drain goes on after a race for head that it lost",
		Source:       "runqdrain (the retry)",
		Requirements: []string{"RQ-TWICE", "RQ-LOST", "RQ-CRASH"}, Witness: spec.Interleave, // real threads: 1 in 3 million calls
		Impl: []overlay.Edit{runq("P.Drain", `if !p.head.CompareAndSwap(h, h+n) { // RunQueue!DrainCASHead
			continue
		}
`, `p.head.CompareAndSwap(h, h+n) // RunQueue!DrainCASHead


`)},
	},
	{
		ID: "RQ-4", Title: "indices one bit wider than the ring, so that a thief's swap succeeds a lap later",
		Source:       "tokio #5041, fixed by #5042 (16-bit indices); runqgrab's risk at 2^32",
		Requirements: []string{"RQ-TWICE", "RQ-LOST", "RQ-CRASH"}, Witness: spec.Interleave,
		// A thief has to stand still for exactly two rounds of the ring.
		// Only the thief's comparison is narrow: nobody else can be a lap behind.
		Impl: []overlay.Edit{steals("P.grab", `if p.head.CompareAndSwap(h, h+n) {`,
			`if now := p.head.Load(); (now-h)&uint32(2*len(p.slots)-1) == 0 && p.head.CompareAndSwap(now, now+n) {`)},
	},
}
