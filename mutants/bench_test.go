package mutants

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBenchKillsByTestsAlone: a test binary that cannot be started, or that has no such test, has killed nothing. One that fails a
// test has, and so has one that ends in a panic, even before its first test.
func TestBenchKillsByTestsAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/m\ngo 1.26\n",
		"m_test.go": `package m

import (
	"os"
	"testing"
)

func init() {
	if os.Getenv("SPINDLE_INTERNAL_MUTANT") == "3" {
		panic("before the first test")
	}
}

func TestX(t *testing.T) {
	if os.Getenv("SPINDLE_INTERNAL_MUTANT") == "1" {
		t.Error("DN-STOP: it fails")
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-c", "-o", "m.test", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := newBench(t.Context(), dir, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b.binaries["."] = filepath.Join(dir, "m.test")
	b.binaries["./gone"] = filepath.Join(dir, "gone.test")
	if err := os.Mkdir(filepath.Join(dir, "gone"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, pkg, tests string
		number           int
		failed           bool
		err              string
	}{
		{"it passes", ".", "^TestX$", 0, false, ""},
		{"it fails", ".", "^TestX$", 1, true, ""},
		{"it panics early", ".", "^TestX$", 3, true, ""},
		{"no such test", ".", "^TestY$", 1, false, "expected tests, saw none"},
		{"no binary", "./gone", "^TestX$", 1, false, "gone"},
	} {
		out, err := b.run(t.Context(), c.pkg, c.number, c.tests, time.Minute)
		if c.err == "" && (err != nil || out.failed != c.failed) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: expected failed %v and an error with %q, saw %v, %v: %s", c.what, c.failed, c.err, out.failed, err, out.text)
		}
		if c.number == 1 && c.failed {
			if named, _ := fallen(out.tests); len(named) != 1 || named[0] != "DN-STOP" {
				t.Errorf("%s: expected that DN-STOP is named, saw %v", c.what, named)
			}
		}
	}
}
