package command

import (
	"path/filepath"
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
		if code != 2 || out != "" || !strings.Contains(errs, want) || len(errs) > 250 {
			t.Errorf("%s: expected exit 2 and %q, saw %d\n%s%s", name, want, code, out, errs)
		}
	}
	// TLC would explore a module without the bug that it does not know.
	fakeJava(t, "17", "exit 0")
	for name, want := range map[string]string{
		"MCSched:sched-mended+no_recheck_globs": `unknown bug "no_recheck_globs"; near it: no_recheck_glob, `,
		"sched-mended+no_recheck_globs":         `unknown bug "no_recheck_globs"; near it: no_recheck_glob, `,
		"MCRunQueue:runqueue-cap4+put_fulled":   `unknown bug "put_fulled"; near it: put_full, `,
		"MCTwoLevel:twolevel-1p+leak_spim":      `unknown bug "leak_spim"; near it: leak_spin, `,
		"twolevel-1p+leak_spim+leak_spin":       `unknown bug "leak_spim"; near it: leak_spin, `,
		"runqueue-cap4+put_full+no_lock":        `runqueue-cap4+put_full+no_lock is in no table; spindle tlc MCRunQueue:runqueue-cap4+put_full+no_lock runs it`,
		"sched-mendet+no_recheck":               `unknown model "sched-mendet+no_recheck"; near it: sched-mended+no_recheck, `,
		"MCSched:sched-mendet+no_recheck":       `unknown model "MCSched:sched-mendet"; near it: sched-mended, `,
		"MCSched:sched-mendet":                  `unknown model "MCSched:sched-mendet"; near it: sched-mended, `,
		"MCShed:sched-mended+no_recheck":        `unknown bug "no_recheck": module MCShed has none`,
		"sched-mendet":                          `unknown model "sched-mendet"; near it: sched-mended, `,
	} {
		for _, command := range []string{"tlc", "model"} {
			code, out, errs := run(t.Context(), command, name)
			if want := strings.ReplaceAll(want, "tlc", command); code != 2 || out != "" || !strings.Contains(errs, want) {
				t.Errorf("%s %s: expected exit 2 and %q, saw %d\n%s%s", command, name, want, code, out, errs)
			}
		}
	}
	// A bug that stands in a module alone is known.
	dir := lockCopy(t, "lock", "SPEC", "SPEC")
	edit(t, filepath.Join(dir, "Lock.tla"), `Bug("no_lock")`, `Bug("hello")`)
	for bug, want := range map[string]int{"hello": 0, "helo": 2, "no_lock": 2} {
		if code, out, errs := run(t.Context(), "tlc", "-dir", dir, "-write", t.TempDir(), "Lock:lock+"+bug); code != want {
			t.Errorf("%s: expected exit %d, saw %d\n%s%s", bug, want, code, out, errs)
		}
	}
}
