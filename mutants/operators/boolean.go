package operators

import (
	"go/ast"
	"go/token"
	"go/types"
)

func boolean(f *function) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			other := map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}[n.Op]
			if other == 0 {
				break
			}
			f.add(n, f.operation(n, other))
			f.add(n, f.with(n, f.src(n.X)))
			f.add(n, f.with(n, f.src(n.Y)))
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				f.add(n, f.with(n, f.src(n.X)))
			}
		case *ast.Ident:
			c, ok := f.info.Uses[n].(*types.Const)
			if ok && c.Parent() == types.Universe && f.boolean(n) {
				f.add(n, f.with(n, map[string]string{"true": "false", "false": "true"}[n.Name]))
			}
		}
		if x, ok := n.(ast.Expr); ok && f.condition(x) {
			switch x.(type) {
			case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
				f.add(n, f.with(x, "!"+f.src(x)))
			}
		}
		return true
	})
}

// condition reports whether an expression is a condition, or one side of an and
// or an or.
func (f *function) condition(x ast.Expr) bool {
	if !f.boolean(x) {
		return false
	}
	switch p := f.parent[x].(type) {
	case *ast.IfStmt:
		return p.Cond == x
	case *ast.ForStmt:
		return p.Cond == x
	case *ast.BinaryExpr:
		return p.Op == token.LAND || p.Op == token.LOR
	}
	return false
}

func condition(f *function) {
	each(f, f.decl.Body, func(s *ast.IfStmt) {
		f.add(s, f.with(s.Cond, "true"))
		f.add(s, f.with(s.Cond, "false"))
	})
}
