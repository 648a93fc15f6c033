package mechanisms

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
)

// TestData holds the data to the catalogue, the model, the code and the commands.
func TestData(t *testing.T) {
	all, statements := data(t)
	for _, w := range wrong(all, statements) {
		t.Error(w)
	}
}

// many says how many statements each document has.
var many = map[string]int{"S0": 13, "S1": 17, "S2": 33, "S3": 11, "S4": 12}

// wrong says what is wrong with the data.
func wrong(all []Mechanism, statements []Statement) (list []string) {
	bad := func(id, format string, args ...any) { list = append(list, id+": "+fmt.Sprintf(format, args...)) }
	used := make(map[string]bool)
	known := func(by, id string) {
		used[id] = true
		if !slices.ContainsFunc(all, func(m Mechanism) bool { return m.ID == id }) {
			bad(by, "expected a mechanism of mechanisms.txt, saw %s", id)
		}
	}
	for i := range spec.Requirements {
		for _, id := range spec.Requirements[i].Mechanism {
			known(spec.Requirements[i].ID, id)
		}
	}
	next := make(map[string]int)
	for _, s := range statements {
		of, number, _ := strings.Cut(s.ID, ".")
		if next[of]++; number != strconv.Itoa(next[of]) {
			bad(s.ID, "expected the statements in order, saw it in place of %s.%d", of, next[of])
		}
		for _, id := range s.Mechanisms {
			known(s.ID, id)
		}
		for _, id := range s.Requirements {
			if _, err := spec.Lookup(id); err != nil {
				bad(s.ID, "%v", err)
			}
		}
		if s.Verdict == Works && !slices.ContainsFunc(s.Requirements, checked) {
			bad(s.ID, "expected a requirement with a checker, since the verdict is works, saw %v", s.Requirements)
		}
		for _, at := range s.Model {
			if err := inModel(at); err != nil {
				bad(s.ID, "%v", err)
			}
		}
		for _, at := range s.Code {
			if err := inCode(at); err != nil {
				bad(s.ID, "%v", err)
			}
		}
		if err := s.runs(); err != nil {
			bad(s.ID, "command %q: %v", s.Command, err)
		}
	}
	for _, d := range Documents {
		if next[d.ID] != many[d.ID] {
			bad(d.ID, "expected %d statements, saw %d", many[d.ID], next[d.ID])
		}
	}
	for i, m := range all {
		if want := fmt.Sprintf("M%02d", i+1); m.ID != want {
			bad(m.ID, "expected the mechanisms in order, saw it in place of %s", want)
		}
		if used[m.ID] == (m.Alone != "") {
			bad(m.ID, "expected a statement or a requirement about it, or else a line \"alone\": used: %v, alone: %q", used[m.ID], m.Alone)
		}
	}
	return list
}

// checked reports whether a checker of the requirement runs. That there is a check for each checker that a requirement lists, a test of
// internal/lint holds.
func checked(id string) bool {
	r, err := spec.Lookup(id)
	return err == nil && len(r.Witnesses) > 0
}

// inModel says why the model has no such definition, feature or configuration.
func inModel(at string) error {
	if kind, name, ok := strings.Cut(at, " "); ok {
		switch kind {
		case "configuration":
			_, err := os.Stat(filepath.Join(root, "tla/cfg", name+".cfg"))
			return err
		case "feature":
			text, err := read("tla/SchedState.tla")
			if m := regexp.MustCompile(`Features \\subseteq \{([^}]*)\}`).FindStringSubmatch(text); err == nil && (m == nil || !strings.Contains(m[1], strconv.Quote(name))) {
				return fmt.Errorf("expected a feature of module SchedState, saw %q", name)
			}
			return err
		}
	}
	module, name, ok := strings.Cut(at, "!")
	if !ok {
		return fmt.Errorf("expected MODULE!DEFINITION, \"feature NAME\" or \"configuration NAME\", saw %q", at)
	}
	text, err := read("tla/" + module + ".tla")
	if err == nil && !regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(name)+`(\([^)]*\))? ==`).MatchString(text) {
		return fmt.Errorf("expected a definition in tla/%s.tla, saw none of %s", module, name)
	}
	return err
}

// once remembers what f gives for a name: the tests damage the data many times, and the repository stays the same.
func once[V any](f func(name string) (V, error)) func(string) (V, error) {
	known := make(map[string]V)
	return func(name string) (V, error) {
		if v, ok := known[name]; ok {
			return v, nil
		}
		v, err := f(name)
		if err == nil {
			known[name] = v
		}
		return v, err
	}
}

var read = once(func(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	return string(text), err
})

// inCode says why there is no such file, or no such declaration in it: F, T, or T.F for a method.
func inCode(at string) error {
	file, name, ok := strings.Cut(at, " ")
	if !ok {
		_, err := os.Stat(filepath.Join(root, file))
		return err
	}
	names, err := declared(filepath.Join(root, file))
	if err == nil && !slices.Contains(names, name) {
		return fmt.Errorf("expected a declaration in %s, saw none of %s", file, name)
	}
	return err
}

// declared returns what a file declares at its top.
var declared = once(func(file string) (names []string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if index, ok := of.(*ast.IndexExpr); ok {
					of = index.X
				}
				name = of.(*ast.Ident).Name + "." + name
			}
			names = append(names, name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names, nil
})

// inFolder returns what the Go files of a folder declare.
var inFolder = once(func(dir string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	for _, f := range files {
		of, err := declared(f)
		if err != nil {
			return nil, err
		}
		names = append(names, of...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("expected a package in %s: %w", dir, fs.ErrNotExist)
	}
	return names, err
})
