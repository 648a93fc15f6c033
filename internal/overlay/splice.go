package overlay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// BeforeStatements returns text with insert, such as "delay(); ", in front of
// every statement of every function body. Nothing is put on a line of its own,
// so lines keep their numbers.
func BeforeStatements(file string, text []byte, insert string) ([]byte, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("overlay: %s does not parse: %w", file, err)
	}
	var at []int
	ast.Inspect(parsed, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			switch s.(type) {
			case *ast.CaseClause, *ast.CommClause: // the list of a switch or select
			default:
				at = append(at, fset.PositionFor(s.Pos(), false).Offset)
			}
		}
		return true
	})
	slices.Sort(at)
	var b bytes.Buffer
	last := 0
	for _, i := range at {
		b.Write(text[last:i])
		b.WriteString(insert)
		last = i
	}
	b.Write(text[last:])
	return b.Bytes(), nil
}
