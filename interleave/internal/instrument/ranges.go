package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"strings"
)

func (w *walker) rangeStmt(s *ast.RangeStmt) {
	switch t := w.under(s.X).(type) {
	case *types.Chan:
		w.refuse(s.X, s.For, "a range over a channel")
		w.read(s.X)
	case *types.Map:
		w.mapOrder(s)
		w.read(s.X)
	case *types.Array:
		if used(s.Value) {
			w.read(s.X) // a copy is made
		} else {
			w.addr(s.X)
		}
	case *types.Slice:
		if used(s.Value) && w.overFunctions() {
			w.ranged(s, "Elements", "")
		}
		w.read(s.X)
	case *types.Pointer: // to an array
		if _, ok := core(t.Elem()).(*types.Array); ok && used(s.Value) && w.overFunctions() {
			w.ranged(s, "Elements", "[:]")
		}
		w.read(s.X)
	case *types.Signature:
		if w.plain {
			w.fresh(s.Body) // the function's loops do not know of the variables here
		}
		w.read(s.X)
	default:
		w.read(s.X)
	}
	if s.Tok == token.ASSIGN {
		w.assignedByRange(s)
	}
	w.block(s.Body.List)
}

// overFunctions reports whether a range statement may be over a function.
func (w *walker) overFunctions() bool {
	return w.plain && version.Compare(w.info.FileVersions[w.ast], "go1.23") >= 0
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
// beginning of its body.
func (w *walker) assignedByRange(s *ast.RangeStmt) {
	text := ""
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if !used(x) {
			continue
		}
		if raw := w.raw(x); raw == "" || !w.plain {
			// It calls something: not seen.
		} else if m := w.mapOf(x); m != nil {
			text += " zzhook.MapW(" + w.site(last(m), m) + ", " + w.source(m) + ");"
		} else if w.writable(x) {
			text += " zzhook.W(" + w.site(last(x), x) + ", &" + raw + ");"
		}
		w.target(x)
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
