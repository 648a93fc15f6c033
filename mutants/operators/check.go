package operators

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"
)

// A wrong is what the type checker says of a mutant's copy.
type wrong struct {
	at  int // offset in the mutant's text
	msg string
}

// check drops mutants that do not type-check. All are checked at once, as copies
// beside the functions as they were: an error lies in the copy whose it is. A
// variable that is not used any more is used by an assignment to nothing.
func (d *Design) check() error {
	const rounds = 4
	for range rounds {
		errs, err := d.typeCheck()
		if err != nil {
			return err
		}
		if len(errs) == 0 {
			return nil
		}
		d.mutants = slices.DeleteFunc(d.mutants, func(m *mutant) bool { return !m.use(errs[m]) })
	}
	return fmt.Errorf("operators: %s: expected mutants that type-check after %d rounds, saw more errors", d.pkg.path, rounds)
}

// typeCheck returns what is wrong with each mutant.
func (d *Design) typeCheck() (map[*mutant][]wrong, error) {
	type placed struct {
		m        *mutant
		from, to int
		longer   int // than its text, by the name
	}
	fset := token.NewFileSet()
	var asts []*ast.File
	places := make(map[string][]placed)
	for _, file := range d.pkg.files {
		text := slices.Clone(file.text)
		for i, m := range d.mutants {
			if m.file == file {
				text = append(text, '\n')
				from := len(text)
				text = append(text, m.named(i+1)...)
				places[file.path] = append(places[file.path], placed{m, from, len(text), len(text) - from - len(m.text)})
			}
		}
		parsed, err := parser.ParseFile(fset, file.path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("operators: the mutants of %s: %w", file.path, err)
		}
		asts = append(asts, parsed)
	}
	all := make(map[*mutant][]wrong)
	var other error
	conf := types.Config{Importer: d.pkg.importer, Error: func(err error) {
		e, ok := errors.AsType[types.Error](err)
		if !ok {
			other = err
			return
		}
		at := fset.PositionFor(e.Pos, false)
		list := places[at.Filename]
		i := sort.Search(len(list), func(i int) bool { return list[i].to > at.Offset })
		if i == len(list) || list[i].from > at.Offset {
			other = err
			return
		}
		p := list[i]
		all[p.m] = append(all[p.m], wrong{at.Offset - p.from - p.longer, e.Msg})
	}}
	if _, err := conf.Check(d.pkg.path, fset, asts, nil); err != nil && len(all) == 0 {
		other = err
	}
	if other != nil {
		return nil, fmt.Errorf("operators: expected errors in mutants alone, saw %w", other)
	}
	return all, nil
}

// use adds uses of the variables that have none, and reports whether nothing
// else is wrong.
func (m *mutant) use(errs []wrong) bool {
	const head = "package p\n"
	if len(errs) == 0 {
		return true
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head+m.text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	slices.SortFunc(errs, func(a, b wrong) int { return cmp.Compare(b.at, a.at) }) // from the end on
	for _, e := range errs {
		name, ok := strings.CutPrefix(e.msg, "declared and not used: ")
		if !ok {
			return false
		}
		place := placeOfUse(file, file.FileStart+token.Pos(e.at+len(head)))
		if place == token.NoPos {
			return false
		}
		at := fset.PositionFor(place, false).Offset - len(head)
		text := "; _ = " + name
		if m.text[at-1] == '{' || m.text[at-1] == ':' {
			text = " _ = " + name + ";"
		}
		m.text = m.text[:at] + text + m.text[at:]
	}
	return true
}

// placeOfUse returns where a variable can be used that is declared at pos:
// behind the statement, or at the start of the block that it is for.
func placeOfUse(file *ast.File, pos token.Pos) (place token.Pos) {
	var path []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if n.Pos() > pos || n.End() <= pos {
			return false
		}
		if len(path) > 0 {
			switch up := path[len(path)-1].(type) {
			case *ast.BlockStmt, *ast.CaseClause:
				if s, ok := n.(ast.Stmt); ok {
					place = s.End()
				}
			case *ast.CommClause:
				if up.Comm == n {
					place = up.Colon + 1 // the variable is the clause's
				} else if s, ok := n.(ast.Stmt); ok {
					place = s.End()
				}
			case *ast.IfStmt:
				if up.Init == n {
					place = up.Body.Lbrace + 1
				}
			case *ast.ForStmt:
				if up.Init == n {
					place = up.Body.Lbrace + 1
				}
			case *ast.RangeStmt:
				if up.Key == n || up.Value == n {
					place = up.Body.Lbrace + 1
				}
			}
		}
		path = append(path, n)
		return true
	})
	return place
}

// named is the copy under a name that no other has.
func (m *mutant) named(number int) string {
	own := m.fn.decl.Name.Name
	return m.text[:m.name] + copyName(own, number) + m.text[m.name+len(own):]
}

// copyName is the name of a function's copy for a mutant.
func copyName(name string, number int) string { return fmt.Sprintf("zz%s_%d", name, number) }
