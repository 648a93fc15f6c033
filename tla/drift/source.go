package drift

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ErrSource is wrapped by errors about a GOROOT that has no runtime to read.
var ErrSource = errors.New("drift: no source of the runtime")

// A runtimeSource is the package runtime of a GOROOT.
type runtimeSource struct {
	root, version string
	fset          *token.FileSet
	in            map[string]map[string]*ast.FuncDecl // by file, then by function
}

var versionPattern = regexp.MustCompile(`^go1\.\d+(\.\d+|(rc|beta)\d+)?$`)

// read reads the version of a GOROOT; files are parsed when they are asked for. A tree
// that was built from a repository has no file VERSION, and its version is "devel".
func read(goroot string) (*runtimeSource, error) {
	s := &runtimeSource{root: goroot, version: "devel", fset: token.NewFileSet(), in: make(map[string]map[string]*ast.FuncDecl)}
	if info, err := os.Stat(s.dir()); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: expected the folder %s, saw none", ErrSource, s.dir())
	}
	text, err := os.ReadFile(filepath.Join(goroot, "VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	if words := strings.Fields(string(text)); len(words) > 0 && versionPattern.MatchString(words[0]) {
		s.version = words[0]
	}
	return s, nil
}

func (s *runtimeSource) dir() string { return filepath.Join(s.root, "src", "runtime") }

// file returns the functions of a file, none if there is no such file.
func (s *runtimeSource) file(name string) (map[string]*ast.FuncDecl, error) {
	if fs, ok := s.in[name]; ok {
		return fs, nil
	}
	path := filepath.Join(s.dir(), name)
	fs := make(map[string]*ast.FuncDecl)
	switch text, err := os.ReadFile(path); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	default:
		f, err := parser.ParseFile(s.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("%w: it does not parse: %w", ErrSource, err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				fs[nameOf(d)] = d
			}
		}
	}
	s.in[name] = fs
	return fs, nil
}

// find returns a function of the file that the table names, or nil.
func (s *runtimeSource) find(function string) (*ast.FuncDecl, error) {
	fs, err := s.file(fileOf[function])
	return fs[function], err
}

// elsewhere returns a function that is not in the file that the table names, but in
// another one; nil if in none. Files for one operating system count as well.
func (s *runtimeSource) elsewhere(function string) (*ast.FuncDecl, error) {
	paths, err := filepath.Glob(filepath.Join(s.dir(), "*.go"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	slices.Sort(paths)
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		fs, err := s.file(filepath.Base(p))
		if err != nil {
			return nil, err
		}
		if fs[function] != nil {
			return fs[function], nil
		}
	}
	return nil, nil
}

// nameOf is a function's name, with the receiver's type in front of a method's.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return "?." + f.Name.Name
}

// place is where a position is, with the file as GOROOT has it.
func (s *runtimeSource) place(pos token.Pos) (file string, line int) {
	p := s.fset.Position(pos)
	return "src/runtime/" + filepath.Base(p.Filename), p.Line
}
