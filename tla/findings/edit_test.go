package findings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
)

func toolchain(t *testing.T) *goruntime.Toolchain {
	t.Helper()
	tc, err := goruntime.Find("")
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

// procText is the proc.go at hand, of a toolchain that the findings are about.
func procText(t *testing.T) []byte {
	t.Helper()
	tc := toolchain(t)
	for i := range All {
		if err := All[i].Refused(tc.GOROOT); errors.Is(err, ErrRefused) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(tc.GOROOT, procFile))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestApply makes the edits of each finding: they fit, each inserts what it says, and
// what was there stays in its order and on its lines.
func TestApply(t *testing.T) {
	text := procText(t)
	for _, f := range All {
		got, err := overlay.Insert("proc.go", text, f.edits...)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if was, is := strings.Count(string(text), "\n"), strings.Count(string(got), "\n"); was != is {
			t.Errorf("%s: expected %d lines, saw %d", f.Name, was, is)
		}
		rest := string(got)
		for _, e := range f.edits {
			if e.Before == "" && e.After == "" {
				t.Errorf("%s: an edit of %s inserts nothing", f.Name, e.At.Func)
			}
			for _, s := range []string{e.Before, e.After} {
				if !strings.Contains(rest, s) {
					t.Errorf("%s: %q was not inserted", f.Name, s)
				}
			}
			if !rests(&f, e.At.Func) {
				t.Errorf("%s edits %s and does not say that it rests on it", f.Name, e.At.Func)
			}
		}
	}
}

// rests reports whether f says that it rests on a function.
func rests(f *Finding, name string) bool { return slices.Contains(f.Functions, name) }

// damaged are runtimes that the findings are not about.
var damaged = []struct{ name, function, old, new string }{
	{"a call is gone", "wakep", "pidlegetSpinning(0)", "pidlegetOther(0)"},
	{"the function has another name", "wakep", "func wakep()", "func wakeup()"},
}

// TestDamaged: where a place is not what it was the edits do not go elsewhere.
func TestDamaged(t *testing.T) {
	text := procText(t)
	for _, d := range damaged {
		if _, err := overlay.Insert("proc.go", damage(t, text, d.old, d.new), wakepEdits...); !errors.Is(err, overlay.ErrForm) || !strings.Contains(err.Error(), "function "+d.function+": expected") {
			t.Errorf("%s: expected an error of %s, saw %v", d.name, d.function, err)
		}
	}
}

// damage changes wakep.
func damage(t *testing.T, text []byte, old, new string) []byte {
	t.Helper()
	before, after, ok := strings.Cut(string(text), "\nfunc wakep()")
	if !ok || !strings.Contains("func wakep()"+after, old) {
		t.Fatalf("wakep has no %s", old)
	}
	return []byte(before + "\n" + strings.Replace("func wakep()"+after, old, new, 1))
}

// TestRefused: a toolchain with another wakep is refused by its name, for the findings
// that rest on it and for no other; one with another comment is not.
func TestRefused(t *testing.T) {
	tier.OnlyFull(t)
	text := procText(t)
	root := copyRoot(t)
	at := filepath.Join(root, procFile)
	for _, c := range []struct {
		name    string
		text    []byte
		refused bool
	}{
		{"as it is", text, false},
		{"a comment", damage(t, text, "func wakep() {", "func wakep() { // and so on"), false},
		{"a call", damage(t, text, damaged[0].old, damaged[0].new), true},
		{"a name", damage(t, text, damaged[1].old, damaged[1].new), true},
	} {
		if err := os.WriteFile(at, c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, f := range All {
			err := f.Refused(root)
			switch {
			case c.refused && rests(&f, "wakep"):
				if !errors.Is(err, ErrRefused) || !strings.HasSuffix(err.Error(), ": wakep") {
					t.Errorf("%s: %s: expected it to be refused by the name of wakep alone, saw %v", c.name, f.Name, err)
				}
			case err != nil:
				t.Errorf("%s: %s: %v", c.name, f.Name, err)
			}
		}
	}
}

// copyRoot copies what of GOROOT is read for a comparison.
func copyRoot(t *testing.T) string {
	t.Helper()
	from, root := toolchain(t).GOROOT, t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, "src/runtime/*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "src/runtime"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, filepath.Join(from, "VERSION")) {
		rel, err := filepath.Rel(from, f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, rel), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestFunctions: the comparison knows each function that a finding rests on, and gives
// no name twice.
func TestFunctions(t *testing.T) {
	for _, f := range All {
		if len(f.Functions) == 0 || len(f.edits) == 0 {
			t.Errorf("%s rests on nothing", f.Name)
		}
		if err := f.Refused(toolchain(t).GOROOT); err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestBuildAndRun builds all programs of a finding and runs each for a moment: the gates
// must have been passed, and where the flaw must be seen it is.
func TestBuildAndRun(t *testing.T) {
	if err := Supported(); err != nil {
		t.Skip(err)
	}
	procText(t)
	tier.OnlyFull(t)
	b, err := NewBench(toolchain(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, f := range tier.Some(t, All, 1) {
		for i, v := range f.Variants {
			r, err := b.Run(t.Context(), &f, i, seconds(3), func(string) {})
			if err != nil {
				t.Errorf("%s, %s: %v", f.Name, v.Name, err)
				continue
			}
			// A busy machine may make an M late, but not always.
			if r.Tries == 0 || v.Expect == Shown && r.Shown == 0 || v.Expect == Never && 2*r.Shown >= r.Tries {
				t.Errorf("%s, %s: %d of %d tries, %d missed; to see it again: spindle findings -d 9s %s", f.Name, v.Name, r.Shown, r.Tries, r.Missed, f.Name)
			}
		}
	}
}
