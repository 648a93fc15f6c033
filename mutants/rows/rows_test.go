package rows

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
)

func TestParse(t *testing.T) {
	got, err := Parse(`# a comment

J-1 one is two
test ./a/b ^TestX$|^TestY$
must break RQ-LOST
in a/b/c.go T.F
- 	x = 1
- 	y = 1
+ 	x = 2
# a comment
- z
in a/b/d.go (*T).G
- q
+ 
+ r

J-22 nothing
test ./c .
in c/c.go F
- f()
`)
	want := []Row{
		{ID: "J-1", Title: "one is two", Package: "./a/b", Tests: "^TestX$|^TestY$", Requirement: "RQ-LOST", Edits: []overlay.Edit{
			{File: "a/b/c.go", Func: "T.F", Old: "\tx = 1\n\ty = 1", New: "\tx = 2"},
			{File: "a/b/c.go", Func: "T.F", Old: "z"},
			{File: "a/b/d.go", Func: "(*T).G", Old: "q", New: "\nr"},
		}},
		{ID: "J-22", Title: "nothing", Package: "./c", Tests: ".", Edits: []overlay.Edit{{File: "c/c.go", Func: "F", Old: "f()"}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseErrors(t *testing.T) {
	const whole = "J-1 t\ntest ./a ^TestX$\nin a/a.go F\n- x\n"
	for name, c := range map[string]struct{ text, want string }{
		"no id":             {"test ./a X\n", "line 1: expected an id such as J-1"},
		"no title":          {"J-1\ntest ./a X\nin a/a.go F\n- x\n", "J-1: expected a title"},
		"no tests":          {"J-1 t\nin a/a.go F\n- x\n", "J-1: expected a line \"test"},
		"no edit":           {"J-1 t\ntest ./a X\nin a/a.go F\n", "J-1: expected an edit"},
		"no edit, in front": {"J-1 t\ntest ./a X\n" + strings.ReplaceAll(whole, "J-1", "J-2"), "J-1: expected an edit"},
		"an edit nowhere":   {"J-1 t\ntest ./a X\n- x\n", "line 3: expected a line \"in FILE FUNCTION\""},
		"put in first":      {"J-1 t\ntest ./a X\nin a/a.go F\n+ x\n", "line 4: expected a text to take away first"},
		"twice":             {whole + whole, "an id that no other row has"},
		"no function":       {"J-1 t\ntest ./a X\nin a/a.go\n", "line 3: expected \"in FILE.go FUNCTION\""},
		"no package":        {"J-1 t\ntest a X\n", "line 2: expected \"test ./PACKAGE REGEXP\""},
		"no expression":     {"J-1 t\ntest ./a (\n", "line 2: expected a regular expression"},
		"anything":          {"J-1 t\nwhatever\n", "line 2: expected an id, test, must break, in, - or +"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: expected an error with %q, saw %v", name, c.want, err)
		}
	}
	if _, err := All("none"); err == nil {
		t.Error("a subject that is none: expected an error, saw none")
	}
}
