package engine

import (
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Name is what an operation of a line is on, as the source has it, or the comment at the end of the line.
type Name struct {
	Line     int
	Op, Expr string // "Load", "q.head"
	Action   string
}

type fileLine struct {
	file string
	line int
}

var lineNames = make(map[fileLine][]Name)

// RegisterNames says the names of a file of a package that is explored as it is.
func RegisterNames(file string, all ...Name) {
	for _, n := range all {
		at := fileLine{file, n.Line}
		lineNames[at] = append(lineNames[at], n)
	}
}

// nameAt returns what an operation of a line is on, "" if there are several.
func nameAt(file string, line int, ops ...string) (expr string) {
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

// name has the site of an operation say what that is on.
func (m *madeSite) name(k object.Kind) {
	if m.named = true; m.Expr != "" {
		return
	}
	op, _, _ := strings.Cut(k.String(), ",")
	if k == object.Count {
		m.Expr = nameAt(m.File, m.Line, "Add", "Done")
		return
	}
	m.Expr = nameAt(m.File, m.Line, op)
}
