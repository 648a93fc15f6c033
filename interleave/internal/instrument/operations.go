package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// refused are functions that wait for time or start what does.
var refused = map[string]string{
	"time.Sleep":                "a call of time.Sleep",
	"time.After":                "a call of time.After",
	"time.AfterFunc":            "a call of time.AfterFunc",
	"time.Tick":                 "a call of time.Tick",
	"time.NewTimer":             "a call of time.NewTimer",
	"time.NewTicker":            "a call of time.NewTicker",
	"(*time.Timer).Reset":       "a call of time.Timer.Reset",
	"(*time.Ticker).Reset":      "a call of time.Ticker.Reset",
	"context.WithTimeout":       "a call of context.WithTimeout",
	"context.WithTimeoutCause":  "a call of context.WithTimeoutCause",
	"context.WithDeadline":      "a call of context.WithDeadline",
	"context.WithDeadlineCause": "a call of context.WithDeadlineCause",
	"context.AfterFunc":         "a call of context.AfterFunc",
}

// value goes through a function or method that is used as a value. It reports
// whether that was all there is to do.
func (w *walker) value(x ast.Expr, f *types.Func) bool {
	what := refused[f.FullName()]
	if what == "" {
		if !w.asValue(x, f) {
			return false
		}
		if s, ok := x.(*ast.SelectorExpr); ok {
			w.addr(s)
		}
		return true
	}
	w.around(x, "zzhook.Uncontrolled("+w.site(x.Pos(), nil)+`, "`+what+`", `, ")")
	if s, ok := x.(*ast.SelectorExpr); ok {
		w.addr(s)
	}
	return true
}

// operation rewrites the function of a call if it is an operation of sync or
// sync/atomic, runtime.Gosched, or is refused.
func (w *walker) operation(x *ast.CallExpr, fun ast.Expr) bool {
	name, _ := fun.(*ast.Ident)
	sel, _ := fun.(*ast.SelectorExpr)
	if sel != nil {
		name = sel.Sel
	}
	f, _ := w.info.Uses[name].(*types.Func)
	if name == nil || f == nil || f.Pkg() == nil {
		return false
	}
	if what := refused[f.FullName()]; what != "" {
		w.around(fun, "zzhook.Refused("+w.site(name.Pos(), nil)+`, "`+what+`", `, ")")
		w.addr(fun)
		return true
	}
	if f.FullName() == "runtime.Gosched" {
		w.hooked = true
		w.open(w.offset(fun.Pos()), "zzhook.Gosched("+w.site(name.Pos(), nil)+", ")
		w.replace(w.offset(x.Lparen), 1, ",")
		return true
	}
	dropIn := w.dropIns[f.Pkg().Path()]
	if dropIn == nil || !hasVariant(dropIn, f) {
		return false
	}
	object := ast.Expr(nil)
	if f.Signature().Recv() == nil {
		if len(x.Args) > 0 {
			object = ast.Unparen(x.Args[0])
			if u, ok := object.(*ast.UnaryExpr); ok {
				object = u.X
			}
		}
	} else {
		s := w.info.Selections[sel]
		if s == nil || s.Kind() != types.MethodVal {
			return false // a method expression
		}
		if p := w.foreign(sel, s); p != "" {
			if w.seen(p) { // package sync asks the engine itself
				if w.left == nil {
					w.left = make(map[token.Pos]bool)
				}
				w.left[name.Pos()] = true
				return false
			}
			what := "a call of " + strings.NewReplacer("(*", "", ")", "").Replace(f.Origin().FullName()) + " on a variable of package " + p + ", which is not rewritten"
			w.around(fun, "zzhook.Refused("+w.site(name.Pos(), sel.X)+`, "`+what+`", `, ")")
			w.addr(fun)
			return true
		}
		object = sel.X
	}
	site := w.site(name.Pos(), object)
	w.open(w.offset(name.End()), "At")
	if len(x.Args) > 0 {
		w.open(w.offset(x.Lparen)+1, site+", ")
	} else {
		w.open(w.offset(x.Rparen), site)
	}
	if sel != nil {
		w.addr(sel)
	}
	return true
}

// hasVariant reports whether the drop-in has a function or method whose first
// argument is a site: not for constructors and methods of interfaces.
func hasVariant(dropIn *types.Package, f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil {
		_, ok := dropIn.Scope().Lookup(f.Name() + "At").(*types.Func)
		return ok
	}
	named := namedOf(recv.Type())
	if named == nil {
		return false
	}
	t, ok := dropIn.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !ok || types.IsInterface(t.Type()) {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), true, dropIn, f.Name()+"At")
	_, ok = m.(*types.Func)
	return ok
}

func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// foreign returns the package that declares the variable whose method is
// called, if it is one that is not rewritten, so that its type is the original.
func (w *walker) foreign(sel *ast.SelectorExpr, s *types.Selection) string {
	var holder types.Object
	if path := s.Index(); len(path) > 1 {
		t := w.info.TypeOf(sel.X)
		for _, i := range path[:len(path)-1] {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			f := t.Underlying().(*types.Struct).Field(i)
			holder, t = f.Origin(), f.Type()
		}
	} else {
		holder = w.holder(sel.X)
	}
	if holder == nil || holder.Pkg() == nil || w.rewritten[holder.Pkg().Path()] {
		return ""
	}
	t := holder.Type()
	if f, ok := t.(*types.Signature); ok && f.Results().Len() == 1 {
		t = f.Results().At(0).Type()
	}
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil && dropIns[n.Obj().Pkg().Path()] != "" {
		return holder.Pkg().Path()
	}
	return ""
}

// holder returns the field, variable or function that gives x its type.
func (w *walker) holder(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return w.info.Uses[x]
	case *ast.SelectorExpr:
		switch o := w.info.Uses[x.Sel].(type) {
		case *types.Var:
			return o.Origin()
		case *types.Func:
			return o.Origin()
		}
	case *ast.CallExpr:
		return w.holder(x.Fun)
	case *ast.StarExpr:
		return w.holder(x.X)
	}
	return nil
}
