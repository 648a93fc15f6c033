package checks

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

func target(t *testing.T, newQueue func() queue.Queue) Target {
	t.Helper()
	q, err := InProcess("test", spec.FIFO, queue.Single(newQueue))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// newest is a queue that gives the newest first.
func newest() queue.Queue {
	return &simple{get: func(q *simple) (id record.ID, ok bool) {
		for range q.all.Len() - 1 {
			older, _ := q.first()
			q.Put(older)
		}
		return q.first()
	}}
}

// keptOf returns a scenario in a fixed order.
func keptOf(file, script string) Kept {
	order := make([]int, len(script))
	return Kept{File: "dir/" + file, Witness: spec.Sequence, Requirement: "RQ-FIFO", Profile: spec.FIFO,
		Scenario: record.Scenario{Name: "x", Ps: 1, Threads: []record.Thread{{Script: script}}, Order: order}}
}

// TestKeptText: what is kept of every finding is read as it was written.
func TestKeptText(t *testing.T) {
	tier.OnlyFull(t)
	n := 0
	for _, sel := range []string{"^sequence/order$", "^stress/steal$"} {
		lossy := func() queue.Queue {
			i := 0
			return &simple{get: func(q *simple) (record.ID, bool) {
				if i++; i%50 == 0 {
					q.first()
				}
				return q.first()
			}}
		}
		_, events := run(t, suite.Options{Seed: 1, Select: sel}, spec.FIFO, lossy)
		for _, e := range events {
			if e.Event != suite.FindingEvent {
				continue
			}
			n++
			k, err := KeptOf(e.Finding, spec.FIFO)
			if err != nil {
				t.Fatal(err)
			}
			again, err := ParseKept(k.File, k.Text())
			if err != nil || !reflect.DeepEqual(k, again) {
				t.Errorf("expected %+v, saw %+v, %v, in\n%s", k, again, err, k.Text())
			}
		}
	}
	if n < 2 {
		t.Errorf("%d findings", n)
	}
}

// TestKeptErrors: what cannot be read is an error with the file's name.
func TestKeptErrors(t *testing.T) {
	good := keptOf("x.txt", "pg")
	text := good.Text()
	for _, c := range []struct{ old, new string }{
		{text, ""}, {text, "\n\n"}, {text, strings.Repeat("#\n", MaxKept)},
		{"witness: sequence\n", ""}, {"witness: sequence", "witness: model"}, {"witness: sequence", "witness: stress"}, {"witness: sequence", "witness: sequence\nwitness: stress"},
		{"RQ-FIFO", "RQ-FIFI"}, {"profile: fifo", "profile: lilo"}, {"profile: fifo", "profile"},
		{"ps: 1\n", ""}, {"ps: 1", "ps: 9999"}, {"pg\n", "pq!\n"}, {"order: 0 0", "order: 0 0 0"}, {"order: 0 0\n", ""},
		{"order: 0 0\n", "order: 0 0\n\nT0 put P0 1 [1..2]\n"}, {"order: 0 0", "order: 0 0\nfinal: P0"},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatalf("there is no %q in\n%s", c.old, text)
		}
		if _, err := ParseKept("dir/x.txt", strings.Replace(text, c.old, c.new, 1)); !errors.Is(err, record.ErrFormat) || !strings.HasPrefix(err.Error(), "dir/x.txt: ") {
			t.Errorf("%q for %q: expected an error with the file's name, saw %v", c.new, c.old, err)
		}
	}
	// What the queue cannot run is not left out.
	deaf := script(t, nil)
	deaf.caps.Quiet = false
	for _, change := range []func(s *record.Scenario){
		func(s *record.Scenario) { s.Before = "T0:p" },
		func(s *record.Scenario) { s.After = "T0:e" },
		func(s *record.Scenario) { s.Shared = true },
	} {
		k := keptOf("x.txt", "pg")
		k.Witness, k.Scenario.Order = spec.Interleave, nil
		change(&k.Scenario)
		if _, err := WithKept(target(t, newest), []Kept{k}); err != nil {
			t.Errorf("%+v: expected it to be tried, saw %v", k.Scenario, err)
		}
		if _, err := WithKept(deaf, []Kept{k}); err == nil || !strings.HasPrefix(err.Error(), "dir/x.txt: ") || !strings.Contains(err.Error(), "quiescent moments") {
			t.Errorf("%+v: expected an error with the file's name, saw %v", k.Scenario, err)
		}
	}
	for what, change := range map[string]func(s *record.Scenario){
		"drain":     func(s *record.Scenario) { s.Order, s.Before = nil, "T0:d" },
		"put batch": func(s *record.Scenario) { s.Order, s.After = nil, "T0:e T0:b2" },
		"len":       func(s *record.Scenario) { s.Threads[0].Script = "pl" },
		"put next":  func(s *record.Scenario) { s.Threads[0].Script = "ng" },
		"capacity":  func(s *record.Scenario) { s.Capacity = 4 },
		"indices":   func(s *record.Scenario) { s.Start = 4 },
		"its conte": func(s *record.Scenario) { s.Snapshot = true },
	} {
		k := keptOf("x.txt", "pg")
		change(&k.Scenario)
		if _, err := WithKept(target(t, newest), []Kept{good, k}); err == nil || !strings.HasPrefix(err.Error(), "dir/x.txt: ") || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: expected an error with the file's name, saw %v", what, err)
		}
	}
}

// TestKeptIsTried: each scenario is tried, first of all, and it is told which failed.
func TestKeptIsTried(t *testing.T) {
	list := []Kept{keptOf("a.txt", "pg"), keptOf("b.txt", "ppg"), keptOf("c.txt", "pgpg"), keptOf("d.txt", "pppgg")}
	for _, c := range []struct {
		newQueue func() queue.Queue
		exit     int
		note     string
	}{
		{newest, 1, "failed again: dir/b.txt, dir/d.txt; passes now, and stays: dir/a.txt, dir/c.txt"},
		{func() queue.Queue { return new(simple) }, 0, "passes now, and stays: dir/a.txt, dir/b.txt, dir/c.txt, dir/d.txt"},
	} {
		q := target(t, c.newQueue)
		s, err := WithKept(q, list)
		if err != nil {
			t.Fatal(err)
		}
		var first string
		var got *suite.Result
		r, err := gate.Run(t.Context(), suite.Options{Seed: 1, Select: "^sequence/(kept|order)$", Sink: func(e suite.Event) {
			if e.Event == suite.CheckEvent && first == "" {
				first, got = e.Check, e.Result
			}
		}}, suite.Opened(s, q))
		if err != nil || r.Exit != c.exit || first != "sequence/kept" || got.Note != c.note || got.Scenarios != len(list) || !got.Again {
			t.Errorf("expected exit %d and %q, saw exit %d, %s, %+v, %v", c.exit, c.note, r.Exit, first, got, err)
		}
	}
}

// TestKeptKeepsNothing: a scenario that passes now is no plan that was carried out. If
// nothing else ran, nothing is kept, and the run is no pass.
func TestKeptKeepsNothing(t *testing.T) {
	q := target(t, func() queue.Queue { return new(simple) })
	s, err := WithKept(q, []Kept{keptOf("a.txt", "ppgg")})
	if err != nil {
		t.Fatal(err)
	}
	for sel, exit := range map[string]int{"^sequence/kept$": 3, "^sequence/(kept|order)$": 0} {
		r, err := gate.Run(t.Context(), suite.Options{Seed: 1, Select: sel}, suite.Opened(s, q))
		if err != nil || r.Exit != exit {
			t.Errorf("%s: expected exit %d, saw %d, %v", sel, exit, r.Exit, r.Reasons)
		}
		for _, d := range r.Decisions {
			if d.Row.Standing == suite.Kept && (exit != 0 || strings.Contains(fmt.Sprint(d.Row.Checks), KeptName)) {
				t.Errorf("%s: %s is kept by %v", sel, d.Row.ID, d.Row.Checks)
			}
		}
	}
}

// TestKeptThreads: scenarios of threads are tried many times, each of them.
func TestKeptThreads(t *testing.T) {
	var list []Kept
	for i, w := range []spec.Witness{spec.Stress, spec.Stress, spec.Linearizability} {
		k := keptOf(fmt.Sprint(i, ".txt"), "pg")
		k.Witness, k.Scenario.Order = w, nil
		list = append(list, k)
	}
	q := target(t, func() queue.Queue { return new(simple) })
	s, err := WithKept(q, list)
	if err != nil {
		t.Fatal(err)
	}
	ran := make(map[string]int)
	if _, err := gate.Run(t.Context(), suite.Options{Seed: 1, Select: "/kept$", Sink: func(e suite.Event) {
		if e.Event == suite.CheckEvent {
			ran[e.Check] = e.Result.Scenarios
		}
	}}, suite.Opened(s, q)); err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"stress/kept": 2 * keptTries, "linearizability/kept": keptTries}; !reflect.DeepEqual(ran, want) {
		t.Errorf("expected %v, saw %v", want, ran)
	}
}

// TestShrunkScenario: the scenario among the evidence is the shrunk one, whose calls
// are shown.
func TestShrunkScenario(t *testing.T) {
	_, events := run(t, suite.Options{Seed: 1, Select: "^sequence/(order|random)$"}, spec.FIFO, newest)
	n := 0
	for _, e := range events {
		if e.Event != suite.FindingEvent {
			continue
		}
		n++
		s, err := ScenarioOf(e.Finding)
		if err != nil || len(s.Order) > 14 || len(s.Order) != len(e.Finding.Evidence[0].Lines) {
			t.Errorf("expected the scenario of %q, saw %+v, %v", e.Finding.Evidence[0].Lines, s, err)
		}
	}
	if n == 0 {
		t.Error("expected findings, saw none")
	}
}
