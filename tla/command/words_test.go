package command

import (
	"path/filepath"
	"strings"
	"testing"
)

// "pass" is said of what was compared: neither what was measured or written passes, nor some
// runs in which nothing fell.
func TestPassIsForWhatWasCompared(t *testing.T) {
	const batchName, fallen = "runqueue-script-batch", "sched-probe-overflow"
	wrong := only(t, batch, "expect: holds, 58 generated, 35 distinct, depth 1", batchName)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"model " + fallen, 0, "pass: exit 0; 1 of 1 model ended, 0 differences,"},
		{"model -measure " + fallen, 0, "measured: exit 0; 1 of 1 model ended, nothing compared,"},
		{"model -measure -dir " + wrong + " " + batchName, 0, "measured: exit 0; 1 of 1 model ended, nothing compared,"},
		{"model -measure -max-states 3 " + batchName, 3, "inconclusive: exit 3; 0 of 1 model ended, nothing compared,"},
		{"model -update -dir " + wrong, 0, "written: exit 0; 1 of 1 model ended, 1 head changed, 0 differences not written,"},
		{"model -update -dir " + wrong, 0, "written: exit 0; 1 of 1 model ended, 0 heads changed, 0 differences not written,"},
		{"model -dir " + wrong + " " + batchName, 0, "pass: exit 0;"},
	} {
		code, out, errs := run(t.Context(), strings.Fields(c.args)...)
		if code != c.code || errs != "" || !strings.Contains(out, "\n"+c.want) {
			t.Errorf("spindle %s: expected exit %d and %q, saw %d\n%s%s", c.args, c.code, c.want, code, out, errs)
		}
	}
}

// Random runs in which nothing falls say nothing of the other ones.
func TestSimulationIsNoPass(t *testing.T) {
	lockTables(t)
	output, err := filepath.Abs("../tlc/testdata/output")
	if err != nil {
		t.Fatal(err)
	}
	fakeJava(t, "17", "cat "+output+"/simok.txt")
	for args, runs := range map[string]string{"lock": "20 runs", "lock+no_lock": "20 runs", "-workers 2 lock3": "20 runs of each of 2 workers", "-depth 1 lock": "20 runs of at most 1 state;"} {
		code, out, errs := runTLC(t.Context(), append([]string{"-simulate", "20"}, strings.Fields(args)...)...)
		if code != 3 || errs != "" || !strings.Contains(out, "open  lock") || !strings.Contains(out, "      nothing fell in "+runs) ||
			!strings.Contains(out, "; that is no proof\n") || !strings.Contains(out, "inconclusive: exit 3; 0 of 1 model ended, 0 differences, 0 without a verdict, 1 without an end;") {
			t.Errorf("spindle tlc -simulate 20 %s: expected exit 3 and %q, saw %d\n%s%s", args, runs, code, out, errs)
		}
	}
}
