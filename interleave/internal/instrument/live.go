package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Which values an iteration can read that were assigned in one before.

// liveAtHead reports whether the value that v has at the head of a loop may be read
// later. Where it is not known, it is.
func (w *walker) liveAtHead(v *types.Var, s *ast.ForStmt) bool {
	f := &flow{w: w, v: v, loop: s}
	if f.isResult() && hasDefer(w.inside.body) {
		return true // a panic may leave the loop anywhere, and be recovered
	}
	if s.Cond != nil {
		f.expr(s.Cond, true)
		f.leave(true)
	}
	if out := f.stmt(s.Body, true); out || f.continued {
		f.stmt(s.Post, true)
	}
	return f.live
}

// A flow follows a variable from the head of a loop on. Held says of each point whether
// the variable may still have the value that it had there; it is false too where
// control does not come.
type flow struct {
	w         *walker
	v         *types.Var
	loop      *ast.ForStmt
	live      bool
	continued bool    // while held
	breaks    []*bool // of statements in the loop that a break leaves: it was held
}

// expr goes through an expression that is evaluated.
func (f *flow) expr(x ast.Node, held bool) {
	if held && x != nil && f.mentions(x) {
		f.live = true
	}
}

func (f *flow) mentions(x ast.Node) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.w.info.Uses[id] == f.v {
			found = true
		}
		return !found
	})
	return found
}

// leave is where control leaves the loop, and stays in the function.
func (f *flow) leave(held bool) {
	if !held {
		return
	}
	body := f.w.inside.body
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.w.info.Uses[id] == f.v {
			f.live = true
		}
		return n != ast.Node(f.loop) && !f.live
	})
	if f.loop.Init != nil { // it is in front of the head, and a loop round this one comes to it again
		f.expr(f.loop.Init, held)
	}
	f.ends(held)
}

// ends is where the function does: it may return the variable.
func (f *flow) ends(held bool) { f.live = f.live || held && f.isResult() }

// isResult reports whether the variable is a named result of the function.
func (f *flow) isResult() bool {
	r := f.w.ftype.Results
	return r != nil && f.v.Pos() >= r.Pos() && f.v.Pos() < r.End()
}

// hasDefer reports whether a function may recover a panic of its own.
func hasDefer(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.DeferStmt); ok {
			found = true
		}
		_, literal := n.(*ast.FuncLit)
		return !literal && !found
	})
	return found
}

func (f *flow) list(list []ast.Stmt, held bool) bool {
	for _, s := range list {
		held = f.stmt(s, held)
	}
	return held
}

// stmt returns whether the variable is held where control goes on behind s.
func (f *flow) stmt(s ast.Stmt, held bool) bool {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.AssignStmt:
		return f.assign(s, held)
	case *ast.BlockStmt:
		return f.list(s.List, held)
	case *ast.IfStmt:
		held = f.stmt(s.Init, held)
		f.expr(s.Cond, held)
		then := f.stmt(s.Body, held)
		return f.stmt(s.Else, held) || then
	case *ast.ForStmt:
		held = f.stmt(s.Init, held)
		if s.Cond != nil {
			f.expr(s.Cond, held)
		}
		f.inside(func() { f.stmt(s.Body, held) })
		f.stmt(s.Post, held)
	case *ast.RangeStmt:
		f.expr(s.X, held)
		if s.Tok == token.ASSIGN {
			f.expr(s.Key, held)
			if s.Value != nil {
				f.expr(s.Value, held)
			}
		}
		f.inside(func() { f.stmt(s.Body, held) })
	case *ast.SwitchStmt:
		held = f.stmt(s.Init, held)
		if s.Tag != nil {
			f.expr(s.Tag, held)
		}
		return f.clauses(s.Body, held)
	case *ast.TypeSwitchStmt:
		held = f.stmt(s.Init, held)
		f.expr(s.Assign, held)
		return f.clauses(s.Body, held)
	case *ast.ReturnStmt:
		f.expr(s, held)
		f.ends(held)
		return false
	case *ast.BranchStmt:
		f.branch(s, held)
		return s.Tok == token.FALLTHROUGH && held
	case *ast.LabeledStmt:
		return f.stmt(s.Stmt, held)
	default: // without statements in it, or a select, which no thread comes through
		f.expr(s, held)
	}
	return held
}

func (f *flow) assign(s *ast.AssignStmt, held bool) bool {
	for _, x := range s.Rhs {
		f.expr(x, held)
	}
	after := held
	for _, x := range s.Lhs {
		if id, ok := x.(*ast.Ident); ok && s.Tok == token.ASSIGN && f.w.info.Uses[id] == f.v {
			after = false
			continue
		}
		f.expr(x, held)
	}
	return after
}

// inside goes through what a break leaves.
func (f *flow) inside(body func()) (broken bool) {
	f.breaks = append(f.breaks, &broken)
	body()
	f.breaks = f.breaks[:len(f.breaks)-1]
	return broken
}

func (f *flow) clauses(body *ast.BlockStmt, held bool) bool {
	out, all := false, false
	broken := f.inside(func() {
		for _, c := range body.List {
			c := c.(*ast.CaseClause)
			for _, x := range c.List {
				f.expr(x, held)
			}
			all = all || c.List == nil
			out = f.list(c.Body, held) || out
		}
	})
	return out || broken || !all && held
}

func (f *flow) branch(s *ast.BranchStmt, held bool) {
	switch {
	case !held || s.Tok == token.FALLTHROUGH:
	case s.Label != nil:
		f.live = true
	case s.Tok == token.BREAK && len(f.breaks) > 0:
		*f.breaks[len(f.breaks)-1] = true
	case s.Tok == token.BREAK:
		f.leave(held)
	case s.Tok == token.CONTINUE:
		f.continued = true // of this loop, or of one in it, behind which it is held anyway
	default:
		f.live = true
	}
}
