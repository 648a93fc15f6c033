package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// Plain accesses are seen for the sake of races: what a thread reads and writes
// of variables that another can get at, where it happens in relation to the
// operations of the same statement. Where the specification of Go leaves open
// whether a variable is read before or after a call, it is read in the order of
// the text.
//
// What the compiler reads on the way to a method is in receivers.go, what happens between
// the iterations of a loop in iterations.go, results that are passed on in several.go.
//
// Not seen, so that a race on it is missed (none is made up):
//
//   - what packages that are not rewritten do, as far as it is no doubt, and assembly, C
//     and reflection;
//   - bytes of which unsafe.String has made a string: they must not change, says its
//     documentation, and neither the race detector of Go looks at a string's bytes;
//   - method values of interfaces that a package-level variable is initialised with: no
//     exploration has begun;
//   - elements of a type parameter that allows arrays, where they are assigned to and the
//     variable is come by through a call;
//   - an assignment in a clause of if, for or switch with both an operation and a
//     call of recover on its right.

// access wraps a use of a variable that threads may share:
// x becomes (*hook.R(17, &x)).
func (w *walker) access(x ast.Expr, call string) {
	if w.plain && w.isShared(x) {
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
		var literals []ast.Node // and loops over functions, whose bodies are literals too
		bodies := make(map[*ast.BlockStmt]ast.Node)
		var nodes []ast.Node
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if n == nil {
				if l := literalOf(nodes[len(nodes)-1], bodies); l != nil {
					literals = literals[:len(literals)-1]
				}
				nodes = nodes[:len(nodes)-1]
				return false
			}
			nodes = append(nodes, n)
			if l := literalOf(n, bodies); l != nil {
				literals = append(literals, l)
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				u.results(n.Type, n.Body, assigned)
			case *ast.FuncDecl:
				u.results(n.Type, n.Body, assigned)
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
				if _, ok := core(u.info.TypeOf(n.X)).(*types.Signature); ok {
					bodies[n.Body] = n
				}
				if n.Tok == token.ASSIGN {
					mark(assigned, n.Key)
					mark(assigned, n.Value)
					if bodies[n.Body] != nil {
						mark(captured, n.Key)
						mark(captured, n.Value)
					}
				} else {
					u.oneForAll(f, n, assigned)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					mark(u.shared, n.X)
				}
			case *ast.SliceExpr:
				if _, ok := core(u.info.TypeOf(n.X)).(*types.Array); ok {
					mark(u.shared, n.X)
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

// literalOf returns the function literal that a node is, or the loop over a function of
// which it is the body.
func literalOf(n ast.Node, bodies map[*ast.BlockStmt]ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.FuncLit:
		return n
	case *ast.BlockStmt:
		return bodies[n]
	}
	return nil
}

// oneForAll notes the variables of a range statement that each iteration assigns to:
// before Go 1.22 there is one for all iterations.
func (u *unit) oneForAll(f *file, s *ast.RangeStmt, assigned map[*types.Var]bool) {
	if version.Compare(u.info.FileVersions[f.ast], "go1.22") >= 0 {
		return
	}
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := u.info.Defs[id].(*types.Var); ok {
				assigned[v] = true
			}
		}
	}
}
