package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// receiverOf returns what is put around the operand of a method.
func (w *walker) receiverOf(sel *ast.SelectorExpr, f *types.Func, e std.Effect, sure bool, c *callee) (before, after string, ok bool) {
	s := w.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return "", "", false // of a method expression, the receiver is an argument
	}
	path, ok := w.fields(sel, s)
	if !ok {
		return "", "", false
	}
	_, byPointer := f.Signature().Recv().Type().Underlying().(*types.Pointer)
	holder := w.holderOf(sel, s)
	_, isPointer := holder.Underlying().(*types.Pointer)
	and := ""
	if byPointer && !isPointer {
		and = "&"
	}
	if e == std.Nothing || and == "" && !matters(holder, nil) {
		if !c.chance && !c.inside {
			return "", "", true
		}
		return and, path, true
	}
	before, after = w.effect(sel.X, e, sure, c)
	return before + and, path + after, true
}

// fields returns the selectors of the embedded fields that a method comes by,
// ".Mutex", and whether they can be written in this package. Those that are written
// by what has the operand read are left out.
func (w *walker) fields(sel *ast.SelectorExpr, s *types.Selection) (path string, ok bool) {
	t := w.info.TypeOf(sel.X)
	written := w.written(sel, s)
	for at, i := range s.Index()[:len(s.Index())-1] {
		if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
			t = p.Elem()
		}
		st, isStruct := t.Underlying().(*types.Struct)
		if !isStruct {
			return "", false
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != w.types {
			return "", false
		}
		if at >= written {
			path += "." + f.Name()
		}
		t = f.Type()
	}
	return path, true
}

// holderOf returns the type of the field that fields ends at.
func (w *walker) holderOf(sel *ast.SelectorExpr, s *types.Selection) types.Type {
	t := w.info.TypeOf(sel.X)
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

// wrappable reports whether an operand can go through a generic function, and may
// point to something.
func (w *walker) wrappable(x ast.Expr) bool {
	tv, ok := w.info.Types[x]
	if !ok || tv.IsType() || tv.IsNil() || tv.IsBuiltin() || tv.Value != nil || tv.Type == nil {
		return false
	}
	if _, tuple := tv.Type.(*types.Tuple); tuple {
		return false
	}
	if f, ok := tv.Type.Underlying().(*types.Signature); ok && (f.TypeParams().Len() > 0 || !w.instance(x)) {
		return false
	}
	return matters(tv.Type, nil)
}

// callsNothing reports whether the evaluation of an operand calls nothing, so that what
// is said of the one before it is said at the right time.
func (w *walker) callsNothing(x ast.Expr) bool {
	calm := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if tv := w.info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				calm = false
			}
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			calm = calm && n.Op != token.ARROW
		}
		return calm
	})
	return calm
}

// matters reports whether two threads can meet behind values of t.
func matters(t types.Type, within []types.Type) bool {
	t = types.Unalias(t)
	for _, o := range within {
		if o == t {
			return false
		}
	}
	within = append(within, t)
	if p, ok := t.(*types.TypeParam); ok {
		set := typeSet(p)
		return len(set) == 0 || slices.ContainsFunc(set, func(t types.Type) bool { return matters(t, within) })
	}
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil && std.Immutable(n.Obj().Pkg().Path(), n.Obj().Name()) {
		_, isPointer := t.(*types.Pointer)
		return isPointer && std.Variable(n.Obj().Pkg().Path(), n.Obj().Name())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if matters(f.Type(), within) {
				return true
			}
		}
		return false
	case *types.Array:
		return matters(u.Elem(), within)
	}
	return true
}

// reaches reports whether an operand of type t can reach memory: for package std. A
// function says what it does when it is called.
func reaches(t types.Type) bool {
	_, isFunc := core(t).(*types.Signature)
	return !isFunc && matters(t, nil)
}
