package instrument

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// The few places of a package that another text stands in for: what the compiler reports nothing of, and what goes by chance. The texts are
// spliced into lines, which keep their numbers.
//
//	for k, v := range zzhook.ByKeys(m) { zzhook.Wipe(v) }

// An edit puts text in the place of n bytes.
type edit struct {
	at, n int
	text  string
}

// edited returns the text of a file with the edits made, and whether there are any.
func (u *unit) edited(f *file) ([]byte, bool) {
	var all []edit
	offset := func(p token.Pos) int { return u.fset.PositionFor(p, false).Offset }
	around := func(n ast.Node, call string) {
		all = append(all, edit{offset(n.Pos()), 0, "zzhook." + call + "("}, edit{offset(n.End()), 0, ")"})
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			m, ok := u.core(n.X).(*types.Map)
			if !ok || !u.from(f, "go1.23") || !overFunction(n) {
				break
			}
			switch b, ok := m.Key().Underlying().(*types.Basic); {
			case !used(n.Key) && !used(n.Value):
				around(n.X, "Turning")
			case ok && b.Info()&types.IsOrdered != 0:
				around(n.X, "ByKeys")
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) == 1 && id.Name == "clear" && u.info.Types[id].IsBuiltin() {
				if _, ok := u.core(n.Args[0]).(*types.Slice); ok {
					all = append(all, edit{offset(id.Pos()), len(id.Name), "zzhook.Wipe"})
				}
			}
		}
		return true
	})
	if len(all) == 0 {
		return nil, false
	}
	all = append(all, edit{offset(f.ast.Name.End()), 0, "; import zzhook " + strconv.Quote(hookPath)})
	slices.SortStableFunc(all, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	last := 0
	for _, e := range all {
		out.Write(f.text[last:e.at])
		out.WriteString(e.text)
		last = e.at + e.n
	}
	out.Write(f.text[last:])
	return out.Bytes(), true
}

// overFunction reports whether a range statement can be made one over a function. The
// compiler assigns the two values of a function one after the other, where those of a
// map are assigned at once: for i, a[i] = range m.
func overFunction(s *ast.RangeStmt) bool {
	_, name := s.Value.(*ast.Ident)
	return s.Tok == token.DEFINE || !used(s.Key) || !used(s.Value) || name
}

func used(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return x != nil && !(ok && id.Name == "_")
}
