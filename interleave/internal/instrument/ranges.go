package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// rangeStmt goes through a range statement with a label, if it has one.
func (w *walker) rangeStmt(s *ast.RangeStmt, label string) {
	over := w.under(s.X)
	if !used(s.Value) && w.constantLength(over) && !w.evaluated(s.X) {
		over = nil
	}
	switch t := over.(type) {
	case nil: // the length is all that is wanted, and a constant
	case *types.Chan:
		w.refuse(s.X, s.For, "a range over a channel")
		w.read(s.X)
	case *types.Map:
		w.mapOrder(s, label)
		w.read(s.X)
	case *types.Array:
		if used(s.Value) {
			w.read(s.X) // a copy is made
		} else {
			w.addr(s.X)
		}
	case *types.Slice:
		if used(s.Value) {
			w.elements(s, label, "")
		}
		w.read(s.X)
	case *types.Pointer: // to an array
		if _, ok := core(t.Elem()).(*types.Array); ok && used(s.Value) {
			w.elements(s, label, "[:]")
		}
		w.read(s.X)
	case *types.Signature:
		if w.plain {
			w.fresh(s.Body) // the function's loops do not know of the variables here
			w.dynamic(s.X)
		}
		w.read(s.X)
	default:
		w.read(s.X)
	}
	w.assignedByRange(s)
	w.block(s.Body.List)
}

// constantLength reports whether t is an array or a pointer to one.
func (w *walker) constantLength(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = core(p.Elem())
	}
	_, ok := t.(*types.Array)
	return ok
}

// evaluated reports whether an expression is, whose length is all that is wanted: it
// calls something, or receives.
func (w *walker) evaluated(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || !w.isType(n) && !w.info.Types[ast.Unparen(n.Fun)].IsType()
		}
		return !found
	})
	return found
}

// elements has a range statement read an element when its turn comes: by a function, or
// where there are none yet by what stands between the iterations.
func (w *walker) elements(s *ast.RangeStmt, label, slice string) {
	switch {
	case !w.plain:
	case w.overFunction(s):
		w.ranged(s, "Elements", slice)
	default:
		w.turns(s, label, "Over", slice)
	}
}

// overFunction reports whether a range statement can be made one over a function. The
// compiler assigns the two values of a function one after the other, where those of a
// slice are assigned at once: for i, a[i] = range s.
func (w *walker) overFunction(s *ast.RangeStmt) bool {
	if !w.from("go1.23") {
		return false
	}
	_, name := s.Value.(*ast.Ident)
	return s.Tok == token.DEFINE || !used(s.Key) || !used(s.Value) || name
}

// turns has a range statement tell of each turn.
func (w *walker) turns(s *ast.RangeStmt, label, name, slice string) {
	turns := w.local("Turns")
	before, after := "", ")"
	if slice != "" {
		before, after = "(", ")"+slice+")"
	}
	w.around(s.X, "zzhook."+name+"(&"+turns+", "+w.site(s.For, s.X)+", "+before, after)
	w.between(s.Body, label, "", turns+".Next()")
}

func used(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return x != nil && !(ok && id.Name == "_")
}

// ranged makes a range statement one over a function, which reads an element when
// its turn comes.
func (w *walker) ranged(s *ast.RangeStmt, name, slice string) {
	before, after := "", ""
	if slice != "" {
		before, after = "(", ")"+slice
	}
	w.around(s.X, "zzhook."+name+"("+w.site(s.For, s.X)+", "+before, after+")")
}

// assignedByRange tells of the writes of the variables of a range statement, at the
// beginning of its body. What is no name is noted where it is evaluated: that may call
// something, or come out differently when the other variable has been assigned to.
func (w *walker) assignedByRange(s *ast.RangeStmt) {
	text, late := "", ""
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if !used(x) || !w.plain {
			continue
		}
		if s.Tok == token.DEFINE {
			if v, ok := w.info.Defs[x.(*ast.Ident)].(*types.Var); ok && w.shared[v] && !w.from("go1.22") {
				text += " zzhook.W(" + w.site(x.Pos(), x) + ", &" + v.Name() + ");" // one for all iterations
			}
			continue
		}
		m := w.mapOf(x)
		switch _, name := ast.Unparen(x).(*ast.Ident); {
		case m == nil && !w.writable(x):
		case name:
			text += " zzhook.W(" + w.site(x.Pos(), x) + ", &" + w.source(x) + ");"
		default:
			if late == "" {
				late = w.local("Late")
				text += " " + late + ".Report();"
			}
			w.noted(x, "W", late)
		}
	}
	if s.Tok == token.ASSIGN {
		for _, x := range []ast.Expr{s.Key, s.Value} {
			if used(x) {
				w.target(x)
			}
		}
	}
	if text != "" {
		w.hooked = true
		w.open(w.offset(s.Body.Lbrace)+1, text)
	}
}

// raw returns the source of an expression if it can be evaluated once more: it
// calls nothing and is on one line.
func (w *walker) raw(x ast.Expr) string {
	text := w.source(x)
	if strings.Contains(text, "\n") || !w.pure(x) {
		return ""
	}
	return text
}
