package sched

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// covered is what came of counting edges.
type covered struct {
	Failure                              string // of an exploration
	Certificates                         []string
	Covered, All, States, Orders, Walked int
	Missed                               []string
	Took                                 time.Duration
}

// A coverScope is a scope of the machine with two Ps and two Gs, and programs that have all its behaviours.
type coverScope struct {
	name     string
	most     map[string]int
	edges    int
	programs []scene
}

// graph makes the graph of the machine in the scope.
func (scope *coverScope) graph() (*trace.Dance, *trace.DanceCover, error) {
	m := machine(scope.programs[0].config(), 2)
	m.Features = slices.DeleteFunc(m.Features, func(f string) bool { return f == "yield" || f == "tick" })
	if scope.most["TimerSet"]+scope.most["EnterSyscall"] == 0 { // the machine is smaller without
		m.Features, m.Sysmon, m.Ms = nil, 0, m.Ms-1
	}
	d, err := trace.NewDance(m)
	if err != nil {
		return nil, nil, err
	}
	count, err := trace.NewDanceCover(d, trace.DanceScope{Most: scope.most})
	return d, count, err
}

var coverScopes = []coverScope{
	{"spawn and spin down", map[string]int{"Ready": 1, "Block": 2}, 4071, []scene{
		{main: func(g *G) { g.Go(nothing) }},
	}},
	{"park against ready", map[string]int{"Ready": 2, "Block": 1}, 5406, []scene{
		{main: func(g *G) {
			e := new(event)
			g.Go(func(g *G) { e.wait(g); forever() })
			e.happen(g)
			forever()
		}},
		{main: func(g *G) {
			e := new(event)
			g.Go(func(g *G) { e.happen(g); forever() })
			e.wait(g)
			forever()
		}},
	}},
	{"block, retake, exit", map[string]int{"Ready": 1, "EnterSyscall": 1, "ExitSyscall": 1, "Retake": 1}, 13771, []scene{
		{retakes: 1, main: func(g *G) { g.Go(func(g *G) { g.Block(func() {}); forever() }); forever() }},
		{retakes: 1, main: func(g *G) { g.Go(func(*G) { forever() }); g.Block(func() {}); forever() }},
	}},
	{"sleep against the last worker", map[string]int{"Ready": 1, "TimerSet": 1, "TimerDue": 1}, 13571, []scene{
		{hours: 1, main: func(g *G) { g.Go(func(g *G) { g.Sleep(1); forever() }); forever() }},
		{hours: 1, main: func(g *G) { g.Go(func(g *G) { forever() }); g.Sleep(1); forever() }},
	}},
}

// cover counts the edges of the machine in a scope that lie on some order of an execution that was explored.
// It returns nil in the instrumented binary.
func cover(t *testing.T, scope coverScope, opts ...interleave.Option) *covered {
	t.Helper()
	payload, err := harness.Remote(t, func() ([]byte, error) {
		d, count, err := scope.graph()
		if err != nil {
			return nil, err
		}
		var r covered
		for _, program := range scope.programs {
			var wrong error
			report, err := interleave.Explore(func(x *interleave.Exec) {
				sc := begun(x, program)
				for _, p := range sc.allp {
					p.schedtick = 1 // so that no search begins with the global queue
				}
				x.Finally(func() {
					steps := harness.Taken(x)
					var diverges *trace.Divergence
					if diverges, wrong = d.Follow(steps, sc.words().In(x)); diverges != nil {
						x.Fatalf("%v", diverges)
					}
					if wrong == nil {
						wrong = count.Add(x, steps)
					}
					if wrong != nil {
						x.Fatalf("%v", wrong)
					}
				})
			}, append(opts, harness.Retries())...)
			if err == nil {
				err = wrong
			}
			if err != nil {
				return nil, err
			}
			if report.Failure != nil {
				r.Failure += report.Text("")
			}
			r.Certificates = append(r.Certificates, fmt.Sprint(report.Certificate))
		}
		r.Covered, r.All, r.Missed = count.Count(40)
		r.States, r.Orders, r.Walked, r.Took = count.States, count.Orders, count.Walked, count.Took
		return json.Marshal(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return nil
	}
	r := new(covered)
	if err := json.Unmarshal(payload, r); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, 2 Ps, 2 Gs, %v: %d of %d edges of %d states, after %d executions in %d cuts; %v; %v", scope.name, scope.most, r.Covered, r.All, r.States, r.Walked, r.Orders, r.Took, r.Certificates)
	if r.Failure != "" {
		t.Fatal(r.Failure)
	}
	return r
}

// TestTieCover holds that each edge of the machine in a scope lies on some execution of the code.
func TestTieCover(t *testing.T) {
	tier.Long(t)
	t.Attr("req", "DN-WORK-RESCUER")
	for scope := range tier.Split(t, coverScopes, 0) {
		t.Run(scope.name, func(t *testing.T) {
			r := cover(t, scope, interleave.Exhaustive())
			if r != nil && (r.Covered != r.All || r.All != scope.edges) {
				t.Errorf("expected each edge to be covered, saw that %d are not: %q", r.All-r.Covered, r.Missed)
			}
		})
	}
}

// TestTieScopes holds that the machine has as many edges in each scope as it had when all were covered.
func TestTieScopes(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for _, scope := range coverScopes {
		_, count, err := scope.graph()
		if err != nil {
			t.Fatal(err)
		}
		if covered, all, _ := count.Count(0); covered != 0 || all != scope.edges {
			t.Errorf("%s: expected none of %d edges to be covered, saw %d of %d", scope.name, scope.edges, covered, all)
		}
	}
}

// TestTieCoverSome holds that an exploration which ends early covers much, and not all.
func TestTieCoverSome(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	r := cover(t, coverScopes[0], interleave.Exhaustive(), interleave.Executions(500))
	if r == nil {
		return
	}
	if r.All != 4071 || r.Covered < 1000 || r.Covered >= r.All || len(r.Missed) == 0 {
		t.Errorf("expected at least 1000 of 4071 edges, and not all, saw %d of %d, not %q", r.Covered, r.All, r.Missed)
	}
}
