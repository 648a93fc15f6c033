package overlay

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// ErrForm is wrapped by errors about a function in which a place was not found as it
// was expected.
var ErrForm = errors.New("unknown form of a function")

// A Place is a statement of one function, found by its form: no text of the file is
// needed to name it. Without a Kind it is the begin of the function. Kind is the statement's node without "Stmt"
// (Assign, Expr, If, Range). Of the three others one is set: a function that the
// statement itself calls, by its last name; a function that is called anywhere
// within; a variable that it assigns. It is the Nth of such statements, which
// must be as many as Of.
type Place struct {
	Func                 string
	Kind                 string
	Calls, Within, Names string
	Nth, Of              int
}

func (p Place) String() string {
	what := "that calls " + p.Calls
	switch {
	case p.Within != "":
		what = "with a call of " + p.Within + " in it"
	case p.Names != "":
		what = "that assigns " + p.Names
	}
	return fmt.Sprintf("%s statements %s", p.Kind, what)
}

// An Insertion puts text before and behind a place; at the begin of a function, Before
// alone. Orelse makes the statement the other branch of Before, which then ends with
// "if condition { ... ".
type Insertion struct {
	At            Place
	Before, After string
	Orelse        bool
}

// Insert returns the text of a file with the insertions made, each at the one place that it
// names. Lines keep their numbers. Errors wrap ErrForm.
func Insert(name string, text []byte, insertions ...Insertion) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	for _, e := range insertions {
		if e.At.Kind == "" {
			f, err := e.At.function(name, file)
			if err != nil {
				return nil, err
			}
			all = append(all, insertion{fset.Position(f.Body.Lbrace).Offset + 1, " " + e.Before + ";"})
			continue
		}
		s, err := e.At.find(name, file)
		if err != nil {
			return nil, err
		}
		before, after := e.Before, e.After
		if before != "" {
			before += "; "
		}
		if e.Orelse {
			before, after = e.Before+" } else { ", "}; "+after
		}
		if after != "" {
			after = "; " + after
		}
		all = append(all, insertion{fset.Position(s.Pos()).Offset, before}, insertion{fset.Position(s.End()).Offset, after})
	}
	slices.SortStableFunc(all, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, i := range all {
		out.Write(text[from:i.at])
		out.WriteString(i.text)
		from = i.at
	}
	out.Write(text[from:])
	if _, err := parser.ParseFile(token.NewFileSet(), name, out.Bytes(), parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("%w: after the edits it does not parse: %w", ErrForm, err)
	}
	return out.Bytes(), nil
}

// function returns the function of p.
func (p Place) function(name string, file *ast.File) (*ast.FuncDecl, error) {
	var found *ast.FuncDecl
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && FuncName(f) == p.Func && f.Body != nil {
			if found != nil {
				return nil, fmt.Errorf("%w: %s: function %s: expected one of that name, saw two", ErrForm, name, p.Func)
			}
			found = f
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%w: %s: function %s: expected it, saw none of that name", ErrForm, name, p.Func)
	}
	return found, nil
}

// find returns the statement at p.
func (p Place) find(name string, file *ast.File) (ast.Stmt, error) {
	f, err := p.function(name, file)
	if err != nil {
		return nil, err
	}
	var found []ast.Stmt
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && p.is(s) {
			found = append(found, s)
		}
		return true
	})
	if len(found) != p.Of {
		return nil, fmt.Errorf("%w: %s: function %s: expected %d %v, saw %d", ErrForm, name, p.Func, p.Of, p, len(found))
	}
	return found[p.Nth-1], nil
}

func (p Place) is(s ast.Stmt) bool {
	if fmt.Sprintf("*ast.%sStmt", p.Kind) != fmt.Sprintf("%T", s) {
		return false
	}
	switch {
	case p.Names != "":
		a, ok := s.(*ast.AssignStmt)
		return ok && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && id.Name == p.Names
		})
	case p.Within != "":
		return calls(s, p.Within, true)
	}
	return calls(s, p.Calls, false)
}

// calls reports whether s calls a function of that name: itself, or with deep in a
// block or a function within it, too.
func calls(s ast.Stmt, name string, deep bool) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return deep
		case *ast.IfStmt:
			// An else that is an if is a statement of its own.
			if n != s && !deep {
				return false
			}
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.Ident:
				found = found || f.Name == name
			case *ast.SelectorExpr:
				found = found || f.Sel.Name == name
			}
		}
		return true
	})
	return found
}
