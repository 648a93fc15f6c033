package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/std"
	"github.com/spindle-go/spindle/internal/overlay"
)

// TestListedReaders looks in the source of what is listed as reading an operand only for
// what stores into it by its name: p[i] = x, *p = x, p.f = x, copy(p, x), append(p, x).
func TestListedReaders(t *testing.T) {
	t.Parallel()
	all := standard(t)
	looked := 0
	found := make(map[string]bool)
	files := make(map[string]map[string]*ast.FuncDecl)
	for key, e := range std.Listed() {
		if files[key[0]] == nil {
			files[key[0]] = declarations(t, all[key[0]])
		}
		d := files[key[0]][key[1]]
		if d == nil && unexported(key[1]) {
			t.Errorf("%s.%s: the standard library has no such method", key[0], key[1])
		}
		if d == nil || d.Body == nil {
			continue // of another file for other systems, or in assembly
		}
		n := 0
		for _, field := range slices.Concat(fieldsOf(d.Recv), fieldsOf(d.Type.Params)) {
			for _, name := range field.Names {
				if unreachable(field.Type) {
					continue
				}
				effect := e.On(n)
				n++
				if looked++; !effect.Changes() && stores(d.Body, name.Name) {
					found[key[0]+"."+key[1]] = true
				}
			}
		}
	}
	for name := range found {
		if storesNothing[name] == "" {
			t.Errorf("%s stores into an operand that it is listed as one that reads", name)
		}
	}
	for name := range storesNothing {
		if !found[name] {
			t.Errorf("%s stores into nothing, and needs no reason", name)
		}
	}
	if looked < 700 {
		t.Errorf("only %d operands were looked at", looked)
	}
}

// storesNothing are functions that look as if they stored into an operand.
var storesNothing = map[string]string{
	"expvar.Map.Delete":    "with a lock",
	"expvar.Map.Init":      "with a lock",
	"log.Logger.SetOutput": "with a lock",
}

func declarations(t *testing.T, p *pkg) map[string]*ast.FuncDecl {
	t.Helper()
	all := make(map[string]*ast.FuncDecl)
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				all[strings.NewReplacer("(*", "", ")", "", "(", "").Replace(overlay.FuncName(f))] = f
			}
		}
	}
	return all
}

func fieldsOf(l *ast.FieldList) []*ast.Field {
	if l == nil {
		return nil
	}
	return l.List
}

// unreachable reports whether a type of the source cannot reach memory, as far as its
// text says so.
func unreachable(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.FuncType:
		return true
	case *ast.Ident:
		basic, ok := types.Universe.Lookup(x.Name).(*types.TypeName)
		return ok && !types.IsInterface(basic.Type())
	}
	return false
}

// stores reports whether a body stores into what a parameter has, and the parameter has
// not been assigned to.
func stores(body *ast.BlockStmt, name string) (found bool) {
	assigned := false
	root := func(x ast.Expr) (is, itself bool) {
		itself = true
		for {
			switch y := x.(type) {
			case *ast.ParenExpr:
				x = y.X
				continue
			case *ast.IndexExpr:
				x = y.X
			case *ast.SliceExpr:
				if y.Slice3 {
					return false, false
				}
				x = y.X
			case *ast.StarExpr:
				x = y.X
			case *ast.SelectorExpr:
				x = y.X
			case *ast.Ident:
				return y.Name == name, itself
			default:
				return false, false
			}
			itself = false
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				is, itself := root(x)
				assigned = assigned || is && itself
				found = found || is && !itself && !assigned
			}
		case *ast.IncDecStmt:
			is, itself := root(n.X)
			found = found || is && !itself && !assigned
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "copy" || f.Name == "append" || f.Name == "clear") {
				is, _ := root(n.Args[0])
				found = found || is && !assigned
			}
		}
		return true
	})
	return found
}
