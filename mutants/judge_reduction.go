package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The reduction of the explorer: each of these loses executions, or runs some twice.
var reduction = []Judge{
	lossy("J-1", "a planned CompareAndSwap is taken for a write whatever it will find",
		"reverse.go", "scheduler.willWrite", `return first.read == second.expected, false`, `return true, false`),
	lossy("J-2", "a planned CompareAndSwap is taken for what it was",
		"reverse.go", "scheduler.willWrite", `return first.read == second.expected, false`, `return second.write, false`),
	lossy("J-3", "a planned TryLock is taken for what it was",
		"reverse.go", "scheduler.willWrite", `return s.feasible(&s.locs[second.loc], r.first, length, Lock, second.thread), false`, `return second.write, false`),
	lossy("J-4", "a planned operation on a Map is taken for a write for certain",
		"reverse.go", "scheduler.willWrite", `	case k == MapWrite || k == PoolGet:
		return true, true`, `	case k == MapWrite || k == PoolGet:
		return true, false`),
	lossy("J-5", "a load of what is in its thread's own buffer is taken for one of memory",
		"reverse.go", "scheduler.willWrite", `if !second.compares || first.own {`, `if !second.compares {`),
	lossy("J-6", "a sequence of which it is not known whom it wakes does not wake all",
		"reverse.go", "dpor.insert", `b.wake = wake && n == len(v.events)-1`, `b.wake = false && n > 0`),
	lossy("J-7", "an operation that may conflict is taken for one that does not",
		"reverse.go", "sequence.independent", `			found = unknown`, `			found = yes`),
	lossy("J-8", "only the first of the planned steps is compared",
		"reverse.go", "dpor.reverse", `				wake = wake || found == unknown
				continue`, `				wake = wake || found == unknown
				break`),
	lossy("J-9", "a sleeper is not woken by a conflict",
		"dpor.go", "dpor.asleep", `if !q.conflicts(last) && q.thread != last.thread {`, `if q.thread != last.thread {`),
	lossy("J-10", "a sleeper that writes is taken for one that reads",
		"dpor.go", "sleeper.conflicts", `q.loc == ev.loc && (q.write || ev.write)`, `q.loc == ev.loc && ev.write`),
	lossy("J-11", "the sleep set is not emptied after a planned sequence",
		"dpor.go", "dpor.asleep", `		n.sleep = n.sleep[:0]
	}
	return true`, `	}
	return true`),
	lossy("J-12", "threads that wait at the end have no races",
		"dpor.go", "dpor.end", `	s.waitingRaces()
`, ``),
	lossy("J-13", "a writer waits for readers that were not there when it came",
		"feasible.go", "object.do", `if o.held > 0 {`, `if false {`),
	lossy("J-14", "a signal wakes who came last",
		"feasible.go", "object.do", `o.signalled |= 1 << o.queue[0]`, `o.signalled |= 1 << o.queue[len(o.queue)-1]`),
	lossy("J-15", "to give back another reader's lock conflicts with nothing",
		"event.go", "scheduler.lends", `		l.lent = true`, `		l.lent = false`),
	lossy("J-16", "that a reader's lock was given back by another is forgotten",
		"event.go", "scheduler.lends", `	return l.lent
`, `	return own <= 0
`),
	lossy("J-17", "a failure of one thread ends the execution of all, though all executions are wanted",
		"explore.go", "exploration.with", `s.carriesOn = e.Each != nil && exhausts(st)`, `s.carriesOn = false`),
	lossy("J-18", "what the body left locked is taken for free",
		"operation.go", "begin", `known < len(s.locs) && k.lock() && Peek != nil`, `false`),
	{
		ID: "J-19", Title: "a planned step on a new object is compared by the number of another execution",
		Edits: engine("reverse.go", "dpor.insert", `if ev.loc >= locs {`, `if false {`),
		Room:  published, Tests: "^TestPublishedCounts$",
	},
	{
		ID: "J-20", Title: "new objects that may be one are always taken for one",
		Edits: engine("account.go", "dpor.together", `	return guess
`, `	return unknown
`),
		Room: published, Tests: "^TestPublishedCounts$",
	},
	{
		ID: "J-21", Title: "the steps of a failure that does not come again are lost",
		Edits: []overlay.Edit{{File: "interleave/explore.go", Func: "explore", Old: `r.Failure, r.Execution = failure(found), execution(found.Found())`, New: `r.Failure = failure(found)`}},
		Room:  "./interleave", Tests: "^TestFailureThatDoesNotComeAgain$",
	},
}

const (
	programs  = "./interleave/internal/programs"
	published = "./interleave/examples/published"
	lossless  = "^TestReductionLosesNothing$"
)

// lossy is a change of the reduction that the random programs must see.
func lossy(id, title, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: engine(file, fn, old, new), Room: programs, Tests: lossless}
}

func engine(file, fn, old, new string) []overlay.Edit {
	return []overlay.Edit{{File: "interleave/internal/engine/" + file, Func: fn, Old: old, New: new}}
}
