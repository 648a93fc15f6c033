package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"strings"
)

// Plain accesses are seen for the sake of races. What is not seen can hide a
// race, but never make one up: the values of declarations and results, arrays
// and pointers to arrays in a range statement, what append writes behind the
// length, copies of values that contain a mutex, what packages that are not
// rewritten do, and the assignments of assign.go that fit no form.

// access wraps a use of a variable that threads may share:
// x becomes (*hook.R(17, &x)).
func (w *walker) access(x ast.Expr, call string) {
	if w.plain && w.isShared(x) && !containsSync(w.info.TypeOf(x)) {
		w.around(x, "(*zzhook."+call+"("+w.site(last(x), x)+", &", "))")
	}
}

// mapAccess wraps a map that is looked at or changed.
func (w *walker) mapAccess(x ast.Expr, call string) {
	if w.plain {
		w.around(x, "zzhook."+call+"("+w.site(last(x), x)+", ", ")")
	}
}

// last returns where the last name of an expression is: what the line of a
// chain over several lines is about.
func last(x ast.Expr) token.Pos {
	if s, ok := x.(*ast.SelectorExpr); ok {
		return s.Sel.Pos()
	}
	return x.Pos()
}

// isShared reports whether x is a variable that two threads can get at: one of
// a package, one behind a pointer or in a slice, or a local that findShared has
// found. Such an x can have its address taken.
func (w *walker) isShared(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.isShared(x.X)
	case *ast.Ident:
		v, ok := w.info.Uses[x].(*types.Var)
		return ok && (w.shared[v] || isGlobal(v))
	case *ast.SelectorExpr:
		s := w.info.Selections[x]
		if s == nil {
			v, ok := w.info.Uses[x.Sel].(*types.Var)
			return ok && isGlobal(v)
		}
		return s.Kind() == types.FieldVal && (s.Indirect() || w.isShared(x.X))
	case *ast.IndexExpr:
		switch u := w.under(x.X).(type) {
		case *types.Slice:
			return true
		case *types.Pointer:
			_, ok := u.Elem().Underlying().(*types.Array)
			return ok
		case *types.Array:
			return w.isShared(x.X)
		}
	case *ast.StarExpr:
		return !w.isType(x)
	}
	return false
}

func isGlobal(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// containsSync reports whether a value has a variable of sync or sync/atomic in
// it, whose own operations say what is read and written.
func containsSync(t types.Type) bool {
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil && dropIns[n.Obj().Pkg().Path()] != "" {
		_, pointer := t.Underlying().(*types.Pointer)
		return !pointer && !types.IsInterface(n)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if containsSync(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return containsSync(u.Elem())
	}
	return false
}

// elements has a range over a slice read its elements one by one, when their
// turn comes.
func (w *walker) elements(s *ast.RangeStmt) {
	slice, ok := w.under(s.X).(*types.Slice)
	value, isName := s.Value.(*ast.Ident)
	if !w.plain || !ok || s.Value == nil || isName && value.Name == "_" || containsSync(slice.Elem()) {
		return
	}
	if version.Compare(w.info.FileVersions[w.ast], "go1.23") >= 0 { // range over a function
		w.around(s.X, "zzhook.Elements("+w.site(s.For, s.X)+", ", ")")
	}
}

// copies has copy read and write the elements that it copies.
func (w *walker) copies(x *ast.CallExpr, fun ast.Expr) {
	to, ok := w.under(x.Args[0]).(*types.Slice)
	_, from := w.under(x.Args[1]).(*types.Slice)
	if !w.plain || !ok || !from || containsSync(to.Elem()) {
		return // from a string, or of a type parameter
	}
	w.hooked = true
	w.replace(w.offset(fun.Pos()), len("copy"), "zzhook.Copy")
	w.open(w.offset(x.Lparen)+1, w.site(x.Pos(), x.Args[0])+", ")
}

// findShared finds the local variables that a function literal captures and
// somebody assigns to after their declaration, and those whose address is taken.
func (u *unit) findShared() {
	u.shared = make(map[*types.Var]bool)
	if !u.plain {
		return
	}
	captured := make(map[*types.Var]bool)
	assigned := make(map[*types.Var]bool)
	root := func(x ast.Expr) *types.Var {
		for {
			switch y := x.(type) {
			case *ast.ParenExpr:
				x = y.X
			case *ast.SelectorExpr:
				if s := u.info.Selections[y]; s == nil || s.Indirect() {
					return nil
				}
				x = y.X
			case *ast.IndexExpr:
				if t := u.info.TypeOf(y.X); t == nil {
					return nil
				} else if _, ok := t.Underlying().(*types.Array); !ok {
					return nil
				}
				x = y.X
			case *ast.Ident:
				v, _ := u.info.Uses[y].(*types.Var)
				return v
			default:
				return nil
			}
		}
	}
	mark := func(set map[*types.Var]bool, x ast.Expr) {
		if v := root(x); v != nil && !v.IsField() {
			set[v] = true
		}
	}
	for _, f := range u.files {
		var literals []*ast.FuncLit
		var nodes []ast.Node
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if n == nil {
				if _, ok := nodes[len(nodes)-1].(*ast.FuncLit); ok {
					literals = literals[:len(literals)-1]
				}
				nodes = nodes[:len(nodes)-1]
				return false
			}
			nodes = append(nodes, n)
			switch n := n.(type) {
			case *ast.FuncLit:
				literals = append(literals, n)
			case *ast.Ident:
				if v, ok := u.info.Uses[n].(*types.Var); ok && len(literals) > 0 && !v.IsField() && !isGlobal(v) {
					if l := literals[len(literals)-1]; v.Pos() < l.Pos() || v.Pos() >= l.End() {
						captured[v] = true
					}
				}
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					mark(assigned, x)
				}
			case *ast.IncDecStmt:
				mark(assigned, n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					mark(assigned, n.Key)
					mark(assigned, n.Value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					mark(u.shared, n.X)
				}
			case *ast.SliceExpr:
				if t := u.info.TypeOf(n.X); t != nil {
					if _, ok := t.Underlying().(*types.Array); ok {
						mark(u.shared, n.X)
					}
				}
			case *ast.SelectorExpr:
				if s := u.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && !s.Indirect() {
					if _, ok := s.Obj().(*types.Func).Signature().Recv().Type().Underlying().(*types.Pointer); ok {
						if t := u.info.TypeOf(n.X); t != nil {
							if _, isPointer := t.Underlying().(*types.Pointer); !isPointer {
								mark(u.shared, n.X)
							}
						}
					}
				}
			}
			return true
		})
	}
	for v := range captured {
		if assigned[v] {
			u.shared[v] = true
		}
	}
}

// raw returns the source of an expression if it can be evaluated once more: it
// calls nothing and is on one line.
func (w *walker) raw(x ast.Expr) string {
	text := w.source(x)
	if strings.Contains(text, "\n") || !w.pure(x) {
		return ""
	}
	return text
}
