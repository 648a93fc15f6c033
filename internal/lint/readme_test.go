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

// TestReadme holds the README's queue against the one that a test runs in a
// module of its own, and its tables against the code.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	for file, from := range map[string]string{"queue.go": "type Queue struct", "queue_test.go": "func TestQueue"} {
		code, err := os.ReadFile(filepath.Join(root, "conformance/testdata/othermodule/right", file))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(code), from)
		if !strings.Contains(readme, "```go\n"+from+after+"```") {
			t.Errorf("README.md does not show the tested %s as it is", file)
		}
	}
	if !strings.Contains(readme, "```text\n"+exit.Help+"```") {
		t.Error("README.md does not show the exit codes as help does")
	}
	for _, p := range spec.Profiles() {
		if !strings.Contains(readme, "| `"+string(p)+"` |") {
			t.Errorf("README.md does not name the profile %s", p)
		}
	}
	for _, w := range spec.Witnesses() {
		if !strings.Contains(readme, "| "+string(w)+" |") {
			t.Errorf("README.md does not name the witness %s", w)
		}
	}
	for _, c := range checks.Subject.Checks {
		if strings.Contains(readme, "seen by "+c.Name) {
			return
		}
	}
	t.Error("README.md shows a failure that no check of that name can see")
}
