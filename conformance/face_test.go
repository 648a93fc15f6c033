package conformance_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestFace holds that go doc of this package fits on a small screen: 25 lines of 100
// columns.
func TestFace(t *testing.T) {
	out, err := exec.Command("go", "doc", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(lines) > 25 || !strings.Contains(string(out), "func TestQueue[") {
		t.Errorf("expected at most 25 lines, and TestQueue among them, saw %d:\n%s", len(lines), out)
	}
	for _, line := range lines {
		if width := len(strings.ReplaceAll(line, "\t", "        ")); width > 100 {
			t.Errorf("expected at most 100 columns, saw %d: %s", width, line)
		}
	}
	// What does not fit there is where it says.
	for name, says := range map[string][]string{
		"TestQueue":  {"What is run", "What is not seen", "-count=1"},
		"TestOption": {"SPINDLE_SEED", "SPINDLE_RUN", "SPINDLE_STRICT", "SPINDLE_UNEXPLORED", "SPINDLE_EVENTS", "SPINDLE_TEST_FILE"},
	} {
		out, err := exec.Command("go", "doc", ".", name).CombinedOutput()
		for _, want := range says {
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("go doc of %s: expected %q, saw %v\n%s", name, want, err, out)
			}
		}
	}
}
