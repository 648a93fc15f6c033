package checks

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// dropsLate is a pool that takes what is submitted after Close has returned, and drops it.
type dropsLate struct {
	*wrongPool
	gone bool
	late *atomic.Int32 // how often that came
}

func (q *dropsLate) Close() error {
	err := q.wrongPool.Close()
	q.gone = true
	return err
}

func (q *dropsLate) Submit(task func(scheduler.Task)) error {
	if q.gone {
		q.late.Add(1)
		return nil
	}
	return q.wrongPool.Submit(task)
}

// TestAfterClose: where the contract does not say what a submission after Close comes to, there is none, and nobody waits for it.
func TestAfterClose(t *testing.T) {
	t.Attr("req", "SC-LOST")
	for profile, want := range map[spec.Profile][]string{"pool": {"SC-CLOSED", "SC-LOST"}, "pool,closed=unsaid": nil} {
		var late atomic.Int32
		target, err := Instrumented("x", profile, func(workers int) scheduler.Scheduler {
			return &dropsLate{wrongPool: newWrongPool(workers, noBug), late: &late}
		}, harness.Part{Of: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []record.TaskGraph{
			{Name: "at once", Workers: 1, Outside: []string{"c s0"}, Tasks: []string{""}},
			{Name: "it is waited for", Workers: 1, Outside: []string{"s0 c s1 j1"}, Tasks: []string{"", ""}},
			{Name: "what it says is waited for", Workers: 1, Outside: []string{"c s0 w0"}, Tasks: []string{"a0"}},
		} {
			p, err := g.Program()
			if err != nil {
				t.Fatal(err)
			}
			run, err := target.Run(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			v := judge(run, factsOf(target).contract)
			x := exploring{t: target.(*inProcess), g: g}
			report, err := x.run(100)
			if err != nil {
				t.Fatal(err)
			}
			explored := []record.Finding(nil)
			if report.Failure != nil {
				explored = x.findings(report)
			}
			for how, list := range map[string][]record.Finding{"on threads": v.findings, "explored": explored} {
				var got []string
				for _, f := range list {
					got = append(got, f.Fingerprint)
				}
				slices.Sort(got)
				if !slices.Equal(got, want) || v.cut != (want != nil) {
					t.Errorf("%s, %s, %s: expected %v, saw %v, at a stop %v\n%s", profile, g.Name, how, want, got, v.cut, strings.Join(run.Lines(), "\n"))
				}
			}
		}
		if n := late.Load(); (n > 0) != (want != nil) {
			t.Errorf("%s: %d submissions came after Close", profile, n)
		}
	}
}

// TestNothingToRefuse: SC-REFUSED is not asked of a scheduler that has no submission which it might refuse, and of all others it is.
func TestNothingToRefuse(t *testing.T) {
	t.Attr("req", "SC-REFUSED")
	for profile, asked := range map[spec.Profile]bool{
		"pool": true, "pool,closed=unsaid": true, "pool,submits=outside,closes=alone": true,
		"pool,submits=any,closes=alone,closed=unsaid": true, "pool,submits=outside,closes=alone,closed=unsaid": false,
	} {
		target, err := InProcess("x", profile, wrong(noBug))
		if err != nil {
			t.Fatal(err)
		}
		if why := notOffered(target, "SC-REFUSED"); (why == "") != asked {
			t.Errorf("%s: expected that SC-REFUSED is asked: %t, saw %q", profile, asked, why)
		}
	}
}

// neverCloses is a scheduler that accepts all, always: its Close does nothing.
type neverCloses struct{ scheduler.Scheduler }

func (neverCloses) Close() error { return nil }

// TestNeverRefuses: where the contract lets a scheduler accept all, and it does, SC-REFUSED is not unknown for ever.
func TestNeverRefuses(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-REFUSED")
	rows, findings := carried(t, "pool,close=unsaid,closed=unsaid", func(workers int) scheduler.Scheduler { return neverCloses{newGoroutines(workers)} }, "^stress/graphs$")
	if r := rows["SC-REFUSED"]; len(findings) > 0 || r.Standing != suite.NotOffered && r.Standing != suite.Kept || r.Standing == suite.NotOffered && !strings.Contains(r.Reason, "no submission was refused") {
		t.Errorf("expected SC-REFUSED not offered, or kept if a submission was beside Close, saw %s %s, findings %v", r.Standing, r.Reason, findings)
	}
}

// TestNeedNotRefuse: nothing is absent unless the contract lets all be accepted, and submissions were.
func TestNeedNotRefuse(t *testing.T) {
	t.Attr("req", "SC-REFUSED")
	for _, c := range []struct {
		contract         string
		refused, accepts int64
		absent           bool
	}{
		{"pool,closed=unsaid", 0, 7, true},
		{"pool,closed=unsaid", 1, 7, false},
		{"pool,closed=unsaid", 0, 0, false},
		{"pool", 0, 7, false},
		{"pool,refuse=anytime,closed=unsaid", 0, 7, false},
	} {
		contract, err := spec.ParseSchedulerContract(c.contract)
		if err != nil {
			t.Fatal(err)
		}
		out := suite.Outcome{Judged: map[string]int64{"SC-REFUSED": c.refused, "SC-ACCEPT": c.accepts}}
		if needNotRefuse(&out, contract); (len(out.Absent) > 0) != c.absent {
			t.Errorf("%s, %d refused and %d accepted: expected that it is absent: %t, saw %v", c.contract, c.refused, c.accepts, c.absent, out.Absent)
		}
	}
}
