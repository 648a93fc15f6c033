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
	{"deque", "lifo-deque,steal-miss=beside-take,bound=grows", queue.Single(NewDeque), "deque.go"},
	{"twophase", "tokio,steal-miss=beside-steal,bound=exact,refuse=beside-steal,indices=free-running,sizes=powers-from-2", NewTwoPhase, "twophase.go"},
	{"abp", "lifo-deque,steal-miss=beside-take,bound=fresh,sizes=every", NewABP, "abp.go"},
	{"split", "lifo-deque,steal-miss=answered,bound=exact,refuse=beside-steal,indices=free-running,sizes=powers", NewSplit, "split.go"},
	{"vyukov", "fifo,bound=exact,refuse=beside-take,get-miss=beside-put,steal-miss=beside-put,empty=quiet,puts=any,gets=any,indices=free-running,sizes=powers-from-2", NewVyukov, "vyukov.go"},
	{"segments", "fifo,bound=grows,puts=any,gets=any", NewSegments, "segments.go"},
	{"private", "lifo-deque,steal-miss=answered,bound=grows", queue.Single(NewPrivate), "private.go"},
	{"twolock", "fifo,bound=grows,puts=any,gets=any", queue.Single(NewTwoLock), "twolock.go"},
}
