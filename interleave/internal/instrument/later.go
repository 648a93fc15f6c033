package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// What is told of a function that is not rewritten when it is called, by hook.Later.

// callsBack reports whether a call may go on with what it was given after it has called
// a function that it was given, or gives such a function one of its own.
func (w *walker) callsBack(x *ast.CallExpr, f *types.Func, c *callee) bool {
	calls, other, gives := false, w.plain && c.recv != std.Nothing, false
	for i, a := range x.Args {
		if s, ok := w.under(a).(*types.Signature); ok {
			calls = true
			for p := range s.Params().Variables() {
				_, isFunc := core(p.Type()).(*types.Signature)
				gives = gives || isFunc
			}
			continue
		}
		other = other || c.arg(i) != std.Nothing && w.wrappable(a)
	}
	return calls && (other || gives)
}

// tellLater goes around the function of a call. It reports whether that can be written.
func (w *walker) tellLater(fun, about ast.Expr, f *types.Func, c *callee) bool {
	text, ok := w.typeArgs(fun)
	if !ok {
		return false
	}
	recv, hold, path := std.Effect(""), "", ""
	args := c.args
	if sel, ok := ast.Unparen(fun).(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		s := w.info.Selections[sel]
		if s == nil {
			return false
		}
		if s.Kind() == types.MethodExpr { // its receiver is an argument
			first := c.recv
			if len(s.Index()) > 1 {
				first = first.Part()
			}
			args = slices.Insert(slices.Clone(args), 0, first)
		} else if c.recv != std.Nothing {
			if hold, path, ok = w.holdable(sel, f, s); !ok {
				return false
			}
			recv = c.recv
			defer func() { w.around(sel.X, "zzhook.Hold("+hold, path+")") }()
		}
	}
	words := make([]string, len(args))
	for i, e := range args {
		words[i] = string(e)
	}
	pkg, chance := "", ""
	if c.inside {
		pkg = c.pkg
	}
	if c.chance {
		chance = c.name
	}
	w.around(fun, fmt.Sprintf("zzhook.Later(%s, %q, %q, %q, %q, ", w.mark(last(fun), about, c.name), pkg, chance, recv, strings.Join(words, " ")), text+")")
	return true
}

// about is the operand of a call that a doubt names, nil if there is none.
func about(x *ast.CallExpr, fun ast.Expr) ast.Expr {
	sel, method := fun.(*ast.SelectorExpr)
	switch {
	case len(x.Args) > 0:
		if _, literal := x.Args[0].(*ast.FuncLit); !literal {
			return x.Args[0]
		}
	case method:
		return sel.X
	}
	return nil
}

// holdable returns what is put around the operand of a method so that it is what the
// method is called on.
func (w *walker) holdable(sel *ast.SelectorExpr, f *types.Func, s *types.Selection) (and, path string, ok bool) {
	if path, ok = w.fields(sel, s); !ok {
		return "", "", false
	}
	_, byPointer := f.Signature().Recv().Type().Underlying().(*types.Pointer)
	if _, isPointer := w.holderOf(sel, s).Underlying().(*types.Pointer); byPointer && !isPointer {
		and = "&"
	}
	return and, path, true
}

// overlooked says that it is not seen all that a call does with what it is given.
func (w *walker) overlooked(x *ast.CallExpr, c *callee) {
	for _, a := range x.Args {
		if w.wrappable(a) {
			w.around(a, "zzhook.Overlooked("+w.mark(x.Pos(), nil, c.name)+", "+strconv.Quote("what "+c.name+" does later with "+w.text1(a))+", ", ")")
			return
		}
	}
}

// asValue wraps a function or method that is not rewritten and is used as a value.
func (w *walker) asValue(x ast.Expr, f *types.Func) bool {
	c, ok := w.tellsAsValue(x, f)
	return ok && w.tellLater(x, x, f, &c)
}

// tellsAsValue reports whether there is something to tell of the calls of such a value.
func (w *walker) tellsAsValue(x ast.Expr, f *types.Func) (callee, bool) {
	c, ok := w.callee(f)
	if _, args := w.typeArgs(x); !ok || !args {
		return c, false
	}
	if sel, ok := x.(*ast.SelectorExpr); ok && f.Signature().Recv() != nil && (w.info.Selections[sel] == nil || ofInterface(f)) {
		return c, false
	}
	tells := c.chance || c.inside || c.made || c.recv != std.Nothing
	for _, e := range c.args {
		tells = tells || e != std.Nothing
	}
	for p := range f.Signature().Params().Variables() {
		_, isFunc := core(p.Type()).(*types.Signature)
		tells = tells || isFunc
	}
	return c, tells
}
