package operators

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// returns has a function return other values, all of them or one, or go on
// where it returned or left a loop.
func returns(f *function) {
	last := f.decl.Body.List
	each(f, f.decl.Body, func(s *ast.ReturnStmt) {
		if s != last[len(last)-1] {
			f.add(s, f.omit(s))
		}
		if len(s.Results) > 0 {
			f.add(s, edit{f.offset(s.Pos()), f.offset(s.End()), f.returnZero(s)})
		}
		results := f.results(s)
		if results.Len() != len(s.Results) {
			return
		}
		for i, x := range s.Results {
			t := results.At(i).Type()
			if f.info.Types[x].Value == nil {
				f.add(s, f.with(x, f.zero(t, false)))
				if f.boolean(x) {
					f.add(s, f.with(x, "true"))
				}
			}
			if f.boolean(x) {
				continue
			}
			for _, name := range f.others(s, t) {
				f.add(s, f.with(x, name))
			}
		}
	})
	each(f, f.decl.Body, func(s *ast.BranchStmt) {
		if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
			f.add(s, f.omit(s))
		}
	})
}

// others returns the local variables of a type that are in scope at a node, in
// order.
func (f *function) others(at ast.Node, t types.Type) (names []string) {
	outer := f.info.Scopes[f.decl.Type]
	for scope := f.innermost(at); scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if ok && name != "_" && v.Pos() < at.Pos() && types.Identical(v.Type(), t) {
				names = append(names, name)
			}
		}
		if scope == outer {
			break
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// innermost returns the innermost scope around a node.
func (f *function) innermost(n ast.Node) *types.Scope {
	for ; n != nil; n = f.parent[n] {
		if s := f.info.Scopes[n]; s != nil {
			return s
		}
		if n == f.decl.Body {
			break
		}
	}
	return f.info.Scopes[f.decl.Type]
}

// giveUp has a loop return nothing where it would go on: at each continue, and
// at the end of its body, if the body has an atomic operation.
func giveUp(f *function) {
	each(f, f.decl.Body, func(s *ast.BranchStmt) {
		if s.Tok == token.CONTINUE {
			f.add(s, edit{f.offset(s.Pos()), f.offset(s.End()), f.returnZero(s)})
		}
	})
	f.bodies(func(loop ast.Stmt, body *ast.BlockStmt) {
		if len(f.atomics(body)) > 0 {
			f.tell(loop, f.brief(loop), "a round ends with "+f.returnZero(loop), f.atEnd(body, f.returnZero(loop)))
		}
	})
}

// loops ends each loop after its first round, and leaves loops out.
func loops(f *function) {
	f.bodies(func(loop ast.Stmt, body *ast.BlockStmt) {
		f.tell(loop, f.brief(loop), "one round", f.atEnd(body, "break"))
		f.tell(loop, f.brief(loop), "", f.omit(loop))
	})
}

// bodies calls visit for each loop whose body's end may be reached.
func (f *function) bodies(visit func(loop ast.Stmt, body *ast.BlockStmt)) {
	each(f, f.decl.Body, func(s ast.Stmt) {
		var body *ast.BlockStmt
		switch s := s.(type) {
		case *ast.ForStmt:
			body = s.Body
		case *ast.RangeStmt:
			body = s.Body
		default:
			return
		}
		visit(s, body)
	})
}

// atEnd puts text at the end of a block. Behind what leaves it the text would
// never run: then it is an edit that gives no mutant.
func (f *function) atEnd(b *ast.BlockStmt, text string) edit {
	at := f.offset(b.Rbrace)
	if n := len(b.List); n > 0 && leaves(b.List[n-1]) {
		return edit{at, at, ""}
	}
	return edit{at, at, "\n" + text + "\n"}
}
