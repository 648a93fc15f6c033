package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strings"
)

// The lengths of digests, in hexadecimal digits. That of a statement must only tell it
// from the others of its function.
const (
	statementDigits = 12
	functionDigits  = 32
)

// A statement is one line of the skeleton of a function: a statement without those that
// are nested in it, or where a nested list ends. Two functions that have the same
// skeleton are the same but for comments and formatting.
type statement struct {
	kind   string          // "if", "call", "assign" ...; "end" where a list ends
	names  map[string]bool // identifiers and literals in it; "lock()" if it calls lock
	digest string
	pos    token.Pos
}

// skeleton lists a function's statements in the order of the text, its signature first.
// The function's name is left out, so that one that was renamed is known again.
func skeleton(f *ast.FuncDecl) []statement {
	var s skeletons
	if f.Recv != nil {
		s.add("func", f.Pos(), f.Recv, f.Type)
	} else {
		s.add("func", f.Pos(), f.Type)
	}
	if f.Body != nil {
		s.list(f.Body.List, f.Body.Rbrace)
	}
	return s.all
}

// sumOf is the digest of a function whose statements have these digests.
func sumOf(digests []string) string {
	sum := sha256.Sum256([]byte(strings.Join(digests, "\n")))
	return hex.EncodeToString(sum[:])[:functionDigits]
}

func digestsOf(all []statement) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = s.digest
	}
	return list
}

type skeletons struct{ all []statement }

// add adds a statement that consists of these parts, and what is nested in function
// literals of it.
func (s *skeletons) add(kind string, pos token.Pos, parts ...ast.Node) {
	w := writer{names: make(map[string]bool)}
	w.text.WriteString(kind)
	for _, p := range parts {
		w.text.WriteByte('\n')
		if p != nil && !reflect.ValueOf(p).IsNil() {
			w.value(reflect.ValueOf(p))
		}
	}
	sum := sha256.Sum256([]byte(w.text.String()))
	s.all = append(s.all, statement{kind, w.names, hex.EncodeToString(sum[:])[:statementDigits], pos})
	for _, lit := range w.literals {
		s.list(lit.Body.List, lit.Body.Rbrace)
	}
}

func (s *skeletons) list(list []ast.Stmt, end token.Pos) {
	for _, stmt := range list {
		s.stmt(stmt)
	}
	s.add("end", end)
}

func (s *skeletons) stmt(stmt ast.Stmt) {
	at := stmt.Pos()
	switch stmt := stmt.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		s.add("block", at)
		s.list(stmt.List, stmt.Rbrace)
	case *ast.IfStmt:
		s.add("if", at, stmt.Init, stmt.Cond)
		s.list(stmt.Body.List, stmt.Body.Rbrace)
		if stmt.Else != nil {
			s.add("else", stmt.Else.Pos())
			s.stmt(stmt.Else)
		}
	case *ast.ForStmt:
		s.add("for", at, stmt.Init, stmt.Cond, stmt.Post)
		s.list(stmt.Body.List, stmt.Body.Rbrace)
	case *ast.RangeStmt:
		s.add("range", at, stmt.Key, stmt.Value, &ast.Ident{Name: stmt.Tok.String()}, stmt.X)
		s.list(stmt.Body.List, stmt.Body.Rbrace)
	case *ast.SwitchStmt:
		s.add("switch", at, stmt.Init, stmt.Tag)
		s.list(stmt.Body.List, stmt.Body.Rbrace)
	case *ast.TypeSwitchStmt:
		s.add("switch", at, stmt.Init, stmt.Assign)
		s.list(stmt.Body.List, stmt.Body.Rbrace)
	case *ast.SelectStmt:
		s.add("select", at)
		s.list(stmt.Body.List, stmt.Body.Rbrace)
	case *ast.CaseClause:
		var of []ast.Node
		for _, e := range stmt.List {
			of = append(of, e)
		}
		s.add("case", at, of...)
		s.list(stmt.Body, stmt.End())
	case *ast.CommClause:
		s.add("case", at, stmt.Comm)
		s.list(stmt.Body, stmt.End())
	case *ast.LabeledStmt:
		s.add("label", at, stmt.Label)
		s.stmt(stmt.Stmt)
	default:
		s.add(kindOf(stmt), at, stmt)
	}
}

func kindOf(stmt ast.Stmt) string {
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		return "call"
	case *ast.AssignStmt:
		return "assign"
	case *ast.IncDecStmt:
		return "count"
	case *ast.ReturnStmt:
		return "return"
	case *ast.BranchStmt:
		return stmt.Tok.String()
	case *ast.DeclStmt:
		return "declare"
	case *ast.GoStmt:
		return "go"
	case *ast.DeferStmt:
		return "defer"
	case *ast.SendStmt:
		return "send"
	}
	return "other"
}

// A writer writes a tree as a text that is the same for trees that mean the same. It
// leaves out what later versions of package ast may add and what is zero.
type writer struct {
	text     strings.Builder
	names    map[string]bool
	literals []*ast.FuncLit // whose bodies are left out
}

var posType = reflect.TypeFor[token.Pos]()

func (w *writer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		w.value(v.Elem())
	case reflect.Pointer:
		w.node(v)
	case reflect.Slice:
		w.text.WriteByte('[')
		for i := range v.Len() {
			w.value(v.Index(i))
			w.text.WriteByte(',')
		}
		w.text.WriteByte(']')
	default:
		fmt.Fprintf(&w.text, "%v", v.Interface())
	}
}

func (w *writer) node(v reflect.Value) {
	switch n := v.Interface().(type) {
	case *ast.ParenExpr:
		w.value(reflect.ValueOf(n.X))
		return
	case *ast.Ident:
		w.names[n.Name] = true
		fmt.Fprintf(&w.text, "%q", n.Name)
		return
	case *ast.BasicLit:
		w.names[n.Value] = true
		fmt.Fprintf(&w.text, "%s %q", n.Kind, n.Value)
		return
	case *ast.FuncLit:
		w.literals = append(w.literals, n)
		w.text.WriteString("func")
		w.value(reflect.ValueOf(n.Type))
		return
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.Ident:
			w.names[f.Name+"()"] = true
		case *ast.SelectorExpr:
			w.names[f.Sel.Name+"()"] = true
		}
		if n.Ellipsis.IsValid() {
			w.text.WriteString("...")
		}
	case *ast.TypeSpec:
		if n.Assign.IsValid() {
			w.text.WriteByte('=')
		}
	}
	v = v.Elem()
	w.text.WriteString(v.Type().Name())
	w.text.WriteByte('{')
	for i := range v.NumField() {
		switch f := v.Type().Field(i); {
		case f.Type == posType || f.Name == "Doc" || f.Name == "Comment" || f.Name == "Incomplete" || v.Field(i).IsZero():
		default:
			w.text.WriteString(f.Name + ":")
			w.value(v.Field(i))
			w.text.WriteByte(';')
		}
	}
	w.text.WriteByte('}')
}
