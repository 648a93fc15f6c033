package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What judges histories of real threads: each of these accepts what is wrong, accuses
// what is right, or blames another requirement.
var ofHistories = []Judge{
	// The monitor.
	inMonitor("J-400", "of two states the one that has observed less may stay",
		"dominates", ` && a.seen.includes(&b.seen)`, ``),
	inMonitor("J-401", "a thief may go by the length that another thief has read",
		"monitor.take", `	if which == 0 {
		s.ready = false
	}
`, ``),
	inMonitor("J-402", "a ring may hold more than its capacity",
		"monitor.put", `ln.cap > 0 && p.end-s.head[which] > ln.cap`, `false`),
	inMonitor("J-403", "a drain may leave some",
		"monitor.take", `p.guard&guardAll != 0 && n != k,`, `false,`),
	inMonitor("J-404", "a batch get may take what it wants",
		"monitor.take", `p.guard&guardShare != 0 &&`, `false &&`),
	inLinearizability("J-405", "who found ring and runnext empty need not have looked at the ring first", "^TestExplanations$|^TestFewHistories$",
		"watch.go", "monitor.look", `ok && (p.guard&guardAfter == 0 || m.saw(s, p.after))`, `ok`),
	inMonitor("J-406", "runnext may be stolen though the ring was not empty",
		"monitor.take", `p.guard&guardAfter != 0 && !m.saw(&s, p.after):`, `false:`),
	inMonitor("J-407", "a call precedes one that was called at the moment of its return",
		"monitor.run", `returns[0].key < until`, `returns[0].key <= until`),
	inLinearizability("J-408", "a refused put need not have found the ring full", "^TestExplanations$|^TestFewHistories$",
		"watch.go", "monitor.look", `ok = m.fullAt(p, s.head[0], s.len(0))`, `ok = true`),
	inLinearizability("J-409", "too many calls that look at once are taken for a history that is right", "^TestKickAmongLooks$",
		"monitor.go", "monitor.run", `return -1, "too many calls look at once"`, `return -1, ""`),

	// How calls become effects on objects.
	inLinearizability("J-410", "puts are judged though nobody says what overflowed to the global queue", "^TestUntold$",
		"project.go", "projector.hides", `(op.Kind == record.Put || op.Kind == record.PutBatch) && !pr.behind`, `op.Kind == record.Put || op.Kind == record.PutBatch`),
	inLinearizability("J-411", "calls that did not return are left out", "^TestPending$",
		"project.go", "project", `pr.pending(op)`, `_ = op`),
	inProjection("J-412", "half a ring that overflowed does not come to the global queue",
		"projector.splitPut", `slices.Concat(half, toGlobal)`, `toGlobal`),
	inProjection("J-413", "what is kicked stays in runnext",
		"projector.splitPut", `q.action, q.old = swap, old[0]`, `_ = old`),
	inProjection("J-414", "what a thief publishes does not come to its ring",
		"projector.splitLoot", `len(pub) > 0 && op.Thief >= 0`, `false`),
	inLinearizability("J-415", "a thief that may fail must have found nothing", "^TestDeque$",
		"project_calls.go", "projector.splitSteal", `case pr.lets(pr.rules.StealMiss):`, `case false:`),
	inLinearizability("J-416", "what was in runnext at the end may have been taken after the ring", "^TestRunnextAtTheEnd$",
		"project_final.go", "projector.slotFirst", `	if at < 0 || c.Runnext != 0 {
		return c
	}`, `	if at != -2 {
		return c
	}`),

	inLinearizability("J-440", "a drain that did not return took one G at most from a queue without order", "^TestPendingDrain$",
		"model.go", "object.outcomes", `o.order == bag && len(q) > 1`, `false`),
	inLinearizability("J-441", "what a steal for no P that did not return moved is taken for nothing", "^TestPendingStealAndGlobal$",
		"project_calls.go", "projector.pending", `pr.h.Moves && pr.behind`, `false`),
	inLinearizability("J-442", "ring and runnext together are judged though nobody knows what came to the ring", "^TestPendingLoot$",
		"project.go", "projector.parts", `ring.capacity, ring.err, ring.broken = whole.capacity, whole.err, whole.broken`, `ring.capacity, ring.err, ring.broken, whole.err = whole.capacity, whole.err, whole.broken, nil`),

	// The verdict on the whole, and conservation.
	inEvidence("J-417", "what counting finds is left out",
		"check.go", "Check", `if r.conservation = conserve(h); r.conservation != nil {`, `if false {`),
	inEvidence("J-418", "what counting finds comes after its consequences",
		"check.go", "Result.Explanations", `	if r.conservation != nil {
		all = append(all, r.conservation)
	}
`, ``),
	inLinearizability("J-419", "the verdict is that of the last object", "^TestPending|^TestExplanations$",
		"check.go", "Check", `r.Verdict = max(r.Verdict, j.Verdict)`, `r.Verdict = j.Verdict`),
	inLinearizability("J-420", "ring and runnext together repeat what was said of one of them", "^TestOneFaultOnce$",
		"check.go", "Check", `o.lanes > 1 && bad[o.place.P]`, `false`),

	// Time.
	inLinearizability("J-421", "what porcupine has not decided in time is right", "^TestTimeoutIsUnknown$|^TestReason$",
		"check.go", "judge", `return ObjectResult{o.name, Unknown, why, nil, byPorcupine}`, `return ObjectResult{o.name, Ok, why, nil, byPorcupine}`),
	inLinearizability("J-422", "the time limit of the caller is not held", "^TestTimeoutIsUnknown$|^TestReason$",
		"check.go", "judge", `cmp.Or(opt.Timeout, defaultTimeout)`, `cmp.Or(0, defaultTimeout)`),
	inLinearizability("J-423", "an undecided object does not say why the monitor did not decide", "^TestReason$",
		"check.go", "judge", `why += "; the monitor does not apply: " + not`, `_ = not`),

	// Several producers, and queues without order.
	inLinearizability("J-424", "a guessed order that does not fit is evidence", "^TestOtherOrders$",
		"check.go", "monitored", `case l.guessed: // another order of the puts may be good`, `case false:`),
	inLinearizability("J-425", "the pair at which the guess stops is no evidence", "^TestOvertaken$",
		"producers.go", "object.guess", `return nil, o.overtaken(first, r)`, `return nil, nil`),
	inLinearizability("J-426", "whatever stops the guess is said to be a pair of which one overtook the other", "^TestOvertaken$",
		"producers.go", "object.overtaken", `a.firstPut.ret >= b.lastPut.call || b.firstTake.ret >= a.lastTake.call`, `false`),
	inLinearizability("J-427", "no bad pattern is proof for a queue with an order, too", "^TestOtherOrders$",
		"patterns.go", "patterns", `o.order == bag && o.unordered(stays, c)`, `o.unordered(stays, c)`),
	inLinearizability("J-428", "the one instant of an id is what two calls saw", "^TestOneInstant$",
		"patterns.go", "object.unordered", `		instants = slices.Delete(instants, k, k+1) // its instant is now chosen
`, ``),
	inLinearizability("J-429", "an id may be taken before it is put", "^TestOtherOrders$",
		"producers.go", "object.lives", `case p.ret < o.effects[l.put-1].call:`, `case false:`),

	// The evidence.
	inEvidence("J-430", "the order of the global queue is taken for that of a ring",
		"explanation.go", "object.orderID", `case o.place.Object == record.Global:`, `case false:`),
	inEvidence("J-431", "runnext passed over is taken for a get that found nothing",
		"observations.go", "object.observed", `return "RQ-RUNNEXT-FIRST", `, `return "RQ-GET-NONE", `),
	inEvidence("J-432", "a take out of order is taken for one of the wrong size",
		"explain.go", "explainer.blocked", `if h < at { // another take comes first`, `if false {`),
	inEvidence("J-433", "a kick that did not happen is taken for a ring that is too full",
		"explain.go", "explainer.noRoom", `x.place.Object == record.Runnext || p.lane == 1`, `x.place.Object == record.Global`),
	inEvidence("J-434", "lengths from before the call count",
		"observations.go", "explainer.views", `case !m.called[i], m.done(s, i):`, `case m.done(s, i):`),
	inEvidence("J-435", "lengths from before the take before count",
		"observations.go", "explainer.views", `case p.takes() && s.h[p.lane] != x.seq[i]:`, `case false:`),
	inEvidence("J-436", "only the states at the return count, not those during the call",
		"monitor.go", "monitor.advance", `m.visit != nil`, `m.visit != nil && len(m.next) == 0`),
	inEvidence("J-437", "of what was there more ids are named than are needed",
		"observations.go", "layout.stab", `l.stay(lane, v.tail[lane]-1)`, `l.stay(lane, v.head[lane])`),
	inEvidence("J-438", "another observation that is needed is left out of the evidence",
		"minimize.go", "explainer.minimize", `			x.needed = append(x.needed, &x.effects[i])
`, ``),
	inEvidence("J-439", "what a thief must have seen before it took runnext is left out",
		"minimize.go", "explainer.minimize", ` && !p.waited`, ``),
}

// inLinearizability is a change of what judges a history of real threads.
func inLinearizability(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "linearizability/" + file, Func: fn, Old: old, New: new}},
		Room:  "./linearizability", Tests: tests,
	}
}

func inMonitor(id, title, fn, old, new string) Judge {
	return inLinearizability(id, title, "^TestExplanations$|^TestFewHistories$", "monitor.go", fn, old, new)
}

func inProjection(id, title, fn, old, new string) Judge {
	return inLinearizability(id, title, "^TestExplanations$|^TestFewHistories$", "project_calls.go", fn, old, new)
}

func inEvidence(id, title, file, fn, old, new string) Judge {
	return inLinearizability(id, title, "^TestExplanations$", file, fn, old, new)
}
