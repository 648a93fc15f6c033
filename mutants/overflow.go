package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// Full rings and batches.
var overflow = []Mutant{
	{
		ID: "G-3", Title: "an overflow ignores that its swap of head failed",
		Source:       "runqputslow (\"if !atomic.CasRel(&pp.runqhead, h, h+n)\")",
		Requirements: []string{"RQ-TWICE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{runq("P.putSlow", `if !p.head.CompareAndSwap(h, h+n) { // RunQueue!PutSlowCASHead
		return false
	}
`, `p.head.CompareAndSwap(h, h+n) // RunQueue!PutSlowCASHead


`)},
	},
	{
		ID: "OV-1", Title: "an overflow puts its batch on the global queue without the lock",
		Source:       "golang/go#40457 (runqputbatch, fixed by 6b4dcf19fa in Go 1.15)",
		Requirements: []string{"RQ-LOST", "RQ-GLOBAL-FIFO", "RQ-TWICE", "RQ-CRASH", "RQ-RACE"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			runq("P.putSlow", "p.global.Lock() ", "// no lock "),
			runq("P.putSlow", "p.global.Unlock() ", "// no lock "),
		},
	},
	{
		ID: "Q-10", Title: "an overflow moves the younger half",
		Source:       "runqputslow (\"grab a batch from local queue\": from head)",
		Requirements: []string{"RQ-OVERFLOW", "RQ-FIFO"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{
			runq("P.putSlow", `p.slot(h + i).Load()`, `p.slot(h + n + i).Load()`),
			runq("P.putSlow", `	p.batch[n] = ref
`, `	p.batch[n] = ref
	for i := range n {
		p.slot(h + n + i).Store(p.slot(h + i).Load())
	}
`),
		},
	},
	{
		ID: "Q-11", Title: "an overflow drops the new G",
		Source:       "runqputslow (batch[n] = gp)",
		Requirements: []string{"RQ-LOST", "RQ-OVERFLOW"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.putSlow", `for i := range n + 1 {
		q.PushBack`, `for i := range n {
		q.PushBack`)},
	},
	{
		ID: "Q-12", Title: "an overflow puts its batch on the global queue backwards",
		Source:       "runqputslow (the links of the batch)",
		Requirements: []string{"RQ-OVERFLOW", "RQ-GLOBAL-FIFO"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.putSlow", `		q.PushBack(p.g(p.batch[i]))`, `		q.PushBack(p.g(p.batch[n-i]))`)},
	},
	{
		ID: "Q-13", Title: "put tries for ever with a head that it read once",
		Source:       "runqput (\"retry:\" stands before the load of runqhead)",
		Requirements: []string{"RQ-CRASH"}, Witness: spec.Interleave,
		Impl: []overlay.Edit{
			runq("P.Put", `	for {
		h := p.head.Load() // RunQueue!PutLoadHead
`, `	h := p.head.Load() // RunQueue!PutLoadHead
	for {
`),
		},
	},
	{
		ID: "Q-14", Title: "a batch put keeps what fits and drops the rest",
		Source:       "runqputbatch, injectglist (the rest goes to the global queue)",
		Requirements: []string{"RQ-LOST", "RQ-PUT-BATCH"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.PutBatch", `p.tail.Store(t)`, `*q = List{}; p.tail.Store(t)`)},
	},
	{
		ID: "Q-15", Title: "a batch put fills the ring backwards",
		Source:       "runqputbatch (the order of the queue that it was given)",
		Requirements: []string{"RQ-PUT-BATCH", "RQ-FIFO"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.PutBatch", `	if p.config.Rand != nil {
`, `	for a, b := first, t-1; n > 1 && a-first < n/2; a, b = a+1, b-1 {
		x := p.slot(a).Load()
		p.slot(a).Store(p.slot(b).Load())
		p.slot(b).Store(x)
	}
	if p.config.Rand != nil {
`)},
	},
	{
		ID: "Q-16", Title: "a batch put finds room for one more than the ring holds",
		Source:       "runqputbatch (the capacity of the loop)",
		Requirements: []string{"RQ-CAPACITY", "RQ-PUT-BATCH", "RQ-LOST", "RQ-TWICE", "RQ-FIFO"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{runq("P.PutBatch", `t-h < uint32(len(p.slots))`, `t-h <= uint32(len(p.slots))`)},
	},
}
