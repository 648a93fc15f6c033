package operators

import "go/ast"

// swaps calls visit for each swap that compares.
func (f *function) swaps(visit func(a access, old, new string)) {
	for _, a := range f.atomics(f.decl.Body) {
		if a.kind == "CompareAndSwap" {
			visit(a, f.src(a.args[0]), f.src(a.args[1]))
		}
	}
}

// casStore makes w.CompareAndSwap(old, new) a store. Where the swap is the first
// thing that its statement does, the store stands in front; else it is made in a
// function literal.
func casStore(f *function) {
	f.swaps(func(a access, _, new string) {
		store := a.as("Store", new)
		switch s := f.first(a.call).(type) {
		case nil:
			f.add(a.call, f.with(a.call, "func() bool { "+store+"; return true }()"))
		case *ast.ExprStmt:
			f.add(a.call, f.with(a.call, store))
		default:
			f.add(a.call, f.before(s, store+f.note(a.call)), f.with(a.call, "true"))
		}
	})
}

// first returns the statement in a list of which x is what is done first: all of
// an if's condition or its negation, of an assignment, of an expression.
func (f *function) first(x ast.Expr) ast.Stmt {
	var n ast.Node = x
	for {
		switch p := f.parent[n].(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
			n = p
			continue
		case *ast.IfStmt:
			if _, i := f.list(p); p.Cond == n && p.Init == nil && i >= 0 {
				return p
			}
		case *ast.AssignStmt:
			if _, i := f.list(p); len(p.Rhs) == 1 && f.local(p.Lhs[0]) != nil && i >= 0 {
				return p
			}
		case *ast.ExprStmt:
			return p
		}
		return nil
	}
}

func casIgnore(f *function) {
	f.swaps(func(a access, _, _ string) {
		call := f.src(a.call)
		if s, ok := f.parent[a.call].(*ast.ExprStmt); ok && s.X == a.call {
			return
		}
		f.add(a.call, f.with(a.call, call+" || true"))
		f.add(a.call, f.with(a.call, call+" && false"))
	})
}

func casStale(f *function) {
	f.swaps(func(a access, old, new string) {
		f.add(a.call, f.with(a.args[0], a.as("Load", "")))
		if f.integer(a.args[0]) {
			f.add(a.call, f.with(a.args[0], f.oneMore(a.args[0], " + ")))
			f.add(a.call, f.with(a.args[0], f.oneMore(a.args[1], " - ")))
		}
	})
}

func casVoid(f *function) {
	f.swaps(func(a access, old, _ string) { f.add(a.call, f.with(a.args[1], old)) })
}
