package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// What the operations of a line are on, as the source has it, and the comment at its end. Where a package is explored as it is, reports take the names from here: the
// compiler says no more of an operation than its line.

// A name is one of them.
type name struct {
	line     int
	op, expr string // "Load", "q.head"; "" of a comment
	action   string
	of       int // see place.Name
}

// lineNames returns those of a file.
func (u *unit) lineNames(f *file) (all []name) {
	line := func(n ast.Node) int { return u.fset.Position(n.Pos()).Line }
	text := func(n ast.Node) string {
		from, to := u.fset.PositionFor(n.Pos(), false).Offset, u.fset.PositionFor(n.End(), false).Offset
		return strings.Join(strings.Fields(string(f.text[from:to])), " ")
	}
	add := func(at ast.Node, op string, on ast.Expr) {
		if x, ok := on.(*ast.UnaryExpr); ok && x.Op == token.AND {
			on = x.X
		}
		all = append(all, name{line: line(at), op: op, expr: text(on)})
	}
	ends := func(body *ast.BlockStmt) { // what is deferred is called where the function ends
		if body == nil {
			return
		}
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.DeferStmt:
				if fun, ok := n.Call.Fun.(*ast.SelectorExpr); ok {
					all = append(all, name{line: u.fset.Position(body.Rbrace).Line, op: fun.Sel.Name, expr: text(fun.X), of: line(n)})
				}
			}
			return true
		})
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			ends(n.Body)
		case *ast.FuncLit:
			ends(n.Body)
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.SelectorExpr:
				if x, ok := fun.X.(*ast.Ident); ok && x.Name == "atomic" && len(n.Args) > 0 {
					add(n, strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(fun.Sel.Name, "Pointer"), "ptr"), "Uuint1234567890I"), n.Args[0])
					return true
				}
				add(n, fun.Sel.Name, fun.X)
			case *ast.Ident:
				if len(n.Args) == 1 && (fun.Name == "close" || fun.Name == "len" || fun.Name == "cap") {
					add(n, fun.Name, n.Args[0])
				}
			}
		case *ast.SendStmt:
			add(n, "send", n.Chan)
		case *ast.RangeStmt:
			add(n, "receive", n.X)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				add(n, "receive", n.X)
			}
		case *ast.IncDecStmt:
			add(n, "write", n.X)
			add(n, "read", n.X)
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok != token.DEFINE {
					add(n, "write", x)
				}
				if n.Tok != token.DEFINE && n.Tok != token.ASSIGN {
					add(n, "read", x)
				}
			}
			for _, x := range n.Rhs {
				switch x.(type) {
				case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
					add(n, "read", x)
				}
			}
		}
		return true
	})
	for at, text := range f.comments {
		if text != "" {
			all = append(all, name{line: at, action: text})
		}
	}
	return all
}

// writeNames writes calls that say the names of a package.
func (u *unit) writeNames(b *bytes.Buffer) {
	for _, f := range u.files {
		fmt.Fprintf(b, "\tzzhook.Names(%q,\n", f.name)
		for _, n := range u.lineNames(f) {
			fmt.Fprintf(b, "\t\tzzhook.Name{Line: %d, Op: %q, Expr: %q, Action: %q, Of: %d},\n", n.line, n.op, n.expr, n.action, n.of)
		}
		b.WriteString("\t)\n")
	}
}
