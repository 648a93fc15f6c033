package operators

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// What operators ask of the syntax and the types.

// each calls visit for each node of a kind in the function's body, outer before
// inner.
func each[N ast.Node](f *function, in ast.Node, visit func(N)) {
	ast.Inspect(in, func(n ast.Node) bool {
		if n, ok := n.(N); ok {
			visit(n)
		}
		return true
	})
}

// An access is an operation of sync/atomic.
type access struct {
	call *ast.CallExpr
	kind string // "Load", "Store", "Add", "And", "Or", "Swap", "CompareAndSwap"
	word string // the text in front of the operation, the same for one word: "q.top", "&x"
	args []ast.Expr
	pkg  string // of a function, its package's name here; of a method ""
	of   string // of a function, the type in its name: "Int64"
}

var kinds = []string{"Load", "Store", "Add", "And", "Or", "Swap", "CompareAndSwap"}

// atomic returns the operation that a node is.
func (f *function) atomic(n ast.Node) (access, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return access{}, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return access{}, false
	}
	fn, ok := f.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return access{}, false
	}
	a := access{call: call, args: call.Args}
	if fn.Signature().Recv() != nil {
		a.kind, a.word = fn.Name(), f.src(sel.X)
		return a, slices.Contains(kinds, a.kind)
	}
	for _, k := range kinds {
		if of, ok := strings.CutPrefix(fn.Name(), k); ok && len(call.Args) > 0 {
			a.kind, a.of, a.pkg, a.word, a.args = k, of, f.src(sel.X), f.src(call.Args[0]), call.Args[1:]
			return a, true
		}
	}
	return access{}, false
}

// writes reports whether the operation is more than a load.
func (a access) writes() bool { return a.kind != "Load" }

// as is another operation on the same word.
func (a access) as(kind, args string) string {
	if a.pkg == "" {
		return a.word + "." + kind + "(" + args + ")"
	}
	if args != "" {
		args = ", " + args
	}
	return a.pkg + "." + kind + a.of + "(" + a.word + args + ")"
}

// atomics returns the operations in a node, in the order of the source.
func (f *function) atomics(in ast.Node) (all []access) {
	each(f, in, func(n *ast.CallExpr) {
		if a, ok := f.atomic(n); ok {
			all = append(all, a)
		}
	})
	slices.SortStableFunc(all, func(a, b access) int { return int(a.call.Rparen - b.call.Rparen) })
	return all
}

// memory reports whether an expression is a place that others may reach: a
// field, an element, what a pointer points to, a variable of the package.
func (f *function) memory(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if s := f.info.Selections[x]; s != nil {
			return s.Kind() == types.FieldVal
		}
		return f.global(x.Sel)
	case *ast.IndexExpr:
		tv := f.info.Types[x]
		return tv.IsValue()
	case *ast.StarExpr:
		return f.info.Types[x].IsValue()
	case *ast.Ident:
		return f.global(x)
	}
	return false
}

func (f *function) global(id *ast.Ident) bool {
	v, ok := f.info.Uses[id].(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// local returns the local variable that an expression is.
func (f *function) local(x ast.Expr) *types.Var {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	o := f.info.Defs[id]
	if o == nil {
		o = f.info.Uses[id]
	}
	v, ok := o.(*types.Var)
	if !ok || v.IsField() || f.global(id) {
		return nil
	}
	return v
}

// writesMemory reports whether a statement by itself writes what others may
// reach: an atomic write, or a plain one.
func (f *function) writesMemory(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		a, ok := f.atomic(ast.Unparen(s.X))
		return ok && a.writes()
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && slices.ContainsFunc(s.Lhs, f.memory)
	case *ast.IncDecStmt:
		return f.memory(s.X)
	}
	return false
}

// touches reports whether anything in a node may read or write what others may
// reach.
func (f *function) touches(n ast.Node) (yes bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			yes = yes || !f.pure(n)
		case ast.Expr:
			yes = yes || f.memory(n)
		}
		return !yes
	})
	return yes
}

// pure reports whether a call is a conversion or a builtin function that looks
// at nothing but its operands.
func (f *function) pure(c *ast.CallExpr) bool {
	tv := f.info.Types[c.Fun]
	if tv.IsType() {
		return true
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && tv.IsBuiltin() && slices.Contains([]string{"len", "cap", "min", "max"}, id.Name)
}

// integer reports whether an expression is of an integer type.
func (f *function) integer(x ast.Expr) bool {
	t := f.info.TypeOf(x)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// boolean reports whether an expression is of a boolean type.
func (f *function) boolean(x ast.Expr) bool {
	t := f.info.TypeOf(x)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// text reports whether an expression is of a string type.
func (f *function) text(x ast.Expr) bool {
	t := f.info.TypeOf(x)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// zero is the zero value of a type, with the type if typed is set.
func (f *function) zero(t types.Type, typed bool) string {
	name := types.TypeString(t, func(p *types.Package) string { return f.file.imported(f.pkg.types, p) })
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "*new(" + name + ")"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		value := "0"
		switch {
		case u.Info()&types.IsBoolean != 0:
			value = "false"
		case u.Info()&types.IsString != 0:
			value = `""`
		case u.Kind() == types.UnsafePointer:
			value = "nil"
		}
		if typed && name != "bool" && name != "string" && name != "int" {
			return name + "(" + value + ")"
		}
		return value
	case *types.Struct, *types.Array:
		return "*new(" + name + ")"
	}
	if typed {
		return "(" + name + ")(nil)"
	}
	return "nil"
}

// imported is the name of a package in a file.
func (file *file) imported(own, p *types.Package) string {
	if p == own {
		return ""
	}
	for _, i := range file.ast.Imports {
		if strings.Trim(i.Path.Value, "`\"") == p.Path() {
			if i.Name != nil {
				return i.Name.Name
			}
			break
		}
	}
	return p.Name()
}
