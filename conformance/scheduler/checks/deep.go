package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// How deep chains and trees of spawns are.
const (
	chainDepth = 500
	treeDepth  = 9
)

// deepCheck has tasks spawn tasks that spawn tasks, and more than the queue of a worker holds.
var deepCheck = check{
	name: "stress/deep", witness: spec.Stress,
	doc:          "chains, combs and trees of spawns; and where the queues of workers can be made small, tasks that spawn, or make ready, more than these hold",
	requirements: and("SC-WORK", "SC-STEAL", "SC-TOGETHER"),
	text:         "chains, combs and trees of hundreds of tasks, and many tasks of one where queues are small, on 1, 2 and 3 workers", times: 4, lacks: withoutDeep,
	graphs: func(f facts, _ *suite.Task) (list []record.TaskGraph, _ string) {
		for workers := 1; workers <= 3; workers++ {
			list = append(list, chain(workers, chainDepth), comb(workers, chainDepth/2, "s%[1]d s%[2]d"), comb(workers, chainDepth/2, "s%[2]d s%[1]d"), tree(workers, treeDepth))
			if workers > 1 && f.contract.Is("tasks", spec.Anyone) { // tasks keep their workers
				list = append(list, handed(workers, chainDepth/5))
			}
		}
		if !f.caps.Sized {
			return list, fmt.Sprintf("%d graphs; the queues of its workers have one size (Sizer)", len(list))
		}
		for _, ring := range []int{2, 4} {
			for workers := 1; workers <= 3; workers++ {
				for _, n := range []int{2*ring + 1, 3*ring + 1} {
					more := []record.TaskGraph{spawnsMany(workers, n), spawnsTwice(workers, n)}
					if workers > 1 {
						more = append(more, hog(workers, n, 'w'))
					}
					if f.caps.Park {
						more = append(more, readiesMany(workers, n))
					}
					for _, g := range more {
						list = append(list, withRing(ring, meetsAfter(g)))
					}
				}
			}
		}
		return list, fmt.Sprintf("%d graphs", len(list))
	},
}

func withoutDeep(f facts) string {
	switch {
	case !f.inside():
		return "by its contract tasks do not submit (submits), and they do not offer to spawn (Spawner)"
	case f.contract.Is("waits", spec.ForWorker):
		return "by its contract submissions may wait (waits): tasks that spawn may all wait for a worker"
	}
	return ""
}

// withRing has the queues of the workers hold so many tasks.
func withRing(ring int, g record.TaskGraph) record.TaskGraph {
	g.Ring, g.Name = ring, fmt.Sprintf("%s, with queues of %d", g.Name, ring)
	return g
}

// meetsAfter has as many tasks as there are workers meet, when all tasks of a graph have ended, none of which meet.
func meetsAfter(g record.TaskGraph) record.TaskGraph {
	n := len(g.Tasks)
	p, err := g.Program()
	if err != nil {
		panic("checks: " + err.Error()) // it is one of ours
	}
	g.Outside[0] += " " + joins(0, n) + submits(n, n+g.Workers)
	g.Tasks = append(g.Tasks, times(fmt.Sprintf("m%d", p.Events), g.Workers)...)
	return g
}

// chain has each task spawn the next one.
func chain(workers, depth int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("chain of %d on %d", depth, workers), Workers: workers, Outside: []string{"s0"}}
	for k := range depth - 1 {
		g.Tasks = append(g.Tasks, fmt.Sprintf("s%d", k+1))
	}
	g.Tasks = append(g.Tasks, "")
	return meetsAfter(g)
}

// handed is a chain in which each task keeps its worker until the next one has begun, on another.
func handed(workers, depth int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("chain of %d from worker to worker on %d", depth, workers), Workers: workers, Outside: []string{"s0"}}
	for k := range depth - 1 {
		g.Tasks = append(g.Tasks, fmt.Sprintf("a%d s%d w%d", k, k+1, k+1))
	}
	g.Tasks = append(g.Tasks, fmt.Sprintf("a%d", depth-1))
	return meetsAfter(g)
}

// comb is a chain whose tasks spawn another one each, which spawns none. Of the script, %[1]d is the next one, and %[2]d the other.
func comb(workers, depth int, script string) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("comb of %d, %s, on %d", depth, strings.NewReplacer("s%[1]d", "next", "s%[2]d", "other").Replace(script), workers), Workers: workers, Outside: []string{"s0"}}
	for k := range depth {
		g.Tasks = append(g.Tasks, fmt.Sprintf(script, 2*k+2, 2*k+1), "")
	}
	g.Tasks = append(g.Tasks, "")
	return meetsAfter(g)
}

// tree has each task spawn two, to that depth.
func tree(workers, depth int) record.TaskGraph {
	n := 1<<depth - 1
	g := record.TaskGraph{Name: fmt.Sprintf("tree of %d on %d", n, workers), Workers: workers, Outside: []string{"s0"}, Tasks: times("", n)}
	for k := range n / 2 {
		g.Tasks[k] = submits(2*k+1, 2*k+3)
	}
	return meetsAfter(g)
}

// spawnsMany has a task spawn n.
func spawnsMany(workers, n int) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("one spawns %d on %d", n, workers), Workers: workers, Outside: []string{"s0"}, Tasks: append([]string{submits(1, n+1)}, times("", n)...)}
}

// spawnsTwice has a task spawn n, each of which spawns as many.
func spawnsTwice(workers, n int) record.TaskGraph {
	g := spawnsMany(workers, n)
	g.Name = fmt.Sprintf("one spawns %d, and each of these on %d", n, workers)
	for k := 1; k <= n; k++ {
		g.Tasks[k] = submits(len(g.Tasks), len(g.Tasks)+n)
		g.Tasks = append(g.Tasks, times("", n)...)
	}
	return g
}

// readiesMany has n tasks park, and one make them ready.
func readiesMany(workers, n int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("one makes %d ready on %d", n, workers), Workers: workers, Outside: []string{submits(0, n)}}
	for k := range n {
		g.Tasks = append(g.Tasks, fmt.Sprintf("a%d p0", k+1))
		g.Outside[0] += fmt.Sprintf("w%d ", k+1)
	}
	g.Outside[0] += fmt.Sprintf("s%d", n)
	g.Tasks = append(g.Tasks, "a0")
	return g
}
