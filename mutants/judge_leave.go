package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What judges schedulers whose tasks sleep, whose workers come and go, that report deadlocks, or that count wake-ups.
var ofLeaving = []Judge{
	ofScheduling("J-2250", "who sleeps may go on too early", "checks", "^TestTimers$|^TestSleep$",
		"judge.go", "judging.slept", `after < d {`, `after < 0 {`),
	ofScheduling("J-2251", "who sleeps on though its time is over need not go on", "checks", "^TestTimers$|^TestSleep$",
		"stop.go", "judging.ready", `return t.late`, `return false`),
	ofScheduling("J-2252", "who sleeps may keep its worker", "checks", "^TestSleep$",
		"stop.go", "judging.stranded", `case j.asleep() > 0 && occupied+j.asleep() >= j.workers:`, `case false:`),
	atDrive("J-2253", "who sleeps on is never late", "^TestTimers$|^TestSleep$",
		"run.go", "watch.until", `case late >= quiet:`, `case late >= 1000*quiet:`),
	ofScheduling("J-2254", "a worker more need not take what waits", "checks", "^TestResize$",
		"stop.go", "judging.stranded", `case j.changes > 0 && occupied >= j.fewest:`, `case false:`),
	atDrive("J-2255", "a worker that is to go may stay", "^TestResize$",
		"program.go", "Program.runs", `if p.graph.Resizes > 0 && now <= most {`, `if false {`),
	atDrive("J-2256", "tasks that were submitted before are held to the new number of workers", "^TestResize$",
		"sizes.go", "sizes.end", `		z.time++`, ``),
	ofScheduling("J-2257", "a deadlock may be kept secret", "checks", "^TestDeadlock$",
		"judge.go", "judging.didClose", `if !j.told {`, `if false {`),
	ofScheduling("J-2258", "a deadlock of fewer tasks may be reported", "checks", "^TestDeadlock$",
		"deadlock.go", "judging.deadlock", `case told < n:`, `case false:`),
	ofScheduling("J-2259", "a deadlock may be reported while others go on", "checks", "^TestJudge$",
		"deadlock.go", "judging.deadlock", `&& t.ended == 0 {`, `&& t.ended < 0 {`),
	ofScheduling("J-2260", "who waits for an event never waits for nobody", "checks", "^TestForNobody$|^TestDeadlock$",
		"deadlock.go", "forNobody", `return !s.OfEvent() || happened[s.Arg]`, `return s.Arg >= 0`),
	ofScheduling("J-2261", "any number of wake-ups is few", "checks", "^TestWakes$",
		"wakes.go", "judging.woken", `if n > most {`, `if n > 1000*most {`),
}

// atDrive is a mutant of what runs task graphs that tests of their judge must see.
func atDrive(id, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Room: "./conformance/scheduler/checks", Tests: tests,
		Edits: []overlay.Edit{{File: "conformance/scheduler/drive/" + file, Func: fn, Old: old, New: new}}}
}
