package operators

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A locking is a statement that takes a lock or gives it back.
type locking struct {
	stmt     ast.Stmt
	lock     string // its text: "q.mu"
	name     string // "Lock", "Unlock", "RLock", "RUnlock"
	deferred bool
}

// locking returns what a statement does to a lock of package sync.
func (f *function) locking(s ast.Stmt) (locking, bool) {
	l := locking{stmt: s}
	var call *ast.CallExpr
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call, l.deferred = s.Call, true
	}
	if call == nil {
		return l, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return l, false
	}
	fn, ok := f.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return l, false
	}
	l.lock, l.name = f.src(sel.X), fn.Name()
	return l, slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock"}, l.name)
}

func (l locking) takes() bool { return !strings.HasSuffix(l.name, "Unlock") }

// gives is the operation that gives back what l takes.
func (l locking) gives() string { return strings.Replace(l.name, "Lock", "Unlock", 1) }

// locks leaves locks out and has them held for less. What was to be given back
// when the function returns is given back early.
func locks(f *function) {
	var all []locking
	each(f, f.decl.Body, func(s ast.Stmt) {
		if l, ok := f.locking(s); ok {
			all = append(all, l)
		}
	})
	for _, l := range all {
		if !l.takes() {
			f.giveBack(l)
			continue
		}
		out := []edit{f.omit(l.stmt)}
		weak := []edit{f.as(l, "R"+l.name)}
		for _, other := range all {
			if other.lock == l.lock && other.name == l.gives() {
				out = append(out, f.omit(other.stmt))
				weak = append(weak, f.as(other, "R"+other.name))
			}
		}
		f.add(l.stmt, out...)
		if l.name == "Lock" {
			f.add(l.stmt, weak...)
		}
		f.takeLate(l)
	}
}

// as is another operation on the lock.
func (f *function) as(l locking, name string) edit {
	from, to := f.offset(l.stmt.Pos()), f.offset(l.stmt.End())
	return edit{from, to, strings.Replace(f.src(l.stmt), "."+l.name+"(", "."+name+"(", 1)}
}

// takeLate takes a lock one statement later, and gives it up between two
// statements while it is held.
func (f *function) takeLate(l locking) {
	list, i := f.list(l.stmt)
	if i < 0 {
		return
	}
	note := f.note(l.stmt)
	begun := false
	for j, s := range list[i+1:] {
		other, ok := f.locking(s)
		if ok && other.lock == l.lock && other.deferred {
			continue
		}
		if ok && other.lock == l.lock {
			return
		}
		if !begun {
			begun = true
			if !leaves(s) {
				moved := []edit{f.omit(l.stmt), f.after(s, f.whole(l.stmt))}
				if j == 1 { // and what gives it back at the end goes with it
					between := list[i+1]
					moved = []edit{f.omit(l.stmt), f.omit(between), f.after(s, f.whole(l.stmt)+"\n"+f.whole(between))}
				}
				f.tell(l.stmt, f.brief(l.stmt), "the same behind "+f.brief(s), moved...)
			}
			continue
		}
		f.tell(l.stmt, f.brief(s), "given up and taken again before "+f.brief(s),
			f.before(s, l.lock+"."+l.gives()+"()"+note+"\n"+l.lock+"."+l.name+"()"+note))
	}
}

// giveBack gives a lock back one statement earlier, or never, and one that is
// given back at the end after the first statement.
func (f *function) giveBack(l locking) {
	list, i := f.list(l.stmt)
	if i < 0 {
		return
	}
	if !l.deferred {
		f.add(l.stmt, f.omit(l.stmt))
		if i > 0 && !leaves(list[i-1]) {
			f.tell(l.stmt, f.brief(l.stmt), "the same before "+f.brief(list[i-1]), f.before(list[i-1], f.whole(l.stmt)), f.omit(l.stmt))
		}
		return
	}
	if i+1 == len(list) {
		return
	}
	call := f.src(l.stmt.(*ast.DeferStmt).Call) + f.note(l.stmt)
	next := list[i+1]
	f.tell(l.stmt, f.brief(l.stmt), "given back before "+f.brief(next), f.omit(l.stmt), f.before(next, call))
	if _, block := next.(*ast.IfStmt); !leaves(next) && !block {
		f.tell(l.stmt, f.brief(l.stmt), "given back after "+f.brief(next), f.omit(l.stmt), f.after(next, call))
	}
}
