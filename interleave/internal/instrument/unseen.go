package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// Calls of code that is not rewritten are told of: what the call does with each of its
// operands, by package std. Functions of package hook go around the operands:
//
//	hex.Encode(zzhook.Given(17, "MayWrite", dst), zzhook.Given(18, "MayRead", src))
//
// or around the function, where more is to be seen than what is given: when a deferred
// call comes, what is done after a function that is passed has been called, of what a
// function that is returned was made.
//
//	zzhook.Later(17, "", "", "", "MayRead", slices.Values[[]int])(s)

// A callee is a function that is not rewritten.
type callee struct {
	pkg    string
	name   string // "list.List.PushBack"
	inside bool   // threads can meet in the package, and it comes to that
	chance bool
	recv   std.Effect // Nothing if there is no receiver
	args   []std.Effect
	made   bool // it returns functions
}

// arg is the effect on the i-th argument.
func (c *callee) arg(i int) std.Effect {
	if len(c.args) == 0 {
		return std.Nothing
	}
	return c.args[min(i, len(c.args)-1)] // the last may be variadic
}

// unseenCall tells of a call, unless it is of code that is seen.
func (w *walker) unseenCall(x *ast.CallExpr, fun ast.Expr) {
	id := called(fun)
	f, _ := w.info.Uses[id].(*types.Func)
	if id == nil || f == nil {
		w.dynamic(fun)
		return
	}
	if ofInterface(f) {
		if !w.compiled && f.Pkg() != nil && f.Pkg().Path() == "testing" { // a TB words what it is given
			for _, a := range x.Args {
				if w.wrappable(a) {
					w.given(a, std.Formats, "testing."+f.Name())
				}
			}
		}
		return
	}
	c, ok := w.callee(f)
	if !ok {
		return
	}
	deferred := w.deferred
	w.deferred = false
	w.mapOrderOf(x, &c)
	if w.plain && (deferred || c.made || w.callsBack(x, f, &c)) {
		if w.tellLater(fun, about(x, fun), f, &c) {
			return
		}
		if c.made || !deferred {
			w.overlooked(x, &c)
		}
	}
	sure := !deferred
	for i := range x.Args {
		sure = sure && (i == 0 && f.Signature().Recv() == nil || w.callsNothing(x.Args[i]))
	}
	told := false // of what is inside, by one operand
	tell := func(n ast.Expr, before, after string) {
		var open, close string
		if c.chance {
			open += "zzhook.Chance(" + w.mark(n.Pos(), nil, c.name) + ", " + strconv.Quote(c.name) + ", "
			close += ")"
		}
		if c.inside {
			open += "zzhook.Reached(" + w.mark(n.Pos(), nil, c.name) + ", " + strconv.Quote(c.pkg) + ", "
			close += ")"
		}
		if open+before != "" {
			w.around(n, open+before, after+close)
		}
		told = true
	}
	if f.Signature().Recv() == nil {
		if text, ok := w.typeArgs(fun); ok && (c.chance || c.inside) {
			tell(fun, "", text)
		}
	} else if sel, ok := fun.(*ast.SelectorExpr); ok {
		if before, after, ok := w.receiverOf(sel, f, c.recv, sure, &c); ok {
			tell(sel.X, before, after)
		}
	}
	if len(x.Args) == 1 && w.several(x, &c) {
		return
	}
	effects := c.arg
	if w.isMethodExpr(fun) { // the receiver is the first argument, or a part of it
		first := c.recv
		if sel := ast.Unparen(fun).(*ast.SelectorExpr); len(w.info.Selections[sel].Index()) > 1 {
			first = first.Part()
		}
		effects = func(i int) std.Effect {
			if i == 0 {
				return first
			}
			return c.arg(i - 1)
		}
	}
	for i, a := range x.Args {
		e := effects(i)
		if w.isFunc(a) {
			e = w.ofFunc(a)
		}
		if e == std.Nothing || !w.wrappable(a) {
			if !told && w.wrappable(a) && i == len(x.Args)-1 && (c.chance || c.inside) {
				tell(a, "", "")
			}
			continue
		}
		before, after := w.effect(a, e, sure, &c)
		if told {
			w.around(a, before, after)
		} else {
			tell(a, before, after)
		}
	}
}

func (w *walker) isFunc(x ast.Expr) bool {
	_, ok := w.under(x).(*types.Signature)
	return ok
}

// ofFunc is the effect on a function that is passed: it says what it does when it is
// called, unless it is not seen.
func (w *walker) ofFunc(x ast.Expr) std.Effect {
	if _, literal := ast.Unparen(x).(*ast.FuncLit); literal {
		return std.Nothing
	}
	return std.MayReadAll
}

// given goes around an operand.
func (w *walker) given(x ast.Expr, e std.Effect, name string) {
	w.around(x, "zzhook.Given("+w.mark(last(x), x, name)+", "+strconv.Quote(string(e))+", ", ")")
}

// effect returns what is put around an operand.
func (w *walker) effect(x ast.Expr, e std.Effect, sure bool, c *callee) (before, after string) {
	if sure {
		surely, may := e.Parts()
		if surely != std.Nothing { // an access like any other
			before, after = "zzhook.Given("+w.site(last(x), x)+", "+strconv.Quote(string(surely))+", ", ")"
		}
		if e = may; e == std.Nothing {
			return before, after
		}
	}
	return before + "zzhook.Given(" + w.mark(last(x), x, c.name) + ", " + strconv.Quote(string(e)) + ", ", ")" + after
}

// mark is a site of code that is not rewritten.
func (w *walker) mark(pos token.Pos, x ast.Expr, unseen string) string {
	s := w.site(pos, x)
	w.places[len(w.places)-1].unseen = unseen
	return s
}

// called returns the name of the function that is called, nil if it has none.
func called(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		return called(fun.X)
	case *ast.IndexListExpr:
		return called(fun.X)
	}
	return nil
}

// callee returns what is known of a function, and whether it is one that is not
// rewritten.
func (w *walker) callee(f *types.Func) (callee, bool) {
	if f.Pkg() == nil {
		return callee{}, false
	}
	path := f.Pkg().Path()
	p := w.all[path]
	if w.rewritten[path] || dropIns[path] != "" || w.partOf(path) || p == nil {
		return callee{}, false
	}
	e := std.Of(path, bareName(f))
	if w.seen(path) {
		return callee{pkg: path, name: f.Pkg().Name() + "." + bareName(f), chance: e.Chance, recv: std.Nothing}, e.Chance
	}
	c := callee{pkg: path, name: f.Pkg().Name() + "." + bareName(f), chance: e.Chance, recv: std.Nothing}
	c.inside = (!p.Standard || std.Inside(path) != "") && !e.Quiet // of another module: the table of packages says it
	signature, n := f.Origin().Signature(), 0
	next := func(t types.Type) std.Effect {
		if !reaches(t) {
			return std.Nothing
		}
		n++
		return e.On(n - 1)
	}
	if recv := signature.Recv(); recv != nil {
		c.recv = next(recv.Type())
	}
	for p := range signature.Params().Variables() {
		c.args = append(c.args, next(p.Type()))
	}
	for r := range signature.Results().Variables() {
		_, isFunc := core(r.Type()).(*types.Signature)
		c.made = c.made || isFunc
	}
	return c, true
}

// isMethodExpr reports whether a function is written as (*T).Method.
func (w *walker) isMethodExpr(fun ast.Expr) bool {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := w.info.Selections[sel]
	return s != nil && s.Kind() == types.MethodExpr
}

// dynamic wraps a function value that is called.
func (w *walker) dynamic(fun ast.Expr) {
	if _, literal := fun.(*ast.FuncLit); literal || w.compiled || !w.wrappable(fun) {
		return
	}
	if _, ok := w.under(fun).(*types.Signature); ok {
		w.around(fun, "zzhook.Func("+w.mark(last(fun), fun, w.text1(fun))+", ", ")")
	}
}

// text1 is the source of an expression on one line.
func (w *walker) text1(x ast.Expr) string { return strings.Join(strings.Fields(w.source(x)), " ") }

// instance reports whether a function can be passed as it stands: it is not
// generic, or has its type arguments.
func (w *walker) instance(fun ast.Expr) bool {
	text, ok := w.typeArgs(fun)
	return ok && text == ""
}
