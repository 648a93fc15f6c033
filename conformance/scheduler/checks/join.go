package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Tasks that wait for tasks by the scheduler's own means (Joiner).

func withoutJoin(f facts) string {
	if !f.caps.Join {
		return "the tasks of the target do not offer to fork and join (Joiner)"
	}
	return ""
}

// collects returns what comes of task k, which joins another. It goes on, leaves its worker, or runs one that waits on its own stack.
func (a *abstract) collects(k, other int) (list []*abstract) {
	if a.above[k] > 0 {
		return nil
	}
	b := a.clone()
	if a.tasks[other] == finished {
		b.at[k]++
		return []*abstract{b}
	}
	b.tasks[k] = offWorker
	list = append(list, b)
	for q, t := range a.tasks {
		if t == queued && (!a.own || a.comesOf(q, k)) {
			b := a.clone()
			b.tasks[q], b.above[k] = working, byte(q+1)
			list = append(list, b)
		}
	}
	return list
}

// leaves has the task go on that runs task k on its own stack, if one does.
func (a *abstract) leaves(k int) {
	for i, above := range a.above {
		if int(above) == k+1 {
			a.above[i] = 0
		}
	}
}

// comesOf reports whether task k, or one that comes of it, has submitted task q.
func (a *abstract) comesOf(q, k int) bool {
	for by := a.p.By[q]; by >= 0; by = a.p.By[by] {
		if by == k {
			return true
		}
	}
	return false
}

// inJoin reports whether a task joins another.
func inJoin(t *taskState) bool { return strings.HasPrefix(t.step, "n") }

// joining counts the tasks that join one that has not ended: each may keep a worker.
func (j *judging) joining() (n int) {
	for i := range j.tasks {
		if t := &j.tasks[i]; t.begun > t.ended && inJoin(t) && !j.ready(t) {
			n++
		}
	}
	return n
}

// joined judges a join of task k that has returned.
func (j *judging) joined(e *record.TaskEvent, k int) {
	if j.tasks[k].refused {
		return
	}
	j.about("SC-JOIN", 1)
	if why, ok := strings.CutPrefix(e.Text, "panic: "); ok {
		j.find("SC-CALLS", "join", "a join returns", "it panics: %s", why)
	} else if j.tasks[k].ended == 0 && !j.stopped {
		j.find("SC-JOIN", "early", fmt.Sprintf("task %d goes on when task %d has ended, which it joins", e.Who, k), "it goes on before")
	}
}

// forks are graphs by hand: trees of tasks that fork two and join them, in both orders, and chains, so deep, on one worker and on several. Where no
// explorer runs them, a task runs for a while, by the clock, while another joins it. There are none where submissions may wait (waits=worker).
func forks(f facts, depth int, explored bool) (list []record.TaskGraph) {
	while := "z2000 "
	if explored {
		while = ""
	}
	if f.contract.Is("waits", spec.ForWorker) {
		return nil // a task that forks may wait until another worker is free, and so may all of them
	}
	list = append(list, record.TaskGraph{Name: "joins one that runs, on 2", Workers: 2, Outside: []string{"s0 w1 " + while + "a0"}, Tasks: []string{"f1 w1 n1", "a1 w0"}})
	if f.contract.Is("joins", spec.Own) {
		list = append(list, underLock(while)...)
	}
	for workers := 1; workers <= 3; workers++ {
		for _, first := range []string{"newest", "oldest"} {
			g := record.TaskGraph{Name: fmt.Sprintf("tree of %d joins, the %s first, on %d", depth, first, workers), Workers: workers, Outside: []string{"s0"}}
			var node func(depth int) int
			node = func(depth int) int {
				k := len(g.Tasks)
				g.Tasks = append(g.Tasks, "")
				if depth > 0 {
					l, r := node(depth-1), node(depth-1)
					a, b := r, l
					if first == "oldest" {
						a, b = l, r
					}
					g.Tasks[k] = fmt.Sprintf("f%d f%d n%d n%d", l, r, a, b)
				}
				return k
			}
			node(depth)
			list = append(list, g)
		}
		if workers < 3 {
			n := 1 << depth
			g := record.TaskGraph{Name: fmt.Sprintf("chain of %d joins on %d", n, workers), Workers: workers, Outside: []string{"s0"}}
			for k := range n {
				g.Tasks = append(g.Tasks, fmt.Sprintf("f%d n%[1]d", k+1))
			}
			g.Tasks = append(g.Tasks, "")
			list = append(list, g)
		}
	}
	return list
}

// underLock are graphs in which a task joins another while it holds a lock that a third one needs, which waits for a worker then: for a while.
func underLock(while string) (list []record.TaskGraph) {
	for _, third := range []string{"i0 o0", "i0 f4 n4 o0"} {
		g := record.TaskGraph{Name: "joins under a lock, beside " + third, Workers: 2, Outside: []string{"s0 s1 s2 a1 " + while + "a0"}, Tasks: []string{"w0", "w1 i0 f3 n3 o0", third, ""}}
		if third != "i0 o0" {
			g.Tasks = append(g.Tasks, "")
		}
		list = append(list, g)
	}
	return list
}
