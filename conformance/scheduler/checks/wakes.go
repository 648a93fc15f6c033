package checks

import (
	"fmt"

	"github.com/spindle-go/spindle/spec/record"
)

func withoutWakes(f facts) string {
	if !f.caps.Wakes {
		return "the target does not count how often workers are woken (WakeCounter)"
	}
	return ""
}

// reasons is how often a step makes something that a worker may be woken for. Who sleeps or blocks goes, and comes back.
func reasons(op record.TaskOp) int {
	switch op {
	case record.Submit, record.Fork, record.Park, record.Yield:
		return 1
	case record.Block, record.Sleep:
		return 2
	}
	return 0
}

// woken judges how often workers were woken. Where tasks take turns, or nap, nobody knows how often they did; where the number of workers changes, all
// may be woken each time.
func (j *judging) woken(n int) {
	for _, script := range j.program.Scripts {
		for _, s := range script {
			if s.Op == record.Turns || s.Op == record.Rally || s.Op == record.Naps || s.Op == record.Repeat {
				return
			}
		}
	}
	j.about("SC-WAKES", 1)
	most := 2*j.reasons + 2*j.program.Most*(1+j.program.Resizes)
	if n > most {
		j.find("SC-WAKES", "", fmt.Sprintf("at most %d wake-ups: two for each of %d reasons, and two for each worker", most, j.reasons), "%d", n)
	}
}

// alone has one task follow another, each when all workers have nothing to do; and then there are as many at once.
func alone(workers int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("100 tasks one by one on %d", workers), Workers: workers, Outside: []string{""}, Tasks: times("", 200)}
	for k := range 100 {
		g.Outside[0] += fmt.Sprintf("s%d j%[1]d z%d ", k, 50+k)
	}
	g.Outside[0] += submits(100, 200)
	return g
}
