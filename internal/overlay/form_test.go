package overlay

import (
	"errors"
	"strings"
	"testing"
)

// small stands in for proc.go.
const small = `package runtime

func f(x int) {
	if g(x) > 0 { // one
		h()
	}
	y := g(2)
	for range y {
		h()
	}
}
`

func TestInsertRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		edit Insertion
		want string
	}{
		{"no function", Insertion{At: Place{Func: "F", Kind: "Expr", Calls: "h", Nth: 1, Of: 2}}, "proc.go: function F: expected it, saw none"},
		{"one too few", Insertion{At: Place{Func: "f", Kind: "Expr", Calls: "h", Nth: 1, Of: 3}}, "function f: expected 3 Expr statements that calls h, saw 2"},
		{"one too many", Insertion{At: Place{Func: "f", Kind: "Expr", Calls: "h", Nth: 1, Of: 1}}, "expected 1 Expr statements that calls h, saw 2"},
		{"another kind", Insertion{At: Place{Func: "f", Kind: "Expr", Calls: "g", Nth: 1, Of: 1}}, "saw 0"},
		{"only within", Insertion{At: Place{Func: "f", Kind: "If", Calls: "h", Nth: 1, Of: 1}}, "saw 0"},
		{"another variable", Insertion{At: Place{Func: "f", Kind: "Assign", Names: "x", Nth: 1, Of: 1}}, "Assign statements that assigns x, saw 0"},
		{"does not parse", Insertion{At: Place{Func: "f", Kind: "Range", Within: "h", Nth: 1, Of: 1}, Before: "if {"}, "does not parse"},
	} {
		if _, err := Insert("proc.go", []byte(small), c.edit); !errors.Is(err, ErrForm) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: expected %q, saw %v", c.name, c.want, err)
		}
	}
}

func TestInsert(t *testing.T) {
	got, err := Insert("proc.go", []byte(small), []Insertion{
		{At: Place{Func: "f", Kind: "Expr", Calls: "h", Nth: 2, Of: 2}, Before: "a()", After: "b()"},
		{At: Place{Func: "f", Kind: "If", Calls: "g", Nth: 1, Of: 1}, Before: "c()"},
		{At: Place{Func: "f", Kind: "If", Within: "h", Nth: 1, Of: 1}, After: "d()"},
		{At: Place{Func: "f", Kind: "Expr", Calls: "h", Nth: 1, Of: 2}, Before: "if mend { e()", Orelse: true},
		{At: Place{Func: "f", Kind: "Assign", Names: "y", Nth: 1, Of: 1}, After: "i()"},
		{At: Place{Func: "f"}, Before: "j()"},
	}...)
	want := strings.NewReplacer("func f(x int) {", "func f(x int) { j();", "if g", "c(); if g", "one\n\t\th()", "one\n\t\tif mend { e() } else { h(); }; ", "\t}\n\ty := g(2)", "\t}; d()\n\ty := g(2); i()",
		"y {\n\t\th()", "y {\n\t\ta(); h(); b()").Replace(small)
	if err != nil || strings.ReplaceAll(string(got), "; ; ", "; ") != strings.ReplaceAll(want, "; ; ", "; ") {
		t.Errorf("expected\n%s\nsaw\n%s\n%v", want, got, err)
	}
}
