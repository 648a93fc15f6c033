package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

const leaving = spec.Pool + ",tasks=cooperative"

// newParking is a parkPool whose tasks sleep as those of a leavePool with a bug do.
func newParking(b leaveBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &parkPool{leavePool: newLeavePool(b)(workers).(*leavePool)}
		s.change.L = &s.mu
		return s
	}
}

// TestLeaving: where no task keeps its worker, pools pass whose slots are not stolen from, and whose times lie with a worker that is busy. They fall where
// tasks may keep their workers. Other faults are found under both.
func TestLeaving(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-STEAL")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 1
	for _, c := range tier.Some(t, []struct {
		name         string
		f            scheduler.Factory
		check        string
		leaves, keep string // what falls if no task keeps its worker, and if one may
	}{
		{"right", newSlotPool(noSlotBug), "graphs|meet|storm|block|close|idle", "", ""},
		{"made ready by tasks alone", newParkPool(noParkBug), "graphs|meet|storm|block", "", ""},
		{"takes nothing from slots", newSlotPool(stealsNever), "graphs|meet|storm|block", "", "SC-STEAL"},
		{"one worker, whatever is asked for", func(int) scheduler.Scheduler { return newParkPool(noParkBug)(1) }, "graphs|storm", "", "SC-STEAL"},
		{"looks at its times behind its tasks", newParking(looksBehind), "sleep", "", "TM-BESIDE"},
		{"loses those that are made ready", newParkPool(losesReady), "graphs|storm", "SC-WAKE", "SC-WAKE"},
		{"looks not again at its times", newParking(looksNotAgain), "sleep", "TM-LOST", "TM-LOST"},
		{"yielded tasks stay behind", newSlotPool(keepsYielded), "block", "SY-BLOCK", "SY-BLOCK"},
		{"tasks made ready stay behind", newSlotPool(keepsReady), "block", "SY-BLOCK", "SY-BLOCK"},
		{"goes on only if it is needed", newSlotPool(goesOnIfNeeded), "block", "SY-BLOCK", "SY-BLOCK"},
	}, 4) {
		for p, falls := range map[spec.Profile]string{leaving: c.leaves, spec.Pool: c.keep} {
			t.Run(c.name+", "+string(p), func(t *testing.T) {
				rows, findings := carried(t, p, c.f, "^stress/("+c.check+")$")
				for _, f := range findings {
					if t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed); f.Requirement != falls {
						t.Errorf("expected %q broken, saw %s", falls, f.Requirement)
					}
				}
				if falls != "" && rows[falls].Standing != suite.Broken {
					t.Errorf("expected %s broken, saw %s", falls, rows[falls].Standing)
				}
				if _, ok := rows["SC-STEAL"]; ok == (p == leaving) {
					t.Errorf("expected SC-STEAL where tasks keep their workers alone, saw it: %v", ok)
				}
				if falls == "" && (rows["SC-LOST"].Standing != suite.Kept || p == leaving && c.check != "sleep" && (rows["SC-WORK"].Standing != suite.Kept || rows["SC-WAKE"].Standing != suite.Kept)) {
					t.Errorf("expected SC-LOST, SC-WORK and SC-WAKE kept, saw %v, %v, %v", rows["SC-LOST"], rows["SC-WORK"], rows["SC-WAKE"])
				}
			})
		}
	}
}

// TestWakesOfThoseThatLeave: where tasks leave their workers while they wait, each that goes on is one reason to wake a worker.
func TestWakesOfThoseThatLeave(t *testing.T) {
	t.Attr("req", "SC-WAKES")
	g := record.TaskGraph{Name: "x", Workers: 1, Outside: []string{"s0 s1"}, Tasks: []string{"w0", "a0"}}
	for _, p := range []spec.Profile{leaving + ",wakes=two", spec.Pool + ",wakes=two"} {
		contract, err := spec.ParseSchedulerContract(string(p))
		if err != nil {
			t.Fatal(err)
		}
		for woken, want := range map[string]bool{"6": false, "7": p != leaving+",wakes=two", "8": p != leaving+",wakes=two", "9": true} {
			run := runOf(t, g, "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>w0 1+ 1<a0 1- 0<w0 0- R>c R<c")
			run.Events = slices.Insert(run.Events, len(run.Events)-2, record.TaskEvent{What: record.Woken, Who: record.Runner, Text: woken})
			if got := len(judge(run, contract).findings) > 0; got != want {
				t.Errorf("%s, %s woken: expected a finding %v, saw %v", p, woken, want, got)
			}
		}
	}
}

// TestCannotLeave: tasks that cannot park cannot leave their workers while they wait.
func TestCannotLeave(t *testing.T) {
	if _, err := InProcess("x", leaving, newPool("")); err == nil || !strings.Contains(err.Error(), "expected tasks that park (Parker)") {
		t.Errorf("expected an error that names Parker, saw %v", err)
	}
}

// TestLeavesAlone: graphs are left out in which a task keeps its worker, or in which a thread outside lets a task go on and may not.
func TestLeavesAlone(t *testing.T) {
	park, outside := scheduler.Capabilities{Park: true}, scheduler.Capabilities{Park: true, Ready: true}
	for text, want := range map[string][2]bool{ // if tasks alone can make ready, and if a thread can
		"s0 s1/w0/a0":    {true, true},
		"s0 s1/h0/a0":    {false, false},
		"s0 a0/w0":       {false, true},
		"s0 a0 c/w0":     {false, true},
		"s0 c a0/w0":     {false, false},
		"s0 c;a0/w0":     {false, false},
		"s0 m0/m0":       {false, true},
		"s0 s1 c/m0/m0":  {true, true},
		"s0;s1 c/m0/m0":  {false, false}, // one may be refused, and then the thread comes in its place
		"s0 s1;c/j1/":    {false, false},
		"s0 s1 c/j1/":    {true, true},
		"s0;c/s1 j1/":    {false, false}, // likewise
		"s0 c/s1 s2/j2/": {true, true},
		"s0 s1/i0 o0/ ":  {false, false},
		"s0 w0/a0":       {true, true},
	} {
		threads, tasks, _ := strings.Cut(text, "/")
		g := record.TaskGraph{Name: text, Workers: 1, Outside: strings.Split(threads, ";"), Tasks: strings.Split(tasks, "/")}
		p, err := g.Program()
		if err != nil {
			t.Fatal(err)
		}
		for i, caps := range []scheduler.Capabilities{park, outside} {
			if got := canLeave(p, nil, caps); got != want[i] {
				t.Errorf("%s, ready from outside %v: expected %v, saw %v", text, caps.Ready, want[i], got)
			}
		}
	}
}

// TestEndsWhereTasksLeave: which graphs come to their end where tasks leave their workers, and where those that block keep all workers but one.
func TestEndsWhereTasksLeave(t *testing.T) {
	for text, want := range map[string][3]bool{ // under pool, tasks=cooperative, block=one
		"1 s0 s1/w0/a0":               {false, true, false},
		"2 s0 s1/w0/a0":               {true, true, true},
		"1 s0 s1/m0/m0":               {false, true, false},
		"1 s0/s1 j1/":                 {false, true, false},
		"2 s0 s1 s2/b0/w1/a0a1":       {true, true, false}, // the third may find one worker kept, and one taken
		"3 s0 s1 s2/b0/w1/a0a1":       {true, true, true},
		"1 s0 s1/b0/a0":               {true, true, true},
		"2 s0 s1 s2/b0/b0/a0":         {true, true, true},
		"2 s0 s1 s2 s3/b0/b0/m1/m1a0": {true, true, false},
		"1 s0/w0":                     {false, false, false},
	} {
		parts := strings.Split(text[2:], "/")
		g := record.TaskGraph{Name: text, Workers: int(text[0] - '0'), Outside: parts[:1], Tasks: parts[1:]}
		p, err := g.Program()
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range []spec.SchedulerContract{{}, {"tasks": spec.Leaving}, {"block": spec.One}} {
			if got := comesToEnd(p, c); got != want[i] {
				t.Errorf("%s under %v: expected an end %v, saw %v", text, c, want[i], got)
			}
		}
	}
}

// TestBlockLeavesOne: a pool that keeps one worker for others is right where that is enough, and wrong where it is not. One that keeps none is wrong.
func TestBlockLeavesOne(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SY-BLOCK")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const one = spec.Pool + ",block=one"
	for _, c := range []struct {
		name     string
		bug      leaveBug
		one, all string
	}{
		{"right", noLeaveBug, "", ""}, {"all but one", keepsAllButOne, "", "SY-BLOCK"}, {"not replaced", keepsWorker, "SY-BLOCK", "SY-BLOCK"},
		{"eight", fewSpare, "SY-BLOCK", "SY-BLOCK"}, {"a spare for the first time", spareOnce, "SY-BLOCK", "SY-BLOCK"}, {"does not come back", losesBlocked, "SY-RETURN", "SY-RETURN"},
	} {
		for p, falls := range map[spec.Profile]string{one: c.one, spec.Pool: c.all} {
			t.Run(c.name+", "+string(p), func(t *testing.T) {
				judgedBy(t, p, newLeavePool(c.bug), "^stress/(block|graphs)$", slices.DeleteFunc([]string{falls}, func(id string) bool { return id == "" }), "SY-BLOCK", "SY-RETURN")
			})
		}
	}
}

// TestLeavingExplored: the same where the explorer decides who goes on.
func TestLeavingExplored(t *testing.T) {
	t.Attr("req", "SY-BLOCK")
	for _, c := range []struct {
		name    string
		profile spec.Profile
		f       scheduler.Factory
		graph   string
		want    string
	}{
		{"right", leaving, newSlotPool(noSlotBug), "s0 s1/y a0/b0", ""},
		{"yielded tasks stay behind", leaving, newSlotPool(keepsYielded), "s0 s1/y a0/b0", "SY-BLOCK"},
		{"tasks made ready stay behind", spec.Pool, newSlotPool(keepsReady), "s0 s1/p0 a1/a0 b1", "SY-BLOCK"},
		{"waits", leaving, newParkPool(noParkBug), "s0 s1/w0/a0", ""},
		{"meets", leaving, newParkPool(noParkBug), "s0 s1/m0/m0", ""},
		{"waits for a task", leaving, newParkPool(noParkBug), "s0 s1/j1/", ""},
		{"is made ready from outside", leaving, newSlotPool(noSlotBug), "s0 a0/w0", ""},
		{"waits, and is lost", leaving, newParkPool(losesReady), "s0 s1/w0/a0", "SC-WAKE"},
		{"meets, and is lost", leaving, newParkPool(losesReady), "s0 s1/m0/m0", "SC-WAKE"},
		{"waits for a task, and is lost", leaving, newParkPool(losesReady), "s0 s1/j1/", "SC-WAKE"},
	} {
		target, err := Instrumented("x", c.profile, c.f, harness.Part{Of: 1})
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(c.graph, "/")
		x := exploring{t: target.(*inProcess), g: record.TaskGraph{Name: c.graph, Workers: 1, Outside: parts[:1], Tasks: parts[1:]}}
		report, err := x.run(300)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if report.Failure != nil {
			for _, f := range x.findings(report) {
				got = append(got, f.Requirement)
			}
		}
		if !slices.Equal(got, one(c.want)) || c.want == "" && report.Failure != nil {
			t.Errorf("%s: expected %q, saw %v, %v", c.name, c.want, got, report.Failure)
		}
	}
}

// TestUnsaidAfterClose: where the contract says nothing of what comes after Close, nobody waits for a task that was accepted beside Close, or after it, and
// dropped: the run ends, and there is no finding.
func TestUnsaidAfterClose(t *testing.T) {
	t.Attr("req", "SC-LOST")
	const unsaid = spec.Pool + ",closed=unsaid"
	for p, falls := range map[spec.Profile]string{unsaid: "", spec.Pool: "SC-LOST"} {
		probed := false
		target, err := InProcess("x", p, func(workers int) scheduler.Scheduler {
			q := &dropsAtClose{wrongPool: newWrongPool(workers, noBug), asked: make(chan struct{}), closed: make(chan struct{}), drops: probed}
			probed = true
			return q
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []record.TaskGraph{
			{Name: "beside", Workers: 1, Outside: []string{"c v", "s0"}, Tasks: []string{""}},
			{Name: "it is waited for", Workers: 1, Outside: []string{"c v j0 w0", "s0"}, Tasks: []string{"s1 a0", ""}},
		} {
			program, err := g.Program()
			if err != nil {
				t.Fatal(err)
			}
			run, err := target.Run(t.Context(), program)
			if err != nil {
				t.Fatal(err)
			}
			v := judge(run, factsOf(target).contract)
			var got []string
			for _, f := range v.findings {
				got = append(got, f.Requirement)
			}
			if !slices.Equal(got, one(falls)) || v.doubt != "" || v.cut != (falls != "") {
				t.Errorf("%s, %s: expected %q, saw %v, a stop %v, %s\n%s", p, g.Name, falls, got, v.cut, v.doubt, strings.Join(run.Lines(), "\n"))
			}
		}
	}
}

// dropsAtClose is a pool whose first submission begins before Close is called, and returns when that has returned, as a thread knows that waits for all tasks
// then: it is dropped.
type dropsAtClose struct {
	*wrongPool
	asked, closed chan struct{}
	drops         bool
}

func (q *dropsAtClose) Submit(f func(scheduler.Task)) error {
	if !q.drops {
		return q.wrongPool.Submit(f)
	}
	close(q.asked)
	<-q.closed
	return nil
}

func (q *dropsAtClose) Close() error {
	if q.drops {
		<-q.asked
	}
	return q.wrongPool.Close()
}

func (q *dropsAtClose) WaitTasks() { close(q.closed) }
