package main

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// A scheduler is judged by name; the wrong one fails, with the graph and the command that shows it again.
func TestCheckSchedulers(t *testing.T) {
	t.Attr("req", "SC-TOGETHER")
	tier.OnlyFull(t)
	for _, c := range tier.Some(t, []struct {
		args  []string
		code  int
		shows []string
	}{
		{[]string{"check", "-v", "-run", "^stress/(meet|close)$", "sched"}, 0, []string{"profile cooperative,", "SC-TOGETHER       MUST   passed"}},
		{[]string{"check", "-run", "^stress/meet$", "go-sched"}, 0, []string{"profile preemptive", "partial: exit 0"}},
		{[]string{"check", "-run", "^stress/meet$", "control-sched"}, 1, []string{"broken SC-TOGETHER, seen by stress/meet", "graph: meet on", "spindle check -run '^stress/meet$' -seed 0x"}},
		{[]string{"check", "-run", "^stress/close$", "-contract", "pool,closes=alone", "control-sched"}, 3, []string{"nothing ran"}},
		{[]string{"check", "-contract", "fifo", "sched"}, 2, []string{"target sched is a scheduler"}},
		{[]string{"check", "-contract", "pool", "ref"}, 2, []string{"saw \"pool\", which is a scheduler's"}},
		{[]string{"contract", "pool,fair=yield"}, 0, []string{"fair=yield", "FA-YIELD"}},
		{[]string{"requirements", "SC-STEAL"}, 0, []string{"stress/graphs, stress/meet, stress/deep, stress/join, interleave/graphs", "pool, cooperative, preemptive"}},
	}, 2) {
		code, out, errs := runSpindle(t.Context(), c.args...)
		for _, want := range c.shows {
			if !strings.Contains(out+errs, want) {
				t.Errorf("%v: expected %q in\n%s%s", c.args, want, out, errs)
			}
		}
		if code != c.code {
			t.Errorf("%v: expected exit %d, saw %d\n%s%s", c.args, c.code, code, out, errs)
		}
	}
}
