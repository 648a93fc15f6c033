package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// A selector x.f may stand for x.A.B.f, where A and B are embedded. If one of
// these is a pointer, it is read on the way.

// embedded returns the type of what the first n names of a selection's path stand
// for, and whether all of them can be written in this package.
func (w *walker) embedded(x *ast.SelectorExpr, s *types.Selection, n int) (t types.Type, named bool) {
	t, named = w.info.TypeOf(x.X), true
	for _, i := range s.Index()[:n] {
		f := fieldOf(t, i)
		named = named && (f.Exported() || f.Pkg() == w.types)
		t = f.Type()
	}
	return t, named
}

func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := core(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return core(t).(*types.Struct).Field(i)
}

// hops has the pointers among the first n names of a selection's path read.
func (w *walker) hops(x *ast.SelectorExpr, s *types.Selection, n int) {
	if last := w.lastPointer(x, s, n); last > 0 {
		w.path(x, s, last, false)
	}
}

// lastPointer returns how many of the first n names there are up to the last pointer.
func (w *walker) lastPointer(x *ast.SelectorExpr, s *types.Selection, n int) (last int) {
	t := w.info.TypeOf(x.X)
	for at, i := range s.Index()[:n] {
		t = fieldOf(t, i).Type()
		if _, ok := core(t).(*types.Pointer); ok {
			last = at + 1
		}
	}
	return last
}

// written returns how many names of a method's path receiver writes.
func (w *walker) written(x *ast.SelectorExpr, s *types.Selection) int {
	n := len(s.Index()) - 1
	if r := s.Obj().(*types.Func).Signature().Recv(); r != nil {
		if _, byPointer := r.Type().Underlying().(*types.Pointer); byPointer {
			n = w.lastPointer(x, s, n)
		}
	}
	if _, named := w.embedded(x, s, n); !w.plain || !named || !w.variable(x.X) {
		return 0
	}
	return n
}

// path writes the first n names of a selection's path, with the pointers among
// them read; if whole is set, what the last stands for is read whatever it is.
func (w *walker) path(x *ast.SelectorExpr, s *types.Selection, n int, whole bool) {
	_, named := w.embedded(x, s, n)
	if !w.plain {
		return
	}
	if !named || !w.variable(x.X) {
		w.along(x, s, n, whole)
		return
	}
	// From the outside in: the last name first.
	for at := n; at > 0; at-- {
		t, _ := w.embedded(x, s, at)
		before, _ := w.embedded(x, s, at-1)
		_, isPointer := core(t).(*types.Pointer)
		name := "." + fieldOf(before, s.Index()[at-1]).Name()
		if (isPointer || whole && at == n) && w.reached(x, s, at-1) {
			w.hooked = true
			w.open(w.offset(x.X.Pos()), "(*zzhook.R("+w.site(x.Sel.Pos(), x)+", &")
			w.close(w.offset(x.X.End()), name+"))")
		} else {
			w.close(w.offset(x.X.End()), name)
		}
	}
}

// along is path where the names cannot be written: one is another package's own, or
// there is no variable that they are of.
func (w *walker) along(x *ast.SelectorExpr, s *types.Selection, n int, whole bool) {
	if n == 0 || !w.reached(x, s, n) {
		return
	}
	before, after := "zzhook.Along(", ")"
	and := ""
	if _, pointer := w.under(x.X).(*types.Pointer); !pointer && w.info.Types[x.X].Addressable() {
		before, after, and = "(*zzhook.Along(", "))", "&"
	}
	before += fmt.Sprintf("%s, %v, %s", w.site(x.Sel.Pos(), x), whole, and)
	for _, i := range slices.Backward(s.Index()[:n]) {
		after = fmt.Sprintf(", %d", i) + after
	}
	w.around(x.X, before, after)
}

// variable reports whether x is something that a field can be taken of with an
// address: a pointer, or a variable.
func (w *walker) variable(x ast.Expr) bool {
	if _, ok := w.under(x).(*types.Pointer); ok {
		return true
	}
	return w.info.Types[x].Addressable()
}

// reached reports whether two threads can get at a field of what the first n names
// of a selection's path stand for.
func (w *walker) reached(x *ast.SelectorExpr, s *types.Selection, n int) bool {
	for at := range n + 1 {
		t, _ := w.embedded(x, s, at)
		if _, ok := core(t).(*types.Pointer); ok {
			return true
		}
	}
	return w.isShared(x.X)
}
