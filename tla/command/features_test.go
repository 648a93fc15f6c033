package command

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/features"
)

// What is asked about is printed with how much was explored; nothing that did not end
// holds, and the exit code says so.
func TestFeatures(t *testing.T) {
	for _, c := range tier.Some(t, []struct {
		args      []string
		code      int
		want, not string
	}{
		{[]string{"-features", "stw", "-max-states", "50"}, 3,
			"inconclusive: exit 3; shipped: 0 of 1 explored to an end", " hold"},
		{[]string{"-pairs", "yield", "preempt"}, 0, "pass: exit 0; 1 of 1 pairs explored to an end with both acting, of which 1 hold; 0 with one P alone; 0 fall, 0 for no known reason", "falls"},
		{[]string{"-pairs", "yield", "preempt", "-shipped"}, 0, "WorkRescuer falls, 30; WorkQuiet falls, 31; 22 hold; both act: in ", "not ended"},
		{[]string{"-pairs", "yield", "preempt", "-max-states", "50"}, 3, "0 of 1 pairs explored to an end with both acting, of which 0 hold; 0 with one P alone; 0 fall, 0 for no known reason", "24 hold"},
		{[]string{"-pairs", "timer", "shrink", "inject", "-max-states", "40"}, 3, "0 of 3 pairs explored to an end with both acting, of which 0 hold; 0 with one P alone", "24 hold"},
		{[]string{"-pairs", "yield", "timer", "-max-states", "3000"}, 3, "0 of 1 pairs explored to an end with both acting, of which 0 hold; 1 with one P alone", "both act: in 0"},
		{[]string{"-features", "timer", "-max-states", "3000"}, 3, "shipped: 0 of 1 explored to an end", "1 of 1"},
		{[]string{"-features", "stw", "-timeout", "1ns"}, 3, " states (timeout) ", "interrupted"},
	}, 3) {
		code, out, errs := run(t.Context(), append([]string{"model"}, c.args...)...)
		if code != c.code || errs != "" || !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
			t.Errorf("%v: expected exit %d, %q and no %q, saw exit %d\n%s%s", c.args, c.code, c.want, c.not, code, out, errs)
		}
	}
	for args, want := range map[string]string{
		"-features sysmon":      `expected features that are asked about (yield `,
		"-features stw WorkLiv": `, or none, saw "WorkLiv"`,
		"-features stw stw":     `expected each feature once, saw "stw" twice`,
		"-pairs sysmon net":     `, or none, saw "sysmon"`,
		"-pairs timer":          `or none for all pairs, saw "timer" alone`,
		"-pairs timer timer":    `expected each feature once, saw "timer" twice`,
		"-pairs -shipped timer": `saw "timer" alone`,
		"-features -pairs stw":  `saw "stw" alone`,
	} {
		if code, out, errs := run(t.Context(), append([]string{"model"}, strings.Fields(args)...)...); code != 2 || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%v: expected exit 2 and %q, saw %d\n%s%s", args, want, code, out, errs)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if code, _, errs := run(ended, "model", "-features", "stw"); code != 130 || errs != "spindle model: interrupted; the results are partial\n" {
		t.Errorf("expected an interrupted run, saw %d, %s", code, errs)
	}
	for _, args := range [][]string{{"-shipped"}, {"-shipped", "-features"}, {"-features", "sched-mended"}, {"-features", "-set", "gate"}, {"-pairs", "-list"}, {"-pairs", "-max-states", "-1"}, {"-features", "-markdown", "stw"}} {
		if code, out, errs := run(t.Context(), append([]string{"model"}, args...)...); code != 2 || errs == "" {
			t.Errorf("%v: expected exit 2, saw %d\n%s%s", args, code, out, errs)
		}
	}
}

// The table of what falls without one mend counts as the others do: a cell that was not
// explored to its end is no answer, and what falls in it needs a reason.
func TestNeeds(t *testing.T) {
	reasons := features.Reasons
	t.Cleanup(func() { features.Reasons = reasons })
	for _, c := range tier.Some(t, []struct {
		name    string
		states  int
		reasons []features.Reason
		code    int
		sum     string
	}{
		{"all", 100_000, reasons, exit.Pass, "all mends but one: 9 of 9 explored to an end"},
		{"some", 86_800, reasons, exit.Inconclusive, "all mends but one: 1 of 9 explored to an end"},
		{"without a reason", 100_000, nil, exit.Fail, "all mends but one: 9 of 9 explored to an end"},
		{"without a reason, and not ended", 70_000, nil, exit.Fail, "all mends but one: 0 of 9 explored to an end"},
	}, 1) {
		features.Reasons = c.reasons
		a := &asking{ctx: t.Context(), out: io.Discard, names: []string{"yield"}, asker: features.Asker{Limits: features.Limits{Workers: 1, States: c.states}}}
		if err := a.needs(); err != nil || exit.Gravest(a.codes...) != c.code || !slices.Equal(a.sums, []string{c.sum}) {
			t.Errorf("%s: expected exit %d and %q, saw %d, %q, %v", c.name, c.code, c.sum, exit.Gravest(a.codes...), a.sums, err)
		}
	}
}
