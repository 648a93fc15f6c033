package checks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// sized is how many workers there are at least, as changes come and go. Of those that overlap nobody knows which is the last.
type sized struct {
	workers int
	changes int  // that have ended
	fewest  int  // how many workers there were at least, at some time
	fewer   bool // there are fewer than at some time before
	before  int
	pending int
	overlap []int
}

func newSized(workers int) sized { return sized{workers: workers, fewest: workers} }

func (z *sized) begin(n int) {
	if z.pending == 0 {
		z.before, z.overlap = z.workers, nil
	}
	z.pending++
	z.overlap = append(z.overlap, n)
	z.workers = min(z.workers, n)
}

func (z *sized) end(done bool) {
	z.pending--
	z.changes++
	switch {
	case done:
	case len(z.overlap) == 1:
		z.overlap[0] = z.before
	default:
		z.overlap = append(z.overlap, z.before)
	}
	if z.pending > 0 {
		return
	}
	z.workers = slices.Min(z.overlap)
	z.fewer = z.fewer || z.workers < z.before
	z.fewest = min(z.fewest, z.workers)
}

// The graphs in which the number of workers changes.

func withoutResize(f facts) string {
	if !f.caps.Resize {
		return "the target does not offer to change the number of workers (Resizer)"
	}
	return ""
}

// resizes are graphs in which the number of workers changes, by hand.
func resizes(f facts, r *rand.Rand) (list []record.TaskGraph) {
	beside := f.contract.Is("resizes", spec.Never) // tasks may keep their workers while it changes
	queues := f.contract.Is("waits", spec.Never)   // tasks may wait for a worker without keeping who submits
	add := func(name string, workers int, outside []string, tasks ...string) {
		list = append(list, record.TaskGraph{Name: fmt.Sprintf("%s from %d", name, workers), Workers: workers, Outside: outside, Tasks: tasks})
	}
	for _, c := range []struct{ from, to int }{{1, 2}, {1, 3}, {2, 3}, {3, 5}} {
		to := fmt.Sprintf("r%d ", c.to)
		add("grows", c.from, []string{to + submits(0, c.to)}, times("m0", c.to)...)
		if beside && queues {
			add("grows beside tasks that wait", c.from, []string{submits(0, c.to) + to}, times("m0", c.to)...)
		}
		if f.caps.Park && f.caps.Ready {
			add("grows beside tasks that park", c.from, []string{submits(0, c.to) + to + "a0"}, times("p0 m1", c.to)...)
		}
		back := fmt.Sprintf("r%d ", c.from)
		add("shrinks, and grows", c.to, []string{back + submits(0, c.from) + joins(0, c.from) + to + submits(c.from, c.from+c.to)},
			append(times("m0", c.from), times("m1", c.to)...)...)
		// One more than there are workers then.
		add("shrinks", c.to, []string{back + submits(0, c.from+1), "z3000 a0"}, times("w0", c.from+1)...)
		if f.caps.Park && f.caps.Ready {
			add("shrinks beside tasks that park", c.to, []string{submits(0, c.to) + back + "a0"}, times("p0", c.to)...)
		}
		if f.caps.Block {
			add("shrinks beside tasks that block", c.to, []string{submits(0, c.to) + back + "a0"}, times("b0", c.to)...)
		}
		if f.caps.Sleep {
			add("shrinks beside tasks that sleep", c.to, []string{submits(0, c.to) + back}, times("z2000", c.to)...)
		}
		if beside && queues && f.inside() {
			list = append(list, takesAway(c.to, c.from))
		}
	}
	for i := range f.some(40) {
		g := storm(f, r, i)
		g.Name = "resizes in " + g.Name
		var b strings.Builder
		for range 1 + r.IntN(8) {
			fmt.Fprintf(&b, "r%d z%d ", 1+r.IntN(4), 1+r.IntN(400))
		}
		g.Outside = append(g.Outside, b.String())
		list = append(list, g)
	}
	for i := 0; i < f.some(40) && f.contract.Is("closes", spec.Beside); i++ {
		add("resizes beside Close", 1+i%3, []string{submits(0, 6) + "c", "r1 r3 r2"}, times("", 6)...)
	}
	return list
}

// takesAway has a task on each worker that has spawned others, and keeps its worker, and then takes workers away: what these have queued must
// run.
func takesAway(workers, left int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("takes workers away, from %d to %d", workers, left), Workers: workers, Tasks: times("", workers)}
	waits := ""
	for k := range workers {
		from := len(g.Tasks)
		g.Tasks = append(g.Tasks, times("", 8)...)
		g.Tasks[k] = submits(from, from+8) + fmt.Sprintf("a%d w0", 1+k)
		waits += fmt.Sprintf("w%d ", 1+k)
	}
	g.Outside = []string{submits(0, workers) + waits + fmt.Sprintf("r%d a0", left)}
	return g
}

// submits is a script that submits tasks, and joins one that waits for their end.
func submits(from, to int) string { return steps('s', from, to) }
func joins(from, to int) string   { return steps('j', from, to) }

func steps(op byte, from, to int) string {
	var b strings.Builder
	for k := from; k < to; k++ {
		fmt.Fprintf(&b, "%c%d ", op, k)
	}
	return b.String()
}

func times(script string, n int) []string { return slices.Repeat([]string{script}, n) }
