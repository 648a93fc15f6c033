package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The modules of a model with fixes and bugs are written with the edits made.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	code, out, errs := run(t.Context(), "tlc", "-write", dir, "sched-mended+reset_twice")
	if code != 0 || !strings.Contains(out, "MCSched.cfg in ") {
		t.Fatalf("saw %d\n%s%s", code, out, errs)
	}
	for name, want := range map[string]string{
		"SchedFind.tla":  "!.nmspinning = @ - 2",
		"SchedState.tla": `ASSUME Fixes = {"undo_first", `,
		"MCSched.cfg":    `Bugs = {"reset_twice"}`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: expected %q, saw %v\n%s", name, want, err, text)
		}
	}
	if code, _, errs := run(t.Context(), "tlc", "-write", dir, "sched-mended"); code != 2 || !strings.Contains(errs, "exists") {
		t.Errorf("a folder that has them: saw %d, %s", code, errs)
	}
	if code, _, errs := run(t.Context(), "tlc", "-write", dir, "-set", "gate"); code != 2 || !strings.Contains(errs, "writes one model, saw ") {
		t.Errorf("many models: saw %d, %s", code, errs)
	}
}
