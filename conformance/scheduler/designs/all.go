package designs

import (
	"errors"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
)

// A Design is one of the schedulers of this package, with the contract that it keeps.
type Design struct {
	Name     string
	Contract spec.Profile
	Factory  scheduler.Factory
	Files    []string // where it is, in this folder; the queue is counted to the one that uses all of it
}

// All are the designs. Each contract is as strong as the design's comment.
var All = []Design{
	{"eventcount", spec.Pool + ",workers=exact", func(n int) scheduler.Scheduler { return NewEventCount(n) }, []string{"eventcount.go", "eventcount_pool.go", "deque.go"}},
	{"sleepcounters", spec.Pool + ",workers=exact,order=fifo", func(n int) scheduler.Scheduler { return NewSleepCounters(n) }, []string{"sleepcounters.go", "sleepcounters_pool.go"}},
	{"ctlstack", spec.Pool + ",workers=exact,order=fifo,panics=isolated", func(n int) scheduler.Scheduler { return NewCtlStack(n) }, []string{"ctlstack.go"}},
}

// task is what is submitted.
type task = func(scheduler.Task)

// errClosed is the error of a submission that came too late.
var errClosed = errors.New("designs: the scheduler is closed")
