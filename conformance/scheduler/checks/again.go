package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// againCheck asks whether tasks that submit themselves again, or threads that keep submitting, keep others from running.
var againCheck = check{
	name: "stress/again", witness: spec.Stress,
	doc:          "a task on every worker submits itself again, or a thread keeps submitting, until another has run: one from outside, of theirs, from a clock, from a blocking call, made ready, or that yields",
	when:         []spec.Condition{spec.If("again", spec.Fair), spec.If("waits", spec.Never)},
	requirements: []string{"FA-AGAIN"}, text: "up to 30 graphs", times: 1, lacks: withoutAgain,
	graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
		var list []record.TaskGraph
		for workers := 1; workers <= 3; workers++ {
			list = append(list, manyBeside(f, workers))
		}
		list = append(list, rivals(f, "submits itself again", record.Repeat, 1, 1)...)
		for workers := 1; workers <= 3; workers++ {
			for range 3 { // the thread must keep up with the workers
				list = append(list, fedBeside(f, workers))
			}
		}
		return list, fmt.Sprintf("%d graphs", len(list))
	},
}

func withoutAgain(f facts) string {
	if !f.inside() {
		return "by its contract tasks do not submit (submits), and they do not offer to spawn (Spawner)"
	}
	return ""
}

// manyBeside has a task on every worker submit itself again, and many others come from outside: where the newest is first, the next to come may be
// the newest, but not all of them.
func manyBeside(f facts, workers int) record.TaskGraph {
	const n = 30
	g := record.TaskGraph{Name: fmt.Sprintf("1 submits itself again on each of %d, and %d come from outside", workers, n), Workers: workers, Outside: []string{resizedTo(f, workers) + submits(0, workers)}}
	for k := range workers {
		g.Tasks = append(g.Tasks, fmt.Sprintf("a%d g0", k+1))
		g.Outside[0] += fmt.Sprintf("w%d ", k+1)
	}
	g.Outside[0] += submits(workers, workers+n) + joins(workers, workers+n) + "a0"
	g.Tasks = append(g.Tasks, times("", n)...)
	return g
}

// resizedTo sets the number of workers where it is not the factory's.
func resizedTo(f facts, workers int) string {
	if f.caps.Resize {
		return fmt.Sprintf("r%d ", workers)
	}
	return ""
}

// fedBeside has a thread keep submitting, while a task waits that was spawned before.
func fedBeside(f facts, workers int) record.TaskGraph {
	n := workers
	g := record.TaskGraph{Name: fmt.Sprintf("a thread keeps submitting, and one was spawned on %d", workers), Workers: workers, Outside: []string{resizedTo(f, workers)}}
	begun := ""
	for k := range n {
		g.Tasks = append(g.Tasks, fmt.Sprintf("a%d w%d", k+2, n+2))
		begun += fmt.Sprintf("w%d ", k+2)
	}
	// The tasks keep all workers until the thread's tasks wait, as far as one can tell.
	g.Tasks[n-1] = strings.Replace(g.Tasks[n-1], " ", fmt.Sprintf(" s%d ", n), 1)
	g.Outside[0] += submits(0, n) + begun + "a1 g0"
	g.Outside = append(g.Outside, fmt.Sprintf("w1 z2000 a%d", n+2))
	g.Tasks = append(g.Tasks, "a0")
	return g
}

// fed reports whether a thread outside keeps submitting.
func (j *judging) fed() bool {
	for _, step := range j.threads {
		if strings.HasPrefix(step, "g") {
			return true
		}
	}
	return false
}

// again judges a task that submitted itself again, or a thread that kept submitting, until the event, or until it was refused.
func (j *judging) again(e *record.TaskEvent) {
	why, refused := strings.CutPrefix(e.Text, "refused: ")
	switch {
	case strings.HasPrefix(why, "panic: "):
		j.find("SC-CALLS", "submit", "each submission returns", "%s", why)
	case refused && !j.closing && j.holds("refuse", spec.Never):
		j.find("SC-ACCEPT", "", "each submission, before Close is called, is accepted", "one of those that come again and again is refused: %s", why)
	case e.Text == "" && !j.released:
		j.about("FA-AGAIN", 1)
	}
}
