package overlay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// An Edit replaces a piece of text inside one function. It is data: it can be
// listed, checked against a checkout, and applied to any later text that still
// has that function and that piece of text.
type Edit struct {
	File string `json:"file"` // slash path from the module's root
	// Func is the function, such as "NewP", "P.Get" or "(*P).Get"; empty means
	// the whole file.
	Func string `json:"func,omitempty"`
	Old  string `json:"old"` // must occur in the function exactly once
	New  string `json:"new"`
}

// where names the place of the edit.
func (e Edit) where() string {
	if e.Func == "" {
		return e.File
	}
	return e.File + ": func " + e.Func
}

// An EditError is an edit that does not fit the text.
type EditError struct {
	Edit     Edit
	Expected string
	Observed string
}

func (e *EditError) Error() string {
	return fmt.Sprintf("overlay: %s: expected %s; observed %s", e.Edit.where(), e.Expected, e.Observed)
}

// Apply applies edits one after another, each to the text that the one before
// left. An edit that does not fit gives an *EditError, and the set is then as
// it was before the call.
func (s *Set) Apply(edits ...Edit) error {
	changed := make(map[string][]byte)
	var order []string
	for _, e := range edits {
		text, ok := changed[e.File]
		if !ok {
			var err error
			if text, err = s.Text(e.File); err != nil {
				return err
			}
			order = append(order, e.File)
		}
		text, err := e.apply(text)
		if err != nil {
			return err
		}
		changed[e.File] = text
	}
	before := make(map[string][]byte)
	for file, text := range s.files {
		before[file] = text
	}
	for _, file := range order {
		if err := s.Put(file, changed[file]); err != nil {
			s.files = before
			return err
		}
	}
	return nil
}

// apply returns text with the edit made.
func (e Edit) apply(text []byte) ([]byte, error) {
	if e.Old == "" {
		return nil, &EditError{e, "a piece of text to replace", "none"}
	}
	from, to, err := e.span(text)
	if err != nil {
		return nil, err
	}
	within := text[from:to]
	if n := bytes.Count(within, []byte(e.Old)); n != 1 {
		return nil, &EditError{e, fmt.Sprintf("1 occurrence of %q", e.Old), fmt.Sprint(n)}
	}
	at := from + bytes.Index(within, []byte(e.Old))
	out := make([]byte, 0, len(text)+len(e.New)-len(e.Old))
	out = append(out, text[:at]...)
	out = append(out, e.New...)
	return append(out, text[at+len(e.Old):]...), nil
}

// span returns the offsets of the edit's function in text, from "func" to the
// closing brace.
func (e Edit) span(text []byte) (from, to int, err error) {
	if e.Func == "" {
		return 0, len(text), nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, e.File, text, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, fmt.Errorf("overlay: %s does not parse: %w", e.File, err)
	}
	want := plainName(e.Func)
	var names []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := plainName(FuncName(f))
		if name == want {
			return fset.Position(f.Pos()).Offset, fset.Position(f.End()).Offset, nil
		}
		names = append(names, name)
	}
	return 0, 0, &EditError{e, "a function of that name", "only " + strings.Join(names, ", ")}
}

// FuncName returns "Name", "T.Name" or "(*T).Name".
func FuncName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	pointer := false
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.StarExpr:
			pointer, t = true, x.X
		case *ast.Ident:
			if pointer {
				return "(*" + x.Name + ")." + f.Name.Name
			}
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// plainName turns "(*P).Get" into "P.Get".
func plainName(name string) string {
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
}
