package operators

import (
	"go/ast"
	"go/token"
	"go/types"
)

// swapNeighbours has statements that stand side by side change places, the parts
// of an assignment to several, and the sides of a comparison that both look at
// memory.
func swapNeighbours(f *function) {
	f.lists(func(list []ast.Stmt) {
		for i, s := range list[1:] {
			first := list[i]
			if leaves(first) || leaves(s) || !f.touches(first) && !f.touches(s) {
				continue
			}
			af, at := f.span(first)
			bf, bt := f.span(s)
			f.tell(first, f.brief(first)+"; "+f.brief(s), f.brief(s)+"; "+f.brief(first),
				edit{af, at, f.whole(s) + "\n"}, edit{bf, bt, f.whole(first) + "\n"})
		}
	})
	each(f, f.decl.Body, func(a *ast.AssignStmt) {
		if len(a.Lhs) != len(a.Rhs) {
			return
		}
		for i := range a.Rhs[1:] {
			if f.touches(a.Rhs[i]) && f.touches(a.Rhs[i+1]) {
				f.add(a, f.place(a.Lhs[i], a.Lhs[i+1]), f.place(a.Lhs[i+1], a.Lhs[i]),
					f.place(a.Rhs[i], a.Rhs[i+1]), f.place(a.Rhs[i+1], a.Rhs[i]))
			}
		}
	})
	each(f, f.decl.Body, func(b *ast.BinaryExpr) {
		if mirror, ok := mirrors[b.Op]; ok && f.touches(b.X) && f.touches(b.Y) {
			f.add(b, f.place(b.X, b.Y), f.place(b.Y, b.X), f.operation(b, mirror))
		}
	})
}

// mirrors are comparisons with their sides exchanged.
var mirrors = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// place puts the text of one expression in another's place.
func (f *function) place(at, from ast.Expr) edit { return f.with(at, f.src(from)) }

// operation gives an expression another operator.
func (f *function) operation(b *ast.BinaryExpr, op token.Token) edit {
	at := f.offset(b.OpPos)
	return edit{at, at + len(b.Op.String()), op.String()}
}

// moveFar moves a statement that writes to memory, or calls something, further
// than to its neighbour's place: what was to be there before it is published then
// is not, and what publishes is early.
func moveFar(f *function) {
	f.lists(func(list []ast.Stmt) {
		for i, s := range list {
			if !f.writesMemory(s) && !f.isCall(s) {
				continue
			}
			for j, other := range list {
				switch {
				case j < i-1:
					f.tell(s, f.brief(s), "the same before "+f.brief(other), f.before(other, f.whole(s)), f.omit(s))
				case j > i+1 && !leaves(other):
					f.tell(s, f.brief(s), "the same behind "+f.brief(other), f.omit(s), f.after(other, f.whole(s)))
				}
			}
		}
	})
}

// isCall reports whether a statement is a call of a function that is neither
// built in nor of the language's own packages: what it does it may do to memory.
func (f *function) isCall(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok || f.info.Types[c.Fun].IsBuiltin() {
		return false
	}
	if _, ok := f.atomic(c); ok {
		return false
	}
	_, ok = f.locking(s)
	return !ok
}

// callOmit leaves calls out.
func callOmit(f *function) {
	each(f, f.decl.Body, func(s ast.Stmt) {
		if f.isCall(s) {
			f.add(s, f.omit(s))
		}
	})
}

// exchange has operands of one type change places: arguments, results, and what
// is assigned to.
func exchange(f *function) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			list = n.Args
		case *ast.ReturnStmt:
			list = n.Results
		case *ast.AssignStmt:
			list = n.Lhs
		}
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			if f.src(a) != f.src(b) && f.sameType(a, b) {
				f.add(n, f.place(a, b), f.place(b, a))
			}
		}
		return true
	})
}

// sameType reports whether two expressions are of one type, and not both constant.
func (f *function) sameType(a, b ast.Expr) bool {
	ta, tb := f.typeOf(a), f.typeOf(b)
	return ta != nil && tb != nil && types.Identical(ta, tb) && (f.info.Types[a].Value == nil || f.info.Types[b].Value == nil)
}

// typeOf is the type of an expression, or of a variable where it is declared.
func (f *function) typeOf(x ast.Expr) types.Type {
	if id, ok := x.(*ast.Ident); ok {
		if o := f.info.Defs[id]; o != nil {
			return o.Type()
		}
	}
	return f.info.TypeOf(x)
}
