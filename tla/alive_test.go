package tla

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/tla/tlc"
)

func TestAlive(t *testing.T) {
	was := onlyWith
	t.Cleanup(func() { onlyWith = was })
	onlyWith = map[string]string{"Sched!Late": "late"}
	run := func(outcome tlc.Outcome, steps ...tlc.Coverage) *tlc.Result {
		return &tlc.Result{Outcome: outcome, Coverage: steps}
	}
	late, lost := tlc.Coverage{Module: "SchedWake", Action: "Late"}, tlc.Coverage{Module: "SchedWake", Action: "Lost"}
	found := lost
	found.Stepped = 1
	for _, c := range []struct {
		name string
		runs []*tlc.Result
		want string
	}{
		{"nothing was counted", nil, ""},
		{"one of a bug alone", []*tlc.Result{run(tlc.Holds, late)}, ""},
		{"a dead one", []*tlc.Result{run(tlc.Holds, late, lost)}, "expected Sched!Lost to happen in some model"},
		{"it happens in another model", []*tlc.Result{run(tlc.Holds, late, lost), run(tlc.Holds, found)}, ""},
		{"it happens in one that was not finished", []*tlc.Result{run(tlc.Holds, late, lost), run(tlc.Violated, found)}, "expected Sched!Lost"},
		{"the list names what is no action", []*tlc.Result{run(tlc.Holds, found)}, "expected Sched!Late, which is in onlyWith, to be an action"},
	} {
		var a Alive
		for _, r := range c.runs {
			a.Add(r)
		}
		got := strings.Join(a.Dead(), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: expected %q, saw %q", c.name, c.want, got)
		}
	}
}
