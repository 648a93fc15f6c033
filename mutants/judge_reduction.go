package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The reduction of the explorer: each of these loses executions, or runs some twice.
var reduction = []Judge{
	lossy("J-1", "a planned CompareAndSwap is taken for a write whatever it will find",
		"object/word.go", "willSwap", `return first.Read == second.Expected, false`, `return true, false`),
	lossy("J-2", "a planned CompareAndSwap is taken for what it was",
		"object/word.go", "willSwap", `return first.Read == second.Expected, false`, `return second.Write, false`),
	lossy("J-3", "a planned TryLock is taken for what it was",
		"object/mutex.go", "", `do: locked, tries: Lock}`, `do: locked, foretell: func(_, second *Op) (write, unsure bool) { return second.Write, false }}`),
	lossy("J-4", "a planned operation on a Map is taken for a write for certain",
		"object/map.go", "unknown", `return true, true`, `return true, false`),
	lossy("J-5", "a load of what is in its thread's own buffer is taken for one of memory",
		"object/word.go", "willSwap", `if !second.Compares || first.Own {`, `if !second.Compares {`),
	lossy("J-6", "a sequence of which it is not known whom it wakes does not wake all",
		"dpor/reverse.go", "Search.insert", `b.wake = wake`, `b.wake = false && wake`),
	lossy("J-7", "an operation that may conflict is taken for one that does not",
		"dpor/sequence.go", "Search.independent", `			found = unknown`, `			found = yes`),
	lossy("J-8", "only the first of the planned steps is compared",
		"dpor/reverse.go", "Search.reverse", `				d.passed = append(d.passed, b)
				continue`, `				d.passed = append(d.passed, b)
				break`),
	lossy("J-9", "a sleeper is not woken by a conflict",
		"dpor/dpor.go", "Search.asleep", `if !q.conflicts(last) && q.thread != last.Thread {`, `if q.thread != last.Thread {`),
	lossy("J-10", "a sleeper that writes is taken for one that reads",
		"dpor/dpor.go", "sleeper.conflicts", `q.loc == ev.Loc && (q.write || ev.Write)`, `q.loc == ev.Loc && ev.Write`),
	lossy("J-11", "the sleep set is not emptied after a planned sequence",
		"dpor/dpor.go", "Search.asleep", `		n.sleep = n.sleep[:0]
	}
	return true`, `	}
	return true`),
	lossy("J-12", "threads that wait at the end have no races",
		"dpor/dpor.go", "Search.End", `	x.AddWaiters()
`, ``),
	lossy("J-13", "a writer waits for readers that were not there when it came",
		"object/rwmutex.go", "left", `if s.Held > 0 {`, `if false {`),
	lossy("J-14", "a signal wakes who came last",
		"object/cond.go", "State.wake", `s.signalled |= 1 << s.queue[0]`, `s.signalled |= 1 << s.queue[s.waiting-1]`),
	lossy("J-15", "to give back another reader's lock conflicts with nothing",
		"order/add.go", "Execution.lends", `		l.lent = true`, `		l.lent = false`),
	lossy("J-16", "that a reader's lock was given back by another is forgotten",
		"order/add.go", "Execution.lends", `	return l.lent
`, `	return own <= 0
`),
	lossy("J-17", "a failure of one thread ends the execution of all, though all executions are wanted",
		"engine/explore.go", "exploration.with", `s.carriesOn = e.Each != nil && exhausts(st)`, `s.carriesOn = false`),
	lossy("J-18", "what the body left locked is taken for free",
		"engine/operation.go", "begin", `fresh && k.Queues() && Peek != nil`, `fresh && false`),
	{
		ID: "J-19", Title: "a planned step on a new object is compared by the number of another execution",
		Edits: internal("dpor/reverse.go", "Search.insert", `if ev.Loc >= n.locs {`, `if false {`),
		Room:  published, Tests: "^TestPublishedCounts$",
	},
	{
		ID: "J-20", Title: "new objects that may be one are always taken for one",
		Edits: internal("dpor/account.go", "Search.probablyApart", `	return yes
`, `	return unknown
`),
		Room: published, Tests: "^TestPublishedCounts$",
	},
	{
		ID: "J-21", Title: "the steps of a failure that does not come again are lost",
		Edits: []overlay.Edit{{File: "interleave/explore.go", Func: "explore", Old: `r.Failure, r.Execution = failure(found), execution(found.Found())`, New: `r.Failure = failure(found)`}},
		Room:  "./interleave", Tests: "^TestFailureThatDoesNotComeAgain$",
	},
	alone("J-22", "what comes after the second of a race is never planned",
		"dpor/reverse.go", "Search.insert", `d.enough(x, v, n)`, `n != nil`),
	alone("J-23", "planned steps that were passed need not be woken",
		"dpor/reverse.go", "Search.enough", `range d.passed {`, `range d.passed[:0] {`),
	alone("J-24", "what settled a race is not forgotten when something else is chosen",
		"dpor/dpor.go", "Search.End", `			d.take(n, n.plan)
			n.settled = n.settled[:0]
`, `			d.take(n, n.plan)
`),
	alone("J-25", "races of the execution before are not looked at again",
		"dpor/dpor.go", "Search.End", `		d.reverse(x, r)
`, `		if int(r.Second) >= x.Fresh {
			d.reverse(x, r)
		}
`),
	alone("J-26", "what lets an operation go on happens before it in every sequence",
		"dpor/sequence.go", "Search.sequence", `v.alone = *x.Alone(r.Second)`, `v.alone = x.Clocks[r.Second]`),
	alone("J-27", "an event is first though something in its sequence happens before it",
		"dpor/sequence.go", "sequence.first", `if e.Past < v.First {`, `if e.Past < v.Second {`),
	alone("J-28", "the last event that happens before another is the last of its thread",
		"order/add.go", "Execution.Add", `ev.Past, t.Past = t.Past, int32(i)`, `ev.Past, t.Past = ev.Prev, int32(i)`),
	alone("J-29", "where events are in a sequence is not asked again when one was taken out",
		"dpor/sequence.go", "sequence.takeOut", `if p == behind {`, `if p == absent {`),
	alone("J-30", "of the things that an operation may do only the first is tried",
		"dpor/dpor.go", "Search.End", `n.all && n.pick+1 < n.picks`, `false`),
	alone("J-31", "an operation that does one thing is taken for the same that does another",
		"dpor/sequence.go", "sequence.does", `x.Events[i].Pick == pick`, `x.Events[i].Pick > 0`),
	alone("J-32", "an operation that may do several things is planned to do what it did",
		"dpor/reverse.go", "Search.insert", `if i != v.Second { // which`, `if true { // which`),
	alone("J-33", "an operation that may do several things is sure to wake who was there before",
		"dpor/reverse.go", "Search.reverse", `wake := v.second.Pick != 0 && !x.Events[r.First].Write`, `wake := false`),
	alone("J-34", "a sleeper writes only if it did so last of all",
		"dpor/dpor.go", "Search.End", `n.wrote = n.wrote || x.Events[at].Write`, `n.wrote = x.Events[at].Write`),
	alone("J-35", "a signal wakes all",
		"object/cond.go", "", `s.wake(1)`, `s.wake(s.waiting)`),
}

const (
	programs  = "./interleave/internal/programs"
	published = "./interleave/examples/published"
	lossless  = "^TestReductionLosesNothing$"
)

// lossy is a change of the reduction that the random programs must see.
func lossy(id, title, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: internal(file, fn, old, new), Room: programs, Tests: lossless}
}

// internal is an edit of a file below interleave/internal.
func internal(file, fn, old, new string) []overlay.Edit {
	return []overlay.Edit{{File: "interleave/internal/" + file, Func: fn, Old: old, New: new}}
}

// engine is an edit of a file of the engine.
func engine(file, fn, old, new string) []overlay.Edit {
	return internal("engine/"+file, fn, old, new)
}

// alone is a change of the reduction that explicit programs must see.
func alone(id, title, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: internal(file, fn, old, new), Room: programs, Tests: "^TestReductionAlone$"}
}
