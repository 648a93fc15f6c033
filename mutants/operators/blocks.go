package operators

import (
	"go/ast"
	"go/types"
	"strings"
)

// Where a node is: in which list of statements, loop and function.

// list returns the list of statements that a statement is directly in, and its
// place there.
func (f *function) list(s ast.Node) ([]ast.Stmt, int) {
	list := listOf(f.parent[s])
	for i, other := range list {
		if other == s {
			return list, i
		}
	}
	return nil, -1
}

// listOf returns a block's statements.
func listOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// statement returns the innermost statement around a node that is directly in a
// list, nil if there is none.
func (f *function) statement(n ast.Node) ast.Stmt {
	for ; n != nil; n = f.parent[n] {
		if s, ok := n.(ast.Stmt); ok {
			if _, i := f.list(s); i >= 0 {
				return s
			}
		}
	}
	return nil
}

// loop returns the innermost loop whose body has a node.
func (f *function) loop(n ast.Node) ast.Stmt {
	for ; n != nil; n = f.parent[n] {
		switch p := f.parent[n].(type) {
		case *ast.ForStmt:
			if p.Body == n {
				return p
			}
		case *ast.RangeStmt:
			if p.Body == n {
				return p
			}
		case *ast.FuncLit:
			return nil
		}
	}
	return nil
}

// results returns the results of the innermost function around a node.
func (f *function) results(n ast.Node) *types.Tuple {
	for ; n != nil; n = f.parent[n] {
		if lit, ok := n.(*ast.FuncLit); ok {
			return f.info.TypeOf(lit).(*types.Signature).Results()
		}
	}
	return f.info.Defs[f.decl.Name].(*types.Func).Signature().Results()
}

// returnZero is a statement that returns nothing from around a node.
func (f *function) returnZero(n ast.Node) string {
	var values []string
	for v := range f.results(n).Variables() {
		values = append(values, f.zero(v.Type(), false))
	}
	return strings.TrimSpace("return " + strings.Join(values, ", "))
}

// leaves reports whether a statement goes elsewhere: nothing behind it runs.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// lists calls visit for each list of statements in the function.
func (f *function) lists(visit func(list []ast.Stmt)) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if list := listOf(n); len(list) > 0 {
			visit(list)
		}
		return true
	})
}
