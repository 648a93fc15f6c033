package mutants

// Loops that wait, and threads that are held back in them: each of these takes a loop
// for one that it is not, or draws a wrong conclusion from a thread that is held back.
var waits = []Judge{
	inVain("J-217", "a loop that has changed a number is taken for one in vain",
		"window.go", "touch.note", `o.sum += ev.Wrote - ev.Read`, ``),
	inVain("J-218", "the number that a loop adds to is taken for one that it never looks at",
		"window.go", "touch.note", `o.look = o.look || !tallies(ev.Site)`, `o.look = o.look || false`),
	inVain("J-219", "a pointer that was swapped there and back is taken for unchanged",
		"window.go", "touch.note", `if ev.Pointer {`, `if false {`),
	inVain("J-220", "a reader's lock that was got by trying is not counted",
		"window.go", "touch.note", `			o.readers++
		}
	case object.WDrain`, `		}
	case object.WDrain`),
	inVain("J-221", "a failed try for a writer's lock is taken for one that succeeded",
		"window.go", "touch.note", `if ev.Read != ev.Wrote {
			o.writer++
		}
	case object.TryRLock`, `if ev.Write {
			o.writer++
		}
	case object.TryRLock`),
	inVain("J-222", "a signal that woke somebody is taken for one that nobody heard",
		"window.go", "touch.note", `return ev.Read == ev.Wrote // nobody was there`, `return true`),
	inVain("J-223", "to queue up at a condition is taken for no change",
		"window.go", "touch.note", `return !ev.Write && ev.Kind != object.Enqueue && ev.Kind != object.Wake`, `return true`),
	inVain("J-224", "a store into a thread's buffer is taken for no change",
		"window.go", "scheduler.window", `return goesOn // into the thread's buffer`, `continue`),
	inVain("J-225", "a loop that starts threads is taken for one in vain",
		"thread.go", "spawn", `l.fresh = l.tick + 1`, `_ = l`),
	inVain("J-226", "a plain write is taken for no change",
		"loop.go", "loop.wrote", `	if !tallies(site) {
		l.fresh = l.tick + 1`, `	if !tallies(site) {`),
	inVain("J-227", "a count that the loop itself reads is taken for one that nobody looks at",
		"loop.go", "loop.counts", `l.fresh = max(l.fresh, min(m.changed, m.looked))`, ``),
	inVain("J-228", "what cannot be seen is taken for no change",
		"loop.go", "Fresh", `l.fresh = l.tick + 1`, `_ = l`),
	waiting("J-1956", "a thread that a daemon starts must end", "^TestDaemons$",
		"thread.go", "spawn", `s.running.daemon, f)`, `false, f)`),
	waiting("J-229", "variables that live across iterations are not looked at", "^TestVariablesOfLoops$",
		"loop.go", "scheduler.judge", `state == a.state && l.fresh`, `l.fresh`),
	waiting("J-230", "a loop that counts its rounds is taken for one that is as it was", "^TestVariablesOfLoops$",
		"loop.go", "scheduler.judge", `(tally != a.tally || `, `(`),
	held("J-231", "to see whether a thread can go on, operations do the first of the things that they may do",
		"wait.go", "coda.pick", `int(order.Mix(c.picks) % uint64(n))`, `0`),
	held("J-232", "who adds and looks is taken for one that sees nothing of others",
		"window.go", "scheduler.seen", `if tallies(e.Site) {`, `if true {`),
	held("J-233", "who finds a writer's lock taken is taken for one that sees nothing of it",
		"window.go", "scheduler.seen", `if o.writer == 0 {`, `if true {`),
	held("J-234", "locks of a loop in vain are news to others: a livelock is taken for threads that could go on",
		"wait.go", "scheduler.hold", `s.links[i].vain = true`, ``),
	held("J-235", "an execution that ends with a thread that could go on is taken for one that came to its end",
		"wait.go", "scheduler.stalled", `	case could && s.forGood:
		s.Blocked = true`, `	case could && s.forGood:`),
	held("J-236", "a thread's own count is news to itself: a livelock is taken for threads that could go on",
		"helped.go", "scheduler.helped", `if o.look && (`, `if (`),
	held("J-237", "a count that another waits for is taken for one that nobody looks at: a false livelock",
		"helped.go", "scheduler.helped", `l.why == doubtful && s.counts(t)`, `false`),
	held("J-238", "the same of a count without atomics",
		"helped.go", "scheduler.counts", `if t.loop.watchers.Has(o.ID) {`, `if false {`),
	held("J-239", "waiters are not noted when a livelock is looked into",
		"wait.go", "scheduler.beginCoda", `	s.noteWaiters()
`, ``),
	held("J-240", "a thread that is held back is noted as a waiter, though it has ended for the reduction",
		"record.go", "scheduler.noteWaiters", ` && !t.loop.held`, ``),
	held("J-241", "races of what was only tried out are reversed",
		"wait.go", "scheduler.endCoda", `s.Cut(s.coda.at, s.coda.races)`, `s.Cut(s.coda.at, len(s.Races))`),
	{
		ID: "J-242", Title: "blocked executions of a search that began anew are counted twice",
		Edits: internal("dpor/account.go", "Search.again", `d.path[:0], nil, 0, 0`, `d.path[:0], nil, 0, d.Blocked`),
		Room:  engineRoom, Tests: "^TestBlockedAreCountedAnew$",
	},
	waiting("J-243", "what a thread reads of its own buffer is taken for what is in memory", "^TestLoopsUnderTSO$/^1$",
		"helped.go", "scheduler.helped", ` || ev.Own && t.stores(ev.Loc)`, ``),
	unmarked("J-244", "a value that is read is not looked at in a loop without marks",
		"repeat.go", "repetition.note", `v := (h ^ ev.Read) *`, `v := h *`),
	unmarked("J-245", "a write does not make a loop without marks new",
		"repeat.go", "repetition.note", `		if l.n != 0 {
			l.reset()
		}
		return`, `		return`),
	unmarked("J-246", "a thread that has repeated itself is held back wherever it goes next",
		"repeat.go", "scheduler.holdBack", `if first == nil || first.Kind != n.Kind || first.Loc != n.Loc || first.Site != n.Site {`, `if first == nil {`),
	unmarked("J-247", "waiters are not noted when those held back are let go",
		"repeat.go", "scheduler.release", `	s.noteWaiters()
`, ``),
	waiting("J-2321", "a loop that was cut, and whose state is not known, leaves no doubt", "^TestFiniteLoopGoesOn$",
		"wait.go", "scheduler.hold", `why == repeated && exhausts(s.strategy)`, `false`),
	{
		ID: "J-2322", Title: "a thread that was held back in a loop without marks never goes on before others",
		Edits: engine("portfolio.go", "exploration.onward", `!e.s.repeats`, `true`),
		Room:  "./interleave", Tests: "^TestBehindLoops$",
	},
}

const engineRoom = "./interleave/internal/engine"

func waiting(id, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: engine(file, fn, old, new), Room: engineRoom, Tests: tests}
}

// inVain is a change of what an iteration in vain is, held a change of what becomes of
// threads in one, unmarked one of how loops are known that have no marks.
func inVain(id, title, file, fn, old, new string) Judge {
	return waiting(id, title, "^TestInVain$", file, fn, old, new)
}

func held(id, title, file, fn, old, new string) Judge {
	return waiting(id, title, "^TestHeldBack$", file, fn, old, new)
}

func unmarked(id, title, file, fn, old, new string) Judge {
	return waiting(id, title, "^TestUnseenLoops$", file, fn, old, new)
}
