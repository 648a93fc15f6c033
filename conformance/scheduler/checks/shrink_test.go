package checks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestUnits: what is left out together, and what stays.
func TestUnits(t *testing.T) {
	t.Attr("req", "SC-LOST")
	for _, c := range []struct {
		outside, tasks string
		want           string
	}{
		{"s0 s1", "|", "[[0] [1]]"},
		{"s0", "s1 y|", "[[0 1] [1]]"},
		{"s0 s1 s2", "p0|a0|", "[[0 1] [2]]"},
		{"s0 s1 j1", "|", "[[0]]"},            // a thread waits for it
		{"s0 s1 a0", "w0|", "[[1]]"},          // a thread lets it go on
		{"s0", "s1 s2 j1||", "[[0 1 2] [2]]"}, // a task waits for it, which spawns others
		{"s0 s1 s2", "m0|m0 s3|p1|a1", "[[0 1 2 3] [2 3]]"},
		{"s0 s1", "r2|", "[[1]]"},
	} {
		g := record.TaskGraph{Name: "x", Workers: 4, Outside: []string{c.outside}, Tasks: strings.Split(c.tasks, "|")}
		if _, err := g.Program(); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(unitsOf(g)); got != c.want {
			t.Errorf("%s / %s: expected %s, saw %s", c.outside, c.tasks, c.want, got)
		}
	}
}

// TestWithoutEnds: what is left of a graph that always comes to its end does so as well, whichever unit is left out.
func TestWithoutEnds(t *testing.T) {
	t.Attr("req", "SC-LOST")
	contract, _ := spec.ParseSchedulerContract(string(spec.Pool))
	s := scope{steps: 4, threads: 2, tasks: 3, workers: []int{1, 2}, caps: scheduler.Capabilities{Block: true, Park: true, Yield: true}, contract: contract, most: 4000}
	list, _ := s.graphs()
	n := 0
	for _, g := range list {
		for _, unit := range unitsOf(g) {
			smaller, ok := without(g, unit)
			if !ok {
				continue
			}
			p, err := smaller.Program()
			if err != nil {
				t.Fatal(err)
			}
			n++
			if !comesToEnd(p, contract) {
				t.Errorf("%s without tasks %v: expected that it comes to its end: %v", g.Name, unit, smaller.Lines())
			}
		}
	}
	if n < 1000 {
		t.Errorf("expected 1,000 smaller graphs, saw %d", n)
	}
}

// losing is a pool that drops the task whose number, from 1, it has; it counts those that yield or not alike.
func losing(nth int) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		return &losesNth{Scheduler: newPool("")(workers), nth: nth}
	}
}

type losesNth struct {
	scheduler.Scheduler
	nth, n int
}

func (l *losesNth) Submit(task func(scheduler.Task)) error {
	if l.n++; l.n == l.nth {
		return nil
	}
	return l.Scheduler.Submit(task)
}

// TestShrunk: a large graph is made small, and still shows the same finding; one that cannot be made smaller stays as it is.
func TestShrunk(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-LOST")
	many := record.TaskGraph{Name: "many", Workers: 2, Outside: []string{submits(0, 24)}, Tasks: times("", 24)}
	joined := record.TaskGraph{Name: "joined", Workers: 2, Outside: []string{submits(0, 12) + joins(0, 12)}, Tasks: times("", 12)}
	for _, c := range tier.Some(t, []struct {
		g     record.TaskGraph
		nth   int
		tasks int // at most
	}{{many, 3, 6}, {many, 10, 16}, {joined, 3, 12}}, 1) {
		one := check{name: "stress/one", witness: spec.Stress, requirements: []string{"SC-LOST", "SC-WORK"},
			graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) { return []record.TaskGraph{c.g}, "one graph" }}
		target, err := InProcess("x", spec.Pool+",submits=one", losing(c.nth))
		if err != nil {
			t.Fatal(err)
		}
		var found []record.Finding
		o := suite.Options{Witnesses: []spec.Witness{spec.Stress}, Sink: func(e suite.Event) {
			if e.Event == suite.FindingEvent {
				found = append(found, *e.Finding)
			}
		}}
		if err := suite.Run(t.Context(), o, suite.Opened(&suite.Subject{Name: "scheduler", Checks: []suite.Check{one.suite()}}, target)); err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Fatalf("%s, task %d: expected a finding", c.g.Name, c.nth)
		}
		i := slices.IndexFunc(found[0].Evidence, func(e record.Evidence) bool { return e.Kind == record.Asked })
		n := 0
		for _, line := range found[0].Evidence[i].Lines {
			if strings.HasPrefix(line, "task ") {
				n++
			}
		}
		head := found[0].Evidence[i].Lines[0]
		if n > c.tasks || n < c.nth || (n < len(c.g.Tasks)) != strings.Contains(head, fmt.Sprintf("%d of its %d tasks", n, len(c.g.Tasks))) {
			t.Errorf("%s, task %d: expected at most %d tasks, and that it is said, saw %q, %d", c.g.Name, c.nth, c.tasks, head, n)
		}
	}
}

// TestStormsShrink: of a storm each unit can be left out, and what is left is a graph.
func TestStormsShrink(t *testing.T) {
	t.Attr("req", "SC-LOST")
	contract, _ := spec.ParseSchedulerContract(string(spec.Pool))
	f := facts{contract: contract, caps: scheduler.Capabilities{Park: true, Yield: true, Sleep: true, Spawn: true}}
	for seed := range uint64(20) {
		g := storm(f, rand.New(rand.NewPCG(seed, 1)), int(seed))
		for len(g.Tasks) > 1 {
			units := unitsOf(g)
			if len(units) == 0 {
				t.Fatalf("seed %d: expected that something can be left out of %v", seed, g.Lines())
			}
			smaller, ok := without(g, units[0])
			if !ok {
				if len(units[0]) == len(g.Tasks) {
					break
				}
				t.Fatalf("seed %d: expected a graph without %v of %v", seed, units[0], g.Lines())
			}
			g = smaller
		}
	}
}
