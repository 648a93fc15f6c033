package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Threads that wait for the tasks of a scheduler without an end to it (Waiter), and threads that close it where another has (closers=any).

func withoutWait(f facts) string {
	if !f.caps.Wait {
		return "the target does not offer to wait for its tasks (Waiter)"
	}
	return ""
}

// settle returns what comes of thread i, which waits for all tasks. Every scheduler lets it go on in the end, once no task is left. One may do so
// earlier, when all have ended that were accepted before.
func (a *abstract) settle(i int) []*abstract {
	if len(a.tasks) > 7 {
		return nil // their bits do not fit; the graph is too large to be gone through anyway
	}
	live := byte(0)
	for k, t := range a.tasks {
		if t != unborn && t != finished {
			live |= 1 << k
		}
	}
	b := a.clone()
	switch {
	case a.settles[i] == 0: // it calls
		b.settles[i] = live | calledSettle
	case a.settles[i]&live == 0:
		b.settles[i] = 0
		b.threads[i]++
	default:
		return nil
	}
	return []*abstract{b}
}

// calledSettle is a bit that stands for no task.
const calledSettle = 1 << 7

// settle notes the tasks that a thread waits for, which calls WaitTasks.
func (j *judging) settle(who int) {
	j.settles[who] = nil
	for k := range j.tasks {
		if j.tasks[k].accepted {
			j.settles[who] = append(j.settles[who], k)
		}
	}
}

// settled judges a call of WaitTasks that has returned.
func (j *judging) settled(e *record.TaskEvent) {
	j.about("SC-WAIT-RETURNS", 1)
	if why, ok := strings.CutPrefix(e.Text, "panic: "); ok {
		j.find("SC-CALLS", "wait", "WaitTasks returns", "it panics: %s", why)
		return
	}
	j.about("SC-WAIT-WAITS", int64(len(j.settles[e.Who])))
	for _, k := range j.settles[e.Who] {
		if t := &j.tasks[k]; t.ended == 0 && !j.stopped {
			what := "it waits"
			if t.begun > 0 {
				what = "it runs"
			}
			j.find("SC-WAIT-WAITS", what[3:], fmt.Sprintf("task %d, which was accepted before, has ended when WaitTasks returns", k), "%s", what)
		}
	}
}

// unsettled finds calls of WaitTasks that do not return at a stop.
func (j *judging) unsettled(how string) {
	if !j.allEnded() {
		return
	}
	n := 0
	for _, step := range j.threads {
		if step == "v" {
			n++
		}
	}
	if n > 0 {
		j.find("SC-WAIT-RETURNS", "", "WaitTasks returns: all tasks have ended", "%s, and %d threads still wait", how, n)
	}
}

// waits are graphs by hand in which several threads wait, again and again, beside submissions, and beside Close.
// Where the explorer does not run them, a task runs for a while, by the clock, when they are called.
func waits(f facts, rounds int, explored bool) (list []record.TaskGraph) {
	beside := !f.contract.Is("submits", spec.One)
	for workers := 1; workers <= 2; workers++ {
		for threads := 2; threads <= 4; threads += 2 {
			g := record.TaskGraph{Name: fmt.Sprintf("%d threads wait on %d, %d times", threads, workers, rounds), Workers: workers, Outside: make([]string, threads)}
			for range rounds {
				for i := range g.Outside {
					if i == 0 || beside {
						g.Outside[i] += fmt.Sprintf("s%d ", len(g.Tasks))
						g.Tasks = append(g.Tasks, "")
					}
					g.Outside[i] += "v "
				}
			}
			list = append(list, g)
			if f.contract.Is("closes", spec.Beside) || !beside {
				g := g
				g.Name, g.Outside = g.Name+", beside Close", slices.Clone(g.Outside)
				g.Outside[0] += "c"
				list = append(list, g)
			}
		}
		// All wait while one task runs, and what it has spawned.
		task, while := "a1 w0", ""
		if !explored {
			while = "z2000 "
		}
		g := record.TaskGraph{Name: fmt.Sprintf("3 wait for one task on %d", workers), Workers: workers, Outside: []string{"s0 w1 v", "w1 v", "w1 v", "w1 " + while + "a0"}, Tasks: []string{task}}
		if f.inside() && !f.contract.Is("waits", spec.ForWorker) {
			g.Tasks = []string{task + " s1", ""}
		}
		list = append(list, g)
	}
	return append(list, waitsForOthers(f, explored)...)
}

// waitsForOthers are graphs by hand in which a thread waits for a task that has left its worker, or has ended alone.
func waitsForOthers(f facts, explored bool) (list []record.TaskGraph) {
	while := "z2000 "
	if explored {
		while = ""
	}
	beside, inside := !f.contract.Is("submits", spec.One), f.inside() && !f.contract.Is("waits", spec.ForWorker)
	for _, c := range []struct {
		has        bool
		what       string
		task, lets string // a thread says event 0, or has a task say it, while another waits
		others     []string
	}{
		{f.caps.Sleep && !explored, "sleeps", "a1 z3000", "", nil}, // the explorer has no clock
		{f.caps.Block, "blocks", "a1 b0", "a0", nil},
		{f.caps.Park && beside, "has parked", "a1 p0", "s1", []string{"a0"}},
		{f.caps.Join && inside, "joins another", "a1 f1 n1", "a0", []string{"w0"}},
		{f.contract.Is("exits", spec.Isolated), "exits", "a1 w0 e", "a0", nil},
		{f.contract.Is("panics", spec.Isolated), "panics", "a1 w0 x", "a0", nil},
	} {
		if !c.has {
			continue
		}
		g := record.TaskGraph{Name: fmt.Sprintf("waits for one that %s on 2", c.what), Workers: 2, Outside: []string{"s0 w1 v"}, Tasks: append([]string{c.task}, c.others...)}
		if c.lets != "" {
			g.Outside = append(g.Outside, "w1 "+while+c.lets)
		}
		list = append(list, g)
	}
	return list
}

// closings are graphs by hand in which several threads close: at once, one after the other, and beside tasks that run and spawn.
func closings(f facts) (list []record.TaskGraph) {
	for workers := 1; workers <= 2; workers++ {
		task, others, lets := "", []string(nil), "s2 a0"
		if f.contract.Is("waits", spec.ForWorker) {
			lets = "a0 s2" // s2 may wait for the worker of the task that runs
		}
		if f.inside() && !f.contract.Is("waits", spec.ForWorker) {
			task, others = "s3", []string{""}
		}
		tasks := append([]string{task, "", ""}, others...)
		list = append(list,
			record.TaskGraph{Name: fmt.Sprintf("3 close on %d", workers), Workers: workers, Outside: []string{"s0 s1 s2 a0 c", "w0 c", "w0 c"}, Tasks: tasks},
			record.TaskGraph{Name: fmt.Sprintf("close twice on %d", workers), Workers: workers, Outside: []string{"s0 s1 s2 c c"}, Tasks: tasks},
			record.TaskGraph{Name: fmt.Sprintf("2 close beside a task that runs, on %d", workers), Workers: workers, Outside: []string{"s0 s1 " + lets + " c", "w0 c a1"}, Tasks: append([]string{task, "w0", ""}, others...)})
	}
	return list
}
