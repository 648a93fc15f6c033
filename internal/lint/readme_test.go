package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/spec"
)

// TestReadme holds the pages' tables against the code, and the failure that the README shows to a check that there is.
func TestReadme(t *testing.T) {
	page := func(name string) string {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	verdicts := page("docs/verdicts.md")
	if !strings.Contains(verdicts, "```text\n"+exit.Help+"```") {
		t.Error("docs/verdicts.md does not show the exit codes as help does")
	}
	for _, w := range spec.Witnesses() {
		if !strings.Contains(verdicts, "| "+string(w)+" |") {
			t.Errorf("docs/verdicts.md does not name the checker %s", w)
		}
	}
	for _, p := range spec.Profiles() {
		if !strings.Contains(page("docs/queue.md"), "| `"+string(p)+"` |") {
			t.Errorf("docs/queue.md does not name the profile %s", p)
		}
	}
	for _, c := range checks.Subject.Checks {
		if strings.Contains(page("README.md"), "seen by "+c.Name) {
			return
		}
	}
	t.Error("README.md shows a failure that no check of that name can see")
}
