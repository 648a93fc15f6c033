package interleave_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNamesForUsers holds that this package has only what users of Test need, and constructors
// of options. What builders of other tests need is for package harness.
func TestNamesForUsers(t *testing.T) {
	users := []string{"Certificate", "ErrUncontrolled", "Exec", "Explore", "Failure", "FailureKind", "Option", "Report", "Test"}
	var names []string
	p, _ := documented(t, ".")
	for _, f := range p.Funcs {
		names = append(names, f.Name)
	}
	for _, v := range slices.Concat(p.Consts, p.Vars) {
		names = append(names, v.Names...)
	}
	for _, s := range p.Types {
		names = append(names, s.Name)
		for _, f := range s.Funcs {
			if s.Name != "Option" {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, users) {
		t.Errorf("expected %v and options; observed %v", users, names)
	}
}

// TestTypesAreShown holds that a reader of go doc sees what can be done with each type of the
// packages for people, and finds the types that fields and methods have.
func TestTypesAreShown(t *testing.T) {
	for _, dir := range []string{".", "progress", "harness"} {
		p, internal := documented(t, dir)
		mentions := func(name string, n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if from, ok := s.X.(*ast.Ident); ok && internal[from.Name] {
						t.Errorf("%s: %s is of type %s.%s, which is internal", dir, name, from.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
		for _, f := range p.Funcs {
			mentions(f.Name, f.Decl.Type)
		}
		for _, s := range p.Types {
			spec := s.Decl.Specs[0].(*ast.TypeSpec)
			shown := len(s.Methods) + len(s.Funcs) + len(s.Consts)
			if fields, ok := spec.Type.(*ast.StructType); ok {
				shown += len(fields.Fields.List) // the exported ones
				mentions(s.Name, fields)
			}
			for _, f := range slices.Concat(s.Methods, s.Funcs) {
				mentions(s.Name+"."+f.Name, f.Decl.Type)
			}
			if spec.Assign.IsValid() || shown == 0 {
				t.Errorf("%s: go doc shows neither fields, methods, constants nor functions of type %s", dir, s.Name)
			}
			for _, f := range slices.Concat(s.Methods, s.Funcs) {
				if f.Doc == "" {
					t.Errorf("%s: %s.%s has no comment", dir, s.Name, f.Name)
				}
			}
		}
	}
}

// documented returns what go doc knows of the package in dir, and the names of the internal
// packages that it imports.
func documented(t *testing.T, dir string) (*doc.Package, map[string]bool) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset, internal := token.NewFileSet(), make(map[string]bool)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if from, _ := strconv.Unquote(i.Path.Value); strings.Contains(from, "/internal/") {
				internal[path.Base(from)] = true
			}
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Types) == 0 || len(internal) == 0 {
		t.Fatalf("%s: expected exported types, and imports of internal packages; observed %d, %d", dir, len(p.Types), len(internal))
	}
	return p, internal
}
