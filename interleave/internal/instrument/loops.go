package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Loops are marked, so that the engine knows where an iteration begins:
//
//	zzl := zzhook.Loop(17); for (zzl == 0 || zzhook.Head(zzl, tally, state...)) && (cond) {
//
// or, where a loop has no condition, in front of its body, since with one it would
// be a statement that may end. State are the variables from outside of the loop that it
// assigns to, as far as an iteration can read what was assigned before: see
// live.go. Those that it only adds to are tallies.
//
// Not marked are loops over a range, which end. In a function with a goto
// statement the declaration could be jumped over: its loops are not marked.

// forStmt goes through a for statement. At is where a statement can be put in
// front: before its label, if it has one.
func (w *walker) forStmt(s *ast.ForStmt, at token.Pos, label string) {
	if w.plain && w.inside.body != nil && !w.gotos {
		w.markLoop(s, at)
	}
	w.copiedVariables(s, label)
	w.stmt(s.Init, false)
	w.read(s.Cond)
	w.stmt(s.Post, false)
	w.block(s.Body.List)
}

// function goes through the body of a function.
func (w *walker) function(t *ast.FuncType, body *ast.BlockStmt) {
	outer := w.inside
	w.inside = inside{t, body, hasGoto(body)}
	if w.plain && w.leavesTraces(body) {
		w.fresh(body)
	}
	w.body(t, body)
	w.inside = outer
}

// inside is the function that a walker is in.
type inside struct {
	ftype *ast.FuncType
	body  *ast.BlockStmt
	gotos bool
}

func hasGoto(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found = true
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return found
}

// fresh says at the beginning of a block that nothing is as it was.
func (w *walker) fresh(b *ast.BlockStmt) {
	w.hooked = true
	w.open(w.offset(b.Lbrace)+1, "zzhook.Fresh(); ")
}

func (w *walker) markLoop(s *ast.ForStmt, at token.Pos) {
	w.hooked = true
	name := "zzl" + w.site(s.For, nil)
	w.open(w.offset(at), fmt.Sprintf("%s := zzhook.Loop(%s); ", name, name[len("zzl"):]))
	head := name + " == 0 || zzhook.Head(" + name + ", " + w.state(s) + ")"
	if s.Cond == nil {
		w.open(w.offset(s.Body.Lbrace)+1, "_ = "+head+"; ")
		return
	}
	w.open(w.offset(s.Cond.Pos()), "("+head+") && (")
	w.close(w.offset(s.Cond.End()), ")")
}

// state returns the arguments of Head.
func (w *walker) state(s *ast.ForStmt) string {
	if w.leavesTraces(s) {
		return "0, zzhook.New()"
	}
	var tallies, state []string
	for _, v := range w.assigned(s) {
		text := w.value64(v)
		switch {
		case w.talliesOnly(v, s):
			tallies = append(tallies, text)
		case w.liveAtHead(v, s):
			state = append(state, text)
		}
	}
	first := "0"
	if len(tallies) > 0 {
		first = "zzhook.All(" + strings.Join(tallies, ", ") + ")"
	}
	return strings.Join(append([]string{first}, state...), ", ")
}

// value64 is an expression for a number that stands for the value of v.
func (w *walker) value64(v *types.Var) string {
	name := v.Name()
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		return "zzhook.Slice(" + name + ")"
	case *types.Map:
		return "zzhook.Map(" + name + ")"
	case *types.Signature:
		return "zzhook.New()" // two functions cannot be told from each other
	default:
		switch {
		case strictlyComparable(t):
			return "zzhook.Value(" + name + ")"
		case types.Comparable(t):
			return "zzhook.Any(" + name + ")"
		}
		return "zzhook.New()"
	}
}

// strictlyComparable reports whether values of a type can be compared whatever they
// are, and are the same if they are equal: 0 and -0 are not.
func strictlyComparable(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) == 0
	case *types.Struct:
		for f := range t.Fields() {
			if !strictlyComparable(f.Type()) {
				return false
			}
		}
	case *types.Array:
		return strictlyComparable(t.Elem())
	}
	if _, ok := t.(*types.TypeParam); ok {
		return false
	}
	return types.Comparable(t)
}

// assigned returns the local variables that are declared outside of the body of a
// loop and assigned to in it, but for those whose writes are told (plain.go).
func (w *walker) assigned(s *ast.ForStmt) []*types.Var {
	var all []*types.Var
	known := make(map[*types.Var]bool)
	add := func(x ast.Expr) {
		v := w.ownVariable(x)
		if v == nil || v.IsField() || isGlobal(v) || known[v] || w.shared[v] {
			return
		}
		ofInit := s.Init != nil && v.Pos() >= s.Init.Pos() && v.Pos() < s.Init.End()
		if v.Pos() >= s.Pos() && !ofInit {
			return
		}
		known[v] = true
		all = append(all, v)
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n != s.Init {
					add(x)
				}
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		}
		return true
	})
	return all
}

// ownVariable returns the variable of which x is, or is a part.
func (w *walker) ownVariable(x ast.Expr) *types.Var {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.ownVariable(x.X)
	case *ast.Ident:
		v, _ := w.info.Uses[x].(*types.Var)
		return v
	case *ast.SelectorExpr:
		if s := w.info.Selections[x]; s != nil && !s.Indirect() {
			return w.ownVariable(x.X)
		}
	case *ast.IndexExpr:
		if _, ok := w.under(x.X).(*types.Array); ok {
			return w.ownVariable(x.X)
		}
	}
	return nil
}

// tally notes that the site which is given out next, if there is one, only adds.
func (w *walker) tally(f func()) {
	next := w.next
	f()
	if w.next > next {
		w.tallies = append(w.tallies, next)
	}
}

// addsOnly reports whether a call adds to an atomic, and nobody looks at the result:
// it is a statement.
func (w *walker) addsOnly(x ast.Expr) bool {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	f := w.functionOf(c)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" &&
		(strings.HasPrefix(f.Name(), "Add") || strings.HasPrefix(f.Name(), "And") || strings.HasPrefix(f.Name(), "Or"))
}

// functionOf returns the function or method that a call names, nil if it is a value.
func (w *walker) functionOf(c *ast.CallExpr) *types.Func {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var name *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		name = x
	case *ast.SelectorExpr:
		name = x.Sel
	default:
		return nil
	}
	f, _ := w.info.Uses[name].(*types.Func)
	return f
}
