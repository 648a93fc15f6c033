package checks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The graphs of tasks that sleep. Who keeps a worker beside them waits, and does not run: so a processor that somebody needs is never the
// reason.

func withoutSleep(f facts) string {
	if !f.caps.Sleep {
		return "the tasks of the target do not offer to sleep (Sleeper)"
	}
	return ""
}

// sleepers are graphs of tasks that sleep, by hand.
func sleepers(f facts, r *rand.Rand) (list []record.TaskGraph) {
	for workers := 1; workers <= 3; workers++ {
		list = append(list, naps(workers))
		if workers <= 2 {
			list = append(list, sleepsLong(f, workers))
		}
		list = append(list, sleepsAgain(workers), sleepsMany(workers, r), sleepsShortly(workers))
		for range 4 {
			if workers > 1 {
				list = append(list, sleepsBeside(workers, "a2 w0", "z3000 a1"))
				list = append(list, sleepsBeside(workers, "a2 z3000 a1", "w0"))
				list = append(list, sleepsBeside(workers, "a2 z2000 w0", "z5000 a1")) // who wakes the first must not be all that waits for the second
			}
			if f.inside() && workers > 1 {
				list = append(list, sleepsBeside(workers, "a2 s1 z3000 a1", "w0"))
			}
		}
	}
	return list
}

// sleepsAgain has a task sleep while nobody else is there: at once, and when all workers were idle for a while.
func sleepsAgain(workers int) record.TaskGraph {
	return record.TaskGraph{
		Name: fmt.Sprintf("sleeps again on %d", workers), Workers: workers,
		Outside: []string{"s0 j0 s1 j1 z60000 s2 j2 z30000 s3 j3"}, Tasks: []string{"z3000", "z500 z500", "z1", "z20000"},
	}
}

// quietOf is how long all must be at rest before a task is said to be late.
func quietOf(c spec.SchedulerContract) time.Duration { return drive.Quiet(boundOf(c)) }

// sleepsLong has two tasks sleep for long. A task that waits meanwhile is said to be late before that is over. None may wait for the end of a long
// sleep: one that sleeps less, before or behind it, and one that does not sleep. All threads outside end before it, unless a task is late.
func sleepsLong(f facts, workers int) record.TaskGraph {
	long := fmt.Sprintf("z%d", (2 * quietOf(f.contract)).Microseconds())
	return record.TaskGraph{
		Name: fmt.Sprintf("sleeps long on %d", workers), Workers: workers,
		Outside: []string{"s0 z20000 s1 j1 s2 j2 s3 z1000 s4 j3"}, Tasks: []string{long, "z5000", "", "z20000", long},
	}
}

// longSleep is how long a task sleeps at most.
const longSleep = 50 * time.Second

// sleepsLonger makes each sleep of quiet or more much longer, up to longSleep. On a busy machine it takes long until a task is said to be late, and
// longest where a worker runs all the time.
func sleepsLonger(g record.TaskGraph, quiet time.Duration) record.TaskGraph {
	const name = ", much longer"
	g.Name = strings.TrimSuffix(g.Name, name) + name
	g.Tasks = slices.Clone(g.Tasks)
	for k, script := range g.Tasks {
		steps, _ := record.ParseTaskScript(script) // it was run
		var b strings.Builder
		for _, s := range steps {
			if s.Op == record.Sleep && s.For() >= quiet {
				s.Arg = int(min(max(8*s.For(), 2*drive.Stall), longSleep).Microseconds())
			}
			fmt.Fprintf(&b, "%v ", s)
		}
		g.Tasks[k] = b.String()
	}
	return g
}

// sleepsMany has tasks sleep for as many times.
func sleepsMany(workers int, r *rand.Rand) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("200 sleep on %d", workers), Workers: workers}
	var outside strings.Builder
	for k := range 200 {
		fmt.Fprintf(&outside, "s%d ", k)
		g.Tasks = append(g.Tasks, fmt.Sprintf("z%d z%d", 1+r.IntN(20_000), 1+r.IntN(2_000)))
	}
	g.Outside = []string{outside.String()}
	return g
}

// sleepsShortly has tasks sleep for next to no time, and for none: it may be over before anybody waits for it.
func sleepsShortly(workers int) record.TaskGraph {
	n := 2 * workers
	return record.TaskGraph{
		Name: fmt.Sprintf("%d sleep for next to no time on %d", n, workers), Workers: workers, Outside: []string{submits(0, n)},
		Tasks: times(strings.Repeat("z0 z1 z0 z2 z0 z3 z0 z5 ", 10), n),
	}
}

// sleepsBeside has the second task begin when the first has said event 2. One sleeps, and the other keeps its worker until that has
// ended.
func sleepsBeside(workers int, first, second string) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("%s beside %s on %d", first, second, workers), Workers: workers, Tasks: []string{first, second}}
	g.Outside = []string{"s0 w2 s1 w1 a0"}
	if strings.Contains(first, "s1") {
		g.Outside = []string{"s0 w1 a0"}
	}
	return g
}

// naps has a task on each worker sleep again and again until another has run: however slow the machine is.
func naps(workers int) record.TaskGraph {
	return record.TaskGraph{
		Name: fmt.Sprintf("%d nap on as many", workers), Workers: workers, Outside: []string{submits(0, workers+1)}, Tasks: append(times("k0", workers), "a0"),
	}
}
