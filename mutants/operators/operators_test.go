package operators

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// fixture is the package of testdata that has each construct once.
var fixture = sync.OnceValues(func() (*Design, error) { return Generate("testdata/fixture", nil) })

func mustFixture(t *testing.T) *Design {
	t.Helper()
	d, err := fixture()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGolden holds the whole list of the fixture's mutants.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, m := range mustFixture(t).Mutants() {
		fmt.Fprintf(&b, "%d %s:%d %s\n\t- %s\n\t+ %s\n", m.Number, m.File, m.Line, m.ID, m.Old, m.New)
	}
	const name = "testdata/fixture.golden"
	if tier.Update() {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() == string(want) {
		return
	}
	is, was := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(is), len(was)) {
		if is[i] != was[i] {
			t.Fatalf("line %d: expected %q, saw %q; SPINDLE_UPDATE=1 writes %s", i+1, was[i], is[i], name)
		}
	}
	t.Fatalf("expected %d lines, saw %d; SPINDLE_UPDATE=1 writes %s", len(was), len(is), name)
}

// TestDesigns holds what is true of the mutants of each present design: names of
// their own, a change that is told, the same again the next time, and lines that
// keep their numbers.
func TestDesigns(t *testing.T) {
	tier.OnlyFull(t)
	for _, d := range []struct {
		dir   string
		files []string
	}{
		{"../../conformance/designs", []string{"deque.go"}},
		{"../../conformance/designs", []string{"locked.go"}},
		{"../../conformance/designs", []string{"twophase.go"}},
		{"../../impl/runq", nil},
		{"testdata/fixture", nil},
	} {
		begin := time.Now()
		design, err := Generate(d.dir, d.files)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		again, err := Generate(d.dir, d.files)
		if err != nil {
			t.Fatal(err)
		}
		ms := design.Mutants()
		if !reflect.DeepEqual(ms, again.Mutants()) {
			t.Errorf("%s %v: expected the same mutants twice", d.dir, d.files)
		}
		by, ids := make(map[string]int), make(map[string]bool)
		for i, m := range ms {
			by[m.Operator]++
			if m.Number != i+1 || ids[m.ID] || m.Old == m.New || strings.Contains(m.Old+m.New, "\n") {
				t.Errorf("%s: expected a number and an id of its own and a change on one line, saw %+v", d.dir, m)
			}
			ids[m.ID] = true
		}
		var counts []string
		for _, o := range Operators() {
			if by[o.Name] > 0 {
				counts = append(counts, fmt.Sprintf("%s %d", o.Name, by[o.Name]))
			}
		}
		t.Logf("%s %v: %d mutants in %v: %s", d.dir, d.files, len(ms), took.Round(time.Millisecond), strings.Join(counts, ", "))
		for _, file := range design.files {
			keepsLines(t, string(file.text), string(design.Source()[file.path]), file.path)
		}
	}
}

// keepsLines holds that a text with mutants begins with the text as it was, but
// for the first line of the package and of each function.
func keepsLines(t *testing.T, was, is, name string) {
	t.Helper()
	if is == "" {
		return
	}
	after := strings.Split(is, "\n")
	for i, line := range strings.Split(strings.TrimRight(was, "\n"), "\n") {
		if after[i] != line && !strings.HasPrefix(line, "func ") && !strings.HasPrefix(line, "package ") {
			t.Fatalf("%s:%d: expected %q, saw %q", name, i+1, line, after[i])
		}
	}
}

// TestOperators shows of each operator what it makes of a function.
func TestOperators(t *testing.T) {
	shown := make(map[string]bool)
	for _, c := range shows {
		shown[c.operator] = true
		var saw []string
		found := false
		for _, m := range mustFixture(t).Mutants() {
			if m.Operator != c.operator || m.Func != c.fn {
				continue
			}
			saw = append(saw, m.Old+" => "+m.New)
			found = found || m.Old == c.old && m.New == c.new
		}
		if !found {
			t.Errorf("%s of %s: expected %s => %s, saw\n%s", c.operator, c.fn, c.old, c.new, strings.Join(saw, "\n"))
		}
	}
	for _, o := range Operators() {
		if !shown[o.Name] {
			t.Errorf("%s: expected a case that shows it, saw none of %v", o.Name, slices.Sorted(maps.Keys(shown)))
		}
		if o.Doc == "" {
			t.Errorf("%s: expected a sentence about it, saw none", o.Name)
		}
	}
}

// TestErrors holds that a wrong question has an answer that says what is there.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		dir   string
		files []string
		want  string
	}{
		{"testdata/fixture", []string{"none.go"}, `expected one of the files [fixture.go], saw "none.go"`},
		{"testdata", nil, "go list in testdata"},
		{"nowhere", nil, "go list in nowhere"},
	} {
		if _, err := Generate(c.dir, c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: expected an error with %q, saw %v", c.dir, c.files, c.want, err)
		}
	}
}
