package place

import (
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Name is what an operation of a line is on, as the source has it, or the comment at the end of the line.
type Name struct {
	Line     int
	Op, Expr string // "Load", "q.head"
	Action   string
	Of       int // where the line is the end of a function: the line of the defer statement
}

type fileLine struct {
	file string
	line int
}

var lineNames = make(map[fileLine][]Name)

// Register says the names of a file of a package that is explored as it is.
func Register(file string, all ...Name) {
	for _, n := range all {
		at := fileLine{file, n.Line}
		lineNames[at] = append(lineNames[at], n)
	}
}

// NameAt returns what an operation of a line is on, "" if there are several.
func NameAt(file string, line int, ops ...string) (expr string) {
	for _, n := range lineNames[fileLine{file, line}] {
		for _, op := range ops {
			switch {
			case n.Op != op || n.Expr == expr:
			case expr != "":
				return ""
			default:
				expr = n.Expr
			}
		}
	}
	return expr
}

func action(file string, line int) string {
	for _, n := range lineNames[fileLine{file, line}] {
		if n.Action != "" {
			return n.Action
		}
	}
	return ""
}

// Name has the site of an operation say what that is on.
func (s *Known) Name(k object.Kind) {
	if s.Named = true; s.Expr != "" {
		return
	}
	op, _, _ := strings.Cut(k.String(), ",")
	ops := []string{op}
	if k == object.Count {
		ops = []string{"Add", "Done", "Go"}
	}
	s.Expr = NameAt(s.File, s.Line, ops...)
	for _, n := range lineNames[fileLine{s.File, s.Line}] { // a deferred call, where the function ends
		if n.Of > 0 && n.Expr == s.Expr && list.Contains(ops, n.Op) {
			s.Line, s.Action = n.Of, action(s.File, n.Of)
			s.Invisible = strings.HasPrefix(s.Action, Invisible)
			return
		}
	}
}
