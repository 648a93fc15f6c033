package command

import (
	"os"
	"strings"
	"testing"
)

// TestModelsInReadme holds the table in tla/README.md against the table of models.
// UPDATE=1 writes it.
func TestModelsInReadme(t *testing.T) {
	const file, begin, end = "../README.md", "<!-- models -->\n", "<!-- end of models -->"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no %q and %q", file, begin, end)
	}
	code, out, errs := run(t.Context(), "tlc", "-list", "-markdown")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if table == out {
		return
	}
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(before+begin+out+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s does not show what spindle tlc -list -markdown prints; UPDATE=1 go test ./tla/command -run ModelsInReadme writes it", file)
}
