package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

func (w *walker) reads(list []ast.Expr) {
	for _, x := range list {
		w.read(x)
	}
}

// under returns the underlying type of an expression, nil for none.
func (w *walker) under(x ast.Expr) types.Type { return core(w.info.TypeOf(x)) }

// core returns the underlying type of t; of a type parameter, the one that all its
// types have, or its constraint.
func core(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	var common types.Type
	for _, t := range typeSet(p) {
		if common != nil && !types.Identical(common, t) {
			return p.Underlying()
		}
		common = t
	}
	if common == nil {
		return p.Underlying()
	}
	return common
}

// typeSet returns the underlying types that a type parameter allows, as far as its
// constraint says so.
func typeSet(p *types.TypeParam) []types.Type { return terms(p.Underlying().(*types.Interface)) }

func terms(constraint *types.Interface) (all []types.Type) {
	for e := range constraint.EmbeddedTypes() {
		if u, ok := types.Unalias(e).(*types.Union); ok {
			for t := range u.Terms() {
				all = append(all, t.Type().Underlying())
			}
		} else if i, ok := e.Underlying().(*types.Interface); ok {
			all = append(all, terms(i)...)
		} else {
			all = append(all, e.Underlying())
		}
	}
	return all
}

// mixed reports whether x is of a type parameter that allows slices and other types, so
// that it is known at run time alone what its elements are.
func (w *walker) mixed(x ast.Expr) bool {
	t := w.info.TypeOf(x)
	if t == nil {
		return false
	}
	p, isParam := types.Unalias(t).(*types.TypeParam)
	if !isParam || !w.plain {
		return false
	}
	if _, same := core(p).(*types.Interface); !same {
		return false
	}
	return slices.ContainsFunc(typeSet(p), func(t types.Type) bool {
		switch t.(type) {
		case *types.Slice, *types.Pointer, *types.Array:
			return true
		}
		return false
	})
}

// allowsArrays reports whether x, of a mixed type, may be an array.
func (w *walker) allowsArrays(x ast.Expr) bool {
	p := types.Unalias(w.info.TypeOf(x)).(*types.TypeParam)
	return slices.ContainsFunc(typeSet(p), func(t types.Type) bool { _, ok := t.(*types.Array); return ok })
}

// isType reports whether x is evaluated to nothing: a type or a constant.
func (w *walker) isType(x ast.Expr) bool {
	tv, ok := w.info.Types[x]
	return ok && (tv.IsType() || tv.Value != nil)
}

// read goes through an expression whose value is used.
func (w *walker) read(x ast.Expr) {
	if x == nil || w.isType(x) {
		return
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		w.read(x.X)
	case *ast.Ident:
		if f, ok := w.info.Uses[x].(*types.Func); ok {
			w.value(x, f)
			return
		}
		w.access(x, "R")
	case *ast.SelectorExpr:
		if f, ok := w.info.Uses[x.Sel].(*types.Func); ok && (w.value(x, f) || w.methodValue(x, f)) {
			return
		}
		w.access(x, "R")
		w.addr(x)
	case *ast.IndexExpr:
		if w.isFunc(x.X) { // an instance of a generic function
			if f, ok := w.info.Uses[called(x)].(*types.Func); ok {
				w.asValue(x, f)
			}
			return
		}
		if _, ok := w.under(x.X).(*types.Map); ok {
			w.element(x)
			return
		}
		if w.mixed(x.X) {
			w.given(x.X, std.MayRead, "an index")
		}
		w.access(x, "R")
		w.addr(x)
	case *ast.IndexListExpr:
		if f, ok := w.info.Uses[called(x)].(*types.Func); ok {
			w.asValue(x, f)
		}
	case *ast.StarExpr:
		w.access(x, "R")
		w.read(x.X)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.AND:
			w.addr(x.X)
		case token.ARROW:
			w.refuse(x.X, x.OpPos, "a channel receive")
			w.read(x.X)
		default:
			w.read(x.X)
		}
	case *ast.BinaryExpr:
		w.read(x.X)
		w.read(x.Y)
	case *ast.SliceExpr:
		if _, ok := w.under(x.X).(*types.Array); ok {
			w.addr(x.X)
		} else {
			w.read(x.X)
		}
		w.read(x.Low)
		w.read(x.High)
		w.read(x.Max)
	case *ast.TypeAssertExpr:
		w.read(x.X)
	case *ast.CompositeLit:
		w.composite(x)
	case *ast.FuncLit:
		w.function(x.Type, x.Body)
	case *ast.CallExpr:
		w.call(x)
	}
}

// addr goes through an expression that names a variable whose value is not
// used: the operand of &, what is assigned to, the struct that a field is of.
func (w *walker) addr(x ast.Expr) {
	switch x := x.(type) {
	case nil, *ast.Ident, *ast.IndexListExpr:
	case *ast.ParenExpr:
		w.addr(x.X)
	case *ast.SelectorExpr:
		s := w.info.Selections[x]
		if s == nil || s.Kind() == types.MethodExpr {
			return
		}
		if s.Kind() == types.MethodVal {
			w.receiver(x, s)
			return
		}
		w.hops(x, s, len(s.Index())-1)
		if _, ok := w.under(x.X).(*types.Pointer); ok {
			w.read(x.X)
		} else {
			w.addr(x.X)
		}
	case *ast.IndexExpr:
		if w.isFunc(x.X) {
			return
		}
		if _, ok := w.under(x.X).(*types.Map); ok {
			w.read(x) // a field of an element
			return
		}
		if _, ok := w.under(x.X).(*types.Array); ok {
			w.addr(x.X)
		} else {
			w.read(x.X)
		}
		w.read(x.Index)
	case *ast.StarExpr:
		w.read(x.X)
	default:
		w.read(x)
	}
}

// receiver goes through the operand of a method.
func (w *walker) receiver(x *ast.SelectorExpr, s *types.Selection) {
	_, byPointer := s.Obj().(*types.Func).Signature().Recv().Type().Underlying().(*types.Pointer)
	hops := len(s.Index()) - 1
	of, named := w.embedded(x, s, hops)
	isInterface := types.IsInterface(of)
	_, isPointer := core(of).(*types.Pointer)
	if byPointer {
		w.hops(x, s, hops)
	} else {
		if isPointer && !isInterface && w.plain && (hops == 0 || named && w.variable(x.X)) {
			w.around(x.X, "(*zzhook.R("+w.site(x.Sel.Pos(), x.X)+", ", "))") // what it points to is copied
		}
		w.path(x, s, hops, true)
	}
	if _, ok := w.under(x.X).(*types.Pointer); ok || hops == 0 && (isInterface || !byPointer) {
		w.read(x.X)
	} else {
		w.addr(x.X)
	}
}

func (w *walker) composite(x *ast.CompositeLit) {
	t := w.under(x)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying() // an element whose & is left out
	}
	_, isStruct := t.(*types.Struct)
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if !isStruct {
				w.read(kv.Key)
			}
			e = kv.Value
		}
		w.read(e)
	}
}

// call goes through a call, also one of a defer statement.
func (w *walker) call(x *ast.CallExpr) {
	fun := ast.Unparen(x.Fun)
	tv := w.info.Types[fun]
	switch {
	case tv.IsType():
		w.conversion(x)
	case tv.IsBuiltin():
		w.builtin(x, fun)
		return
	default:
		if w.operation(x, fun) {
			break
		}
		w.dynamicCall(x, fun)
		w.calledValue(x, fun)
		w.unseenCall(x, fun)
		if id := called(fun); id != nil {
			if _, ok := w.info.Uses[id].(*types.Func); ok {
				w.addr(fun)
				break
			}
		}
		w.read(fun)
	}
	w.reads(x.Args)
}
