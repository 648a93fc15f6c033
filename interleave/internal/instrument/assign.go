package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An assignment writes after the right side has been evaluated. If that has
// operations, the hook must come after them, or the write would be taken for one
// that no lock or flag orders. So there are three forms:
//
//	*hook.W(17, &x) = y            nothing on the right is a call
//	hook.Set(17, &x)(y.Load())     one variable, one value
//	x, ok = f(); hook.W(17, &x)    the rest, where a statement may follow
//
// and what fits none of them (if x += f(); ...) is not seen.

// assign goes through an assignment or definition.
func (w *walker) assign(s *ast.AssignStmt, listed bool) {
	pure := true
	for _, y := range s.Rhs {
		pure = pure && w.pure(y)
	}
	call := "W"
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		call = "RW"
	}
	switch {
	case s.Tok == token.DEFINE:
		w.after(s, call, listed) // for the variables that are not new
	case pure:
		for _, x := range s.Lhs {
			if call == "RW" && w.writable(x) {
				w.tally(func() { w.write(x, call) })
			} else {
				w.write(x, call)
			}
		}
		w.reads(s.Rhs)
		return
	case call == "W" && len(s.Lhs) == 1 && len(s.Rhs) == 1 && w.writable(s.Lhs[0]):
		x, y := s.Lhs[0], s.Rhs[0]
		w.around(x, "zzhook.Set("+w.site(last(x), x)+", &", ")")
		w.replace(w.offset(s.TokPos), 1, "(")
		w.close(w.offset(y.End()), ")")
	default:
		w.after(s, call, listed)
	}
	for _, x := range s.Lhs {
		w.target(x)
	}
	w.reads(s.Rhs)
}

// update goes through x++ and x--.
func (w *walker) update(s *ast.IncDecStmt, x ast.Expr) {
	if w.writable(x) {
		w.tally(func() { w.write(x, "RW") })
	} else {
		w.write(x, "RW")
	}
}

// writable reports whether x is a variable, not an element of a map, whose
// writes are told.
func (w *walker) writable(x ast.Expr) bool {
	return w.plain && w.isShared(x) && !containsSync(w.info.TypeOf(x))
}

// mapOf returns the map of which x is an element.
func (w *walker) mapOf(x ast.Expr) ast.Expr {
	if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		if _, ok := w.under(i.X).(*types.Map); ok {
			return i.X
		}
	}
	return nil
}

// write wraps what is assigned to.
func (w *walker) write(x ast.Expr, call string) {
	if m := w.mapOf(x); m != nil {
		w.mapAccess(m, "Map"+call)
	} else if w.writable(x) {
		w.around(x, "*zzhook."+call+"("+w.site(last(x), x)+", &", ")")
	}
	w.target(x)
}

// target goes through what is inside of what is assigned to.
func (w *walker) target(x ast.Expr) {
	if w.mapOf(x) != nil {
		i := ast.Unparen(x).(*ast.IndexExpr)
		w.read(i.X)
		w.read(i.Index)
		return
	}
	w.addr(x)
}

// after tells of the writes of a statement behind it.
func (w *walker) after(s *ast.AssignStmt, call string, listed bool) {
	if !w.plain || !listed {
		return
	}
	text := ""
	for _, x := range s.Lhs {
		id, isName := x.(*ast.Ident)
		if isName && (id.Name == "_" || w.info.Defs[id] != nil) {
			continue
		}
		if !isName && len(s.Lhs) > 1 && w.moved(x, s.Lhs) {
			continue
		}
		if m := w.mapOf(x); m != nil {
			if raw := w.raw(m); raw != "" {
				text += "; zzhook.Map" + call + "(" + w.site(last(m), m) + ", " + raw + ")"
			}
		} else if w.writable(x) {
			if raw := w.raw(x); raw != "" {
				text += "; zzhook." + call + "(" + w.site(last(x), x) + ", &" + raw + ")"
			}
		}
	}
	if text != "" {
		w.hooked = true
		w.close(w.offset(s.End()), text)
	}
}

// moved reports whether x has another address after the assignment to list,
// because a name in it is assigned to.
func (w *walker) moved(x ast.Expr, list []ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			for _, y := range list {
				if other, ok := ast.Unparen(y).(*ast.Ident); ok && w.info.Uses[other] != nil && w.info.Uses[other] == w.info.Uses[id] {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// pure reports whether evaluating x runs no code of a function, and so makes no
// operation. The body of a function literal is not run.
func (w *walker) pure(x ast.Expr) bool {
	pure := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				pure = false
			}
		case *ast.CallExpr:
			if tv := w.info.Types[ast.Unparen(n.Fun)]; !tv.IsType() && !tv.IsBuiltin() {
				pure = false
			}
		}
		return pure
	})
	return pure
}
