package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Calls of code that is not rewritten are wrapped at their operands, by functions
// of package hook that say what the call does with each: see std.go for the
// standard library. Other packages may read and write all that they can reach.

// A callee is a function that is not rewritten.
type callee struct {
	pkg    string
	name   string // "list.List.PushBack"
	inside bool   // threads can meet in the package
	exception
}

// unseenCall wraps the operands of a call, unless it is of code that is seen.
func (w *walker) unseenCall(x *ast.CallExpr, fun ast.Expr) {
	id := called(fun)
	f, _ := w.info.Uses[id].(*types.Func)
	if id == nil || f == nil {
		w.dynamic(fun)
		return
	}
	if ofInterface(f) {
		if f.Pkg() != nil && f.Pkg().Path() == "testing" { // a TB words what it is given
			for _, a := range x.Args {
				if w.wrappable(a) {
					w.around(a, "zzhook.Formats("+w.mark(last(a), a, "testing."+f.Name())+", ", ")")
				}
			}
		}
		return
	}
	c, ok := w.callee(f)
	if !ok {
		return
	}
	sure := !w.deferred
	w.deferred = false
	operands := x.Args
	for i := range operands {
		sure = sure && (i == 0 && f.Signature().Recv() == nil || w.callsNothing(operands[i]))
	}
	w.mapOrderOf(x, &c)
	told := false // of what is inside, by one operand
	tell := func(n ast.Expr, object ast.Expr, before, after string) {
		var open, close string
		if c.chance {
			open += "zzhook.Chance(" + w.mark(n.Pos(), nil, c.name) + ", " + strconv.Quote(c.name) + ", "
			close += ")"
		}
		if c.inside && !c.quiet {
			open += "zzhook.Reached(" + w.mark(n.Pos(), nil, c.name) + ", " + strconv.Quote(c.pkg) + ", "
			close += ")"
		}
		if open+before != "" {
			w.around(n, open+before, after+close)
		}
		told = true
	}
	if f.Signature().Recv() == nil {
		if text, ok := w.typeArgs(fun); ok && (c.chance || c.inside && !c.quiet) {
			tell(fun, nil, "", text)
		}
	} else if sel, ok := fun.(*ast.SelectorExpr); ok {
		if before, after, ok := w.receiverOf(sel, f, c.recv, sure, &c); ok {
			tell(sel.X, sel.X, before, after)
		}
	}
	if len(x.Args) == 1 && w.several(x, &c, sure) {
		return
	}
	effects := []effect{c.first}
	if w.isMethodExpr(fun) { // the receiver is the first argument, or a part of it
		effects = []effect{c.recv, c.first}
		if sel := ast.Unparen(fun).(*ast.SelectorExpr); len(w.info.Selections[sel].Index()) > 1 {
			effects[0] = ofPart[c.recv]
		}
	}
	for i, a := range x.Args {
		e := c.rest
		if i < len(effects) {
			e = effects[i]
		}
		_, isFunc := w.under(a).(*types.Signature) // says what it does when it is called
		if e == nothing || isFunc || !w.wrappable(a) {
			if !told && w.wrappable(a) && i == len(x.Args)-1 && (c.chance || c.inside && !c.quiet) {
				tell(a, a, "", "")
			}
			continue
		}
		before, after := w.effect(a, e, sure, &c)
		if told {
			w.around(a, before, after)
		} else {
			tell(a, a, before, after)
		}
	}
}

// effect returns what is put around an operand.
func (w *walker) effect(x ast.Expr, e effect, sure bool, c *callee) (before, after string) {
	if !sure && e == reads {
		e = mayRead
	}
	if !sure && e == writes {
		e = mayWrite
	}
	name := c.name
	if e == reads || e == writes {
		name = ""
	}
	return "zzhook." + string(e) + "(" + w.mark(last(x), x, name) + ", ", ")"
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
	name, recv := bareName(f), f.Signature().Recv()
	c := callee{pkg: path, name: f.Pkg().Name() + "." + name}
	if !p.Standard {
		c.inside = true // whatever the package has: the table of packages says it
		c.recv, c.first, c.rest = mayWriteAll, mayWriteAll, mayWriteAll
		return c, true
	}
	s := stdOf(path)
	c.inside = s.inside != ""
	if e, ok := s.except[name]; ok {
		c.exception = e
		return c, true
	}
	c.first, c.rest = s.args, s.args
	if recv != nil {
		c.recv = s.recv
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
	if _, literal := fun.(*ast.FuncLit); literal || !w.wrappable(fun) {
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

// asValue wraps a function or method that is not rewritten and is used as a value.
func (w *walker) asValue(x ast.Expr, f *types.Func) bool {
	c, ok := w.callee(f)
	if !ok || !w.instance(x) || f.Signature().TypeParams().Len() > 0 {
		return false
	}
	if c.exception.recv == nothing && c.first == nothing && c.rest == nothing && !c.chance && (!c.inside || c.quiet) {
		return false
	}
	receiver, pkg, chance := "nil", c.pkg, ""
	if c.quiet {
		pkg = ""
	}
	if c.chance {
		chance = c.name
	}
	if sel, ok := x.(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		s := w.info.Selections[sel]
		if s == nil || types.IsInterface(f.Signature().Recv().Type()) {
			return false
		}
		if s.Kind() == types.MethodExpr { // its receiver is an argument
			w.around(x, "zzhook.Later("+w.mark(last(x), x, c.name)+", "+strconv.Quote(pkg)+", "+strconv.Quote(chance)+", nil, ", ")")
			return true
		}
		path, ok := w.fields(sel, s)
		text := w.raw(sel.X)
		if !ok || text == "" {
			return false
		}
		if _, byPointer := f.Signature().Recv().Type().Underlying().(*types.Pointer); byPointer {
			if _, isPointer := w.holderOf(sel, s).Underlying().(*types.Pointer); !isPointer {
				text = "&" + text
			}
		}
		if c.exception.recv != nothing {
			receiver = text + path
		}
	}
	w.around(x, "zzhook.Later("+w.mark(last(x), x, c.name)+", "+strconv.Quote(pkg)+", "+strconv.Quote(chance)+", "+receiver+", ", ")")
	return true
}
