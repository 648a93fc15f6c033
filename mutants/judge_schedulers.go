package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What judges whole schedulers: each of these passes what is wrong, blames a right scheduler, or a machine that is too busy.
var ofSchedulers = []Judge{
	ofScheduling("J-2100", "whoever has no processor is said to wait", "drive", "^TestRestIn$|^TestAtRest$|^TestBusyIsNoStop$",
		"rest.go", "moves", `"running", "runnable",`, ``),
	ofScheduling("J-2101", "a process whose first goroutine waits is at rest", "drive", "^TestRestIn$",
		"rest.go", "restIn", `if i == 0 || len(head) == 0 {`, `if i != 1 || len(head) == 0 {`),
	ofScheduling("J-2102", "a run in which nothing is seen has come to a stop, whoever runs", "drive", "^TestBusyIsNoStop$",
		"run.go", "watch.until", `} else {
			rest = 0
		}`, `} else {
			rest += tick
		}`),
	ofScheduling("J-2103", "a task that never runs is no finding", "checks", "^TestJudge$",
		"judge.go", "judging.end", `t.accepted && t.begun == 0 && j.holds("close", spec.Waits)`, `t.accepted && t.begun < 0 && j.holds("close", spec.Waits)`),
	ofScheduling("J-2104", "a task may run twice", "checks", "^TestJudge$",
		"judge.go", "judging.begins", `case t.begun > 1:`, `case t.begun > 2:`),
	ofScheduling("J-2105", "Close is held to what came beside it", "checks", "^TestJudge$",
		"judge.go", "judging.submitted", `t.early = !j.closing || e.Who >= 0 && j.tasks[e.Who].early`, `t.early = true`),
	ofScheduling("J-2106", "Close may return beside tasks that run", "checks", "^TestJudge$",
		"judge.go", "judging.didClose", `if t.ended > 0 || j.stopped {`, `if t.begun > 0 || j.stopped {`),
	ofScheduling("J-2107", "who waits behind workers that are all taken is stranded", "checks", "^TestJudge$",
		"stop.go", "judging.stop", `case len(waiting) > 0 && occupied >= j.workers:`, `case len(waiting) > 0 && occupied > j.workers:`),
	ofScheduling("J-2108", "a stop that no rule explains is a pass", "checks", "^TestJudge$",
		"stop.go", "judging.stop", `if len(j.verdict.findings) == found && first {`, `if len(j.verdict.findings) == found && !first {`),
	ofScheduling("J-2109", "a run that came to a stop counts for all requirements", "checks", "^TestJudge$",
		"stop.go", "judging.stop", `j.stopped, j.verdict.cut = true, true`, `j.stopped = true`),
	ofScheduling("J-2110", "what was spawned by a task that holds its worker waits like any other", "checks", "^TestJudge$",
		"stop.go", "judging.stranded", `case by >= 0 && j.tasks[by].begun > j.tasks[by].ended && !j.off(&j.tasks[by]):`, `case false:`),
	ofScheduling("J-2111", "graphs are run that a right scheduler does not end", "checks", "^TestOracle$",
		"oracle.go", "abstract.free", `n < int(a.workers)`, `n <= int(a.workers)`),
	ofScheduling("J-2112", "graphs that end are left out: who parks keeps its worker", "checks", "^TestOracle$",
		"oracle.go", "abstract.free", `if t == working {`, `if t == working || t == offWorker {`),
	ofScheduling("J-2113", "a part of the graphs is said to be all", "checks", "^TestEnumerated$",
		"enumerate.go", "scope.graphs", `return list[:s.most], false`, `return list[:s.most], true`),
	ofScheduling("J-2114", "tasks submit although the contract does not allow it", "checks", "^TestEnumerated$",
		"enumerate.go", "maker.steps", `(!inside || m.caps.Spawn || m.contract.Is("submits", spec.Anyone))`, `(!inside || m.caps.Spawn || true)`),
	ofScheduling("J-2115", "a run that ends under Close is no hang", "checks", "^TestJudge$",
		"stop.go", "judging.stop", `if j.closeHangs() && j.allEnded() {`, `if j.closeHangs() && !j.allEnded() {`),
	ofScheduling("J-2116", "a panic of Submit after Close is a crash", "checks", "^TestJudge$",
		"judge.go", "judging.submitted", `	case when == afterClose:
	case strings`, `	case strings`),
	ofScheduling("J-2117", "of several processes that explore, one is enough", "checks", "^TestParts$",
		"parts.go", "Whole", `if results < len(parts) {`, `if results < 1 {`),
	ofScheduling("J-2118", "no more tasks wait at once than fit in a queue", "checks", "^TestControls$",
		"list.go", "floods", `[]int{300, 1200, 5000}`, `[]int{300}`),
	ofScheduling("J-2119", "a submission that waits for the only worker is a hang, though it may wait", "checks", "^TestJudge$",
		"stop.go", "judging.stuckCalls", `(j.atWork() < j.workers || j.holds("waits", spec.Never))`, `true`),
	ofScheduling("J-2120", "a submission that may wait may do so beside a free worker", "checks", "^TestJudge$",
		"stop.go", "judging.stuckCalls", `(j.atWork() < j.workers || j.holds("waits", spec.Never))`, `j.holds("waits", spec.Never)`),
	ofScheduling("J-2121", "graphs are run that a scheduler whose submissions wait does not end", "checks", "^TestOracle$",
		"oracle.go", "abstract.submits", `if a.waits {`, `if false {`),
	ofScheduling("J-2122", "a submission that may wait always waits, and what ends only by that is run", "checks", "^TestOracle$",
		"oracle.go", "abstract.submits", `		accepted := b.clone()
		accepted.tasks[k] = queued
		list = append(list, accepted)
		if a.waits {`, `		accepted := b.clone()
		accepted.tasks[k] = queued
		if !a.waits {
			list = append(list, accepted)
		} else {`),
	ofScheduling("J-2123", "no more workers are needed at a time than a small pool has", "checks", "^TestFlaws$/^workers_at_most_64$",
		"list.go", "", `list = append(list, meeting(70, 2))`, `list = append(list, meeting(60, 2))`),
	ofScheduling("J-2124", "a queue for each worker, from which nobody steals, is as good as one", "checks", "^TestFlaws$/^a_queue_for_each_worker$",
		"list.go", "beside", `range workers - 1`, `range workers - workers`),
	ofScheduling("J-2125", "a few panics are as many", "checks", "^TestFlaws$/^loses_a_worker_by_the_ninth_panic$",
		"list.go", "panics", `range n`, `range n / 10`),
	ofScheduling("J-2126", "who was not seen to go on is blamed for it", "checks", "^TestUnsure$",
		"explore.go", "unsure", `if d.Kind == "not seen" && `, `if d.Kind == "" && `),
	ofScheduling("J-2170", "a blocked task that is not replaced is a fault of the queue", "checks", "^TestJudge$",
		"stop.go", "judging.stranded", `case occupied+j.blocked() >= j.workers:`, `case false:`),
	ofScheduling("J-2171", "whatever waits while a task blocks is said to wait for its worker", "checks", "^TestJudge$",
		"stop.go", "judging.stranded", `case occupied+j.blocked() >= j.workers:`, `case j.blocked() > 0:`),
	ofScheduling("J-2172", "a blocked task need not go on when its call may return", "checks", "^TestJudge$",
		"stop.go", "judging.ready", `case record.Park, record.Block:`, `case record.Park:`),
	ofScheduling("J-2173", "who blocks keeps its worker", "checks", "^TestJudge$|^TestBlock$",
		"judge.go", "judging.off", ` || strings.HasPrefix(t.step, "b")`, ``),
	ofScheduling("J-2174", "a call that was not made, or twice, is as good as one", "checks", "^TestJudge$",
		"judge.go", "judging.did", `if e.Text != "" {`, `if false {`),
	ofScheduling("J-2175", "no more tasks block than a pool has spare workers", "checks", "^TestBlock$",
		"list.go", "", `blocked(workers, 20)`, `blocked(workers, workers)`),
	{ID: "J-2176", Title: "who comes back from a call beside all workers is not counted", Room: "./conformance/scheduler/checks", Tests: "^TestBlock$",
		Edits: []overlay.Edit{{File: "conformance/scheduler/drive/program.go", Func: "Program.step", Old: `seen := p.blocks(t.(scheduler.Blocker), p.events[s.Arg].gate)
		p.runs(who, 1)`, New: `seen := p.blocks(t.(scheduler.Blocker), p.events[s.Arg].gate)
		p.runs(who, 0)`}}},
	ofScheduling("J-2177", "a scheduler whose tasks do not block keeps what is said of those that do", "checks", "^TestBlock$",
		"block.go", "withoutBlock", `if !f.caps.Block {`, `if false {`),
}

// ofScheduling is a mutant of a file of conformance/scheduler/ROOM that tests of its own must see.
func ofScheduling(id, title, room, tests, file, fn, old, new string) Judge {
	dir := "conformance/scheduler/" + room
	return Judge{ID: id, Title: title, Edits: []overlay.Edit{{File: dir + "/" + file, Func: fn, Old: old, New: new}}, Room: "./" + dir, Tests: tests}
}
