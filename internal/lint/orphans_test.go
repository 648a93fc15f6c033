package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	ofschedulers "github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/tla"
)

// TestNoOrphans holds the catalogue against what checks it: each requirement
// has a check for each witness that it lists, and each check names requirements
// that exist.
func TestNoOrphans(t *testing.T) {
	checked := map[spec.Witness]map[string]bool{}
	note := func(w spec.Witness, id, where string) {
		if _, err := spec.Lookup(id); err != nil {
			t.Errorf("%s names %s, which is not in the catalogue", where, id)
		}
		if checked[w] == nil {
			checked[w] = make(map[string]bool)
		}
		checked[w][id] = true
	}
	for _, c := range slices.Concat(checks.Subject.Checks, ofschedulers.Subject.Checks) {
		if len(c.Requirements) == 0 {
			t.Errorf("check %s names no requirement", c.Name)
		}
		if !strings.HasPrefix(c.Name, string(c.Witness)+"/") {
			t.Errorf("check %s: want a name that begins with its witness, %s/", c.Name, c.Witness)
		}
		for _, id := range c.Requirements {
			note(c.Witness, id, "check "+c.Name)
		}
	}
	properties, err := tla.Checks()
	if err != nil {
		t.Fatal(err)
	}
	for id, list := range properties {
		note(spec.Model, id, "property "+list[0])
	}
	for rel, ids := range attributes(t) {
		w := spec.Witness("")
		switch {
		case strings.HasPrefix(rel, "fuzz/"):
			w = spec.Fuzz
		case strings.Contains(rel, "property"):
			w = spec.Property
		case rel == "impl/sched/lockorder_test.go":
			w = spec.Interleave
		}
		for _, id := range ids {
			note(w, id, rel)
		}
	}
	seen := make(map[string]bool)
	for i := range spec.Requirements {
		r := &spec.Requirements[i]
		if seen[r.ID] {
			t.Errorf("%s is twice in the catalogue", r.ID)
		}
		seen[r.ID] = true
		if len(r.Witnesses) == 0 {
			t.Errorf("%s: expected a witness, saw none", r.ID)
		}
		for _, w := range r.Witnesses {
			if !checked[w][r.ID] {
				t.Errorf("%s lists the witness %s, but nothing of that kind checks it", r.ID, w)
			}
		}
		for _, w := range spec.Witnesses() {
			if checked[w][r.ID] && !slices.Contains(r.Witnesses, w) {
				t.Errorf("%s is checked by %s, which it does not list", r.ID, w)
			}
		}
		if r.Sentence == "" || r.Intent == "" || r.Source == "" || len(r.Profiles()) == 0 && len(r.When) == 0 || (r.Level != spec.Must && r.Level != spec.Should) {
			t.Errorf("%s lacks a level, sentence, intent, source, or a profile or condition", r.ID)
		}
	}
}

// mechanisms are the rows of the list of mechanisms that the run queue and the
// dance have. M26 (locked Ms) is for the whole scheduler.
var mechanisms = []string{
	"M01", "M02", "M03", "M04", "M05", "M07", "M08", "M09", "M10", "M11", "M12", "M13", "M14", "M15",
	"M18", "M19", "M21", "M22", "M23", "M24", "M25", "M27", "M28", "M29", "M30", "M33",
}

func TestEveryMechanismHasARequirement(t *testing.T) {
	for _, m := range mechanisms {
		if !slices.ContainsFunc(spec.Requirements, func(r spec.Requirement) bool { return slices.Contains(r.Mechanism, m) }) {
			t.Errorf("no requirement is about mechanism %s", m)
		}
	}
}

// attributes returns, by file, the ids in t.Attr("req", "...") of test files.
func attributes(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	walk(t, func(rel string) {
		if !strings.HasSuffix(rel, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, rel), nil, 0)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Attr" || literal(call.Args[0]) != "req" {
				return true
			}
			if id := literal(call.Args[1]); id != "" {
				found[rel] = append(found[rel], id)
			}
			return true
		})
	})
	return found
}

func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(lit.Value)
	return s
}

var idText = regexp.MustCompile(`\b(RQ|DN|SC|SY|TM|FA)(-[A-Z]+)+\b`)

// TestIdsInCodeExist looks at every string of ordinary files.
func TestIdsInCodeExist(t *testing.T) {
	walk(t, func(rel string) {
		if strings.HasSuffix(rel, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, rel), nil, 0)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			for _, id := range idText.FindAllString(literal(e), -1) {
				if _, err := spec.Lookup(id); err != nil {
					t.Errorf("%s: %s is not in the catalogue", rel, id)
				}
			}
			return true
		})
	})
}
