package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (w *walker) reads(list []ast.Expr) {
	for _, x := range list {
		w.read(x)
	}
}

// under returns the underlying type of an expression, nil for none.
func (w *walker) under(x ast.Expr) types.Type {
	t := w.info.TypeOf(x)
	if t == nil {
		return nil
	}
	return t.Underlying()
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
		if f, ok := w.info.Uses[x.Sel].(*types.Func); ok && w.value(x, f) {
			return
		}
		w.access(x, "R")
		w.addr(x)
	case *ast.IndexExpr:
		if _, ok := w.under(x.X).(*types.Signature); ok {
			w.read(x.X) // an instance of a generic function
			return
		}
		if _, ok := w.under(x.X).(*types.Map); ok {
			w.mapAccess(x.X, "MapR")
			w.read(x.X)
			w.read(x.Index)
			return
		}
		w.access(x, "R")
		w.addr(x)
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
	case nil, *ast.Ident:
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
		if _, ok := w.under(x.X).(*types.Pointer); ok {
			w.read(x.X)
		} else {
			w.addr(x.X)
		}
	case *ast.IndexExpr:
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
	_, isPointer := w.under(x.X).(*types.Pointer)
	_, isInterface := w.under(x.X).(*types.Interface)
	recv := s.Obj().(*types.Func).Signature().Recv().Type()
	_, byPointer := recv.Underlying().(*types.Pointer)
	switch {
	case isPointer || isInterface:
		w.read(x.X)
	case !byPointer && len(s.Index()) == 1:
		w.read(x.X) // the whole of it is copied
	default:
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
	case tv.IsBuiltin():
		w.builtin(x, fun)
		return
	default:
		if !w.operation(x, fun) {
			w.called(x, fun)
			w.read(fun)
		}
	}
	w.reads(x.Args)
}

func (w *walker) builtin(x *ast.CallExpr, fun ast.Expr) {
	name := ""
	switch fun := fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name // of package unsafe
	}
	var first types.Type
	if len(x.Args) > 0 {
		first = w.under(x.Args[0])
	}
	switch name {
	case "Sizeof", "Alignof", "Offsetof":
		return
	case "close":
		w.refuse(x.Args[0], x.Pos(), "the close of a channel")
	case "len", "cap":
		switch first.(type) {
		case *types.Array:
			w.addr(x.Args[0])
			return
		case *types.Map:
			w.mapAccess(x.Args[0], "MapR")
		case *types.Chan:
			w.refuse(x.Args[0], x.Pos(), "the "+map[string]string{"len": "length", "cap": "capacity"}[name]+" of a channel")
		}
	case "copy":
		w.copies(x, fun)
	case "delete", "clear":
		if _, ok := first.(*types.Map); ok {
			w.mapAccess(x.Args[0], "MapW")
		}
	}
	w.reads(x.Args)
}
