package interleave_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestBesideDependency runs the tests of race_detector_test.go in a module whose
// programs call a dependency as well, which is not explored.
func TestBesideDependency(t *testing.T) {
	tier.OnlyFull(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("internal/racy/testdata/beside")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.OpenFile(filepath.Join(dir, "go.mod"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(mod, "\nreplace github.com/spindle-go/spindle => %s\n", root)
		mod.Close()
	}
	var sums []byte
	if err == nil {
		sums, err = os.ReadFile(filepath.Join(root, "go.sum"))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"internal/racy/program/*.go": "program", "internal/racy/detect/*.go": "internal/racy/detect", "race_detector_test.go": "."} {
		names, err := filepath.Glob(from)
		if err != nil || len(names) == 0 {
			t.Fatalf("expected files %s, saw none: %v", from, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.ReplaceAll(text, []byte("interleave/internal/racy/program"), []byte("interleave/beside/program"))
			to := filepath.Join(dir, to, filepath.Base(name))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "-count=1", "-run=^(TestAgainstRaceDetector|TestRightPrograms)$", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", tier.TierVar+"=full", tier.ShardVar+"=")
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Count(out, []byte("--- PASS")) != 2 {
		t.Errorf("%v\n%s", err, out)
		return
	}
	t.Logf("%s", out)
}
