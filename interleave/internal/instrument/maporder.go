package instrument

import (
	"go/ast"
	"go/types"
)

// mapOrder has a range over a map go through its keys in their order, so that two
// runs of one schedule do the same. Where they have none, or the range statement
// takes no functions yet, the order of the map is a doubt.
func (w *walker) mapOrder(s *ast.RangeStmt, label string) {
	functions := w.overFunction(s)
	if used(s.Key) || used(s.Value) {
		m := w.under(s.X).(*types.Map)
		if b, ok := m.Key().Underlying().(*types.Basic); ok && b.Info()&types.IsOrdered != 0 && functions {
			w.ranged(s, "InOrder", "")
			return
		}
	}
	switch {
	case !w.plain:
	case functions:
		w.ranged(s, "Pairs", "")
	default:
		w.turns(s, label, "OverMap", "")
	}
	if used(s.Key) || used(s.Value) { // inside: it is given the map
		w.around(s.X, "zzhook.MapOrder("+w.site(s.For, s.X)+", ", ")")
	}
}

// mapOrderOf wraps the map of an iterator of package maps, whose order is that of
// the map, unless who is given the iterator puts it in order or makes a map of it.
func (w *walker) mapOrderOf(x *ast.CallExpr, c *callee) {
	switch c.name {
	case "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc", "maps.Collect", "maps.Insert":
		for _, a := range x.Args {
			if call, ok := ast.Unparen(a).(*ast.CallExpr); ok {
				if w.ordered == nil {
					w.ordered = make(map[*ast.CallExpr]bool)
				}
				w.ordered[call] = true
			}
		}
	case "maps.Keys", "maps.Values", "maps.All":
		if !w.ordered[x] {
			w.around(x.Args[0], "zzhook.MapOrder("+w.site(x.Pos(), x.Args[0])+", ", ")")
		}
	}
}
