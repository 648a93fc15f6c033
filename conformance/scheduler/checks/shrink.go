package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/spec/record"
)

// A graph of many tasks that has failed on threads is made smaller: tasks are left out, and run again. The graph that is left must still come to its end
// on every scheduler that keeps its promises. So tasks are left out that end by themselves, together: nobody else waits for them, nor they for others.

// The bounds of shrinking.
const (
	largeTasks = 8                // graphs of no more tasks stay as they are
	mostTries  = 60               // so many smaller graphs are tried
	eachTry    = 2                // each is run so often at most
	shrinkTime = 10 * time.Second // of all runs of a target together
)

// shrunk looks for a smaller graph whose run has the same finding. It returns that graph, a run of it and its finding; those that it was given if there is none.
func (w *work) shrunk(ctx context.Context, g *record.TaskGraph, run *record.TaskRun, f record.Finding) (*record.TaskGraph, *record.TaskRun, record.Finding) {
	spent := new(atomic.Int64)
	switch t := w.target.(type) {
	case *outside:
		spent = &t.shrinking
	case *inProcess:
		if t.control { // its findings are not read
			return g, run, f
		}
		spent = &t.shrinking
	}
	left := shrinkTime - time.Duration(spent.Load())
	if len(g.Tasks) <= largeTasks || run.Stalls() || len(run.Events) == 0 || left <= 0 {
		return g, run, f
	}
	begin := time.Now()
	ctx, cancel := awake.WithTimeout(ctx, left)
	defer cancel()
	defer func() { spent.Add(int64(time.Since(begin))) }()
	from, tries := len(g.Tasks), 0
	holds := func(smaller record.TaskGraph) bool {
		tries++
		for range eachTry {
			r, v, err := w.run(ctx, &smaller)
			if err != nil {
				return false
			}
			list := v.findings
			if v.early && f.Fingerprint == byCloseFingerprint {
				list = closeEnds(list)
			}
			if i := slices.IndexFunc(list, func(o record.Finding) bool { return o.Fingerprint == f.Fingerprint }); i >= 0 {
				g, run, f = &smaller, r, list[i]
				return true
			}
		}
		return false
	}
	units := unitsOf(*g)
	for size := max(1, len(units)/2); ; size /= 2 {
		for i := 0; i < len(units) && ctx.Err() == nil && tries < mostTries; {
			to := min(i+size, len(units))
			if smaller, ok := without(*g, slices.Concat(units[i:to]...)); ok && holds(smaller) {
				units = unitsOf(*g) // tasks have other numbers now
			} else {
				i = to
			}
		}
		if size <= 1 {
			break
		}
	}
	if n := len(g.Tasks); n < from {
		smaller := *g
		smaller.Name = fmt.Sprintf("%s, %d of its %d tasks", g.Name, n, from)
		return &smaller, run, f
	}
	return g, run, f
}

// unitsOf returns sets of tasks each of which can be left out: the tasks that a task spawns are left out with it, and those with which it shares
// events, or that wait for it. None is there that a thread outside waits for, or shares an event with.
func unitsOf(g record.TaskGraph) (units [][]int) {
	p, err := g.Program()
	if err != nil {
		return nil
	}
	events := make(map[int]bool) // of threads outside
	joined := make(map[int]bool) // by threads outside
	for _, script := range p.Threads {
		for _, s := range script {
			switch {
			case s.OfEvent():
				events[s.Arg] = true
			case s.Op == record.Join:
				joined[s.Arg] = true
			}
		}
	}
	tasksOf := make(map[int][]int) // by event
	joiners := make(map[int][]int) // by task
	for k, script := range p.Scripts {
		for _, s := range script {
			switch {
			case s.OfEvent():
				tasksOf[s.Arg] = append(tasksOf[s.Arg], k)
			case s.Op == record.Join:
				joiners[s.Arg] = append(joiners[s.Arg], k)
			}
		}
	}
	for k := range p.Scripts {
		unit, fixed := []int{k}, false
		for i := 0; i < len(unit); i++ {
			add := func(list ...int) {
				for _, o := range list {
					if !slices.Contains(unit, o) {
						unit = append(unit, o)
					}
				}
			}
			fixed = fixed || joined[unit[i]]
			add(joiners[unit[i]]...)
			for _, s := range p.Scripts[unit[i]] {
				switch {
				case s.Op == record.Submit:
					add(s.Arg)
				case s.OfEvent():
					fixed = fixed || events[s.Arg]
					add(tasksOf[s.Arg]...)
				case s.Op == record.Resize:
					fixed = true // how many workers the others have depends on it
				}
			}
		}
		slices.Sort(unit)
		if !fixed && !slices.ContainsFunc(units, func(o []int) bool { return slices.Equal(o, unit) }) {
			units = append(units, unit)
		}
	}
	return units
}

// without returns the graph without some tasks, and without threads that have nothing left to do. It reports whether that is a graph, and a smaller one.
func without(g record.TaskGraph, tasks []int) (record.TaskGraph, bool) {
	p, err := g.Program()
	if err != nil || len(tasks) == 0 {
		return g, false
	}
	number, n := make([]int, len(g.Tasks)), 0
	for k := range g.Tasks {
		number[k] = -1
		if !slices.Contains(tasks, k) {
			number[k] = n
			n++
		}
	}
	write := func(script []record.TaskStep) string {
		var words []string
		for _, s := range script {
			if s.Op == record.Submit || s.Op == record.Join {
				if number[s.Arg] < 0 {
					continue
				}
				s.Arg = number[s.Arg]
			}
			words = append(words, s.String())
		}
		return strings.Join(words, " ")
	}
	smaller := record.TaskGraph{Name: g.Name, Workers: g.Workers}
	for i, script := range p.Threads {
		if text := write(script); text != "" || i == 0 {
			smaller.Outside = append(smaller.Outside, text)
		}
	}
	for k, script := range p.Scripts {
		if number[k] >= 0 {
			smaller.Tasks = append(smaller.Tasks, write(script))
		}
	}
	_, err = smaller.Program()
	return smaller, err == nil && n > 0 && n < len(g.Tasks)
}
