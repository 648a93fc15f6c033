package operators

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// accessOmit leaves out statements that write to memory, one part of them if
// they assign to several, and has loads give zero.
func accessOmit(f *function) {
	each(f, f.decl.Body, func(s ast.Stmt) {
		if !f.writesMemory(s) {
			return
		}
		f.add(s, f.omit(s))
		if a, ok := s.(*ast.AssignStmt); ok && len(a.Lhs) > 1 && len(a.Lhs) == len(a.Rhs) {
			for i := range a.Lhs {
				f.add(s, f.without(a.Lhs, i), f.without(a.Rhs, i))
			}
		}
	})
	for _, a := range f.atomics(f.decl.Body) {
		if !a.writes() {
			f.add(a.call, f.with(a.call, f.zero(f.info.TypeOf(a.call), true)))
		}
	}
}

// without leaves one of several expressions out.
func (f *function) without(list []ast.Expr, i int) edit {
	if i == 0 {
		return edit{f.offset(list[0].Pos()), f.offset(list[1].Pos()), ""}
	}
	return edit{f.offset(list[i-1].End()), f.offset(list[i].End()), ""}
}

// accessDouble makes writes twice: statements, and operations in the midst of
// one, which are made in front of it, too. A plain assignment that does not look
// at what it assigns to would do the same twice.
func accessDouble(f *function) {
	each(f, f.decl.Body, func(s ast.Stmt) {
		if _, i := f.list(s); i < 0 || !f.writesMemory(s) {
			return
		}
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && !strings.Contains(f.src(a.Rhs[0]), f.src(a.Lhs[0])) {
			return
		}
		f.add(s, f.after(s, f.whole(s)))
	})
	for _, a := range f.atomics(f.decl.Body) {
		s := f.statement(a.call)
		if _, loop := s.(*ast.ForStmt); s == nil || loop || !a.writes() || f.writesMemory(s) {
			continue
		}
		f.add(a.call, f.before(s, f.src(a.call)+f.note(a.call)))
	}
}

// A loaded is a local variable that is given what was loaded from memory.
type loaded struct {
	v     *types.Var
	by    *ast.AssignStmt
	rhs   ast.Expr
	alone bool // the value is the expression, not one of its several values
}

// loadedVars returns the assignments of loads to local variables.
func (f *function) loadedVars() (all []loaded) {
	each(f, f.decl.Body, func(s *ast.AssignStmt) {
		if s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
			return
		}
		for i, l := range s.Lhs {
			v := f.local(l)
			if v == nil {
				continue
			}
			rhs := s.Rhs[min(i, len(s.Rhs)-1)]
			if f.loads(rhs) {
				all = append(all, loaded{v, s, rhs, len(s.Lhs) == len(s.Rhs)})
			}
		}
	})
	return all
}

// loads reports whether an expression loads from memory and does nothing else:
// it has an atomic load, or plain ones and no calls.
func (f *function) loads(x ast.Expr) bool {
	as := f.atomics(x)
	for _, a := range as {
		if a.writes() {
			return false
		}
	}
	calls, memory := false, false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			calls = calls || !f.pure(n)
		case *ast.UnaryExpr:
			calls = calls || n.Op == token.AND || n.Op == token.ARROW
		case ast.Expr:
			memory = memory || f.memory(n)
		}
		return true
	})
	return len(as) > 0 || memory && !calls
}

func reread(f *function) {
	for _, l := range f.loadedVars() {
		again := make(map[ast.Stmt]bool)
		each(f, f.decl.Body, func(id *ast.Ident) {
			if f.info.Uses[id] != l.v || id.Pos() < l.by.End() || f.assigned(id) {
				return
			}
			if l.alone {
				f.add(id, f.with(id, f.src(l.rhs)))
				return
			}
			s := f.statement(id)
			if s == nil || again[s] {
				return
			}
			again[s] = true
			f.add(s, f.before(s, strings.Replace(f.src(l.by), ":=", "=", 1)+f.note(l.by)))
		})
	}
	f.rereadLess()
}

// assigned reports whether an identifier stands where it is assigned to.
func (f *function) assigned(id *ast.Ident) bool {
	switch p := f.parent[id].(type) {
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == id {
				return true
			}
		}
	case *ast.IncDecStmt:
		return true
	case *ast.RangeStmt:
		return p.Key == id || p.Value == id
	}
	return false
}

// rereadLess has the second of two loads of a word see what the first saw.
func (f *function) rereadLess() {
	last := make(map[string]access)
	for _, a := range f.atomics(f.decl.Body) {
		if a.writes() {
			continue
		}
		before, ok := last[a.word]
		last[a.word] = a
		if !ok {
			continue
		}
		if v := f.holds(before.call); v != "" {
			f.add(a.call, f.with(a.call, v))
			continue
		}
		s := f.statement(before.call)
		if s == nil {
			continue
		}
		f.add(a.call, f.before(s, "zzseen := "+f.src(before.call)+f.note(before.call)), f.with(before.call, "zzseen"), f.with(a.call, "zzseen"))
	}
}

// holds returns the name of the variable that is given a load's value.
func (f *function) holds(load ast.Expr) string {
	s, ok := f.parent[load].(*ast.AssignStmt)
	if !ok || len(s.Lhs) != len(s.Rhs) {
		return ""
	}
	for i, r := range s.Rhs {
		if v := f.local(s.Lhs[i]); r == load && v != nil {
			return v.Name()
		}
	}
	return ""
}

// loadEarly makes a load before the statement in front of its own, and before
// the loop that it is in.
func loadEarly(f *function) {
	for _, a := range f.atomics(f.decl.Body) {
		s := f.statement(a.call)
		if s == nil || a.writes() {
			continue
		}
		var places []ast.Node
		if list, i := f.list(s); i > 0 && f.touches(list[i-1]) {
			places = append(places, list[i-1])
		} else if up := f.statement(f.parent[s]); i == 0 && up != nil {
			places = append(places, up)
		}
		if l, ok := s.(*ast.ForStmt); ok && (l.Init == nil || l.Init.End() < a.call.Pos()) {
			places = append(places, s)
		}
		if l := f.loop(a.call); l != nil {
			if _, i := f.list(l); i >= 0 {
				places = append(places, l)
			}
		}
		for _, p := range places {
			f.tell(a.call, f.src(a.call), fmt.Sprintf("the same before %s", f.brief(p)),
				f.before(p, "zzseen := "+f.src(a.call)+f.note(a.call)), f.with(a.call, "zzseen"))
		}
	}
}

// otherWord makes an atomic operation on each other field of the same struct and
// type.
func otherWord(f *function) {
	for _, a := range f.atomics(f.decl.Body) {
		var x ast.Expr
		if a.pkg == "" {
			x = ast.Unparen(a.call.Fun).(*ast.SelectorExpr).X
		} else if u, ok := ast.Unparen(a.call.Args[0]).(*ast.UnaryExpr); ok {
			x = u.X
		}
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		s := f.info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal {
			continue
		}
		for _, name := range siblings(s) {
			f.add(a.call, f.with(sel.Sel, name))
		}
	}
}

// siblings are the other fields of a field's struct that have its type.
func siblings(s *types.Selection) (names []string) {
	t := s.Recv()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || len(s.Index()) != 1 {
		return nil
	}
	for i := range st.NumFields() {
		if v := st.Field(i); i != s.Index()[0] && v.Name() != "_" && types.Identical(v.Type(), s.Type()) {
			names = append(names, v.Name())
		}
	}
	return names
}
