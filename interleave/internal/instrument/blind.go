package instrument

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

// What the compiler reports nothing of: assembly, C, and functions that say so.

// findBlind finds the packages of which not all is reported, and says why.
func (b *build) findBlind() {
	for _, p := range b.list {
		path := p.path()
		switch {
		case strings.HasPrefix(path, project) && !b.explored[path]:
			b.blind[path] = "code that is compiled as the explorer is"
		case !p.Standard:
			why := b.hides(p)
			if b.explored[path] { // the engine looks for what it calls in the machine code
				break
			}
			if len(p.CgoFiles) > 0 {
				why = "C"
			}
			if len(p.SFiles) > 0 {
				why = "assembly"
			}
			if why != "" {
				b.blind[path] = why
			}
		}
	}
}

const unread = "source that cannot be read"

// notesNoRace notes the functions of a file that say //go:norace, as the runtime names them.
func (b *build) notesNoRace(path string, f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil || !slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:norace" }) {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			t := fn.Recv.List[0].Type
			star, pointer := t.(*ast.StarExpr)
			if pointer {
				t = star.X
			}
			switch x := t.(type) {
			case *ast.IndexExpr:
				t = x.X
			case *ast.IndexListExpr:
				t = x.X
			}
			if id, ok := t.(*ast.Ident); ok && pointer {
				name = "(*" + id.Name + ")." + name
			} else if ok {
				name = id.Name + "." + name
			}
		}
		b.noRace = append(b.noRace, path+"."+name)
	}
}

// hiding returns the packages from which code may be called that writes without a report: what it writes is not noted. They import, one by one, what has assembly
// that writes, or of which not all is reported.
func (b *build) hiding() (all []string) {
	hides := make(map[string]bool)
	for _, p := range b.list { // what is imported comes first
		path := p.path()
		if path == "runtime" || strings.HasPrefix(path, project) && !b.explored[path] { // no memory of it is a program's
			continue
		}
		is := b.blind[path] != "" || path == "internal/chacha8rand"
		for _, i := range p.Imports {
			if d := b.all[i]; d != nil && hides[d.path()] {
				is = true
			}
		}
		if is && !hides[path] {
			hides[path] = true
			all = append(all, path)
		}
	}
	return all
}

// project begins the paths of this project's packages.
var project = interleavePath[:strings.LastIndexByte(interleavePath, '/')+1]

// hides says what the source of a package has of which nothing is reported, "" if that is nothing.
func (b *build) hides(p *pkg) string {
	clears, why := false, ""
	for _, name := range p.GoFiles {
		text, err := b.sets.text(filepath.Join(p.Dir, name))
		if err != nil {
			return unread
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return unread
		}
		if bytes.Contains(text, []byte("\n//go:norace\n")) {
			b.notesNoRace(p.path(), f)
			why = "functions that say //go:norace"
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil && !bytes.Contains(text, []byte("//go:linkname "+fn.Name.Name+" ")) {
				why = "functions without a body"
			}
		}
		clears = clears || bytes.Contains(text, []byte("clear("))
	}
	if clears && why == "" && !unseen.CallsKnown && b.clearsSlices(p) {
		return "clear of a slice"
	}
	return why
}

// clearsSlices reports whether the builtin clear is called of a slice.
func (b *build) clearsSlices(p *pkg) (found bool) {
	u, err := b.check(p)
	if err != nil {
		return true
	}
	for _, f := range u.files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && len(c.Args) == 1 {
				if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "clear" && u.info.Types[id].IsBuiltin() {
					_, isMap := u.info.TypeOf(c.Args[0]).Underlying().(*types.Map)
					found = found || !isMap
				}
			}
			return true
		})
	}
	return found
}

// partOf reports whether a package is the explorer's own, or one of this project's that
// is built on it: the suite, trace validation. They start threads, and take care that these
// share nothing in them.
func (b *build) partOf(path string) bool {
	return path == interleavePath || strings.HasPrefix(path, interleavePath+"/") || b.own[path] || b.builders()[path]
}

// builders returns the packages of this project that import the explorer, and those
// of it that these import.
func (b *build) builders() map[string]bool {
	if b.built == nil {
		b.built = make(map[string]bool)
		for _, p := range b.list { // what is imported comes first
			for _, i := range p.Imports {
				if d := b.all[i]; d != nil && strings.HasPrefix(p.path(), project) && (d.path() == interleavePath || b.built[d.path()]) {
					b.built[p.path()] = true
				}
			}
		}
		for _, p := range slices.Backward(b.list) {
			for _, i := range p.Imports {
				if d := b.all[i]; d != nil && p.ForTest == "" && b.built[p.path()] && strings.HasPrefix(d.path(), project) {
					b.built[d.path()] = true
				}
			}
		}
	}
	return b.built
}
