package mutants

import (
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// The global queue: its shares and its links.
var global = []Mutant{
	{
		ID: "OV-3", Title: "a share of the global queue rounded to nothing",
		Source:       "tokio #5908 (1.30.0)",
		Requirements: []string{"RQ-GLOBAL-BATCH"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{globals("Global.GetBatch", `	n = min(n, s.q.size, s.q.size/procs+1)
`, `	n = min(n, s.q.size, s.q.size/procs)
	if n == 0 {
		return nil, List{}
	}
`)},
	},
	{
		ID: "Q-29", Title: "a share of the global queue without the one more",
		Source:       "globrunqgetbatch (size/gomaxprocs + 1)",
		Requirements: []string{"RQ-GLOBAL-BATCH"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{globals("Global.GetBatch", `s.q.size/procs+1`, `s.q.size/procs`)},
	},
	{
		ID: "Q-30", Title: "a batch of the global queue arrives backwards",
		Source:       "globrunqgetbatch (pushBack of each)",
		Requirements: []string{"RQ-GLOBAL-BATCH", "RQ-FIFO"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{globals("Global.GetBatch", `	return g, s.q.popBatch(n - 1)
`, `	for range n - 1 {
		one := List{}
		one.PushBack(s.q.Pop())
		one.PushBackAll(&rest)
		rest = one
	}
	return g, rest
`)},
	},
	{
		ID: "Q-31", Title: "the global queue keeps a stale tail when it runs empty",
		Source:       "gQueue.pop (\"if q.head == 0 { q.tail = 0 }\")",
		Requirements: []string{"RQ-LOST", "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{globals("List.Pop", `	if q.head == nil {
		q.tail = nil
	}
`, `


`)},
	},
	{
		ID: "Q-32", Title: "a batch joins the global queue in front",
		Source:       "globrunqputbatch (pushBackAll)",
		Requirements: []string{"RQ-OVERFLOW", "RQ-GLOBAL-FIFO", "RQ-PUT-BATCH"}, Witness: spec.Sequence,
		Impl: []overlay.Edit{globals("Global.PutBatch", `s.q.PushBackAll(q)`, `q.PushBackAll(&s.q); s.q, *q = *q, List{}`)},
	},
}
