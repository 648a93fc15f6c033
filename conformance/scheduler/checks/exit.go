package checks

import (
	"fmt"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Tasks that end by a panic, or by runtime.Goexit, where the contract says that they end alone.

// endsAlone notes that task k has ended, if it was by a panic or by runtime.Goexit. Inside is the step in which it has ended, "" if it was in none: then
// another has taken it along, which ran on its stack.
func (j *judging) endsAlone(k int, inside string) {
	if j.alone != "" && inside != "" && inside != besideClose && inside != afterClose && !j.released && !j.told {
		j.find(j.alone, "along", fmt.Sprintf("task %d goes on after its step %s: another task has ended, and it has not", k, inside), "it ends in that step")
	}
	if n := len(j.program.Scripts[k]); n > 0 {
		if id := endsBy[j.program.Scripts[k][n-1].Op]; id != "" {
			j.alone = id
			j.about(id, 1)
		}
	}
}

var endsBy = map[record.TaskOp]string{record.Panic: "SC-PANIC", record.Exit: "SC-EXIT"}

// endAlone has n tasks end by a step, one after the other, and then needs all workers.
func endAlone(by record.TaskOp, workers, n int) record.TaskGraph {
	g := meeting(workers, 2)
	what := map[record.TaskOp]string{record.Panic: "panics", record.Exit: "exits"}[by]
	g.Name = fmt.Sprintf("%d %s, then %s", n, what, g.Name)
	before := ""
	for range n {
		before += fmt.Sprintf("s%d j%[1]d ", len(g.Tasks))
		g.Tasks = append(g.Tasks, string(rune(by)))
	}
	g.Outside[0] = before + g.Outside[0]
	return g
}

// exits are graphs by hand in which tasks end by runtime.Goexit: all workers at once, several times, and beside Close.
func exits(f facts) (list []record.TaskGraph) {
	for workers := 1; workers <= 2; workers++ {
		list = append(list, endAlone(record.Exit, workers, 2), exitTogether(workers))
		if f.inside() {
			list = append(list, record.TaskGraph{Name: fmt.Sprintf("spawn, then exit, at close, on %d", workers), Workers: workers, Outside: []string{"s0 c"}, Tasks: []string{"s1 e", "e"}})
		}
	}
	return append(list, joinsAlone(f, record.Exit)...)
}

// joinsAlone has tasks join others that end by a step, and go on, where tasks can join: one that runs the other on its own stack is not to end with it.
func joinsAlone(f facts, by record.TaskOp) (list []record.TaskGraph) {
	if !f.caps.Join || f.contract.Is("waits", spec.ForWorker) {
		return nil
	}
	what := map[record.TaskOp]string{record.Panic: "panic", record.Exit: "exit"}[by]
	for workers := 1; workers <= 2; workers++ {
		end := string(rune(by))
		list = append(list, record.TaskGraph{Name: fmt.Sprintf("joins two that %s, on %d", what, workers), Workers: workers, Outside: []string{"s0 w0"}, Tasks: []string{"f1 f2 n2 n1 a0", end, end}})
	}
	return list
}

// exitTogether has as many tasks as workers meet, and then end by runtime.Goexit. Then all workers are needed, by tasks that come when these have met: of
// tasks that come earlier any may be the first.
func exitTogether(workers int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("meet and exit on %d", workers), Workers: workers, Outside: []string{submits(0, workers)}}
	for k := range workers {
		g.Tasks = append(g.Tasks, fmt.Sprintf("m0 a%d e", k+2))
		g.Outside[0] += fmt.Sprintf("w%d ", k+2)
	}
	g.Outside[0] += submits(workers, 2*workers)
	g.Tasks = append(g.Tasks, times("m1", workers)...)
	return g
}
