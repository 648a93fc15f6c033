package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// An iteration is not in vain if it may have changed something that nobody sees:
// what packages that are not rewritten keep to themselves, a function that is
// deferred. Loops and functions in which that may happen say so.

// leavesTraces reports whether a statement may do so itself, apart from what
// rewritten functions do that it calls.
func (w *walker) leavesTraces(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // a function of its own
		case *ast.DeferStmt:
			if _, body := s.(*ast.BlockStmt); !body {
				found = true
			}
		case *ast.CallExpr:
			found = found || w.leavesTrace(n)
		}
		return !found
	})
	return found
}

func (w *walker) leavesTrace(c *ast.CallExpr) bool {
	tv := w.info.Types[ast.Unparen(c.Fun)]
	if tv.IsType() {
		return false
	}
	if tv.IsBuiltin() {
		return w.changesElements(c)
	}
	f := w.functionOf(c)
	if f != nil && f.Pkg() != nil && w.rewritten[f.Pkg().Path()] && ofInterface(f) {
		_, known := w.ofRewrittenInterface(c)
		return !known
	}
	if f == nil || f.Pkg() == nil || w.rewritten[f.Pkg().Path()] || w.dropIns[f.Pkg().Path()] != nil {
		return false
	}
	path := f.Pkg().Path()
	if traceless[path+"."+f.Name()] {
		return false
	}
	if w.seen(path) && !ofInterface(f) {
		return false
	}
	if w.partOf(path) || ofInterface(f) {
		return path != "testing"
	}
	callee, ok := w.callee(f)
	if !ok || callee.inside || callee.chance || callee.recv.Changes() {
		return true
	}
	return slices.ContainsFunc(callee.args, std.Effect.Changes)
}

// traceless are functions that change nothing that anybody looks at: of the explorer, and one that looks at what threads do.
var traceless = map[string]bool{
	"runtime.NumGoroutine":     true,
	interleavePath + ".Fatalf": true, interleavePath + ".Errorf": true, interleavePath + ".FailNow": true, interleavePath + ".Helper": true,
	interleavePath + "/progress.Do": true,
}

// calledValue has the call of a value say so: it may be of a function that leaves traces.
func (w *walker) calledValue(c *ast.CallExpr, fun ast.Expr) {
	if _, literal := fun.(*ast.FuncLit); w.plain && !literal && w.functionOf(c) == nil {
		w.around(fun, "zzhook.Called(", ")")
	}
	if x, ok := w.ofRewrittenInterface(c); ok && w.plain {
		w.around(x, "zzhook.Dynamic(", ")")
	}
}

// ofRewrittenInterface returns the operand of a call of a method of an interface that a rewritten
// package has: whose method it is shows when it is called.
func (w *walker) ofRewrittenInterface(c *ast.CallExpr) (ast.Expr, bool) {
	f := w.functionOf(c)
	x, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || f == nil || f.Pkg() == nil || !w.rewritten[f.Pkg().Path()] || !ofInterface(f) || w.isType(x.X) {
		return nil, false
	}
	_, ok = w.under(x.X).(*types.Interface)
	return x.X, ok
}

func ofInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// changesElements reports whether a builtin may change elements of a slice and is
// not told: append within the capacity, clear.
func (w *walker) changesElements(c *ast.CallExpr) bool {
	name, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || len(c.Args) == 0 {
		return false
	}
	switch name.Name {
	case "append":
		_, again := ast.Unparen(c.Args[0]).(*ast.SliceExpr)
		return again
	case "clear":
		_, slice := w.under(c.Args[0]).(*types.Slice)
		return slice
	}
	return false
}

// talliesOnly reports whether all that a loop does with v is to add to it.
func (w *walker) talliesOnly(v *types.Var, s *ast.ForStmt) bool {
	adds := make(map[*ast.Ident]bool)
	only := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if id, ok := n.X.(*ast.Ident); ok {
				adds[id] = true
			}
		case *ast.AssignStmt:
			if id, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				adds[id] = true
			}
		case *ast.Ident:
			if (w.info.Uses[n] == v || w.info.Defs[n] == v) && !adds[n] {
				only = false
			}
		}
		return only
	})
	return only
}
