package drift

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// ErrSource is wrapped by errors about a GOROOT that has no runtime to read.
var ErrSource = errors.New("drift: no source of the runtime")

// A runtimeSource is the package runtime of a GOROOT.
type runtimeSource struct {
	root, version string
	in            map[string]*sourceFile
	files         []string // of the whole package, once they are parsed
}

// A sourceFile is what one file declares, by the names that the table has: functions,
// and declarations with their kind. A file of another package declares nothing.
type sourceFile struct {
	has        map[string][]ast.Node
	links      []link
	constraint string // of the build, "" for none; the file's name may be a further one
}

// A link is a directive go:linkname, which gives a function or variable another symbol.
type link struct{ of, symbol string }

func (f *sourceFile) add(name string, node ast.Node) { f.has[name] = append(f.has[name], node) }

var versionPattern = regexp.MustCompile(`^go1\.\d+(\.\d+|(rc|beta)\d+)?$`)

// read reads the version of a GOROOT; files are parsed when they are asked for. A tree
// that was built from a repository has no file VERSION, and its version is "devel".
func read(goroot string) (*runtimeSource, error) {
	s := &runtimeSource{root: goroot, version: "devel", in: make(map[string]*sourceFile)}
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

// file returns what a file declares, nothing if there is no such file.
func (s *runtimeSource) file(name string) (*sourceFile, error) {
	if fs, ok := s.in[name]; ok {
		return fs, nil
	}
	path := filepath.Join(s.dir(), name)
	text, err := os.ReadFile(path)
	fs := &sourceFile{}
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	default:
		if fs, err = parse(path, text); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	s.in[name] = fs
	return fs, nil
}

// What was parsed stays, since many GOROOTs have the same files: by their names and texts.
var (
	fset   = token.NewFileSet()
	parsed sync.Map // of *sourceFile
)

func parse(path string, text []byte) (*sourceFile, error) {
	type key struct {
		name string
		sum  [sha256.Size]byte
	}
	name := filepath.Base(path)
	k := key{name, sha256.Sum256(text)}
	if fs, ok := parsed.Load(k); ok {
		return fs.(*sourceFile), nil
	}
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("it does not parse: %w", err)
	}
	fs := &sourceFile{has: make(map[string][]ast.Node)}
	if f.Name.Name == "runtime" {
		if fs.constraint, err = constraintOf(f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		fs.links = linksOf(f)
		fs.add("build "+name, &ast.Ident{NamePos: f.Package, Name: fs.constraint})
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				fs.add(nameOf(d), d)
			case *ast.GenDecl:
				fs.declare(d)
			}
		}
	}
	parsed.Store(k, fs)
	return fs, nil
}

// constraintOf is the build constraint of a file in a normal form, "" for none. A line of
// the old form counts as well.
func constraintOf(f *ast.File) (string, error) {
	var list []string
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package || !constraint.IsGoBuild(c.Text) && !constraint.IsPlusBuild(c.Text) {
				continue
			}
			x, err := constraint.Parse(c.Text)
			if err != nil {
				return "", err
			}
			list = append(list, x.String())
		}
	}
	return strings.Join(list, "; "), nil
}

// linksOf are the directives go:linkname of a file, wherever they stand. One without a
// symbol only lets other packages use what it names, and does not count.
func linksOf(f *ast.File) []link {
	var list []link
	for _, group := range f.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) != 3 || words[0] != "//go:linkname" || fset.Position(c.Pos()).Column != 1 {
				continue
			}
			list = append(list, link{words[1], words[2]})
		}
	}
	return list
}

// statements are those of a function or declaration, and behind them its links, which
// may be in any file of the package.
func (s *runtimeSource) statements(name string, node ast.Node) ([]statement, error) {
	files, err := s.all()
	if err != nil {
		return nil, err
	}
	var symbols []string
	for _, file := range files {
		for _, l := range s.in[file].links {
			if name := declared(name); name == l.of || name == "var "+l.of {
				symbols = append(symbols, l.symbol)
			}
		}
	}
	slices.Sort(symbols)
	of := skeletons{all: statements(node)}
	for _, symbol := range slices.Compact(symbols) {
		of.add("linkname", node.Pos(), &ast.Ident{Name: symbol})
	}
	return of.all, nil
}

// find returns a function or declaration of the file that the table names, or nil.
func (s *runtimeSource) find(name string) (ast.Node, error) {
	fs, err := s.file(fileOf[name])
	if err != nil || len(fs.has[declared(name)]) == 0 {
		return nil, err
	}
	return fs.has[declared(name)][0], nil
}

// A stray is a function or declaration in a place for which the table has no entry.
type stray struct {
	node       ast.Node
	constraint string
}

// strays are those with a name. Files for one operating system count as well.
func (s *runtimeSource) strays(name string) ([]stray, error) {
	files, err := s.all()
	if err != nil {
		return nil, err
	}
	known := make(map[string]int)
	for _, entry := range bodies(name) {
		known[fileOf[entry]] = 1
	}
	var list []stray
	for _, file := range files {
		has := s.in[file].has[name]
		for _, node := range has[min(known[file], len(has)):] {
			list = append(list, stray{node, s.in[file].constraint})
		}
	}
	return list, nil
}

// all parses the whole package but for its tests, and returns the files' names, sorted.
func (s *runtimeSource) all() ([]string, error) {
	if s.files != nil {
		return s.files, nil
	}
	paths, err := filepath.Glob(filepath.Join(s.dir(), "*.go"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	var files []string
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		if _, err := s.file(filepath.Base(p)); err != nil {
			return nil, err
		}
		files = append(files, filepath.Base(p))
	}
	slices.Sort(files)
	s.files = files
	return files, nil
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
	p := fset.Position(pos)
	return "src/runtime/" + filepath.Base(p.Filename), p.Line
}
