package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// A second look, at what was written. The walker goes through the grammar of Go by
// hand, and what it forgets stays as it was: an operation that nobody controls, in
// an exploration that says that it is complete. So whatever it did, the operations of
// the original, found by ast.Inspect, must be in the result, line by line.

// A tally counts what is on the lines of a file.
type tally map[string]int

func (t tally) add(line int, what string) { t[fmt.Sprint(line, " ", what)]++ }

// secondLook compares a file with what it became.
func (w *walker) secondLook(text []byte) error {
	fset := token.NewFileSet()
	result, err := parser.ParseFile(fset, w.name, text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("instrument: %s became what cannot be parsed, which is a mistake of the rewriting: %w", w.name, err)
	}
	done := make(tally)
	ast.Inspect(result, func(n ast.Node) bool {
		line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := nameOf(c.Fun)
		if name == nil {
			return true
		}
		if !ofHook(c.Fun) {
			done.add(line(name.Pos()), name.Name)
			return true
		}
		done.add(line(name.Pos()), "zzhook."+name.Name)
		if name.Name == "Refused" && len(c.Args) == 3 {
			if of := nameOf(c.Args[2]); of != nil {
				done.add(line(of.Pos()), of.Name+"At") // refused is as good as controlled
			}
		}
		return true
	})
	for _, need := range w.wanted() {
		line := w.fset.PositionFor(need.pos, false).Line
		key := fmt.Sprint(line, " ", need.call)
		if done[key] == 0 {
			return fmt.Errorf("instrument: %s:%d: %s was not rewritten: expected a call of %s, which is a mistake of the rewriting", w.name, line, need.what, need.call)
		}
		done[key]--
	}
	return nil
}

// A want is something of the original of which the result must have a call.
type want struct {
	pos  token.Pos // whose line it must be on
	what string
	call string
}

// wanted lists what must be controlled or refused.
func (w *walker) wanted() (all []want) {
	selected := make(map[ast.Node]bool) // part of what is refused or controlled as a whole
	ast.Inspect(w.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			refused := false // at the first channel
			for _, c := range n.Body.List {
				var channel ast.Expr
				switch comm := c.(*ast.CommClause).Comm.(type) {
				case *ast.SendStmt:
					selected[comm] = true
					channel = comm.Chan
				case *ast.ExprStmt:
					selected[ast.Unparen(comm.X)] = true
					channel = ast.Unparen(comm.X).(*ast.UnaryExpr).X
				case *ast.AssignStmt:
					selected[ast.Unparen(comm.Rhs[0])] = true
					channel = ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X
				}
				if channel != nil && !refused {
					refused = true
					all = append(all, want{channel.Pos(), "a select", "zzhook.Refused"})
				}
			}
			if len(n.Body.List) == 0 {
				all = append(all, want{n.Select, "a select without cases", "zzhook.Refuse"})
			}
		case *ast.SendStmt:
			if !selected[n] {
				all = append(all, want{n.Chan.Pos(), "a channel send", "zzhook.Refused"})
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && !selected[n] {
				all = append(all, want{n.X.Pos(), "a channel receive", "zzhook.Refused"})
			}
		case *ast.RangeStmt:
			if _, ok := w.under(n.X).(*types.Chan); ok {
				all = append(all, want{n.X.Pos(), "a range over a channel", "zzhook.Refused"})
			}
		case *ast.GoStmt:
			// Go, Call or Refuse, each of which begins where the statement did.
			all = append(all, want{n.Go, "a go statement", w.started(n)})
			selected[n.Call] = true // its function is used as a value, of the drop-in
		case *ast.CallExpr:
			if b, ok := w.info.Uses[nameOf(n.Fun)].(*types.Builtin); ok && w.info.Types[n].Value != nil && b.Name() != "len" && b.Name() != "cap" {
				return false // unsafe.Sizeof and the like: a constant, of what is not evaluated
			}
			if name := nameOf(n.Fun); name != nil && !selected[n] {
				selected[name] = true
				if call := w.operationOf(n, name); call != "" {
					all = append(all, want{name.Pos(), "a call of " + name.Name, call})
				}
			}
		case *ast.Ident:
			if f, ok := w.info.Uses[n].(*types.Func); ok && refused[f.FullName()] != "" && !selected[n] {
				all = append(all, want{n.Pos(), n.Name + " as a value", "zzhook.Uncontrolled"})
			}
		}
		return true
	})
	return all
}

// started returns the function of package hook that a go statement becomes.
func (w *walker) started(s *ast.GoStmt) string {
	if w.info.Types[ast.Unparen(s.Call.Fun)].IsBuiltin() {
		return "zzhook.Refuse"
	}
	f, _ := w.under(s.Call.Fun).(*types.Signature)
	if _, ok := w.typeArgs(s.Call.Fun); !ok || f == nil {
		return "zzhook.Refuse"
	}
	if f.Params().Len()+f.Results().Len() == 0 {
		return "zzhook.Go"
	}
	return "zzhook.Call"
}

// operationOf returns what must be called in the place of an operation, "" if the
// call is none.
func (w *walker) operationOf(c *ast.CallExpr, name *ast.Ident) string {
	switch o := w.info.Uses[name].(type) {
	case *types.Builtin:
		if o.Name() == "close" {
			return "zzhook.Refused"
		}
	case *types.Func:
		sel, _ := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		switch {
		case o.Pkg() == nil, w.left[name.Pos()]:
		case refused[o.FullName()] != "":
			return "zzhook.Refused"
		case o.FullName() == "runtime.Gosched":
			return "zzhook.Gosched"
		case w.dropIns[o.Pkg().Path()] == nil || !hasVariant(w.dropIns[o.Pkg().Path()], o):
		case sel != nil && w.info.Selections[sel] != nil && w.info.Selections[sel].Kind() != types.MethodVal:
		default:
			return name.Name + "At"
		}
	}
	return ""
}

// ofHook reports whether a function is one of package hook.
func ofHook(fun ast.Expr) bool {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	p, ok := sel.X.(*ast.Ident)
	return ok && p.Name == "zzhook"
}

// nameOf returns the name of the function that an expression is.
func nameOf(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return nameOf(x.X)
	case *ast.IndexListExpr:
		return nameOf(x.X)
	}
	return nil
}
