package mutants

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants/operators"
)

// TestExecuted: a test is one of a function's if it executes a line of it, whatever
// other functions, files and packages it executes.
func TestExecuted(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "profile")
	text := `mode: set
example.org/m/p/a.go:3.10,5.2 1 1
example.org/m/p/a.go:9.10,12.2 2 0
example.org/m/p/b.go:20.5,22.3 1 1
example.org/m/q/a.go:9.10,12.2 2 1
`
	if err := os.WriteFile(profile, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	lines, err := executed(profile, "example.org/m/p")
	if err != nil {
		t.Fatal(err)
	}
	one := []reached{{name: "TestX", lines: lines}, {name: "TestY"}}
	for _, c := range []struct {
		file     string
		from, to int
		want     int
	}{
		{"a.go", 1, 4, 1}, {"a.go", 5, 8, 1}, {"a.go", 6, 8, 0}, {"a.go", 9, 12, 0}, {"a.go", 20, 22, 0}, {"b.go", 1, 100, 1}, {"c.go", 1, 100, 0},
	} {
		if got := of(one, operators.Span{File: c.file, From: c.from, To: c.to}); len(got) != c.want {
			t.Errorf("%+v: expected %d tests, saw %v", c, c.want, got)
		}
	}
	if _, err := executed(filepath.Join(t.TempDir(), "none"), "p"); err == nil {
		t.Error("a profile that is not there: expected an error, saw none")
	}
}

// TestDraw: a seed draws the same mutants, another seed others, and the numbers of two
// packages differ.
func TestDraw(t *testing.T) {
	tier.NotShort(t)
	list := []Checker{{Package: "./internal/exit"}, {Package: "./internal/printable"}}
	draw := func(seed string) (ids []string) {
		o := CheckerOptions{Root: "..", Sample: 20, Seed: seed, Progress: func(string) {}}
		results, made, err := o.draw(list)
		if err != nil {
			t.Fatal(err)
		}
		numbers := make(map[int]bool)
		for i, d := range made {
			if results[i].Places < 20 || len(d.Mutants()) == 0 {
				t.Errorf("%s: expected some of at least 20 mutants, saw %d of %d", results[i].Package, len(d.Mutants()), results[i].Places)
			}
			for _, m := range d.Mutants() {
				ids, numbers[m.Number] = append(ids, m.ID), true
			}
		}
		if len(ids) != 20 || len(numbers) != 20 {
			t.Errorf("expected 20 mutants with 20 numbers, saw %d with %d", len(ids), len(numbers))
		}
		return ids
	}
	if a, again, b := draw("a"), draw("a"), draw("b"); !slices.Equal(a, again) || slices.Equal(a, b) {
		t.Errorf("expected the same mutants of one seed and others of another, saw %v, %v, %v", a, again, b)
	}
}

// TestCheckers: the tests of a package kill mutants of it, by a test that is named, and
// an id alone is run again with the same end; one that is none is an error.
func TestCheckers(t *testing.T) {
	tier.OnlyFull(t) // it builds four test binaries
	o := CheckerOptions{Root: "..", Sample: 15, Seed: "a", list: []Checker{{Package: "./internal/printable", Tests: []string{"./internal/printable"}}}}
	results, err := RunCheckers(t.Context(), o)
	if err != nil || len(results) != 1 || len(results[0].Results) != 15 || !results[0].Ended {
		t.Fatalf("expected 15 results, saw %v, %+v", err, results)
	}
	r := results[0]
	if r.Count(Killed) < 5 {
		t.Errorf("expected at least 5 of 15 killed, saw %d: %+v", r.Count(Killed), r.Results)
	}
	i := slices.IndexFunc(r.Results, func(row CheckerRow) bool { return row.Verdict == Killed })
	if i < 0 || r.Results[i].By == "" || r.Results[i].By == "./internal/printable" {
		t.Fatalf("expected a mutant killed by a test that has a name, saw %+v", r.Results)
	}
	o.IDs = []string{r.Results[i].ID}
	again, err := RunCheckers(t.Context(), o)
	if err != nil || len(again) != 1 || len(again[0].Results) != 1 || again[0].Results[0].Verdict != Killed {
		t.Errorf("%s again: expected it killed, saw %v, %+v", o.IDs[0], err, again)
	}
	for _, o := range []CheckerOptions{{Packages: []string{"./none"}}, {Sample: -1}, {IDs: []string{"none"}, list: o.list, Root: ".."}} {
		if _, err := RunCheckers(t.Context(), o); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: expected ErrUsage, saw %v", o, err)
		}
	}
}
