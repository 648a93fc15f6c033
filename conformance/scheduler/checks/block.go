package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// The graphs of tasks that block.

// blocksBeside is the scope of graphs in which one worker's task blocks, and what has yielded there, or is made ready, has to run meanwhile.
func blocksBeside(f facts, most int) *scope {
	return &scope{steps: 6, threads: 1, tasks: 2, workers: []int{1}, caps: f.caps, contract: f.contract, blocks: true, most: most}
}

func withoutBlock(f facts) string {
	if !f.caps.Block {
		return "the tasks of the target do not offer to block (Blocker)"
	}
	return ""
}

// blocked has n tasks block until as many others have met as there are workers left.
func blocked(f facts, workers, n int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("%d block on %d", n, workers), Workers: workers, Outside: []string{""}}
	var outside strings.Builder
	others := f.leftBeside(n, workers)
	for k := range n + others {
		script := "b0"
		if k >= n {
			script = "m1"
		}
		fmt.Fprintf(&outside, "s%d ", k)
		g.Tasks = append(g.Tasks, script)
	}
	for k := n; k < n+others; k++ {
		fmt.Fprintf(&outside, "j%d ", k)
	}
	g.Outside[0] = outside.String() + "a0"
	return g
}

// blockedFirst has n tasks block, one after the other. When all do, as many others meet as there are workers left.
func blockedFirst(f facts, workers, n int) record.TaskGraph {
	g := blocked(f, workers, n)
	g.Name += ", one after the other"
	var outside strings.Builder
	for k := range g.Tasks {
		if fmt.Fprintf(&outside, "s%d ", k); k < n {
			g.Tasks[k] = fmt.Sprintf("a%d b0", 2+k)
			fmt.Fprintf(&outside, "w%d ", 2+k)
		}
	}
	g.Outside[0] = outside.String() + joins(n, len(g.Tasks)) + "a0"
	return g
}

// comeBack has as many tasks block as there are workers, and as many others take those that are left. Then the calls may return, while two
// threads tell each other so often that who returns too early is seen.
func comeBack(f facts, workers int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("come back on %d", workers), Workers: workers}
	const first = 3 // event that a holder says; 0: the calls return, 1: the holders end
	var outside, waits, other strings.Builder
	for k := range workers + f.leftBeside(workers, workers) {
		script := "b0"
		if k >= workers {
			script = fmt.Sprintf("a%d w1", first+k)
			fmt.Fprintf(&waits, "w%d ", first+k)
		}
		fmt.Fprintf(&outside, "s%d ", k)
		g.Tasks = append(g.Tasks, script)
	}
	outside.WriteString(waits.String() + "a0 ")
	for i := range 20 {
		to := first + 2*workers + 2*i
		fmt.Fprintf(&outside, "a%d w%d ", to, to+1)
		fmt.Fprintf(&other, "w%d a%d ", to, to+1)
	}
	g.Outside = []string{outside.String() + "a1", other.String()}
	return g
}
