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

// resizes are graphs in which the number of workers changes, by hand and by chance.
func resizes(f facts, r *rand.Rand) (list []record.TaskGraph) {
	for _, c := range []struct{ from, to int }{{1, 2}, {1, 3}, {2, 3}, {3, 5}} {
		list = append(list, resizesFrom(f, c.from, c.to)...)
		// One more than there are workers then.
		list = append(list, resizing("shrinks", c.to, []string{fmt.Sprintf("r%d ", c.from) + submits(0, c.from+1), "z3000 a0"}, times("w0", c.from+1)...))
		if f.caps.Sleep {
			list = append(list, resizing("shrinks beside tasks that sleep", c.to, []string{submits(0, c.to) + fmt.Sprintf("r%d", c.from)}, times("z2000", c.to)...))
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
		list = append(list, resizing("resizes beside Close", 1+i%3, []string{submits(0, 6) + "c", "r1 r3 r2"}, times("", 6)...))
	}
	return list
}

func resizing(name string, workers int, outside []string, tasks ...string) record.TaskGraph {
	return record.TaskGraph{Name: fmt.Sprintf("%s from %d", name, workers), Workers: workers, Outside: outside, Tasks: tasks}
}

// resizesFrom are graphs in which the number of workers is raised from few to many, or lowered from many to few, and nobody looks at a clock.
func resizesFrom(f facts, few, many int) (list []record.TaskGraph) {
	beside := f.contract.Is("resizes", spec.Never) // tasks may keep their workers while it changes
	queues := f.contract.Is("waits", spec.Never)   // tasks may wait for a worker without keeping who submits
	add := func(name string, workers int, outside string, tasks ...string) {
		list = append(list, resizing(name, workers, []string{outside}, tasks...))
	}
	up, down := fmt.Sprintf("r%d ", many), fmt.Sprintf("r%d ", few)
	add("grows", few, up+submits(0, many), times("m0", many)...)
	if beside && queues {
		add("grows beside tasks that wait", few, submits(0, many)+up, times("m0", many)...)
	}
	if f.caps.Park && f.caps.Ready {
		add("grows beside tasks that park", few, submits(0, many)+up+"a0", times("p0 m1", many)...)
	}
	add("shrinks, and grows", many, down+submits(0, few)+joins(0, few)+up+submits(few, few+many), append(times("m0", few), times("m1", many)...)...)
	add("shrinks before one task more", many, down+submits(0, few+1), times("", few+1)...)
	if f.caps.Park && f.caps.Ready {
		add("shrinks beside tasks that park", many, submits(0, many)+down+"a0", times("p0", many)...)
	}
	if f.caps.Block {
		add("shrinks beside tasks that block", many, submits(0, many)+down+"a0", times("b0", many)...)
	}
	if beside && queues && f.inside() {
		list = append(list, takesAway(many, few))
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
