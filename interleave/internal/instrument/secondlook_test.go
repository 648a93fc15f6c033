package instrument

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecondLook puts lines of the original back into what a file became, one at a
// time: each that had an operation is found. What only says something of code that
// is not seen is none.
func TestSecondLook(t *testing.T) {
	t.Parallel()
	original, err := os.ReadFile("testdata/operations.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, map[string]string{"p.go": string(original), "p_test.go": uses("p")})
	r := Request{Dir: dir, Env: environment(), Package: "example.com/m", Temp: t.TempDir()}
	sets, err := newSources(r)
	if err != nil {
		t.Fatal(err)
	}
	before, err := sets.write(filepath.Join(r.Temp, "before"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := list(t.Context(), r, before)
	if err != nil {
		t.Fatal(err)
	}
	chosen, _, err := choose(all, r.Package, sets)
	if err != nil {
		t.Fatal(err)
	}
	b := &build{all: byPath(all), list: all, own: make(map[string]bool), sets: sets, next: 1, rewritten: map[string]bool{r.Package: true}}
	u, err := b.check(chosen[0])
	if err != nil {
		t.Fatal(err)
	}
	u.findShared()
	w := &walker{unit: u, file: u.files[0]}
	w.imports()
	for _, d := range w.ast.Decls {
		w.decl(d)
	}
	text := w.apply(w.text)
	if err := w.secondLook(text); err != nil {
		t.Fatal(err)
	}
	was, became := strings.SplitAfter(string(original), "\n"), strings.SplitAfter(string(text), "\n")
	found := 0
	for i := range was {
		rest := became[i]
		for _, unseen := range []string{"zzhook.Method(", "zzhook.Func(", "zzhook.Later("} {
			rest = strings.ReplaceAll(rest, unseen, "")
		}
		operation := strings.Contains(rest, "zzhook.") || strings.Contains(rest, "At(")
		if was[i] == became[i] || !operation {
			continue
		}
		back := strings.Join(became[:i], "") + was[i] + strings.Join(became[i+1:], "")
		if _, err := parser.ParseFile(token.NewFileSet(), "", back, 0); err != nil {
			continue // half of a statement of several lines
		}
		found++
		if err := w.secondLook([]byte(back)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("p.go:%d: ", i+1)) {
			t.Errorf("line %d as it was, %q, expected an error that names it; observed %v", i+1, strings.TrimSpace(was[i]), err)
		}
	}
	if found < 50 {
		t.Errorf("only %d lines with operations", found)
	}
	if err := w.secondLook([]byte("package p\nfunc")); err == nil {
		t.Error("a text that does not parse is let pass")
	}
}
