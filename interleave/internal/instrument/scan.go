package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// An outside is what a package that is not rewritten has inside, as far as its
// source tells, and that of what it imports.
type outside struct {
	path   string
	inside []string          // "locks", "channels"
	meets  []string          // packages of the standard library with something inside
	chance map[string]string // by function or method: what of chance or time it comes to
	starts []string          // functions and methods that come to a go statement
}

// outsides returns the packages of the build that are not rewritten, but those of
// interleave, in order.
func (b *build) outsides() []*outside {
	var all []*outside
	named := make(map[string]*outside)
	g := newGraph()
	for _, p := range b.list { // what is imported comes first
		path := p.path()
		if b.rewritten[path] || named[path] != nil || dropIns[path] != "" || path == "unsafe" || b.partOf(path) || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		if b.seen(path) {
			continue
		}
		o := &outside{path: path}
		if p.Standard {
			if inside := std.Inside(path); inside != "" {
				o.inside = []string{inside}
			}
		} else {
			b.scan(p, o, g)
			for _, i := range p.Imports {
				d := b.all[i]
				if d == nil {
					continue
				}
				from := named[d.path()]
				switch {
				case from == nil:
				case d.Standard:
					if top, _, _ := strings.Cut(d.path(), "/"); len(from.inside) > 0 && !slices.Contains(harmless, top) {
						o.meets = append(o.meets, d.path())
					}
				default:
					o.meets = append(append(o.meets, d.path()), from.meets...)
				}
			}
			slices.Sort(o.meets)
			o.meets = slices.Compact(o.meets)
		}
		named[path] = o
		all = append(all, o)
	}
	g.spread()
	for _, o := range all {
		o.chance, o.starts = g.of(o.path)
	}
	return all
}

// harmless are packages that most others import for something else than what
// threads can meet in.
var harmless = []string{"internal", "os", "reflect", "runtime", "syscall", "time", "vendor"}

// scan looks through the source of a package. What cannot be read, or is not in
// Go, may be anything.
func (b *build) scan(p *pkg, o *outside, g *graph) {
	if why := b.blind[p.path()]; why != "" { // all else is reported
		o.inside = []string{why}
		return
	}
	found := make(map[string]bool)
	if len(p.CgoFiles) > 0 {
		found["C"] = true
	}
	if len(p.SFiles) > 0 {
		found["assembly"] = true
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			found["source that cannot be read"] = true
			continue
		}
		files = append(files, f)
	}
	variables := make(map[string]bool)
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					s := s.(*ast.ValueSpec)
					for i, name := range s.Names {
						variables[name.Name] = name.Name != "_" && !(i < len(s.Values) && constant(s.Values[i]))
					}
				}
			}
		}
	}
	for _, f := range files {
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			switch path {
			case "sync":
				found["locks"] = true
			case "sync/atomic":
				found["atomics"] = true
			case "C":
				found["C"] = true
			}
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if fn.Body == nil {
				found["functions without a body"] = true
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					found["goroutines"] = true
				case *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
					found["channels"] = true
				case *ast.UnaryExpr:
					if n.Op == token.ARROW {
						found["channels"] = true
					}
				case *ast.Ident:
					if variables[n.Name] && fn.Name.Name != "init" {
						found["package-level variables"] = true
					}
				}
				return true
			})
		}
	}
	if u, err := b.check(p); err == nil {
		g.add(u)
	} else if len(found) == 0 {
		found["source that does not type-check"] = true
	}
	for what := range found {
		o.inside = append(o.inside, what)
	}
	slices.Sort(o.inside)
}

// constant reports whether a package-level variable with this first value is one
// that nobody changes, as far as it can be told: an error, a literal. If anything
// of the package assigns to it all the same, it is taken for constant wrongly only
// if it is of a basic type; so those are not.
func constant(x ast.Expr) bool {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	p, _ := s.X.(*ast.Ident)
	return p != nil && (p.Name == "errors" && s.Sel.Name == "New" || p.Name == "fmt" && s.Sel.Name == "Errorf" || p.Name == "regexp" && s.Sel.Name == "MustCompile")
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
