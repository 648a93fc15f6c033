package checks

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Tasks that leave their workers while they wait (tasks=cooperative), and tasks that block and keep them (block=one).

// waitsInTask reports whether a task that has begun is in a step in which it waits for others.
func waitsInTask(t *taskState) bool {
	steps, err := record.ParseTaskScript(t.step)
	return err == nil && len(steps) == 1 && steps[0].Op.Waits()
}

// left is how many workers there are at least, without those that tasks keep which block, where the contract says that they may.
func (j *judging) left() int {
	if n := j.blocked(); n > 0 && j.holds("block", spec.One) {
		return max(1, j.workers-n)
	}
	return j.workers
}

// leftBeside is how many workers there are at least for others while n tasks block.
func (f facts) leftBeside(n, workers int) int {
	if f.contract.Is("block", spec.One) {
		return max(1, workers-n)
	}
	return workers
}

// fitting leaves graphs out that no scheduler of the contract can be asked to run, and says how many.
func fitting(t Target, list []record.TaskGraph) ([]record.TaskGraph, string) {
	fit, which := list, ""
	if o, ok := t.(*outside); ok {
		o.looksForThreads()
		fit, which = o.fitting(list)
	}
	fit, left := thatLeave(factsOf(t), fit)
	return fit, both(which, left)
}

// thatLeave leaves graphs out in which tasks cannot leave their workers while they wait, where the contract says that they do.
func thatLeave(f facts, list []record.TaskGraph) ([]record.TaskGraph, string) {
	if !f.contract.Is("tasks", spec.Leaving) {
		return list, ""
	}
	fit := slices.DeleteFunc(slices.Clone(list), func(g record.TaskGraph) bool {
		p, err := g.Program()
		return err == nil && !canLeave(p, f.contract, f.caps)
	})
	if n := len(list) - len(fit); n > 0 {
		return fit, fmt.Sprintf("%d more are left out: by the contract (tasks=cooperative) no task keeps its worker, and it cannot be told from outside to go on", n)
	}
	return fit, ""
}

// canLeave reports whether all tasks of the graph can leave their workers while they wait, and are made ready by who can do that. From outside a
// task is made ready if the scheduler offers that, and before Close is called. A thread outside does so for a task that is refused, too.
func canLeave(p *record.TaskProgram, contract spec.SchedulerContract, caps scheduler.Capabilities) bool {
	type sayer struct {
		who int // a task, or ^thread
		at  int // of a thread: its place in the script
	}
	says, meets := make([][]sayer, p.Events), make([][]sayer, p.Events)
	closes, submits := make([]int, len(p.Threads)), make([]int, len(p.Scripts)) // places in the scripts
	note := func(s record.TaskStep, who, at int) {
		switch s.Op {
		case record.Happen:
			says[s.Arg] = append(says[s.Arg], sayer{who, at})
		case record.Gather:
			meets[s.Arg] = append(meets[s.Arg], sayer{who, at})
		}
	}
	for i, script := range p.Threads {
		closes[i] = len(script)
		for at, s := range script {
			note(s, ^i, at)
			switch {
			case s.Op == record.Close:
				closes[i] = min(closes[i], at)
			case s.Submits():
				submits[s.Arg] = at
			}
		}
	}
	for k, script := range p.Scripts {
		for _, s := range script {
			if s.Op.Keeps() {
				return false
			}
			note(s, k, 0)
		}
	}
	// may reports whether who says it can make a task ready, whatever becomes of it.
	may := func(s sayer) bool {
		inside := s.who >= 0
		for s.who >= 0 { // if the first of those that have spawned it is refused, the thread that submitted that one says it
			s.who, s.at = p.By[s.who], submits[s.who]
		}
		before := !p.Closes || s.at < closes[^s.who] && closes[^s.who] < len(p.Threads[^s.who])
		if inside && before && contract.Is("refuse", spec.Never) {
			return true
		}
		return caps.Ready && before
	}
	for _, script := range p.Scripts {
		for _, s := range script {
			var by []sayer
			switch s.Op {
			case record.Await:
				by = says[s.Arg]
			case record.Gather:
				by = meets[s.Arg]
			case record.Join:
				by = []sayer{{s.Arg, 0}}
			}
			if slices.ContainsFunc(by, func(s sayer) bool { return !may(s) }) {
				return false
			}
		}
	}
	return true
}
