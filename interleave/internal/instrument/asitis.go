package instrument

import (
	"go/ast"
	"go/types"
	"strconv"
)

// What of a package is another text where it is explored as it is: what the compiler reports nothing of, and what goes by chance.
//
//	for k, v := range zzhook.ByKeys(m) { zzhook.Wipe(v) }

// asItIs puts the new texts of its files into the sets.
func (u *unit) asItIs() error {
	for _, f := range u.files {
		w := &walker{unit: u, file: f}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				m, ok := w.under(n.X).(*types.Map)
				if !ok || !w.overFunction(n) {
					break
				}
				switch b, ok := m.Key().Underlying().(*types.Basic); {
				case !used(n.Key) && !used(n.Value):
					w.around(n.X, "zzhook.Turning(", ")")
				case ok && b.Info()&types.IsOrdered != 0:
					w.around(n.X, "zzhook.ByKeys(", ")")
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) == 1 && id.Name == "clear" && u.info.Types[id].IsBuiltin() {
					if _, ok := w.under(n.Args[0]).(*types.Slice); ok {
						w.hooked = true
						w.replace(w.offset(id.Pos()), len(id.Name), "zzhook.Wipe")
					}
				}
			}
			return true
		})
		if !f.hooked {
			continue
		}
		f.open(w.offset(f.ast.Name.End()), "; import zzhook "+strconv.Quote(hookPath))
		if err := u.sets.put(f.name, f.apply(f.text)); err != nil {
			return err
		}
	}
	return nil
}
