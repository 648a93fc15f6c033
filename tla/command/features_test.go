package command

import (
	"strings"
	"testing"
)

// What is asked about is printed with how much was explored; nothing that did not end
// holds, and the exit code says so.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		args      []string
		code      int
		want, not string
	}{
		{[]string{"-features", "stw", "-max-states", "100"}, 3,
			"inconclusive: exit 3; shipped: 0 of 1 explored to an end", " hold"},
		{[]string{"-pairs", "yield", "preempt"}, 0, "pass: exit 0; 1 of 1 pairs explored to an end with both acting, of which 1 hold; 0 refused; 0 fall, 0 for no known reason", "falls"},
		{[]string{"-pairs", "yield", "preempt", "-shipped"}, 0, "WorkRescuer falls, 30; WorkQuiet falls, 31; 22 hold; both act: in ", "not ended"},
		{[]string{"-pairs", "yield", "preempt", "-max-states", "100"}, 3, "0 of 1 pairs explored to an end with both acting, of which 0 hold; 0 refused; 0 fall, 0 for no known reason", "24 hold"},
		{[]string{"-pairs", "timer", "shrink"}, 3, "0 of 1 pairs explored to an end with both acting, of which 0 hold; 1 refused", "24 hold"},
		{[]string{"-pairs", "timer"}, 3, "inconclusive: exit 3; 0 of 0 pairs", "24 hold"},
	} {
		code, out, errs := run(t.Context(), append([]string{"model"}, c.args...)...)
		if code != c.code || errs != "" || !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
			t.Errorf("%v: expected exit %d, %q and no %q, saw exit %d\n%s%s", c.args, c.code, c.want, c.not, code, out, errs)
		}
	}
	for _, args := range [][]string{{"-shipped"}, {"-shipped", "-features"}, {"-features", "sched-mended"}, {"-features", "-set", "gate"}, {"-pairs", "-list"}, {"-pairs", "-max-states", "-1"}, {"-features", "-markdown", "stw"}} {
		if code, out, errs := run(t.Context(), append([]string{"model"}, args...)...); code != 2 || errs == "" {
			t.Errorf("%v: expected exit 2, saw %d\n%s%s", args, code, out, errs)
		}
	}
}
