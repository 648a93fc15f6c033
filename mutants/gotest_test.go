package mutants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// TestFellIn: what fell is what the events say, and a stream without an end is a
// crash. No wording of a test's output has a say.
func TestFellIn(t *testing.T) {
	quiet := []suite.Event{{Event: suite.HeaderEvent}}
	found := append(slices.Clone(quiet), suite.Event{Event: suite.FindingEvent, Finding: &record.Finding{Requirement: "RQ-TWICE"}})
	prose := "--- FAIL: TestX\n    x_test.go:7: RQ-LOST: expected 1, saw 2\npanic: RQ-LOST"
	for name, c := range map[string]struct {
		events     []suite.Event
		unfinished bool
		failed     bool
		fell, err  string
	}{
		"passes":                 {quiet, false, false, "", ""},
		"finds":                  {found, false, true, "RQ-TWICE", ""},
		"crashes":                {nil, true, true, "RQ-CRASH", ""},
		"finds and crashes":      {found, true, true, "RQ-TWICE RQ-CRASH", ""},
		"fails for no reason":    {quiet, false, true, "", "named no requirement"},
		"fails without events":   {nil, false, true, "", "named no requirement"},
		"passes without events":  {nil, false, false, "", "expected events of the tests, saw none"},
		"passes with a finding":  {found, false, false, "RQ-TWICE", "passed, though [RQ-TWICE] fell"},
		"passes without its end": {quiet, true, false, "RQ-CRASH", "passed, though [RQ-CRASH] fell"},
	} {
		res, err := fellIn(c.events, c.unfinished, output{text: prose, failed: c.failed})
		if got := strings.Join(res.fell, " "); got != c.fell || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: expected %q and error %q, saw %q and %v", name, c.fell, c.err, got, err)
		}
	}
}

// TestForgets: what a mutant has failed is neither kept nor tried on the next.
func TestForgets(t *testing.T) {
	tier.NotShort(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/m\ngo 1.26\n", "overlay.json": "{}",
		"m_test.go": "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { t.Fatal(\"kept: \" + os.Getenv(\"SPINDLE_KEPT\")) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := &subject{root: dir, dir: t.TempDir(), overlay: filepath.Join(dir, "overlay.json")}
	for events, want := range map[string]string{t.TempDir(): "kept: off\n", "": "kept: \n"} {
		out, err := s.goTest(t.Context(), time.Minute, events, "-run", "^TestX$", ".")
		if err != nil || !strings.Contains(out.text, want) {
			t.Errorf("events to %q: expected %q, saw %v: %s", events, want, err, out.text)
		}
	}
}

// TestLeavesNothing: a test that fails leaves nothing in the checkout, not even where
// rapid keeps how it failed.
func TestLeavesNothing(t *testing.T) {
	tier.NotShort(t)
	dir := t.TempDir()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rapid := ""
	for line := range strings.Lines(read("go.mod")) {
		if strings.Contains(line, "pgregory.net/rapid ") {
			rapid = line
		}
	}
	files := map[string]string{
		"go.mod":       "module example.org/m\ngo 1.26\nrequire (\n" + rapid + ")\n",
		"go.sum":       read("go.sum"),
		"overlay.json": "{}",
		"m_test.go": `package m

import (
	"testing"

	"pgregory.net/rapid"
)

func TestX(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { t.Fatal("no ", rapid.Int().Draw(t, "n")) })
}
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("RAPID_NOFAILFILE", "0") // whatever the caller has
	s := &subject{root: dir, dir: t.TempDir(), overlay: filepath.Join(dir, "overlay.json")}
	out, err := s.goTest(t.Context(), time.Minute, "", "-run", "^TestX$", ".")
	if err != nil || !out.failed || !strings.Contains(out.text, "[rapid] failed") {
		t.Fatalf("expected that rapid fails, saw failed %v, %v: %s", out.failed, err, out.text)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if _, own := files[e.Name()]; !own {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}
