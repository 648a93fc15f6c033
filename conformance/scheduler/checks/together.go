package checks

import (
	"fmt"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// together are graphs by hand, larger than those that are enumerated, in which more comes together: all workers are needed while some are about
// to rest, several threads submit, and the scheduler is closed while tasks spawn. They are those that come to their end on every scheduler
// of the contract.
func together(f facts) (list []record.TaskGraph) {
	inside, several := f.inside(), !f.contract.Is("submits", spec.One)
	var all []record.TaskGraph
	if inside {
		all = append(all, chain(1, 6))
		if f.caps.Sized {
			all = append(all, withRing(2, spawnsMany(1, 5)), withRing(2, atClose(spawnsMany(2, 5))))
		}
	}
	if several {
		all = append(all, threeBesideOne(1))
	}
	for workers := 2; workers <= 3; workers++ {
		all = append(all, meeting(workers, 8))
		if inside {
			all = append(all, spawnedMeeting(workers, 1), meetingOfOne(workers),
				atClose(waitForSpawned(workers)), atClose(spawnTwo(workers)), atClose(spawnedMeeting(workers, 4)))
		}
		if several {
			all = append(all, meetingOfTwo(workers, 8), crowdMeeting(workers), crowd(workers))
		}
	}
	if f.caps.Park {
		all = append(all, parked(1), parked(2), parked(3), rally(1), rally(2))
		if f.caps.Ready {
			all = append(all, record.TaskGraph{Name: "made ready from outside", Workers: 1, Outside: []string{"s0 a0 j0"}, Tasks: []string{"p0"}})
		}
	}
	if several && f.contract.Is("closes", spec.Beside) {
		all = append(all, crowdAtClose(2))
		if inside {
			all = append(all, lateAtClose(1))
		}
	}
	if inside {
		all = append(all, lastAtClose(1))
	}
	for _, g := range all {
		if p, err := g.Program(); err == nil && comesToEnd(p, f.contract) {
			list = append(list, g)
		}
	}
	return list
}

// atClose has the scheduler closed behind the last submission.
func atClose(g record.TaskGraph) record.TaskGraph {
	g.Name += ", at close"
	g.Outside[0] += " c"
	return g
}

// threeBesideOne has one thread submit more than another, so that a worker that rests late is met by a submission.
func threeBesideOne(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("three beside one on %d", workers), Workers: workers, Outside: []string{"s0 s1 s2", "s3"}, Tasks: []string{"", "", "", ""}}
}

// spawnTwo has a task spawn two others.
func spawnTwo(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("spawn two on %d", workers), Workers: workers, Outside: []string{"s0"}, Tasks: []string{"s1 s2", "", ""}}
}

// waitForSpawned has a task spawn one that it waits for, and keep its worker.
func waitForSpawned(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("spawn one and wait on %d", workers), Workers: workers, Outside: []string{"s0"}, Tasks: []string{"s1 w0", "a0"}}
}

// spawnedMeeting has a task spawn so many others that all workers are needed, and they all meet; again and again.
func spawnedMeeting(workers, rounds int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("spawn and %s", met(workers, rounds)), Workers: workers, Outside: []string{"s0"}, Tasks: []string{""}}
	for round := range rounds {
		n := len(g.Tasks)
		g.Tasks[0] += submits(n, n+workers-1) + fmt.Sprintf("m%d ", round)
		g.Tasks = append(g.Tasks, times(fmt.Sprintf("m%d", round), workers-1)...)
	}
	return g
}

// meetingOfOne has as many tasks as workers meet, so that each is on another worker. Then the first, on whichever it is, spawns others that it
// meets, while the other workers are about to rest.
func meetingOfOne(workers int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("meet, then spawn and meet on %d", workers), Workers: workers, Outside: []string{submits(0, workers)}, Tasks: times("m0", workers)}
	g.Tasks[0] += " " + submits(workers, 2*workers-1) + "m1"
	g.Tasks = append(g.Tasks, times("m1", workers-1)...)
	return g
}

// meetingOfTwo is a meeting whose tasks two threads submit.
func meetingOfTwo(workers, rounds int) record.TaskGraph {
	g := meeting(workers, rounds)
	g.Name, g.Outside = met(workers, rounds)+", of two threads", []string{"", ""}
	for round := range rounds {
		n := round * workers
		g.Outside[0] += submits(n, n+1) + joins(n, n+workers)
		g.Outside[1] += submits(n+1, n+workers) + joins(n, n+workers)
	}
	return g
}

// crowd has two threads outside submit at the same time, when all workers have had a task and are about to rest. Then all workers are needed: none
// was forgotten.
func crowd(workers int) record.TaskGraph {
	n := workers
	return record.TaskGraph{
		Name: fmt.Sprintf("crowd on %d", workers), Workers: workers,
		Outside: []string{submits(0, n) + joins(0, n) + submits(n, n+1) + joins(n, 2*n+1) + submits(2*n+1, 3*n+1), joins(0, n) + submits(n+1, 2*n+1)},
		Tasks:   append(times("", 2*n+1), times("m0", n)...),
	}
}

// crowdMeeting has each of as many threads outside as there are workers submit a task, and these meet.
func crowdMeeting(workers int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("crowd and meet on %d", workers), Workers: workers, Tasks: times("m0", workers)}
	for k := range workers {
		g.Outside = append(g.Outside, submits(k, k+1))
	}
	return g
}

// parked has two tasks park, and one that makes them ready.
func parked(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("two park on %d", workers), Workers: workers, Outside: []string{"s0 s1 s2 c"}, Tasks: []string{"p0", "p0", "a0"}}
}

// rally has two tasks park and make each other ready in turn.
func rally(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("ready in turn on %d", workers), Workers: workers, Outside: []string{"s0 s1 c"}, Tasks: []string{"p0 a1 p2 a3", "a0 p1 a2 p3"}}
}

// crowdAtClose has threads outside submit while one closes, when a worker has had a task.
func crowdAtClose(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("crowd at close on %d", workers), Workers: workers, Outside: []string{"s0 j0 c", "s1", "s2 s3"}, Tasks: times("", 4)}
}

// lateAtClose has a thread outside submit a task that spawns another, while one closes, when a worker has had a task.
func lateAtClose(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("late at close on %d", workers), Workers: workers, Outside: []string{"s0 j0 c", "s1"}, Tasks: []string{"", "s2", ""}}
}

// lastAtClose has one close right behind the submission of a task that spawns another, when a worker has had a task.
func lastAtClose(workers int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("last at close on %d", workers), Workers: workers, Outside: []string{"s0 j0 s1 c"}, Tasks: []string{"", "s2", ""}}
}
