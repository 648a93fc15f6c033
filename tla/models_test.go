package tla

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

func TestModulesParse(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	if err := tool.Parse(t.Context(), Files, Modules(Files)...); err != nil {
		t.Error(err)
	}
}

// TestModels runs one of the quickest models and mutants of the gate, and in the full tier the whole gate, and that actions
// happen.
func TestModels(t *testing.T) {
	tier.NotShort(t)
	tool := tlctest.Find(t)
	const quick = 1 // s, by the table
	var tasks []*Task
	add := func(task *Task, err error) {
		if err != nil {
			t.Error(err)
		} else if task.Set == Gate && !task.MachineAlone && (tier.Full(t) || task.Seconds <= quick) {
			tasks = append(tasks, task)
		}
	}
	models, err := Models(Files)
	if err != nil {
		t.Fatal(err)
	}
	for i := range models {
		add(models[i].Task(Files))
	}
	for i := range Mutants {
		add(Mutants[i].Task(Files))
	}
	for _, task := range tier.Some(t, tasks, 1) {
		t.Run(task.Name, func(t *testing.T) {
			ids, err := RequirementsOf(Files, task.Module, task.Violates)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				t.Attr("req", id)
			}
			job, err := task.Job(Files, 1)
			if err != nil {
				t.Fatal(err)
			}
			job.Coverage = task.Mutant == nil
			r, err := tool.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range task.Compare(r) {
				t.Error(d)
			}
			if t.Failed() {
				t.Logf("to see it: go run ./cmd/spindle tlc -v -coverage %s", task.Name)
			}
		})
	}
}

// TestJobHasTheBug: TLC gets the modules of a mutant with its bugs in them, of each family.
func TestJobHasTheBug(t *testing.T) {
	for name, file := range map[string]string{
		"sched-live+no_steal": "SchedState.tla", "runqueue-2p2+put_full": "RunQueueState.tla", "twolevel-1p+get_keeps": "TwoLevel.tla",
		"slices-live+no_preempt": "Slices.tla",
	} {
		i := slices.IndexFunc(Mutants, func(m Mutant) bool { return m.Name() == name })
		if i < 0 {
			t.Fatalf("expected %s in the table", name)
		}
		task, err := Mutants[i].Task(Files)
		if err != nil {
			t.Fatal(err)
		}
		job, err := task.Job(Files, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := fs.ReadFile(job.Files, file)
		if want := fmt.Sprintf("Bugs = {%q}\n", Mutants[i].Bugs[0]); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: expected %s in %s, saw %v", name, want, file, err)
		}
	}
}

func TestCompare(t *testing.T) {
	model := &Task{Model: Model{Name: "m", Module: "M", Asks: "Safe Other", Generated: 10, Distinct: 5, Depth: 3}, Config: "INVARIANTS Safe Other\n"}
	bad := &Task{Model: Model{Name: "b", Module: "M", Violates: "Safe", Asks: "Safe", Depth: 2}, Config: "INVARIANTS Safe\n"}
	mutant := &Task{Model: Model{Name: "m+x", Asks: "Safe", Generated: 10, Distinct: 5}, Config: "INVARIANTS Safe\n", Mutant: &Mutant{Equivalent: "why"}}
	holds := func(change func(*tlc.Result)) *tlc.Result {
		r := &tlc.Result{Outcome: tlc.Holds, Generated: 10, Distinct: 5, Depth: 3, Workers: 1, Coverage: []tlc.Coverage{{Action: "Go", Stepped: 1}, {Action: "Gone"}}}
		change(r)
		return r
	}
	falls := func(change func(*tlc.Result)) *tlc.Result {
		r := &tlc.Result{Outcome: tlc.Violated, Property: "Safe", Workers: 1, Trace: make([]tlc.State, 2)}
		change(r)
		return r
	}
	as := func(*tlc.Result) {}
	asking := func(noted, config string) *Task {
		task := *model
		task.Asks, task.Config = noted, config
		return &task
	}
	for _, c := range []struct {
		task *Task
		r    *tlc.Result
		want string
	}{
		{model, holds(func(*tlc.Result) {}), ""},
		{model, holds(func(r *tlc.Result) { r.Generated++ }), "states generated 10, saw 11"},
		{model, holds(func(r *tlc.Result) { r.Distinct-- }), "distinct states 5, saw 4"},
		{model, holds(func(r *tlc.Result) { r.Depth++ }), "depth 3, saw 4"},
		{model, holds(func(r *tlc.Result) { r.Depth++; r.Workers = 2 }), ""},
		{model, falls(func(*tlc.Result) {}), "expected that it holds, saw violates Safe"},
		{model, holds(func(r *tlc.Result) { r.Outcome = tlc.TimedOut }), "saw timed out"},
		{bad, falls(func(*tlc.Result) {}), ""},
		{bad, holds(func(*tlc.Result) {}), "expected that it violates Safe, saw holds"},
		{bad, falls(func(r *tlc.Result) { r.Property = "Other" }), "saw violates Other"},
		{bad, falls(func(r *tlc.Result) { r.Property = ""; r.Candidates = []string{"A", "B"} }), "saw violates one of [A B]"},
		{bad, falls(func(r *tlc.Result) { r.Trace = make([]tlc.State, 3) }), "depth 2, saw 3"},
		{bad, falls(func(r *tlc.Result) { r.Trace = make([]tlc.State, 3); r.Workers = 2 }), ""},
		{mutant, holds(func(*tlc.Result) {}), ""},
		{mutant, holds(func(r *tlc.Result) { r.Distinct++ }), "distinct states 5, saw 6"},
		{mutant, holds(func(r *tlc.Result) { r.Depth++ }), ""},
		{mutant, falls(func(*tlc.Result) {}), "expected that it holds"},
		{asking("Other Safe", "INVARIANT Safe\nPROPERTY Other\n"), holds(as), ""},
		{asking("Safe Other", "INVARIANT Safe\n"), holds(as), "m: expected that it asks Other, as its head notes, saw that it does not"},
		{asking("Safe Other", "INVARIANT Safe \\* Other\n"), holds(as), "asks Other"},
		{asking("Safe Other", "INVARIANT Safe (* Other\n*)\n"), holds(as), "asks Other"},
		{asking("Safe Other", "INVARIANT Safe Safety\n"), holds(as), "asks Other, as its head notes, saw that it does not; m: expected Safety, which it asks, in its line"},
		{asking("Safe Other", "INVARIANT Safe Safe\n"), holds(as), "expected Safe once, saw it twice"},
		{asking("Safe", "INVARIANT Safe Other\n"), holds(as), "m: expected Other, which it asks, in its line \\* asks:, saw it not; -update writes it"},
		{asking("Safe", "INVARIANT Safe\nCHECK_DEADLOCK FALSE\n"), holds(as), "expected FALSE, which it asks"},
		{asking("", "INVARIANT Safe Other\n"), holds(as), "m: expected a line `\\* asks: Safe Other` behind what it must give, saw none; -update writes it"},
		{asking("Safe Other", "INVARIANT Safe\n"), falls(as), "asks Other, as its head notes, saw that it does not; m: expected that it holds"},
		{&Task{Model: Model{Absent: true}}, holds(func(*tlc.Result) {}), "saw nothing"},
	} {
		got := strings.Join(c.task.Compare(c.r), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s, %+v: expected %q, saw %q", c.task.Name, *c.r, c.want, got)
		}
	}
}

func TestSets(t *testing.T) {
	if !Night.Has(Gate) || !Full.Has(Full) || Gate.Has(Full) {
		t.Error("a set holds those before it and none behind it")
	}
}

// TestAssumes: what holds in an assumed world says what was assumed.
func TestAssumes(t *testing.T) {
	const config = "SPECIFICATION Spec\nCONSTANTS\n  Ms = {m1}\n  Fixes = {\"undo_first\", \"rescan\"}\nINVARIANTS\n  EnoughMs\n"
	for _, c := range []struct{ module, fix, want string }{
		{"MCSched", "rescan", ""},
		{"MCSched", "sleep_ends", ", if sleep_ends"},
		{"MCSchedTicks", `never_ends", "sleep_ends`, ", if sleep_ends and never_ends"},
		{"RunQueue", "sleep_ends", ""},
	} {
		task := &Task{Model: Model{Module: c.module}, Config: strings.Replace(config, "rescan", c.fix, 1)}
		if got := task.Assumes(); got != c.want {
			t.Errorf("%s, %s: expected %q, saw %q", c.module, c.fix, c.want, got)
		}
		if got := task.Verdict(&tlc.Result{Outcome: tlc.Holds}); got != "holds"+c.want+task.Bound() {
			t.Errorf("%s, %s: saw %q", c.module, c.fix, got)
		}
	}
}

// TestBound: a configuration of the dance that does not ask whether it has Ms enough says how
// many it has, sysmon beside them.
func TestBound(t *testing.T) {
	const few, enough = "SPECIFICATION Spec\nCONSTANTS\n  Ms = {m1, m2, m3}\n  Sysmon = m3\nINVARIANTS\n  TypeOK\n", "  EnoughMs\n"
	for _, c := range []struct{ module, config, want string }{
		{"Sched", few, " with 2 Ms"},
		{"MCSched", strings.Replace(few, "Sysmon = m3", "Sysmon = NoM", 1), " with 3 Ms"},
		{"MCSched", few + enough, ""},
		{"RunQueue", few, ""},
	} {
		if got := (&Task{Model: Model{Module: c.module}, Config: c.config}).Bound(); got != c.want {
			t.Errorf("%s, %q: expected %q, saw %q", c.module, c.config, c.want, got)
		}
	}
}
