package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An assignment writes after both sides have been evaluated. If these have
// operations, the hook must come after them, or the write would be taken for one
// that no lock or flag orders. So there are four forms:
//
//	*hook.W(17, &x) = y            nothing is called on either side
//	hook.Set(17, &x)(y.Load())     one variable, one value
//	x, y := f(); hook.W(17, &x)    a definition that also assigns
//
// and for the rest the hooks note what is assigned to, and report it at the end:
//
//	{ var zzl hook.Late; *hook.LateW(&zzl, 17, &x), y = f(); zzl.Report() }
//
// Where no statement can stand, in a clause of if, for or switch, it is a call of a
// function literal.

// assign goes through an assignment or definition.
func (w *walker) assign(s *ast.AssignStmt, listed bool) {
	call := "W"
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		call = "RW"
	}
	switch {
	case s.Tok == token.DEFINE:
		w.redefined(s, listed)
	case w.calm(s):
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
		w.later(s, s.Lhs, call, listed)
		w.reads(s.Rhs)
		return
	}
	for _, x := range s.Lhs {
		w.target(x)
	}
	w.reads(s.Rhs)
}

// calm reports whether an assignment calls nothing between the first hook of what
// is assigned to and the assignment itself.
func (w *walker) calm(s *ast.AssignStmt) bool {
	for _, y := range s.Rhs {
		if !w.pure(y) {
			return false
		}
	}
	if len(s.Lhs) == 1 {
		return w.keyed(s.Lhs[0])
	}
	for _, x := range s.Lhs {
		if !w.pure(x) {
			return false
		}
	}
	return true
}

// keyed reports whether x is no element of a map whose key calls something.
func (w *walker) keyed(x ast.Expr) bool {
	return w.mapOf(x) == nil || w.pure(ast.Unparen(x).(*ast.IndexExpr).Index)
}

// update goes through x++ and x--.
func (w *walker) update(s *ast.IncDecStmt, listed bool) {
	switch {
	case !w.keyed(s.X):
		w.later(s, []ast.Expr{s.X}, "RW", listed)
	case w.writable(s.X):
		w.tally(func() { w.write(s.X, "RW") })
	default:
		w.write(s.X, "RW")
	}
}

// later goes through what a statement assigns to, and has it reported at the end.
func (w *walker) later(s ast.Stmt, list []ast.Expr, call string, listed bool) {
	told := false
	for _, x := range list {
		told = told || w.plain && w.mapOf(x) != nil || w.writable(x)
	}
	if told = told && (listed || !w.recovers(s)); told {
		w.hooked = true
		before, after := "{ ", " }"
		if !listed {
			before, after = "func() { ", " }()"
		}
		w.open(w.offset(s.Pos()), before+"var zzl zzhook.Late; ")
		w.close(w.offset(s.End()), "; zzl.Report()"+after)
	}
	for _, x := range list {
		if told {
			w.noted(x, call, "zzl")
		}
		w.target(x)
	}
}

// noted goes around what is assigned to, which a variable of type Late notes.
func (w *walker) noted(x ast.Expr, call, late string) {
	if m := w.mapOf(x); m != nil {
		w.around(m, "zzhook.LateMap"+call+"(&"+late+", "+w.site(last(m), m)+", ", ")")
	} else if w.writable(x) {
		w.around(x, "*zzhook.Late"+call+"(&"+late+", "+w.site(last(x), x)+", &", ")")
	}
}

// recovers reports whether a statement calls recover, which works in the deferred
// function alone and not in a function literal of it.
func (w *walker) recovers(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && w.info.Types[id].IsBuiltin() && id.Name == "recover"
		return !found
	})
	return found
}

// redefined tells, behind a definition, of the variables in it that are not new.
func (w *walker) redefined(s *ast.AssignStmt, listed bool) {
	if !listed {
		return // the variables of a clause are all new
	}
	for _, x := range s.Lhs {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" && w.info.Defs[id] == nil && w.writable(x) {
			w.hooked = true
			w.close(w.offset(s.End()), "; zzhook.W("+w.site(x.Pos(), x)+", &"+id.Name+")")
		}
	}
}

// writable reports whether x is a variable, not an element of a map, whose
// writes are told.
func (w *walker) writable(x ast.Expr) bool {
	return w.plain && w.isShared(x)
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
	if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		if raw := w.raw(i.X); !w.mixed(i.X) {
			// It is told above.
		} else if w.info.Types[i.X].Addressable() && raw != "" {
			w.around(i.Index, "zzhook.At("+w.mark(last(i.X), i.X, "an index")+", &"+raw+", ", ")")
		} else if !w.allowsArrays(i.X) { // of the result of a function nothing is assigned to
			w.around(i.X, "zzhook.MayWrite("+w.mark(last(i.X), i.X, "an index")+", ", ")")
		}
	}
	if w.mapOf(x) != nil {
		i := ast.Unparen(x).(*ast.IndexExpr)
		w.read(i.X)
		w.read(i.Index)
		return
	}
	w.addr(x)
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
