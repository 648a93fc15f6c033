package command

import (
	"strings"
	"testing"
)

// A bug that nobody knows is told with the three that are near it, not with all.
func TestNearerBug(t *testing.T) {
	for name, want := range map[string]string{
		"MCSched:sched-mended+no_recheck_globs":       `spindle model: sched-mended+no_recheck_globs: unknown bug "no_recheck_globs"; near it: no_recheck_glob, no_recheck_timers, no_recheck; spindle model -list -mutants lists all`,
		"MCSched:sched-mended+no_recheck+no_reckeck":  `unknown bug "no_reckeck"; near it: no_recheck, `,
		"MCTwoLevel:twolevel-1p+leak_spim":            `unknown bug "leak_spim"; near it: leak_spin, `,
		"MCRunQueueCalls:runqueue-batches+put_fulled": `unknown bug "put_fulled"; near it: put_full, `,
	} {
		code, out, errs := run(t.Context(), "model", name)
		if code != 4 || out != "" || !strings.Contains(errs, want) || len(errs) > 250 {
			t.Errorf("%s: expected exit 4 and %q, saw %d\n%s%s", name, want, code, out, errs)
		}
	}
	fakeJava(t, "17", "exit 0")
	if code, out, _ := run(t.Context(), "tlc", "MCSched:sched-mended+no_recheck_globs"); code != 4 || !strings.Contains(out, `unknown bug "no_recheck_globs"; near it: no_recheck_glob, `) {
		t.Errorf("saw %d\n%s", code, out)
	}
}
