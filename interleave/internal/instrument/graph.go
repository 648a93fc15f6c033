package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// A graph says which functions of packages that are not rewritten come to a go
// statement, or to chance or time. Whoever mentions a function may call it, and
// who calls a method of an interface may call each method of that name. So it may
// say too much.
type graph struct {
	uses    map[string][]string // by a function or variable: who mentions it
	chances map[string]string   // by a function: what it comes to
	goes    map[string]string
	own     map[string]funcName // by a function that was declared
}

// A funcName is a function as the explorer knows it: by package and bare name, with
// a dot in front if it is a method.
type funcName struct{ pkg, name string }

func newGraph() *graph {
	return &graph{make(map[string][]string), make(map[string]string), make(map[string]string), make(map[string]funcName)}
}

// key is a name for a function or a package-level variable, the same in all packages.
func key(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		if r := o.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
			return "." + o.Name()
		}
		return o.Origin().FullName()
	case *types.Var:
		if isGlobal(o) {
			return o.Pkg().Path() + "." + o.Name()
		}
	}
	return ""
}

// add adds what a package declares.
func (g *graph) add(u *unit) {
	for _, f := range u.files {
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				o, ok := u.info.Defs[d.Name].(*types.Func)
				if !ok {
					continue
				}
				n := funcName{u.pkg.path(), o.Name()}
				if d.Recv != nil {
					n.name = "." + n.name
					g.uses[key(o)] = append(g.uses[key(o)], n.name) // of an interface
				}
				g.own[key(o)] = n
				g.mentions(u, key(o), d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok || d.Tok != token.VAR {
						continue
					}
					for _, name := range v.Names {
						for _, x := range v.Values {
							if o := u.info.Defs[name]; o != nil {
								g.mentions(u, key(o), x)
							}
						}
					}
				}
			}
		}
	}
}

// mentions notes what by is made of.
func (g *graph) mentions(u *unit, by string, in ast.Node) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			g.goes[by] = "go"
		case *ast.Ident:
			o := u.info.Uses[n]
			k := ""
			if o != nil {
				k = key(o)
			}
			if k == "" || k == by {
				break
			}
			g.uses[k] = append(g.uses[k], by)
			if f, ok := o.(*types.Func); ok && f.Pkg() != nil && std.Of(f.Pkg().Path(), bareName(f)).Chance {
				g.chances[by] = f.Pkg().Name() + "." + bareName(f)
			}
		}
		return true
	})
}

// bareName is the name of a function as package std has it: "Sort", "Builder.Len".
func bareName(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		if n := namedOf(recv.Type()); n != nil {
			return n.Obj().Name() + "." + f.Name()
		}
	}
	return f.Name()
}

// spread gives each function what those have that it mentions.
func (g *graph) spread() {
	for _, marks := range []map[string]string{g.chances, g.goes} {
		work := slices.Collect(maps.Keys(marks))
		slices.Sort(work)
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			for _, by := range g.uses[n] {
				if marks[by] == "" {
					marks[by] = marks[n]
					work = append(work, by)
				}
			}
		}
	}
}

// of returns what is known of a package's functions.
func (g *graph) of(pkg string) (chance map[string]string, starts []string) {
	for k, n := range g.own {
		if n.pkg != pkg {
			continue
		}
		if what := g.chances[k]; what != "" {
			if chance == nil {
				chance = make(map[string]string)
			}
			if had := chance[n.name]; had == "" || what < had {
				chance[n.name] = what
			}
		}
		if g.goes[k] != "" && !slices.Contains(starts, n.name) {
			starts = append(starts, n.name)
		}
	}
	slices.SortFunc(starts, strings.Compare)
	return chance, starts
}
