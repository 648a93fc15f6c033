package instrument

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A unit is a package that was parsed and type-checked.
type unit struct {
	*build
	fset  *token.FileSet
	files []*file
	info  *types.Info
	types *types.Package
}

// A file is one of its files.
type file struct {
	name     string // absolute
	text     []byte
	ast      *ast.File
	comments map[int]string // at the end of lines
}

// check parses and type-checks p.
func (b *build) check(p *pkg) (*unit, error) {
	u := &unit{build: b, fset: token.NewFileSet()}
	var syntax []*ast.File
	for _, name := range p.GoFiles {
		name = filepath.Join(p.Dir, name)
		text, err := b.sets.text(name)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(u.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("instrument: %w", err)
		}
		f := &file{name: name, text: text, ast: parsed, comments: make(map[int]string)}
		for _, g := range parsed.Comments {
			for _, c := range g.List {
				if c.Text == "//interleave:invisible" {
					at := u.fset.Position(c.Pos())
					return nil, fmt.Errorf("instrument: %s:%d: //interleave:invisible takes operations out of the schedule, and wants a reason behind it", at.Filename, at.Line)
				}
				f.comments[u.fset.PositionFor(c.Pos(), false).Line] = comment(c.Text)
			}
		}
		u.files = append(u.files, f)
		syntax = append(syntax, parsed)
	}
	imports := importer.ForCompiler(u.fset, "gc", func(path string) (io.ReadCloser, error) {
		if to, ok := p.ImportMap[path]; ok {
			path = to
		}
		dep := b.all[path]
		if dep == nil || dep.Export == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(dep.Export)
	})
	u.info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), FileVersions: make(map[*ast.File]string)}
	conf := types.Config{Importer: imports, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	var err error
	if u.types, err = conf.Check(p.path(), u.fset, syntax, u.info); err != nil {
		return nil, fmt.Errorf("instrument: %s does not type-check: %w", p.path(), err)
	}
	return u, nil
}

// comment returns the text of a comment without its slashes.
func comment(text string) string {
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		return strings.TrimSpace(rest)
	}
	if strings.Contains(text, "\n") {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/"))
}

// from reports whether a file is of a version of the language, or a later one.
func (u *unit) from(f *file, v string) bool {
	return version.Compare(u.info.FileVersions[f.ast], v) >= 0
}

// core returns the underlying type of an expression; of a type parameter, the one that all its types have, or its constraint.
func (u *unit) core(x ast.Expr) types.Type {
	t := u.info.TypeOf(x)
	if t == nil {
		return nil
	}
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	var common types.Type
	for _, t := range terms(p.Underlying().(*types.Interface)) {
		if common != nil && !types.Identical(common, t) {
			return p.Underlying()
		}
		common = t
	}
	if common == nil {
		return p.Underlying()
	}
	return common
}

// terms returns the underlying types that a constraint lists.
func terms(constraint *types.Interface) (all []types.Type) {
	for e := range constraint.EmbeddedTypes() {
		if u, ok := types.Unalias(e).(*types.Union); ok {
			for t := range u.Terms() {
				all = append(all, t.Type().Underlying())
			}
		} else if i, ok := e.Underlying().(*types.Interface); ok {
			all = append(all, terms(i)...)
		} else {
			all = append(all, e.Underlying())
		}
	}
	return all
}
