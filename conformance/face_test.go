package conformance_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestFace holds that what does not fit on the screen of go doc (internal/lint) is where
// it says.
func TestFace(t *testing.T) {
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
