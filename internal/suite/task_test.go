package suite_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// doing is the subject of counters with checks that do what is given, and no
// controls.
func doing(run ...func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome) *suite.Subject {
	s := counters()
	s.Checks, s.Controls = nil, nil
	for i, do := range run {
		c := random
		c.Name, c.Run = fmt.Sprintf("sequence/%c", 'a'+i), do
		c.Plan = func(suite.Target) suite.Plan { return suite.Plan{Text: "it"} }
		s.Checks = append(s.Checks, c)
	}
	return s
}

func done(context.Context, suite.Target, *suite.Task) suite.Outcome {
	return suite.Outcome{Ended: suite.Completed}
}

// results returns how the checks ended, by name.
func results(events []suite.Event) map[string]*suite.Result {
	list := make(map[string]*suite.Result)
	for _, e := range events {
		if e.Result != nil {
			list[e.Check] = e.Result
		}
	}
	return list
}

// TestPanicOfACheck is an error of that check alone.
func TestPanicOfACheck(t *testing.T) {
	panics := func(context.Context, suite.Target, *suite.Task) suite.Outcome { panic("no check today") }
	r, events := judge(t, suite.Options{}, doing(panics, done), right())
	list := results(events)
	if a := list["sequence/a"]; a.Ended != suite.Error || !strings.Contains(a.Reason, "no check today") || list["sequence/b"].Ended != suite.Completed || r.Exit != 4 {
		t.Errorf("exit %d, %+v, %+v", r.Exit, a, list["sequence/b"])
	}
}

// TestPanicOfAPlan is an error of that check alone; of a control, it is a control that
// shows nothing.
func TestPanicOfAPlan(t *testing.T) {
	noPlan := func(suite.Target) suite.Plan { panic("no plan today") }
	for _, alone := range []bool{false, true} { // alone, and among checks that run side by side
		s := doing(done, done, done)
		for i := range s.Checks {
			s.Checks[i].Parallel = !alone
		}
		s.Checks[1].Plan = noPlan
		r, events := judge(t, suite.Options{}, s, right())
		list := results(events)
		if b := list["sequence/b"]; b == nil || b.Ended != suite.Error || !strings.Contains(b.Reason, "plan of check sequence/b panicked: no plan today") || r.Exit != 4 {
			t.Errorf("exit %d, %+v", r.Exit, b)
		}
		for _, name := range []string{"sequence/a", "sequence/c"} {
			if list[name] == nil || list[name].Ended != suite.Completed {
				t.Errorf("%s: expected it completed, saw %+v", name, list[name])
			}
		}
	}
	s := counters()
	s.Controls[0].Check.Plan = noPlan
	r, events := judge(t, suite.Options{Seed: 1}, s, right())
	for _, e := range events {
		if e.Control != nil && e.Control.Ended == suite.Error && strings.Contains(e.Control.Reason, "no plan today") && r.Exit != 0 {
			return
		}
	}
	t.Errorf("expected an error of the control, saw exit %d, %v", r.Exit, r.Reasons)
}

// TestNothingBeginsAfterTheEnd: what did not begin when the run ended is not begun.
func TestNothingBeginsAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := false
	s := doing(func(ctx context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
		cancel()
		return k.Stopped(ctx, "half of it")
	}, func(context.Context, suite.Target, *suite.Task) suite.Outcome {
		begun = true
		return suite.Outcome{Ended: suite.Completed}
	})
	var events []suite.Event
	if err := suite.Run(ctx, suite.Options{Sink: func(e suite.Event) { events = append(events, e) }}, suite.Opened(s, right())); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"sequence/a": "interrupted after half of it", "sequence/b": "interrupted after nothing was done"} {
		if r := results(events)[name]; r.Ended != suite.Inconclusive || r.Reason != want {
			t.Errorf("%s: expected it inconclusive, %s, saw it %s, %s", name, want, r.Ended, r.Reason)
		}
	}
	if begun {
		t.Error("a check began after the run's end")
	}
}

// TestStoppedByTheBudget says so, and is no interrupt.
func TestStoppedByTheBudget(t *testing.T) {
	ctx, cancel := awake.WithTimeout(t.Context(), 0)
	defer cancel()
	if out := new(suite.Task).Stopped(ctx, "1 of 2"); out.Ended != suite.Inconclusive || out.Reason != "1 of 2 when the budget of 0s ended" {
		t.Errorf("%+v", out)
	}
}

// TestStoppedByTheDeadline of the test says so. It is no interrupt, and no budget.
func TestStoppedByTheDeadline(t *testing.T) {
	ctx, cancel := awake.BeforeDeadline(t.Context(), late{t})
	defer cancel()
	s := doing(func(ctx context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
		<-ctx.Done()
		return k.Stopped(ctx, "1 of 2")
	})
	r, err := gate.Run(ctx, suite.Options{}, suite.Opened(s, right()))
	if want := "1 of 2 when the deadline of the test, go test -timeout, was near"; err != nil || r.Exit != 3 || r.Interrupted || !strings.Contains(strings.Join(r.Reasons, "; "), want) {
		t.Errorf("expected exit 3 and %q, saw exit %d, %v: %v", want, r.Exit, err, r.Reasons)
	}
}

// late is a test whose deadline is near.
type late struct{ *testing.T }

func (late) Deadline() (time.Time, bool) { return time.Now().Add(250 * time.Millisecond), true }

// TestClaims: a check judges what it lists, whatever it says; and a finding's
// fingerprint begins with its requirement.
func TestClaims(t *testing.T) {
	_, events := judge(t, suite.Options{}, doing(func(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
		k.Find(record.Finding{Requirement: sumID})
		k.Find(record.Finding{Requirement: sameID, Fingerprint: "read", Witness: "stress"})
		return suite.Outcome{Ended: suite.Completed, Judged: map[string]int64{sumID: 1, "RQ-FIFO": 7}}
	}), right())
	if judged := results(events)["sequence/a"].Judged; len(judged) != 1 || judged[sumID] != 1 {
		t.Errorf("expected it to have judged %s once, saw %v", sumID, judged)
	}
	var found []string
	for _, e := range events {
		if e.Finding != nil {
			found = append(found, e.Finding.Fingerprint+" by "+e.Finding.Witness)
		}
	}
	if want := []string{sumID + " by sequence", sameID + "/read by sequence"}; !slices.Equal(found, want) {
		t.Errorf("expected findings %q, saw %q", want, found)
	}
	if _, err := suitetest.Decode(suitetest.Encode(events)); err != nil {
		t.Error(err)
	}
}

// TestRand: each choice depends on seed, check and number, and on nothing else.
func TestRand(t *testing.T) {
	draw := func(seed record.Seed, check string, i int) uint64 {
		k := suite.Task{Check: &suite.Check{Name: check}, Seed: seed}
		return k.Rand(i).Uint64()
	}
	if a, b := draw(1, "x", 2), draw(1, "x", 2); a != b {
		t.Errorf("the same choice is %x and %x", a, b)
	}
	seen := make(map[uint64]string)
	for seed := range record.Seed(3) {
		for _, check := range []string{"x", "y"} {
			for i := range 3 {
				who := fmt.Sprint(seed, check, i)
				if was := seen[draw(seed, check, i)]; was != "" {
					t.Errorf("%s draws what %s drew", who, was)
				}
				seen[draw(seed, check, i)] = who
			}
		}
	}
}

// TestPlans: who is judged by which checks. What is carried out elsewhere, and what
// fits no target of this profile, is not announced.
func TestPlans(t *testing.T) {
	s := doing(done, done, done, done)
	s.Checks[1].When = []spec.Condition{spec.If("full", spec.Overflows)}
	s.Checks[2].Plan = func(suite.Target) suite.Plan { return suite.Plan{Elsewhere: true} }
	s.Checks[3].Requirements = []string{"RQ-OVERFLOW"} // of another profile
	_, events := judge(t, suite.Options{}, s, right())
	for _, e := range events {
		if e.Event == suite.TargetEvent && !slices.Equal(e.Checks, []string{"sequence/a"}) {
			t.Errorf("expected sequence/a alone, saw %v", e.Checks)
		}
	}
	if list := results(events); len(list) != 1 {
		t.Errorf("expected a result of sequence/a alone, saw %d results", len(list))
	}
}

// TestShards: each check is in one shard, and all are.
func TestShards(t *testing.T) {
	var all []string
	for i := range 3 {
		_, events := judge(t, suite.Options{Shard: suite.Shard{I: i + 1, N: 3}}, doing(done, done, done, done), right())
		for name := range results(events) {
			all = append(all, name)
		}
		if h := events[0].Header; h.Shard != fmt.Sprintf("%d/3", i+1) {
			t.Errorf("shard %d of 3 is called %q", i+1, h.Shard)
		}
	}
	slices.Sort(all)
	if want := []string{"sequence/a", "sequence/b", "sequence/c", "sequence/d"}; !slices.Equal(all, want) {
		t.Errorf("expected %v, saw %v", want, all)
	}
}

// TestHeaderNotes holds that what the gate must know of a run stands in its header:
// known failures of the options and of the sources, and that it is strict.
func TestHeaderNotes(t *testing.T) {
	a, b := suite.Known{Fingerprint: "RQ-FIFO"}, suite.Known{Fingerprint: "RQ-LEN"}
	source := suite.Opened(doing(done), right())
	source.Known = []suite.Known{b}
	var h *suite.Header
	o := suite.Options{Seed: 7, Strict: true, Known: []suite.Known{a}, Select: "a$", Sink: func(e suite.Event) {
		if e.Header != nil {
			h = e.Header
		}
	}}
	if err := suite.Run(t.Context(), o, source); err != nil {
		t.Fatal(err)
	}
	if h == nil || !h.Strict || h.Seed != 7 || h.Select != "a$" || !slices.Equal(h.Known, []suite.Known{a, b}) || h.Budget != "3m0s" {
		t.Errorf("%+v", h)
	}
}

// TestAgain: a target that the command line can name is seen again by a command.
func TestAgain(t *testing.T) {
	find := func(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
		k.Find(record.Finding{Requirement: sumID})
		return suite.Outcome{Ended: suite.Completed}
	}
	for command, want := range map[string]string{"": "", "ref": "spindle check -run '^sequence/a$' -seed 0x9 ref"} {
		_, events := judgeTarget(t, suite.Options{Seed: 9}, doing(find), named{right(), command})
		for _, e := range events {
			if e.Finding == nil {
				continue
			}
			saw := ""
			for _, a := range e.Finding.Again {
				saw += a.Command
			}
			if saw != want || (len(e.Finding.Again) > 0) != (want != "") {
				t.Errorf("expected %q, saw %+v", want, e.Finding.Again)
			}
		}
	}
}

// named is a counter that the command line names.
type named struct {
	*counter
	command string
}

func (n named) Describe() suite.Description {
	d := n.counter.Describe()
	d.Command = n.command
	return d
}

// TestSelectIDs: one of several ids is enough to be chosen.
func TestSelectIDs(t *testing.T) {
	checks := []suite.Check{{Name: "a", Requirements: []string{"RQ-LOST"}}, {Name: "b", Requirements: []string{"RQ-LEN", "RQ-FIFO"}}, {Name: "c"}}
	for sel, want := range map[string]string{"RQ-LOST": "a", "RQ-LOST,RQ-FIFO": "ab", "RQ-LOST,RQ-FIFO & ^[bc]$": "b", "^a$ & ^b$": "", "^. & ^. & RQ-LEN": "b", "RQ-FIFO": "b", "^[bc]$": "bc", "": "abc"} {
		chosen, err := suite.Select(sel, checks)
		got := ""
		for _, c := range chosen {
			got += c.Name
		}
		if err != nil || got != want {
			t.Errorf("%q: expected %s, saw %s, %v", sel, want, got, err)
		}
	}
}
