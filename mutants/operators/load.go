package operators

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// A pkg is a package, parsed and type-checked.
type pkg struct {
	base     *overlay.Set // what is replaced before there are mutants, or nil
	root     string       // of its module, or base's
	dir      string
	path     string // import path
	fset     *token.FileSet
	importer types.Importer
	files    []*file
	types    *types.Package
	info     *types.Info
}

// A file is one source file of a package.
type file struct {
	path   string // slash path from the module's root
	text   []byte
	ast    *ast.File
	chosen bool // its functions are to have mutants
}

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Dir        string
	Export     string
	GoFiles    []string
	CgoFiles   []string
	Module     *module
}

// A module is what go list says of one.
type module struct{ Dir string }

// load reads the package in dir.
func load(dir string, base *overlay.Set, chosen []string) (*pkg, error) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,Module"}
	if base != nil {
		temp, err := os.MkdirTemp("", "spindle-operators-")
		if err != nil {
			return nil, fmt.Errorf("operators: %w", err)
		}
		defer os.RemoveAll(temp)
		at, err := base.Write(temp)
		if err != nil {
			return nil, err
		}
		args = append(args, "-overlay="+at)
	}
	cmd := exec.Command("go", append(args, "--", ".")...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("operators: go list in %s: %w: %s", dir, err, strings.TrimSpace(stderr.String()))
	}
	exports := make(map[string]string)
	var last listed // what is imported comes first
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("operators: what go list printed: %w", err)
		}
		exports[l.ImportPath] = l.Export
		last = l
	}
	switch {
	case base != nil:
		last.Module = &module{Dir: base.Root()}
	case last.Module == nil:
		return nil, fmt.Errorf("operators: %s: expected a package of a module, saw none", dir)
	case len(last.CgoFiles) > 0:
		return nil, fmt.Errorf("operators: %s: expected Go alone, saw C in %v", dir, last.CgoFiles)
	}
	p := &pkg{base: base, root: last.Module.Dir, dir: last.Dir, path: last.ImportPath, fset: token.NewFileSet()}
	p.importer = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("operators: no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	for _, name := range chosen {
		if !slices.Contains(last.GoFiles, name) {
			return nil, fmt.Errorf("operators: %s: expected one of the files %v, saw %q", dir, last.GoFiles, name)
		}
	}
	for _, name := range last.GoFiles {
		rel, err := filepath.Rel(p.root, filepath.Join(last.Dir, name))
		if err != nil {
			return nil, fmt.Errorf("operators: %w", err)
		}
		f := &file{path: filepath.ToSlash(rel), chosen: len(chosen) == 0 || slices.Contains(chosen, name)}
		if base != nil {
			f.text, err = base.Text(f.path)
		} else {
			f.text, err = os.ReadFile(filepath.Join(last.Dir, name))
		}
		if err != nil {
			return nil, fmt.Errorf("operators: %w", err)
		}
		if f.ast, err = parser.ParseFile(p.fset, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("operators: %w", err)
		}
		p.files = append(p.files, f)
	}
	p.info = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Scopes: make(map[ast.Node]*types.Scope),
	}
	asts := make([]*ast.File, len(p.files))
	for i, f := range p.files {
		asts[i] = f.ast
	}
	conf := types.Config{Importer: p.importer}
	if p.types, err = conf.Check(p.path, p.fset, asts, p.info); err != nil {
		return nil, fmt.Errorf("operators: %s does not type-check: %w", dir, err)
	}
	return p, nil
}

// replaced returns a set with what is replaced before there are mutants.
func (p *pkg) replaced() (*overlay.Set, error) {
	set, err := overlay.New(p.root)
	if err != nil || p.base == nil {
		return set, err
	}
	for _, file := range p.base.Files() {
		text, err := p.base.Text(file)
		if err == nil {
			err = set.Put(file, text)
		}
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// functions returns the functions of a file that can have mutants.
func (file *file) functions(p *pkg) []*function {
	var out []*function
	for _, d := range file.ast.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || decl.Name.Name == "_" ||
			decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main") {
			continue
		}
		f := &function{pkg: p, file: file, decl: decl, parent: make(map[ast.Node]ast.Node)}
		f.name = plain(overlay.FuncName(decl))
		f.from, f.to = f.offset(decl.Pos()), f.offset(decl.End())
		f.to += len(f.comment(f.to))
		var path []ast.Node
		ast.Inspect(decl, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			if len(path) > 0 {
				f.parent[n] = path[len(path)-1]
			}
			path = append(path, n)
			return true
		})
		out = append(out, f)
	}
	return out
}
