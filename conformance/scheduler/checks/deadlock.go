package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// Deadlocks: graphs in which some park for nobody, and others that look so for a while.

func withoutDeadlock(f facts) string {
	if !f.caps.Deadlock {
		return "the target does not say of an error of Close that it is a deadlock (Deadlocker), or its tasks do not park"
	}
	return ""
}

// forNobody returns the tasks that do not come to their end, however many workers there are, because they park until what nobody says, or
// wait for one that does. Events stay, so that it does not matter in which order the rest goes on. Close is taken to be the last
// step of a thread.
func forNobody(p *record.TaskProgram) []bool {
	scripts := slices.Concat(p.Threads, p.Scripts)
	at, begun := make([]int, len(scripts)), make([]bool, len(scripts))
	for i := range p.Threads {
		begun[i] = true
	}
	task := func(k int) int { return len(p.Threads) + k }
	happened, came := make([]bool, p.Events), make([]int, p.Events)
	here := make([]bool, len(scripts)) // it stands at a meeting, and is counted there
	passes := func(i int, s record.TaskStep) bool {
		switch s.Op {
		case record.Submit, record.Fork:
			begun[task(s.Arg)] = true
		case record.Happen:
			happened[s.Arg] = true
		case record.Gather:
			if !here[i] {
				here[i] = true
				came[s.Arg]++
			}
			return came[s.Arg] == p.Meets[s.Arg]
		case record.Join, record.Collect:
			return at[task(s.Arg)] == len(scripts[task(s.Arg)]) && begun[task(s.Arg)]
		default:
			return !s.OfEvent() || happened[s.Arg]
		}
		return true
	}
	for moved := true; moved; {
		moved = false
		for i, script := range scripts {
			for begun[i] && at[i] < len(script) && passes(i, script[at[i]]) {
				at[i]++
				here[i], moved = false, true
			}
		}
	}
	stuck := make([]bool, len(p.Scripts))
	for k := range stuck {
		stuck[k] = at[task(k)] < len(p.Scripts[k])
	}
	return stuck
}

// stuck counts the tasks that were accepted, and wait for nobody.
func (j *judging) stuck() (n int) {
	for k := range j.tasks {
		if j.nobody[k] && j.tasks[k].accepted {
			n++
		}
	}
	return n
}

// deadlock judges a report of one, by Close that is about to return.
func (j *judging) deadlock(told int) {
	j.told = true
	n := j.stuck()
	if n == 0 {
		j.find("SC-DEADLOCK-TRUE", "", "no deadlock is reported: all tasks come to their end", "Close says that %d tasks can never go on", told)
		return
	}
	for k := range j.tasks {
		if t := &j.tasks[k]; t.accepted && t.early && !j.nobody[k] && t.ended == 0 {
			j.find("SC-DEADLOCK-TRUE", "early", fmt.Sprintf("no deadlock is reported before task %d has ended, which can go on", k), "Close says that %d tasks can never go on", told)
			return
		}
	}
	switch {
	case told > n:
		j.find("SC-DEADLOCK-TRUE", "more", fmt.Sprintf("a deadlock of %d tasks is reported: the others come to their end", n), "Close says that %d tasks can never go on", told)
	case told < n:
		j.find("SC-DEADLOCK", "count", fmt.Sprintf("a deadlock of %d tasks is reported", n), "Close says that %d tasks can never go on", told)
	}
}

// fewDeadlocks are those of deadlocks that have few tasks, and no clock: for the explorer.
func fewDeadlocks(f facts) (list []record.TaskGraph) {
	for workers := 1; workers <= 2; workers++ {
		add := func(name string, outside []string, tasks ...string) {
			list = append(list, record.TaskGraph{Name: fmt.Sprintf("%s on %d", name, workers), Workers: workers, Outside: outside, Tasks: tasks})
		}
		add("two wait for nobody, one ends", []string{"s0 s1 s2 c"}, "p0", "", "p0")
		add("who makes it ready runs", []string{"s0 s1 c"}, "p0", "a0")
		if f.caps.Block {
			add("who makes it ready blocks", []string{"s0 s1 c", "a1"}, "p0", "b1 a0")
		}
		if f.caps.Yield {
			add("who makes it ready yields", []string{"s0 s1 c"}, "p0", "y a0")
		}
		if f.inside() {
			add("who makes it ready is spawned", []string{"s0 s1 c"}, "p0", "s2", "a0")
		}
	}
	return list
}

// deadlocks are graphs in which tasks park for nobody, or seem to, by hand. Thread 1 lets go on, after a while, who waits for event 1.
func deadlocks(f facts) (list []record.TaskGraph) {
	add := func(name string, workers int, outside []string, tasks ...string) {
		list = append(list, record.TaskGraph{Name: fmt.Sprintf("%s on %d", name, workers), Workers: workers, Outside: outside, Tasks: tasks})
	}
	later := func(n int) []string { return []string{submits(0, n) + "c", "z3000 a1"} }
	for workers := 1; workers <= 3; workers++ {
		add("20 wait for nobody", workers, []string{submits(0, 20) + "c"}, times("p0", 20)...)
		add("one waits for nobody, 20 end", workers, []string{submits(0, 21) + "c"}, append([]string{"p0"}, times("", 20)...)...)
		// Who makes them ready is there, and does something else for a while; and then the same where somebody waits for nobody, too.
		others := map[string]string{"runs": "w1 a0"}
		if f.caps.Block {
			others["blocks"] = "b1 a0"
		}
		if f.caps.Sleep {
			others["sleeps"] = "z3000 a0"
		}
		if f.caps.Yield {
			others["yields"] = strings.Repeat("y ", 200) + "a0"
		}
		for what, script := range others {
			add("who makes it ready "+what, workers, later(3), "p0", "p0", script)
			add("one for nobody, and who makes one ready "+what, workers, later(3), "p0", "p2", script)
		}
		add("who makes it ready waits for a worker", workers, later(workers+2), append(append([]string{"p0"}, times("w1", workers)...), "a0")...)
		if f.inside() {
			add("who makes it ready is spawned", workers, later(2), "p0", "w1 s2", "a0")
		}
	}
	slices.SortStableFunc(list, func(a, b record.TaskGraph) int { return strings.Compare(a.Name, b.Name) }) // what comes from a map has no order
	return list
}
