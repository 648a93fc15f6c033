package checks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// What every run is about that has some tasks, and waits for their end.
var always = []string{"SC-LOST", "SC-TWICE", "SC-ACCEPT", "SC-WORKERS", "SC-CLOSE-RETURNS", "SC-CLOSE-WORKERS", "SC-CALLS"}

func and(ids ...string) []string { return append(ids, always...) }

// all are the checks in the order in which they run: the smallest graphs first.
var all = []check{
	{
		name: "stress/graphs", witness: spec.Stress, doc: "small task graphs on real threads: all, in order of size, up to a number",
		requirements: and("SC-REFUSED", "SC-WORK", "SC-TOGETHER", "SC-STEAL", "SC-WAKE", "SC-ORDER", "SC-CLOSE-WAITS", "SC-CLOSED", "SY-BLOCK", "SY-RETURN"),
		text:         "small graphs, in order of size", times: 2,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 2, tasks: 3, workers: []int{1, 2, 3}, caps: f.caps, contract: f.contract, most: f.some(2500)}
			return s.worded()
		},
	},
	{
		name: "stress/meet", witness: spec.Stress, doc: "as many tasks as there are workers, which meet; then as many again; and tasks beside others that keep all workers but one, or behind one that keeps the worker on which it has submitted them",
		requirements: and("SC-TOGETHER", "SC-STEAL"), text: "90 runs of 20 meetings, of 2, 3 and 4 tasks, and 30 runs of 2 meetings of 70; 90 runs with 24 tasks for one of 2, 3 and 4 workers; and where tasks submit, 90 runs of one that does so and keeps its worker", times: 30,
		graphs: func(f facts, _ *suite.Task) (list []record.TaskGraph, _ string) {
			for _, workers := range []int{2, 3, 4} {
				list = append(list, meeting(workers, 20), beside(workers))
			}
			list = append(list, meeting(70, 2)) // more than a pool has that has 64 at most, or one for each processor
			if f.inside() {
				list = append(list, hog(2, 300, 'w'), hog(3, 40, 'w'), hog(2, 3, 'h'))
			}
			return list, ""
		},
	},
	{
		name: "stress/storm", witness: spec.Stress, doc: "many tasks that are submitted, spawn, park, are made ready, yield and sleep, at random",
		requirements: and("SC-WORK"), text: "60 graphs of hundreds of tasks",
		graphs: func(f facts, k *suite.Task) (list []record.TaskGraph, _ string) {
			for i := range f.some(60) {
				list = append(list, storm(f, k.Rand(i), i))
			}
			return list, ""
		},
	},
	{
		name: "stress/flood", witness: spec.Stress, doc: "more tasks wait at once than the queues of a scheduler hold: up to 5,000, from outside and of one task",
		requirements: and(), text: "300, 1,200 and 5,000 tasks, on 1 and 2 workers", times: 1,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			if f.contract.Is("waits", spec.ForWorker) {
				return floods(f), "no task keeps its worker until all others wait, since submissions may wait"
			}
			return floods(f), ""
		},
	},
	deepCheck,
	{
		name: "stress/close", witness: spec.Stress, doc: "submissions from several threads beside Close", when: []spec.Condition{spec.If("submits", spec.Anyone, spec.Outside), spec.If("closes", spec.Beside)},
		requirements: []string{"SC-LOST", "SC-TWICE", "SC-REFUSED", "SC-CLOSED", "SC-CLOSE-RETURNS", "SC-CLOSE-WORKERS", "SC-CLOSE-WAITS", "SC-CALLS"}, text: "200 runs",
		graphs: func(f facts, k *suite.Task) (list []record.TaskGraph, _ string) {
			for i := range f.some(200) {
				list = append(list, closing(k.Rand(i), i))
			}
			return list, ""
		},
	},
	earlyCheck,
	{
		name: "stress/panic", witness: spec.Stress, doc: "small task graphs in which tasks panic; and 40 that panic, after which all workers are needed", when: []spec.Condition{spec.If("panics", spec.Isolated)},
		requirements: and("SC-PANIC"), text: "small graphs, in order of size, and 2 with 40 panics",
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 1, tasks: 3, workers: []int{1, 2}, caps: f.caps, contract: f.contract, with: record.Panic, most: f.some(400)}
			list, which := s.worded()
			list = append(append(list, joinsAlone(f, record.Panic)...), endAlone(record.Panic, 1, 40), endAlone(record.Panic, 2, 40))
			return list, which + ", and 2 with 40 panics"
		},
	},
	{
		name: "stress/exit", witness: spec.Stress, doc: "small task graphs in which tasks end by runtime.Goexit; and 40 that do, or all at once, after which all workers are needed", when: []spec.Condition{spec.If("exits", spec.Isolated)},
		requirements: and("SC-EXIT"), text: "small graphs, in order of size, and 6 by hand or more",
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 1, tasks: 3, workers: []int{1, 2}, caps: f.caps, contract: f.contract, with: record.Exit, most: f.some(300)}
			return s.after(append(exits(f), endAlone(record.Exit, 1, 40), endAlone(record.Exit, 2, 40)))
		},
	},
	{
		name: "stress/join", witness: spec.Stress, doc: "small task graphs in which tasks fork others and join them; trees and chains of such tasks, on one worker too; and tasks that join while they hold a lock, where they may",
		requirements: and("SC-JOIN", "SC-STEAL"), text: "9 graphs by hand or more, unless submissions may wait, and small graphs, in order of size, 3 times each", times: 3, lacks: withoutJoin,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 5, threads: 1, tasks: 3, workers: []int{1, 2}, caps: f.caps, contract: f.contract, with: record.Fork, most: f.some(200)}
			return s.after(forks(f, 7, false))
		},
	},
	{
		name: "stress/wait", witness: spec.Stress, doc: "several threads wait for the tasks of the scheduler, beside submissions and beside Close",
		requirements: and("SC-WAIT-RETURNS", "SC-WAIT-WAITS"), text: "8 graphs by hand or more, and small graphs, in order of size, 5 times each", times: 5, lacks: withoutWait,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 3, tasks: 2, workers: []int{1, 2}, caps: f.caps, contract: f.contract, with: record.Settle, most: f.some(200)}
			return s.after(waits(f, 20, false))
		},
	},
	{
		name: "stress/closers", witness: spec.Stress, doc: "small task graphs in which Close is called twice; and by three threads at once, beside tasks that run and spawn", when: []spec.Condition{spec.If("closers", spec.Anyone)},
		requirements: and("SC-CLOSE-WAITS"), text: "6 graphs by hand, and small graphs, in order of size, 5 times each", times: 5,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 2, tasks: 2, workers: []int{1, 2}, caps: f.caps, contract: f.contract, with: record.Close, most: f.some(200)}
			return s.after(closings(f))
		},
	},
	{
		name: "stress/block", witness: spec.Stress, doc: "tasks that block, on every worker and beyond, while others run; that come back while all workers are taken; and that block on a worker from which others have yielded, or where they are made ready",
		requirements: and("SY-BLOCK", "SY-RETURN"), text: "9 graphs by hand with 1, 2 and 3 workers, 20 times each, and small graphs, in order of size, 4 times each", times: 4, lacks: withoutBlock,
		graphs: func(f facts, _ *suite.Task) (list []record.TaskGraph, _ string) {
			for workers := 1; workers <= 3; workers++ {
				list = append(list, blocked(f, workers, workers), blockedFirst(f, workers, 20), comeBack(f, workers))
			}
			more, which := blocksBeside(f, f.some(120)).worded()
			return slices.Concat(list, list, list, list, list, more), fmt.Sprintf("%d by hand, and %s", len(list), which)
		},
	},
	{
		name: "stress/sleep", witness: spec.Stress, doc: "small task graphs in which tasks sleep; and tasks that sleep alone, beside others that sleep, and beside one that keeps its worker",
		requirements: and("TM-EARLY", "TM-LOST", "TM-BESIDE", "TM-LEAVES"), text: "small graphs, in order of size, and 42 or more by hand, with 1, 2 and 3 workers", lacks: withoutSleep,
		graphs: func(f facts, k *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 1, tasks: 3, workers: []int{1, 2}, caps: f.caps, contract: f.contract, with: record.Sleep, most: f.some(300)}
			return s.after(sleepers(f, k.Rand(0)))
		},
	},
	{
		name: "stress/resize", witness: spec.Stress, doc: "more workers, and fewer, while tasks run, wait, park, block and sleep, and beside Close",
		requirements: and("SC-WORK", "SC-TOGETHER", "SC-GROW", "SC-SHRINK"), text: "12 graphs or more by hand, 80 random ones, and small graphs, in order of size", lacks: withoutResize,
		graphs: func(f facts, k *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 5, threads: 2, tasks: 3, workers: []int{1, 2, 3}, caps: f.caps, contract: f.contract, with: record.Resize, most: f.some(400)}
			list, which := s.worded()
			more := resizes(f, k.Rand(0))
			return append(more, list...), fmt.Sprintf("%d by hand and at random, and %s", len(more), which)
		},
	},
	{
		name: "stress/deadlock", witness: spec.Stress, doc: "Close while tasks have parked for ever, or for one that runs, waits for a worker, blocks, sleeps or yields", when: []spec.Condition{spec.If("close", spec.Waits), spec.If("deadlock", spec.Reported)},
		requirements: and("SC-DEADLOCK", "SC-DEADLOCK-TRUE"), text: "15 graphs or more by hand with 1, 2 and 3 workers, and small graphs, in order of size", times: 3, lacks: withoutDeadlock,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			s := scope{steps: 4, threads: 1, tasks: 3, workers: []int{1, 2}, caps: f.caps, contract: f.contract, dead: true, most: f.some(200)}
			return s.after(deadlocks(f))
		},
	},
	{
		name: "stress/wakes", witness: spec.Stress, doc: "one task after the other, and many at once, on more workers than are needed; and random tasks", when: []spec.Condition{spec.If("wakes", spec.Two)},
		requirements: and("SC-WAKES"), text: "3 runs of 200 tasks on 4, 8 and 16 workers, and 10 graphs of hundreds of tasks", lacks: withoutWakes,
		graphs: func(f facts, k *suite.Task) (list []record.TaskGraph, _ string) {
			for i := range 10 {
				list = append(list, storm(f, k.Rand(i), i))
			}
			return append(list, alone(4), alone(8), alone(16)), ""
		},
	},
	{
		name: "stress/threads", witness: spec.Stress, doc: "300 tasks one after the other; and as many that block, sleep, yield, park or spawn, where tasks can",
		requirements: and("SC-THREADS"), text: "2 to 12 graphs", lacks: withoutGoroutines,
		graphs: func(f facts, _ *suite.Task) (list []record.TaskGraph, _ string) {
			for workers := 1; workers <= 2; workers++ {
				list = append(list, oneByOne(workers, "", ""))
				if f.caps.Block {
					list = append(list, oneByOne(workers, "b%d", "a%d "))
				}
				if f.caps.Sleep {
					list = append(list, oneByOne(workers, "z100", ""))
				}
				if f.caps.Yield {
					list = append(list, oneByOne(workers, "y", ""))
				}
				inside := f.inside() && !f.contract.Is("waits", spec.ForWorker)
				if inside {
					list = append(list, twoByTwo(workers, "one spawns the other", "s%[2]d", "", false))
				}
				switch {
				case f.caps.Park && inside: // with one worker it parks for certain
					list = append(list, twoByTwo(workers, "one parks", "s%[2]d p%[3]d", "a%[3]d", false))
				case f.caps.Park:
					list = append(list, twoByTwo(workers, "one parks", "p%[3]d", "a%[3]d", true))
				}
			}
			return list, fmt.Sprintf("%d graphs", len(list))
		},
	},
	{
		name: "stress/yield", witness: spec.Stress, doc: "a task on every worker yields until another has run", when: []spec.Condition{spec.If("fair", spec.Yielding, spec.Switching, spec.Preempted), spec.If("waits", spec.Never)},
		requirements: []string{"FA-YIELD"}, text: "12 graphs", times: 4, lacks: withoutYield,
		graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) { return unfair('l') },
	},
	{
		name: "stress/ready", witness: spec.Stress, doc: "on every worker, two or three tasks make each other ready until another has run: one from outside, of theirs, from a clock, from a blocking call, made ready, or that yields", when: []spec.Condition{spec.If("fair", spec.Switching, spec.Preempted), spec.If("waits", spec.Never)},
		requirements: []string{"FA-READY"}, text: "72 graphs", times: 2, lacks: withoutPark,
		graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
			list := rivals(f, "make each other ready", record.Rally, 2, 3)
			return list, fmt.Sprintf("%d graphs", 2*len(list))
		},
	},
	againCheck,
	{
		name: "stress/spin", witness: spec.Stress, doc: "a task on every worker looks repeatedly whether another has run", when: []spec.Condition{spec.If("fair", spec.Preempted), spec.If("waits", spec.Never), spec.If("tasks", spec.Anyone)},
		requirements: []string{"FA-PREEMPT"}, text: "3 graphs", times: 1,
		graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) { return unfair('h') },
	},
}

// some is how many of n are run: fewer where there is little time.
func (f facts) some(n int) int {
	if f.short {
		return (n + 3) / 4
	}
	return n
}

// after returns graphs by hand, and then those of the scope, and says in words which they are.
func (s *scope) after(byHand []record.TaskGraph) ([]record.TaskGraph, string) {
	list, which := s.worded()
	return append(byHand, list...), fmt.Sprintf("%d by hand, and %s", len(byHand), which)
}

func (s *scope) worded() ([]record.TaskGraph, string) {
	list, whole := s.graphs()
	if whole {
		return list, fmt.Sprintf("all %d %v", len(list), s)
	}
	return list, fmt.Sprintf("the %d smallest %v", len(list), s)
}

func withoutGoroutines(f facts) string {
	if f.outside {
		return "the goroutines of a scheduler are counted in this process alone"
	}
	return ""
}

func withoutYield(f facts) string {
	if !f.caps.Yield {
		return "the tasks of the target do not offer to yield (Yielder)"
	}
	return ""
}

// meeting has as many tasks as workers meet, again and again: in between, the workers have nothing to do.
func meeting(workers, rounds int) record.TaskGraph {
	g := record.TaskGraph{Name: met(workers, rounds), Workers: workers, Outside: []string{""}}
	for round := range rounds {
		joins := ""
		for range workers {
			g.Outside[0] += fmt.Sprintf("s%d ", len(g.Tasks))
			joins += fmt.Sprintf("j%d ", len(g.Tasks))
			g.Tasks = append(g.Tasks, fmt.Sprintf("m%d", round))
		}
		g.Outside[0] += joins
	}
	return g
}

func met(workers, rounds int) string { return fmt.Sprintf("meet on %d, %d times", workers, rounds) }

// inside reports whether tasks may submit.
func (f facts) inside() bool { return f.caps.Spawn || f.contract.Is("submits", spec.Anyone) }

// beside has tasks keep all workers but one, which then has to run all others, whatever worker they were meant for.
func beside(workers int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("beside %d of %d", workers-1, workers), Workers: workers, Outside: []string{""}}
	add := func(script string) int {
		g.Outside[0] += fmt.Sprintf("s%d ", len(g.Tasks))
		g.Tasks = append(g.Tasks, script)
		return len(g.Tasks) - 1
	}
	for range workers - 1 {
		add("w0")
	}
	for range 3 {
		joins := ""
		for range 8 {
			joins += fmt.Sprintf("j%d ", add(""))
		}
		g.Outside[0] += joins
	}
	g.Outside[0] += "a0"
	return g
}

// hog has a task spawn others, and then keep its worker, and run or wait there, until these have ended on another.
func hog(workers, n int, letter byte) record.TaskGraph {
	return record.TaskGraph{
		Name: fmt.Sprintf("%d behind one that keeps its worker (%c), on %d", n, letter, workers), Workers: workers,
		Outside: []string{"s0 w1 " + joins(1, 1+n) + "a0"}, Tasks: append([]string{submits(1, 1+n) + fmt.Sprintf("a1 %c0", letter)}, times("", n)...),
	}
}

// floods have many tasks wait at once: usual queues hold 256, 1,024 or 4,096. Where a submission may wait for a worker, nobody can
// make them wait: they come one after the other.
func floods(f facts) (list []record.TaskGraph) {
	waits := f.contract.Is("waits", spec.ForWorker)
	for _, n := range []int{300, 1200, 5000} {
		var many strings.Builder
		for k := 1; k <= n; k++ {
			fmt.Fprintf(&many, "s%d ", k)
		}
		for workers := 1; workers <= 2; workers++ {
			// The first task keeps a worker until all others wait.
			g := record.TaskGraph{Name: fmt.Sprintf("flood of %d on %d", n, workers), Workers: workers, Outside: []string{"s0 " + many.String() + "a0"}, Tasks: make([]string, n+1)}
			if !waits {
				g.Tasks[0] = "w0"
			}
			list = append(list, g)
			if f.inside() && !(waits && workers == 1) {
				g.Name += ", of one task"
				g.Outside, g.Tasks = []string{"s0"}, make([]string, n+1)
				g.Tasks[0] = many.String()
				list = append(list, g)
			}
		}
	}
	return list
}

// unfair has a task on every worker wait, by a step of that letter, for one that is submitted last.
func unfair(letter byte) (list []record.TaskGraph, _ string) {
	for workers := 1; workers <= 3; workers++ {
		g := record.TaskGraph{Name: fmt.Sprintf("%c on %d", letter, workers), Workers: workers, Outside: []string{""}}
		for i := range workers {
			g.Outside[0] += fmt.Sprintf("s%d ", i)
			g.Tasks = append(g.Tasks, fmt.Sprintf("%c0", letter))
		}
		g.Outside[0] += fmt.Sprintf("s%d", workers)
		g.Tasks = append(g.Tasks, "a0")
		list = append(list, g)
	}
	return list, ""
}

func withoutPark(f facts) string {
	if !f.caps.Park {
		return "the tasks of the target do not offer to park (Parker)"
	}
	return ""
}

// rivals has from so many to so many tasks on every worker go on by a step of that letter until the last task runs, which comes from different places.
func rivals(f facts, do string, letter record.TaskOp, from, to int) (list []record.TaskGraph) {
	for workers := 1; workers <= 3; workers++ {
		for size := from; size <= to; size++ {
			n := workers * size
			first := "" // what the first task does before it takes turns
			add := func(name, before, begin, last string) {
				g := record.TaskGraph{Name: fmt.Sprintf("%d %s on each of %d, and one %s", size, do, workers, name), Workers: workers}
				before = resizedTo(f, workers) + before
				for k := range n {
					g.Tasks = append(g.Tasks, fmt.Sprintf("a%d %s %c%d", workers+k, first, letter, k%workers))
					begin = fmt.Sprintf("w%d ", workers+k) + begin
					first = ""
				}
				for e := range workers {
					last += fmt.Sprintf(" a%d", e)
				}
				g.Outside, g.Tasks = []string{before + submits(0, n) + begin}, append(g.Tasks, last)
				list = append(list, g)
			}
			last := fmt.Sprintf("s%d ", n)
			call := fmt.Sprint(workers + n)
			add("comes from outside", "", last, "")
			if f.inside() {
				first = last
				add("is spawned by one of them", "", "", "")
			}
			if f.caps.Sleep {
				add("sleeps", last, "", "z20000")
			}
			if f.caps.Block {
				add("comes back from a call", last, "a"+call, "b"+call)
			}
			if f.caps.Ready {
				add("is made ready", last, "a"+call, "p"+call)
			}
			if f.caps.Yield {
				add("yields", "", last, "y y y")
			}
		}
	}
	return list
}

// oneByOne has 300 tasks of a script run one after the other; behind the submission of each, the thread outside does a step. A %d in either is the
// number of an event of the task.
func oneByOne(workers int, script, outside string) record.TaskGraph {
	g := record.TaskGraph{Name: strings.TrimSpace(fmt.Sprintf("300 one by one on %d %s", workers, strings.TrimSuffix(script, "%d"))), Workers: workers, Outside: []string{""}}
	of := func(text string, k int) string { return strings.ReplaceAll(text, "%d", fmt.Sprint(k)) }
	for k := range 300 {
		g.Outside[0] += fmt.Sprintf("s%d %sj%[1]d ", k, of(outside, k))
		g.Tasks = append(g.Tasks, of(script, k))
	}
	return g
}

// twoByTwo has 150 pairs of tasks run one after the other. In the scripts, %[2]d is the number of the second task, and %[3]d that of the pair's event.
// If both is set the thread outside submits both.
func twoByTwo(workers int, name, first, second string, both bool) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("150 pairs on %d, of which %s", workers, name), Workers: workers, Outside: []string{""}}
	for pair := range 150 {
		a, b := 2*pair, 2*pair+1
		g.Outside[0] += fmt.Sprintf("s%d ", a)
		if both {
			g.Outside[0] += fmt.Sprintf("s%d ", b)
		}
		g.Outside[0] += fmt.Sprintf("j%d j%d ", a, b)
		for _, script := range []string{first, second} {
			if script != "" {
				script, _, _ = strings.Cut(fmt.Sprintf(script+"|%[1]d%[2]d%[3]d", a, b, pair), "|")
			}
			g.Tasks = append(g.Tasks, script)
		}
	}
	return g
}

// closing has three threads submit while one of them closes.
func closing(r *rand.Rand, i int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("close %d", i), Workers: 1 + r.IntN(3)}
	at, closer := r.IntN(12), r.IntN(3)
	for thread := range 3 {
		var b strings.Builder
		for n := range 12 {
			if thread == closer && n == at {
				b.WriteString("c ")
			}
			fmt.Fprintf(&b, "s%d ", len(g.Tasks))
			g.Tasks = append(g.Tasks, "")
		}
		g.Outside = append(g.Outside, b.String())
	}
	return g
}

// storm makes a graph of many tasks. Each group of them ends by itself: tasks that wait for others without parking are
// spawned when all that they wait for runs already.
func storm(f facts, r *rand.Rand, i int) record.TaskGraph {
	g := record.TaskGraph{Name: fmt.Sprintf("storm %d", i), Workers: 1 + i%4}
	threads, events := 1, 0
	if !f.contract.Is("submits", spec.One) {
		threads = 1 + r.IntN(3)
	}
	inside := f.inside() && !f.contract.Is("waits", spec.ForWorker) // else all workers may wait for one
	add := func(script string) int {
		g.Tasks = append(g.Tasks, script)
		return len(g.Tasks) - 1
	}
	var tree func(depth int) int
	tree = func(depth int) int {
		k := add("")
		var b strings.Builder
		for range r.IntN(3) {
			if depth > 0 && inside {
				fmt.Fprintf(&b, "s%d ", tree(depth-1))
			}
			if f.caps.Yield && r.IntN(2) == 0 {
				b.WriteString("y ")
			}
			if f.caps.Sleep && r.IntN(4) == 0 {
				fmt.Fprintf(&b, "z%d ", r.IntN(1000))
			}
		}
		g.Tasks[k] = b.String()
		return k
	}
	for range threads {
		var b strings.Builder
		for range 10 + r.IntN(20) {
			switch r.IntN(3) {
			case 0:
				fmt.Fprintf(&b, "s%d ", add(""))
			case 1:
				fmt.Fprintf(&b, "s%d ", tree(3))
			case 2:
				if !f.caps.Park {
					continue
				}
				// Some park, and one makes them ready.
				n := 1 + r.IntN(3)
				for range n {
					fmt.Fprintf(&b, "s%d ", add(fmt.Sprintf("p%d", events)))
				}
				fmt.Fprintf(&b, "s%d ", add(fmt.Sprintf("a%d", events)))
				events++
			}
		}
		g.Outside = append(g.Outside, b.String())
	}
	return g
}
