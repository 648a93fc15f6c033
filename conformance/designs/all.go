package designs

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
)

// A Design is one of the queues of this package, with the contract that it keeps.
type Design struct {
	Name     string
	Contract spec.Profile
	Factory  queue.Factory
	File     string // where it is, in this folder
}

// All are the designs. Each contract is as strong as the design's comment.
var All = []Design{
	{"locked", "fifo,bound=grows", queue.Single(func() *Locked { return new(Locked) }), "locked.go"},
	{"deque", "lifo-deque,bound=grows", queue.Single(NewDeque), "deque.go"},
	{"twophase", "tokio,bound=exact,refuse=beside", NewTwoPhase, "twophase.go"},
	{"abp", "lifo-deque,bound=fresh", NewABP, "abp.go"},
	{"split", "lifo-deque,steal-miss=anytime,bound=exact,refuse=beside", NewSplit, "split.go"},
	{"vyukov", "fifo,bound=exact,refuse=beside,get-miss=beside,steal-miss=beside,empty=quiet,puts=any,gets=any", NewVyukov, "vyukov.go"},
	{"segments", "fifo,bound=grows,puts=any,gets=any", NewSegments, "segments.go"},
	{"private", "lifo-deque,steal-miss=anytime,bound=grows", queue.Single(NewPrivate), "private.go"},
	{"twolock", "fifo,bound=grows,puts=any,gets=any", queue.Single(NewTwoLock), "twolock.go"},
}
