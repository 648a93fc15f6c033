package instrument

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
)

// A method that is called through an interface, by a type parameter, or by an
// expression (*T).Method may be one of the compiler's, which reads on the way to the
// method and copies the receiver: see receivers.go of package hook, which knows by the
// dynamic type. It must be told when the method begins, after the arguments:
//
//	hook.Method(17, 18, "Len", i).Len()                           they call nothing, and reach no memory
//	hook.Bound(17, 18, "Add", hook.Hold(i).Add)(f())              they do; also i.Add as a value
//	hook.Expression(17, 18, "Len", (*T).Len)(p)
//
// A deferred function that calls recover must be called by nobody else. So the read is
// a deferred call of its own, which comes right before:
//
//	{ var zzi any; defer hook.Keep(&zzi, i).Add(f()); defer hook.Copied(17, 18, "Add", zzi) }
//
// What the call does with its arguments, if it is not seen, is told by hook.Passed.

// idOf is the name of a method, with its package if others cannot say it.
func idOf(f *types.Func) string {
	if f.Exported() || f.Pkg() == nil {
		return f.Name()
	}
	return f.Pkg().Path() + "." + f.Name()
}

// dynamicOf returns the selector of a method of which the dynamic type of the operand
// decides what it is, or nil.
func (w *walker) dynamicOf(fun ast.Expr) (*ast.SelectorExpr, *types.Func) {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	f, _ := w.info.Uses[sel.Sel].(*types.Func)
	s := w.info.Selections[sel]
	if f == nil || s == nil || s.Kind() != types.MethodVal || !ofInterface(f) {
		return nil, nil
	}
	if n := namedOf(w.info.TypeOf(sel.X)); n != nil && n.Obj().Pkg() != nil {
		if path := n.Obj().Pkg().Path(); path == "testing" || path == "reflect" {
			return nil, nil
		}
	}
	return sel, f
}

// dynamicCall goes around the operand of such a method that is called, and around the
// method if an argument calls something.
func (w *walker) dynamicCall(x *ast.CallExpr, fun ast.Expr) {
	sel, f := w.dynamicOf(fun)
	if sel == nil {
		e, ok := fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		switch f, ok := w.info.Uses[e.Sel].(*types.Func); {
		case !ok || !w.wrapped(e, f):
		case w.plain:
			w.around(fun, "zzhook.Expression("+w.toldOf(e, x.Args[0], f)+", ", ")")
		case ofInterface(f) && w.wrappable(x.Args[0]):
			w.around(x.Args[0], "zzhook.Method("+w.mark(last(e), x.Args[0], f.Name())+`, 0, "", `, ")")
		}
		return
	}
	for _, a := range x.Args {
		if w.plain && (!w.callsNothing(a) || w.wrappable(a)) {
			w.bound(fun, sel, f)
			return
		}
	}
	w.method(sel, f, w.plain)
}

// method goes around the operand of a method.
func (w *walker) method(sel *ast.SelectorExpr, f *types.Func, tell bool) {
	path, ok := w.fields(sel, w.info.Selections[sel])
	if !ok {
		path = ""
	}
	mark := w.mark(last(sel), sel.X, f.Name())
	site, name := "0", ""
	if tell {
		site, name = w.site(last(sel), sel.X), idOf(f)
	}
	w.around(sel.X, "zzhook.Method("+mark+", "+site+", "+strconv.Quote(name)+", ", path+")")
}

// bound goes around a method value.
func (w *walker) bound(x ast.Expr, sel *ast.SelectorExpr, f *types.Func) {
	path, ok := w.fields(sel, w.info.Selections[sel])
	if !ok {
		path = ""
	}
	w.around(x, "zzhook.Bound("+w.told(sel, f)+", ", ")")
	w.around(sel.X, "zzhook.Hold(", path+")")
}

// told are the two sites of a method and its name.
func (w *walker) told(sel *ast.SelectorExpr, f *types.Func) string { return w.toldOf(sel, sel.X, f) }

// toldOf is told of a method that is called on operand.
func (w *walker) toldOf(sel *ast.SelectorExpr, operand ast.Expr, f *types.Func) string {
	return w.mark(last(sel), operand, f.Name()) + ", " + w.site(last(sel), sel) + ", " + strconv.Quote(idOf(f))
}

// methodValue goes through a method that is used as a value. It reports whether that
// was all there is to do.
func (w *walker) methodValue(x *ast.SelectorExpr, f *types.Func) bool {
	if !w.plain {
		return false
	}
	if sel, _ := w.dynamicOf(x); sel != nil {
		w.bound(x, sel, f)
		w.addr(x)
		return true
	}
	if w.wrapped(x, f) {
		w.around(x, "zzhook.Expression("+w.told(x, f)+", ", ")")
		return true
	}
	return false
}

// wrapped reports whether x is a method expression that reads something before the
// method begins.
func (w *walker) wrapped(x *ast.SelectorExpr, f *types.Func) bool {
	s := w.info.Selections[x]
	if s == nil || s.Kind() != types.MethodExpr {
		return false
	}
	if ofInterface(f) {
		return true
	}
	if _, byPointer := f.Signature().Recv().Type().Underlying().(*types.Pointer); byPointer {
		return w.lastPointer(x, s, len(s.Index())-1) > 0
	}
	_, pointer := w.under(x.X).(*types.Pointer)
	return pointer || w.lastPointer(x, s, len(s.Index())-1) > 0
}

// deferStmt goes through a defer statement.
func (w *walker) deferStmt(s *ast.DeferStmt) {
	defer func() { w.deferred = false }()
	_, literal := ast.Unparen(s.Call.Fun).(*ast.FuncLit)
	w.deferred = !literal // what a literal calls is called where it stands
	if !w.plain {
		w.call(s.Call)
		return
	}
	fun := ast.Unparen(s.Call.Fun)
	x, f := w.dynamicOf(fun)
	var operand ast.Expr
	path := ""
	if x != nil {
		operand = x.X
		path, _ = w.fields(x, w.info.Selections[x])
	} else if e, ok := fun.(*ast.SelectorExpr); ok && len(s.Call.Args) > 0 {
		if g, ok := w.info.Uses[e.Sel].(*types.Func); ok && w.wrapped(e, g) && w.single(s.Call.Args[0]) {
			x, f, operand = e, g, s.Call.Args[0]
		}
	}
	if operand == nil {
		w.call(s.Call)
		return
	}
	name := "zzi" + w.site(s.Defer, nil)
	told := w.told(x, f)
	w.open(w.offset(s.Defer), "{ var "+name+" any; ")
	w.close(w.offset(s.End()), "; defer zzhook.Copied("+told+", "+name+") }")
	if operand == x.X && ofInterface(f) && slices.ContainsFunc(s.Call.Args, w.wrappable) {
		w.around(fun, "zzhook.Passed("+told+", ", ")")
		w.around(operand, "zzhook.Hold(", ")")
	}
	w.around(operand, "zzhook.Keep(&"+name+", ", path+")")
	w.calledValue(s.Call, fun)
	w.unseenCall(s.Call, fun)
	w.addr(fun)
	w.reads(s.Call.Args)
}

// single reports whether a value of x can be kept as what it is.
func (w *walker) single(x ast.Expr) bool {
	tv := w.info.Types[x]
	_, tuple := tv.Type.(*types.Tuple)
	return !tuple && !tv.IsNil() && tv.Value == nil
}
