package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The sequential machine and who counts: each of these takes a wrong history for a
// right one, or a right one for wrong, or names another requirement than the one that
// was broken.
var sequential = []Judge{
	{
		ID: "J-1728", Title: "what the machine lacks of TLC's graph is no difference", Room: "./tla/tlc/tlctest", Tests: "^TestDifferences$",
		Edits: []overlay.Edit{{File: "tla/tlc/tlctest/differ.go", Func: "differences", Old: `{"the machine", "TLC", theirs, machine}`, New: `{"the machine", "TLC", machine, machine}`}},
	},
	{
		ID: "J-1729", Title: "an edge with another action is the same", Room: "./tla/tlc/tlctest", Tests: "^TestDifferences$",
		Edits: []overlay.Edit{{File: "tla/tlc/tlctest/graph.go", Func: "sets", Old: `edge{texts[e.From], e.Action, texts[e.To]}`, New: `edge{texts[e.From], "", texts[e.To]}`}},
	},
	judged("J-601", "a get from the ring may say that it was from runnext",
		"machine.go", "Machine.get", `case op.FromRunnext && m.Rules.Slotted():`, `case op.FromRunnext && false:`),
	judged("J-602", "a get from runnext need not say so",
		"machine.go", "Machine.get", `if id != p.Runnext || !op.FromRunnext {`, `if id != p.Runnext {`),
	judged("J-603", "a get that finds nothing is right",
		"machine.go", "Machine.get", `if p.len() > 0 && !spec.AtRest`, `if p.len() < 0 && !spec.AtRest`),
	judged("J-604", "a put may be refused where a full ring overflows",
		"machine.go", "Machine.fits", `if op.Count != all {`, `if op.Count > all {`),
	judged("J-605", "what was kicked is dropped",
		"machine.go", "Machine.put", `if old != 0 {`, `if old == 1<<60 {`),
	judged("J-606", "an overflow moves one G less",
		"machine.go", "Machine.ringPut", `half := m.Rules.Capacity / 2`, `half := m.Rules.Capacity/2 - 1`),
	judged("J-607", "a ring overflows at one G less",
		"machine.go", "Machine.ringPut", `len(p.Ring) == m.Rules.Capacity`, `len(p.Ring) == m.Rules.Capacity-1`),
	judged("J-608", "a batch put may lap the ring",
		"machine.go", "Machine.put", `n := min(max(room, 0), len(accepted))`, `n := min(max(room, 5), len(accepted))`),
	judged("J-609", "a batch get finds room in a full ring",
		"machine.go", "Machine.globalGet", `room := min(max(m.Rules.Capacity-len(p.Ring), 0), len(batch))`, `room := len(batch)`),
	judged("J-610", "a batch get finds no room in a ring without bound",
		"machine.go", "Machine.globalGet", `if m.Rules.Capacity == 0 {`, `if m.Rules.Capacity < 0 {`),
	judged("J-611", "a batch get that finds nothing is right",
		"machine.go", "Machine.globalGet", `if !op.OK {
		vs.add(`, `if !op.OK && n < 0 {
		vs.add(`),
	judged("J-612", "a batch get may find something in an empty global queue",
		"machine.go", "Machine.globalGet", `if op.OK {`, `if op.OK && n > 0 {`),
	judged("J-613", "half of an odd number is rounded down",
		"machine.go", "Rules.BatchFits", `return k == n-n/2`, `return k == max(1, n/2)`),
	judged("J-614", "runnext may be stolen unasked",
		"machine.go", "Machine.steal", `(op.Kind == record.Steal || n > 0)`, `n > 0`),
	judged("J-615", "runnext may be stolen before the ring",
		"machine.go", "Machine.steal", `(op.Kind == record.Steal || n > 0)`, `op.Kind == record.Steal`),
	judged("J-616", "a steal that asks for runnext need not look there",
		"machine.go", "Machine.steal", `case n == 0 && op.Kind == record.StealNext && v.Runnext != 0:`, `case n < 0:`),
	judged("J-617", "no steal may miss",
		"machine.go", "Machine.steal", `case spec.AtRest(m.Rules.StealMiss):`, `case n < 0:`),
	judged("J-618", "every steal may miss",
		"machine.go", "Machine.steal", `case n > 0:
			vs.add("RQ-STEAL-NONE"`, `case n < 0:
			vs.add("RQ-STEAL-NONE"`),
	judged("J-1950", "a steal that may miss must take the slot",
		"machine.go", "Machine.steal", `case spec.AtRest(m.Rules.StealMiss):
		case n > 0:`, `case n > 0 && spec.AtRest(m.Rules.StealMiss):
		case n > 0:`),
	judged("J-619", "loot is not compared",
		"machine.go", "Machine.stealBatch", `if len(op.Moved) > 0 && !slices.Equal(op.Moved[0].IDs, rest) {`, `if len(op.Moved) > len(op.Moved[0:]) {`),
	judged("J-620", "loot of another size is called loot in another order",
		"machine.go", "Machine.stealBatch", `if len(op.Moved[0].IDs) != k-1 {`, `if len(op.Moved[0].IDs) < 0 {`),
	judged("J-621", "a drain may give its Gs in any order",
		"machine.go", "Machine.drain", `if !slices.Equal(op.Out, want) {`, `if len(op.Out) != len(want) {`),
	judged("J-622", "empty may say yes",
		"machine.go", "Machine.empty", `case op.OK && n > 0:`, `case op.OK && n < 0:`),
	judged("J-623", "empty may say no",
		"machine.go", "Machine.empty", `case !op.OK && n == 0:`, `case !op.OK && n < 0:`),
	judged("J-624", "runnext is not counted",
		"machine.go", "PState.len", `if p.Runnext != 0 {`, `if p.Runnext == 1<<60 {`),
	judged("J-625", "thieves take the newest, too",
		"machine.go", "Machine.index", `m.Rules.Order == spec.OwnerLast && owner`, `m.Rules.Order == spec.OwnerLast`),
	judged("J-626", "a queue without order breaks an order",
		"machine.go", "Machine.orderID", `return "RQ-INVENTED"`, `return "RQ-FIFO"`),
	judged("J-627", "what was taken before is called out of order",
		"machine.go", "Machine.seen", `case !there:`, `case !there && id == 0:`),
	judged("J-628", "what was never put is called taken before",
		"machine.go", "Machine.seen", `case !known:`, `case !known && id == 0:`),
	judged("J-629", "a G in a queue, though taken, is where it should be",
		"compare.go", "Machine.differences", `case n > 1 || !there:`, `case n > 1 || !there && n < 0:`),
	judged("J-630", "a G in two rings is where it should be",
		"compare.go", "Machine.differences", `case n > 1 || !there:`, `case n > 9 || !there:`),
	judged("J-631", "a G that is nowhere is not missed",
		"compare.go", "Machine.differences", `if there && count[id] == 0 {`, `if there && count[id] < 0 {`),
	judged("J-632", "a G from nowhere is not noticed",
		"compare.go", "Machine.differences", `case !known:`, `case !known && n > 9:`),
	judged("J-633", "a put beside a filled global queue is called an overflow",
		"compare.go", "Machine.ringID", `case m.overflowed:`, `case len(m.Global) > 0:`),
	judged("J-634", "an overflow is no longer called one",
		"compare.go", "Machine.globalID", `case m.overflowed:`, `case m.overflowed && op.P < 0:`),
	judged("J-635", "a steal that takes runnext along leaves no trace of its own",
		"compare.go", "Machine.runnextID", `case op.Kind.Steals() && op.P == p:`, `case op.Kind.Steals() && op.P < 0:`),
	judged("J-636", "runnext is filled by whoever likes",
		"compare.go", "Machine.runnextID", `case filled:`, `case filled && p < 0:`),
	judged("J-637", "runnext is not looked at in what is shown",
		"compare.go", "Machine.comparePlaces", `d.runnext(i, m.runnextID(op, i), "")`, `_ = i`),
	judged("J-638", "the global queue is not looked at in what is shown",
		"compare.go", "Machine.comparePlaces", `d.global(m.globalID(op), "")`, `_ = d`),
	judged("J-639", "a queue without order is held to one in what it shows",
		"compare.go", "differences.place", `if d.m.Rules.Order == spec.AnyOrder {`, `if len(w) > 9 {`),
	judged("J-640", "the global queue is not looked at at the end",
		"compare.go", "Machine.Finish", `d.global("RQ-GLOBAL-FIFO", " at the end")`, ``),
	judged("J-641", "runnext is not looked at at the end",
		"compare.go", "Machine.Finish", `d.runnext(i, "RQ-RUNNEXT-FIRST", " at the end")`, ``),
	judged("J-642", "at the end a deque gives the oldest first",
		"compare.go", "Machine.Finish", `slices.Reverse(ring)`, ``),
	judged("J-643", "one fault is reported once more by what it explains",
		"compare.go", "differences.place", `return d.explained[id]`, `return d.explained[id] && id == 0`),
	judged("J-644", "loot in another order is called another share",
		"compare.go", "Machine.ringID", `if op.P != p && len(want) == len(got) {`, `if op.P != p && len(want) < 0 {`),
	judged("J-645", "nothing is judged after a violation",
		"replay.go", "replay.call", `return len(r.may) > 0
}`, `return len(r.may) > maxGuesses
}`),
	judged("J-646", "a call that did not return is taken for an answer",
		"replay.go", "Replay", `h.Ops[i].Return == 0 && h.Ops[i].Call != 0 ||`, ``),
	judged("J-647", "what is in the global queue at the end is not counted",
		"conserve.go", "Conserve", `range h.Final.Global {`, `range h.Final.Global[:0] {`),
	judged("J-648", "what is in runnext at the end is not counted",
		"conserve.go", "Conserve", `if p.Runnext != 0 {`, `if p.Runnext == 1<<60 {`),
	judged("J-649", "taken twice is once",
		"conserve.go", "count.take", `l.times == 2`, `l.times == 3`),
	judged("J-650", "what was refused was put",
		"conserve.go", "count.put", `if !pending && k >= op.Count {`, `if !pending && k > op.Count {`),
	ofSequential("J-2361", "a steal that does not tell how many it took has taken one", "^TestUntold",
		"replay.go", "replay.call", `if r.untold(op) && !r.fork(i) {`, `if false && !r.fork(i) {`),
	echoed("J-651", "an account that was refuted is still believed",
		"replay.go", "replay.call", `r.doubt = (r.doubt || len(first) > 0 && r.suspects != nil) && op.After == nil`, `r.doubt = false`),
	echoed("J-652", "the end of a vague run is judged",
		"replay.go", "replay.echo", `case r.doubt || r.vague && i == AtEnd:`, `case r.doubt:`),
	echoed("J-653", "what was right before it was shown wrongly is forgotten",
		"replay.go", "Machine.accounts", `case !wrong:
		return append(all, m)`, `case !wrong:
		return all`),
	finished("J-654", "a queue without order is held to one at the end",
		"compare.go", "Machine.Finish", `if m.Rules.Order == spec.AnyOrder {`, `if len(m.Ps) == 0 {`),
	copied("J-655", "a copy of the machine shares its rings",
		"machine.go", "Machine.Clone", `slices.Clone(c.Ps[i].Ring)`, `m.Ps[i].Ring`),
	shared("J-656", "the share of a P is not heeded",
		"machine.go", "Share", `n := min(asked, size, size/ps+1)`, `n := min(asked, size)`),
	counting("J-657", "a call that did not return had no effect",
		"conserve.go", "count.put", `if !pending && k >= op.Count {`, `if k >= op.Count {`),
	counting("J-658", "what may be in a pending call's hands is lost",
		"conserve.go", "count.put", `c.over = c.over && !pending`, `_ = pending`),
	counting("J-659", "taken when its put returned is too early",
		"conserve.go", "count.take", `took.Return < put.Call`, `took.Return <= put.Call`),
	counting("J-660", "taken before it was put is not too early",
		"conserve.go", "count.take", `took.Return < put.Call`, `took.Return < 0`),
	counting("J-661", "without an end, everything is lost",
		"conserve.go", "Conserve", `over: len(h.Final.Ps) > 0`, `over: true`),
	ofSequential("J-1340", "a machine that is not sound is believed to be", "^TestSoundComparison$",
		"compare.go", "Machine.compare", `if !m.sound || !m.Holds(op.After)`, `if !m.Holds(op.After)`),
	ofSequential("J-1341", "a G that is put twice leaves the machine sound", "^TestSoundComparison$",
		"machine.go", "Machine.know", `m.sound = m.sound && !m.where[id]`, `_ = m.sound`),
	ofSequential("J-1347", "a put that is refused wrongly is known all the same", "^TestWrongAnswerHasNoEffect$",
		"machine.go", "Machine.fits", `if op.Count != all {`, `if op.Count != all {
			m.know(op.In)`),
	ofSequential("J-1342", "what runnext holds is not looked at", "^TestSoundComparison$",
		"compare.go", "Machine.Holds", `return p.Runnext == q.Runnext && slices`, `return slices`),
	ofSequential("J-1343", "what the global queue holds is not looked at", "^TestSoundComparison$",
		"compare.go", "Machine.Holds", ` && slices.Equal(m.Global, c.Global)`, ``),
}

// judged is a change that a history of spec/testdata shows, the others one that a test
// of package sequential does.
func judged(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "spec/sequential/" + file, Func: fn, Old: old, New: new}},
		Room: "./linearizability", Tests: "^TestHistories$",
	}
}

func ofSequential(id, title, tests, file, fn, old, new string) Judge {
	j := judged(id, title, file, fn, old, new)
	j.Room, j.Tests = "./spec/sequential", tests
	return j
}

func echoed(id, title, file, fn, old, new string) Judge {
	return ofSequential(id, title, "^TestReplayReportsNoEcho$", file, fn, old, new)
}

func copied(id, title, file, fn, old, new string) Judge {
	return ofSequential(id, title, "^TestClone$", file, fn, old, new)
}

func finished(id, title, file, fn, old, new string) Judge {
	return ofSequential(id, title, "^TestFinish$", file, fn, old, new)
}

func shared(id, title, file, fn, old, new string) Judge {
	return ofSequential(id, title, "^TestShare$", file, fn, old, new)
}

func counting(id, title, file, fn, old, new string) Judge {
	return ofSequential(id, title, "^TestConserve$", file, fn, old, new)
}
