package operators

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
)

const fixtureFile = "mutants/operators/testdata/fixture/fixture.go"

// TestWritten: mutants by hand lie beside one another in a source that compiles, each
// with its number, one of two functions too.
func TestWritten(t *testing.T) {
	d, err := WrittenIn("testdata/fixture", []Written{
		{"A", 5, []overlay.Edit{{File: fixtureFile, Func: "minus", Old: "a - b", New: "b - a"}}},
		{"B", 9, []overlay.Edit{
			{File: fixtureFile, Func: "Ring.Publish", Old: "\tr.tail.Add(1)", New: "\tr.tail.Add(2)"},
			{File: fixtureFile, Func: "(*Ring).Publish", Old: "= r.n+1", New: "= r.n+2"},
			{File: fixtureFile, Func: "Ring.Twice", Old: "h < t", New: "h <= t"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := string(d.Source()[fixtureFile])
	for _, want := range []string{"func zzminus_5(", "b - a", "case 5: return zzminus_5(", "zzPublish_9(", "r.tail.Add(2)", "r.n+2", "zzTwice_9("} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %q in the source, saw none", want)
		}
	}
	set, err := overlay.New("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Put(fixtureFile, []byte(text)); err != nil {
		t.Fatal(err)
	}
	at, err := set.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay="+at, "-o", filepath.Join(t.TempDir(), "x"), "./testdata/fixture").CombinedOutput(); err != nil {
		t.Errorf("go build: %v: %.1000s", err, out)
	}
	spans := d.Lines()
	if s := spans[5]; s.File != "fixture.go" || s.From > s.To || s.From == 0 {
		t.Errorf("expected the lines of minus, saw %+v", s)
	}
}

// TestWrittenErrors: what does not fit or does not compile is an error that names the id.
func TestWrittenErrors(t *testing.T) {
	for name, c := range map[string]struct {
		edit overlay.Edit
		want string
	}{
		"text":      {overlay.Edit{File: fixtureFile, Func: "minus", Old: "a * b", New: "b"}, "expected 1 occurrence"},
		"twice":     {overlay.Edit{File: fixtureFile, Func: "minus", Old: "a", New: "b"}, "expected 1 occurrence"},
		"no text":   {overlay.Edit{File: fixtureFile, Func: "minus"}, "expected 1 occurrence"},
		"function":  {overlay.Edit{File: fixtureFile, Func: "none", Old: "a", New: "b"}, "expected a function none"},
		"file":      {overlay.Edit{File: "a/b.go", Func: "minus", Old: "a - b", New: "b"}, "expected a function minus in a/b.go"},
		"type":      {overlay.Edit{File: fixtureFile, Func: "minus", Old: "a - b", New: `"a"`}, "type-checks"},
		"its name":  {overlay.Edit{File: fixtureFile, Func: "minus", Old: "func minus", New: "func plus"}, "behind the name"},
		"no syntax": {overlay.Edit{File: fixtureFile, Func: "minus", Old: "a - b", New: "a - ("}, "fixture.go"},
	} {
		if _, err := WrittenIn("testdata/fixture", []Written{{"X", 1, []overlay.Edit{c.edit}}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: expected an error with %q, saw %v", name, c.want, err)
		}
	}
}
