package operators

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A function is one whose mutants are made.
type function struct {
	*pkg
	file     *file
	decl     *ast.FuncDecl
	name     string // "P.Get"
	from, to int    // offsets in the file, with the comment at the line's end
	parent   map[ast.Node]ast.Node

	operator string
	found    []candidate
}

// An edit replaces the text between two offsets of the file.
type edit struct {
	from, to int
	text     string
}

// A candidate is a mutant that may not compile, or be another's text.
type candidate struct {
	operator string
	pos      token.Pos
	edits    []edit
	old, new string // if empty, the lines that changed
}

// add adds a candidate.
func (f *function) add(at ast.Node, edits ...edit) {
	f.found = append(f.found, candidate{operator: f.operator, pos: at.Pos(), edits: edits})
}

// tell adds a candidate whose change is not seen on few lines.
func (f *function) tell(at ast.Node, old, new string, edits ...edit) {
	f.found = append(f.found, candidate{f.operator, at.Pos(), edits, old, new})
}

func (f *function) offset(p token.Pos) int { return f.fset.PositionFor(p, false).Offset }

func (f *function) line(p token.Pos) int { return f.fset.PositionFor(p, false).Line }

// src is the text of a node.
func (f *function) src(n ast.Node) string {
	return string(f.file.text[f.offset(n.Pos()):f.offset(n.End())])
}

// comment is the comment at a line's end behind an offset, with the blanks in
// front of it, or "".
func (f *function) comment(at int) string {
	rest := f.file.text[at:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	if bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte("//")) {
		return string(rest)
	}
	return ""
}

// span is where a statement is, with the comment at its line's end: that names
// the action, and goes where the statement goes.
func (f *function) span(s ast.Node) (from, to int) {
	to = f.offset(s.End())
	return f.offset(s.Pos()), to + len(f.comment(to))
}

// whole is the text of a statement with its comment.
func (f *function) whole(s ast.Node) string {
	from, to := f.span(s)
	return string(f.file.text[from:to])
}

// omit leaves a statement out.
func (f *function) omit(s ast.Node) edit {
	from, to := f.span(s)
	return edit{from, to, ""}
}

// note is the comment at the end of the line on which a node ends, with a blank in
// front: it says which action an access is, also of an access that is moved.
func (f *function) note(n ast.Node) string {
	for _, g := range f.file.ast.Comments {
		for _, c := range g.List {
			if c.Pos() > n.Pos() && strings.HasPrefix(c.Text, "//") && f.line(c.Pos()) == f.line(n.End()) {
				return " " + c.Text
			}
		}
	}
	return ""
}

// before puts text on lines of its own in front of a statement.
func (f *function) before(s ast.Node, text string) edit {
	at := f.offset(s.Pos())
	return edit{at, at, text + "\n"}
}

// after puts text on lines of its own behind a statement.
func (f *function) after(s ast.Node, text string) edit {
	_, at := f.span(s)
	return edit{at, at, "\n" + text + "\n"}
}

// with puts an expression in another's place, in parentheses where they are
// needed.
func (f *function) with(x ast.Expr, text string) edit {
	if !f.binds(x, text) {
		text = "(" + text + ")"
	}
	return edit{f.offset(x.Pos()), f.offset(x.End()), text}
}

// binds reports whether text is an operand in the place of x without parentheses.
func (f *function) binds(x ast.Expr, text string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return true // the type checker will say so
	}
	b, binary := e.(*ast.BinaryExpr)
	switch e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit:
	default:
		return true
	}
	switch p := f.parent[x].(type) {
	case *ast.BinaryExpr:
		return !binary || b.Op.Precedence() > p.Op.Precedence()
	case *ast.UnaryExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.TypeAssertExpr:
		return false
	case *ast.IndexExpr:
		return p.X != x
	case *ast.SliceExpr:
		return p.X != x
	case *ast.CallExpr:
		return p.Fun != x
	}
	return true
}

// apply returns the function's text with edits made, and the offset in it of
// the function's name.
func (f *function) apply(edits []edit) (text string, name int) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	var b strings.Builder
	at := f.from
	for _, e := range edits {
		if e.from < at || e.to < e.from || e.to > f.to {
			return "", 0 // of one inside another: no mutant
		}
		b.Write(f.file.text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(f.file.text[at:f.to])
	return b.String(), f.offset(f.decl.Name.Pos()) - f.from
}

// copyWith is apply, with the directives for the compiler in front.
func (f *function) copyWith(edits []edit) (text string, name int) {
	text, name = f.apply(edits)
	if f.decl.Doc == nil {
		return text, name
	}
	head := ""
	for _, c := range f.decl.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:linkname") {
			head += c.Text + "\n"
		}
	}
	return head + text, len(head) + name
}

// printed is the function with edits as gofmt prints it without comments, "" if
// it does not parse.
func (f *function) printed(edits []edit) string {
	text, _ := f.apply(edits)
	if text == "" {
		return ""
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	// Positions keep blank lines, which are no difference.
	ast.Inspect(file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			b.List = slices.DeleteFunc(b.List, func(s ast.Stmt) bool { _, empty := s.(*ast.EmptyStmt); return empty })
		}
		return true
	})
	var b bytes.Buffer
	if err := format.Node(&b, fset, file); err != nil {
		return ""
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// lines returns what a candidate changes, for people.
func (f *function) lines(c candidate) (old, new string) {
	if c.old != "" || c.new != "" {
		return c.old, c.new
	}
	from, to := len(f.file.text), 0
	for _, e := range c.edits {
		from, to = min(from, e.from), max(to, e.to)
	}
	for from > f.from && f.file.text[from-1] != '\n' {
		from--
	}
	for to < f.to && f.file.text[to] != '\n' {
		to++
	}
	text, _ := f.apply(c.edits)
	return oneLine(string(f.file.text[from:to])), oneLine(text[from-f.from : len(text)-(f.to-to)])
}

// brief is a statement in few words: its first line.
func (f *function) brief(s ast.Node) string {
	first, rest, more := strings.Cut(f.src(s), "\n")
	first = oneLine(first)
	if more && strings.HasSuffix(first, "{") && strings.HasSuffix(rest, "}") {
		first += " ... }"
	}
	return first
}
