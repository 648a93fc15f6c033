package machine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// tasks are the rows of both tables.
func tasks(t *testing.T) (models, mutants []*tla.Task) {
	t.Helper()
	rows, err := tla.Models(tla.Files)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		task, err := rows[i].Task(tla.Files)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, task)
	}
	for i := range tla.Mutants {
		task, err := tla.Mutants[i].Task(tla.Files)
		if err != nil {
			t.Fatal(err)
		}
		mutants = append(mutants, task)
	}
	return models, mutants
}

// TestAgreesWithTLC holds what the machines find against the tables, which hold
// what TLC found: verdicts, states, steps, and the length of counterexamples.
func TestAgreesWithTLC(t *testing.T) {
	tier.OnlyFull(t)
	models, mutants := tasks(t)
	compared := 0
	all := slices.Concat(models, mutants)
	for _, task := range tier.Some(t, all, len(all)/8) {
		t.Run(task.Name, func(t *testing.T) {
			m, err := Of(task)
			var none *NoneError
			if errors.As(err, &none) && !task.MachineAlone {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !Quick(task) {
				tier.OnlyFull(t)
			}
			for _, p := range m.Judged {
				for _, id := range requirements(t, task, p) {
					t.Attr("req", id)
				}
			}
			found, err := m.Run(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range task.Compare(&found.Result) {
				t.Error(d)
			}
			// A property about time has no length to compare; a property without a
			// requirement of its own is a probe.
			if ids := requirements(t, task, found.Property); found.Outcome == tlc.Violated && found.Requirement != "" && !slices.Contains(ids, found.Requirement) {
				t.Errorf("%s falls: expected the machine to name one of %v, as the module does, saw %s", found.Property, ids, found.Requirement)
			}
			if t.Failed() {
				t.Logf("to reproduce: spindle model -v %s", task.Name)
			}
			compared++
		})
	}
	if compared == 0 {
		t.Error("expected rows with a machine, saw none")
	}
}

func requirements(t *testing.T, task *tla.Task, property string) []string {
	t.Helper()
	ids, err := tla.RequirementsOf(tla.Files, task.Module, property)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// The lost wake-up of the shipped protocol, found by both at the same depth, and
// gone in what mends it: so the table says, and so does the machine.
func TestLostWakeUp(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for name, falls := range map[string]string{"sched-shipped": "WorkRescuer", "sched-shipped-quiet": "WorkQuiet", "sched-mended": ""} {
		row, err := tla.Find(tla.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if row.Violates != falls {
			t.Errorf("%s: expected that the table has it violate %q, saw %q", name, falls, row.Violates)
		}
		found := run(t.Context(), t, row.Name)
		if found.Property != falls || falls != "" && len(found.Trace) != row.Depth {
			t.Errorf("%s: expected %q after %d states, saw %v", name, falls, row.Depth, &found.Result)
		}
	}
}

func run(ctx context.Context, t *testing.T, name string) *Result {
	t.Helper()
	row, err := tla.Find(tla.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	task, err := row.Task(tla.Files)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Of(task)
	if err != nil {
		t.Fatal(err)
	}
	found, err := m.Run(ctx, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A counterexample is a behaviour: it begins in an initial state, each step has a
// name, and what it shows is in TLC's words.
func TestTraces(t *testing.T) {
	for _, name := range []string{"sched-shipped", "sched-live-shipped"} {
		found := run(t.Context(), t, name)
		if len(found.Trace) < 2 || found.Trace[0].Action != "" {
			t.Fatalf("%s: expected a trace from an initial state, saw %d states, the first by %q", name, len(found.Trace), found.Trace[0].Action)
		}
		for i, s := range found.Trace[1:] {
			if s.Action == "" {
				t.Errorf("%s: step %d has no action", name, i)
			}
		}
		if found.Temporal != (name == "sched-live-shipped") || found.Temporal && !found.Stutters && (found.Back < 1 || found.BackAction == "") {
			t.Errorf("%s: temporal %v, stutters %v, back to %d by %q", name, found.Temporal, found.Stutters, found.Back, found.BackAction)
		}
		x := found.Execution("Sched", "M")
		if want := []string{"M1", "M2"}; !slices.Equal(x.Threads[:2], want) {
			t.Errorf("%s: expected columns %v, saw %v", name, want, x.Threads)
		}
	}
}

// A lasso that goes round, which no model of the tables has.
func TestLassoGoesBack(t *testing.T) {
	m := &Machine{Task: &tla.Task{Model: tla.Model{Module: "Sched"}}, actions: []string{"Go", "Back"}, timely: []string{"Ends"}}
	state := func(n string, action uint8) explore.TraceState {
		return explore.TraceState{Step: explore.Step{Action: action}, Vars: []explore.Var{{Name: "pc", Value: "<< " + n + ",0 >>"}}}
	}
	r := new(Result)
	m.add(t.Context(), r, &explore.Result{Violation: &explore.Violation{
		Invariant: "Ends", Trace: []explore.TraceState{state("0", 0), state("1", 0)}, Cycle: []explore.TraceState{state("2", 0), state("1", 1)},
	}})
	if len(r.Trace) != 3 || r.Back != 2 || r.BackAction != "Back" || r.Stutters || r.Workers != 0 {
		t.Errorf("expected 3 states, the last of which goes back to 2 by Back, saw %d, %d, %q, %v, %d workers", len(r.Trace), r.Back, r.BackAction, r.Stutters, r.Workers)
	}
	if got := r.Trace[1].Vars[0].Value; got != "<<1, 0>>" {
		t.Errorf("expected the canonical <<1, 0>>, saw %s", got)
	}
}

// What is explored when nobody says what has to be done in seconds, on any machine.
func TestQuickIsQuick(t *testing.T) {
	models, _ := tasks(t)
	states := int64(0)
	for _, task := range models {
		if Quick(task) {
			states += task.Distinct
		}
	}
	if most := int64(15_000_000); states == 0 || states > most {
		t.Errorf("expected up to %d states in the models that are explored by default, saw %d: lower QuickStates, or move models to the night set", most, states)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found := run(ctx, t, "runqueue-2p2"); found.Outcome != tlc.Interrupted {
		t.Errorf("expected %s, saw %s", tlc.Interrupted, found.Outcome)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if found := run(ctx, t, "runqueue-2p2"); found.Outcome != tlc.TimedOut {
		t.Errorf("expected %s, saw %s", tlc.TimedOut, found.Outcome)
	}
}

const (
	goodQueue = `SPECIFICATION Spec
CONSTANTS
  NoP = 0
  NoG = 0
  Ps = {1, 2}
  Gs = {1, 2}
  Loners <- Nobody
  Cap = 2
  W = 8
  Start = 7
  Scripts <- NoScripts
  Free <- Rings
  MaxPuts = 2
  Batch = 1
  Bugs = {}
INVARIANTS Exact
`
	goodDance = `SPECIFICATION Spec
CONSTANTS
  Ps = {1, 2}
  Ms = {1, 2}
  NoP = 0
  NoM = 0
  FirstM = {1}
  FirstP = {1}
  FirstProcs = {1, 2}
  Sysmon = 0
  Gs = 2
  RingCap = 2
  Features = {}
  Fixes = {}
  Bugs = {}
INVARIANTS TypeOK
`
)

func TestBadConfigurations(t *testing.T) {
	for _, c := range []struct{ module, from, to, want string }{
		{"MCRunQueue", "", "", ""},
		{"MCSched", "", "", ""},
		{"Lock", "", "", "module Lock has no machine in Go"},
		{"MCRunQueue", "INVARIANTS Exact", "", "expected INVARIANTS or PROPERTIES, saw none"},
		{"MCRunQueue", "Exact", "Exakt", "expected a property of the machine (Bounded NoHole QueueIsFull RoomForLoot Linked GlobalShare Exact Refines OpEnds), saw Exakt"},
		{"MCRunQueue", "Exact", "GetNone", "saw GetNone"}, // needs CallSpec
		{"MCRunQueue", "INVARIANTS", "CONSTRAINT Near\nINVARIANTS", "expected no section but SYMMETRY, saw CONSTRAINT"},
		{"MCRunQueue", "INVARIANTS Exact", "SYMMETRY Names\nPROPERTY OpEnds", "expected no SYMMETRY beside a property about time"},
		{"MCRunQueue", "Nobody", "Others\nSYMMETRY Names\nCONSTANTS", "saw scripts or Loners"},
		{"MCRunQueue", "SPECIFICATION Spec", "SPECIFICATION Fast", `SPECIFICATION of MCRunQueue: expected Spec or LiveSpec, saw "Fast"`},
		{"MCRunQueue", "{1, 2}", "1", `Ps: expected a set such as {1, 2}, saw "1"`},
		{"MCRunQueue", "Cap = 2", "Cap = two", `Cap: expected a number, saw "two"`},
		{"MCRunQueue", "Cap = 2", "Cap = 3", "capacity: expected 2, 4 or 8, saw 3"},
		{"MCRunQueue", "  Cap = 2\n", "", `Cap: expected a value, saw ""`},
		{"MCRunQueue", "<- Rings", "= Rings", `Free: expected <- and a definition, saw "Rings"`},
		{"MCRunQueue", "Rings", "Things", `Free: expected one of Batches, `},
		{"MCRunQueue", "NoScripts", "Scribbles", `Scripts: expected one of BatchOverflows, `},
		{"MCRunQueue", "NoScripts", "Loot", `Scripts: expected scripts of 2 threads, saw "Loot"`},
		{"MCRunQueue", "Nobody", "Somebody", `Loners: expected Nobody or Others, saw "Somebody"`},
		{"MCRunQueue", "Bugs = {}", `Bugs = {"none_such"}`, "none_such"},
		{"MCRunQueue", "Bugs = {}", "Bugs = {1}", `Bugs: expected strings, saw "1"`},
		{"MCRunQueue", "Bugs = {}", "Bugs = {}\n  More = 1", "expected no other constants, saw More"},
		{"MCSched", "SPECIFICATION Spec", "SPECIFICATION CallSpec", `SPECIFICATION of MCSched: expected Spec or LiveSpec, saw "CallSpec"`},
		{"MCSched", "SPECIFICATION Spec", "SPECIFICATION TicksSpec", `SPECIFICATION of MCSched: expected Spec or LiveSpec, saw "TicksSpec"`},
		{"MCSchedTicks", "", "", `SPECIFICATION of MCSchedTicks: expected TicksSpec, saw "Spec"`},
		{"MCSched", "INVARIANTS TypeOK", "PROPERTIES QuietLive", "expected SPECIFICATION LiveSpec, which has the fairness, beside QuietLive, saw Spec"},
		{"MCSched", "INVARIANTS TypeOK", "PROPERTIES TypeOK", "saw TypeOK in the other section"},
		{"MCSched", "TypeOK", "TypeOK QuietLive", "saw QuietLive in the other section"},
		{"MCSched", "INVARIANTS TypeOK", "SYMMETRY Permutations\nINVARIANTS TypeOK", "SYMMETRY: expected Symmetry, saw [Permutations]"},
		{"Sched", "INVARIANTS TypeOK", "SYMMETRY Symmetry\nINVARIANTS TypeOK", "SYMMETRY: expected none of module Sched"},
		{"MCRunQueue", "INVARIANTS Exact", "SYMMETRY Symmetry\nINVARIANTS Exact", "SYMMETRY: expected Names, saw [Symmetry]"},
		{"MCSched", "Sysmon = 0", "Sysmon = 9", `Sysmon: expected one of Ms (1, 2), or NoM (0), saw "9"`},
		{"MCSched", "NoP = 0", "NoP = 1", `NoP: expected none of Ps (1, 2), saw "1"`},
		{"MCSched", "NoM = 0", "NoM = 2", `NoM: expected none of Ms (1, 2), saw "2"`},
		{"MCSched", "Ps = {1, 2}", "Ps = {1, 2, 2}", `Ps: expected each once, saw "2"`},
		{"MCSched", "Features = {}", `Features = {"preempt"}`, "feature preempt is what sysmon does: expected a sysmon, saw none"},
		{"MCSched", "Fixes = {}", `Fixes = {"hope"}`, `unknown fix or assumption: expected some of `},
		{"MCSched", "RingCap = 2", "RingCap = 99", "expected rings of 1 to 15, saw 99"},
		{"MCSched", "TypeOK", "Refines", "saw Refines"},
	} {
		text := goodQueue
		if strings.Contains(c.module, "Sched") {
			text = goodDance
		}
		task := &tla.Task{Model: tla.Model{Name: "x", Module: c.module}, Config: strings.Replace(text, c.from, c.to, 1)}
		_, err := Of(task)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %q for %q: expected %q, saw %v", c.module, c.to, c.from, c.want, err)
		}
	}
}

// A limit is no verdict: neither where a search for a circle meets it after the
// invariants were seen to hold, nor where all must be judged at once.
func TestLimits(t *testing.T) {
	config := strings.NewReplacer("INVARIANTS TypeOK\n", "INVARIANTS TypeOK\nPROPERTIES QuietLive\n", "Spec\n", "LiveSpec\n").Replace(goodDance)
	of := func(config string) *Machine {
		m, err := Of(&tla.Task{Model: tla.Model{Name: "x", Module: "MCSched"}, Config: config})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	ask := func(m *Machine, o Options) *Result {
		r, err := m.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	both, safe := of(config), of(goodDance)
	whole, small := ask(both, Options{}), ask(safe, Options{})
	if whole.Outcome != tlc.Holds || small.Outcome != tlc.Holds || whole.Memory <= small.Memory {
		t.Fatalf("expected that both hold and that a search for a circle needs more memory, saw %v, %d bytes, and %v, %d", whole, whole.Memory, small, small.Memory)
	}
	for _, c := range []struct {
		m    *Machine
		o    Options
		want string
	}{
		{both, Options{MaxStates: 100}, "not ended: more than 100 states"},
		{safe, Options{MaxStates: 100, Workers: 2}, "not ended: more than 100 states"},
		{safe, Options{MaxMemory: 1}, "not ended: more than 1e-06 MB of memory"},
		{both, Options{MaxMemory: small.Memory}, fmt.Sprintf("not ended: more than %.4g MB of memory", float64(small.Memory)/1e6)},
		{safe, Options{MaxMemory: small.Memory}, "holds"},
		{both, Options{MaxStates: int(whole.Distinct)}, "holds"},
	} {
		r := ask(c.m, c.o)
		if r.String() != c.want || r.Ended() != (c.want == "holds") || (r.Outcome == tlc.Limited) == r.Ended() {
			t.Errorf("%+v: expected %q, saw %q, %q", c.o, c.want, r, r.Outcome)
		}
	}
}

// TestFewMs: a model of the dance that does not ask whether it has Ms enough has too few, so
// that none is said to have fewer than it has.
func TestFewMs(t *testing.T) {
	models, _ := tasks(t)
	few := slices.DeleteFunc(models, func(task *tla.Task) bool { return task.Violates != "" || task.Bound() == "" })
	if len(few) < 10 {
		t.Fatalf("saw %d models with few Ms", len(few))
	}
	list := regexp.MustCompile(`(?s)\n(INVARIANTS|PROPERTIES)\n.*`)
	for _, task := range tier.Some(t, few, len(few)/8) {
		t.Run(task.Name, func(t *testing.T) {
			task.Config = list.ReplaceAllString(task.Config, "\nINVARIANTS\n   EnoughMs\n")
			m, err := Of(task)
			if err != nil {
				t.Fatal(err)
			}
			found, err := m.Run(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if found.Property != "EnoughMs" {
				t.Errorf("%s: expected that EnoughMs falls, saw %v: add it to INVARIANTS of cfg/%s.cfg", task.Name, found, task.Name)
			}
		})
	}
}

// withOneMore is the configuration with one M more, of which no other is sysmon.
func withOneMore(t *testing.T, config string) string {
	t.Helper()
	set := regexp.MustCompile(`(?m)^( *)Ms = \{(.*)\}$`)
	found := set.FindStringSubmatch(config)
	if found == nil {
		t.Fatalf("expected Ms, saw\n%s", config)
	}
	all := strings.Split(found[2], ", ")
	more := strconv.Itoa(len(all) + 1)
	symmetric := strings.HasPrefix(all[0], "m")
	if symmetric {
		more = "m" + more
		config = regexp.MustCompile(`(?m)^( *FirstM = \{.*)\}$`).ReplaceAllString(config, "$1, "+more+"}")
		config = strings.Replace(config, found[0], found[1]+more+" = "+more+"\n"+found[0], 1)
	}
	return strings.Replace(config, "Ms = {"+found[2]+"}", "Ms = {"+found[2]+", "+more+"}", 1)
}

// TestOneMMore: what holds with Ms enough holds with one M more. Enough means that no M waits for
// ever for another one; while it waits, the runtime makes an M, and may take ways that the model
// does not have. The first is a control: it holds with two Ms and falls with three.
func TestOneMMore(t *testing.T) {
	tier.NotShort(t)
	const most = 3_000_000 // states
	few := 60_000          // of the models that are asked
	if tier.Full(t) {
		few = most / 10
	}
	models, _ := tasks(t)
	at := slices.IndexFunc(models, func(task *tla.Task) bool { return task.Name == "sched-enlist-2m" })
	control := models[at]
	models = slices.DeleteFunc(models, func(task *tla.Task) bool {
		return tla.Family(task.Module) != "Sched" || task.Violates != "" || task.Bound() != "" || task.Distinct > int64(few)
	})
	ended := 0
	for _, task := range append([]*tla.Task{control}, tier.Some(t, models, 3)...) {
		t.Run(task.Name, func(t *testing.T) {
			task.Config = withOneMore(t, task.Config)
			m, err := Of(task)
			if err != nil {
				t.Fatal(err)
			}
			found, err := m.Run(t.Context(), Options{MaxStates: most})
			if err != nil {
				t.Fatal(err)
			}
			if found.Ended() {
				ended++
			}
			if falls := found.Outcome == tlc.Violated; falls != (task == control) {
				t.Errorf("expected that one M more makes no difference, but for %s, saw %v", control.Name, found)
			}
		})
	}
	if ended == 0 {
		t.Error("expected that some searches end, saw none")
	}
}
