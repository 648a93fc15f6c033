package trace

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/sched"
)

// A danceSite is a place in the code of a scheduler that makes operations, as the comment at
// the end of its line has it.
type danceSite struct {
	module string   // sched.Module, "RunQueue", or "" for a line that is outside the model
	names  []string // of actions of the module
	with   bool     // it is part of an action of its thread before or after
	field  string   // what it is on, as the source has it: "nmspinning"
	text   string   // "s.nmspinning (dance.go:12)"
	test   bool     // it is in a test
	marked bool     // its line says what it is
}

func parseDance(p harness.Place) danceSite {
	at := danceSite{text: "an operation of unknown place"}
	if p.Line > 0 {
		at.text = fmt.Sprintf("%s (%s:%d)", p.Expr, path.Base(p.File), p.Line)
	}
	at.test = strings.HasSuffix(p.File, "_test.go")
	at.field = p.Expr[strings.LastIndexByte(p.Expr, '.')+1:]
	text, with := strings.CutPrefix(strings.TrimSpace(p.Action), "with ")
	text, _, _ = strings.Cut(text, ":")
	module, names, ok := strings.Cut(text, "!")
	switch {
	case ok && (module == sched.Module || module+"!" == moduleOfQueue):
		at.module, at.names, at.with, at.marked = module, strings.Split(names, ", "), with, true
	default:
		at.marked = strings.HasPrefix(p.Action, "outside: ") || !strings.Contains(p.File, "/impl/") || at.test
	}
	return at
}

const moduleOfQueue = module

// label is what the line calls itself.
func (at *danceSite) label() string {
	switch {
	case at.module == "":
		return "outside of the model"
	case at.with:
		return "with " + strings.Join(at.names, ", ")
	}
	return strings.Join(at.names, ", ")
}

// shown words an operation, with the values of the code.
func (at *danceSite) shown(s *harness.Step) string {
	text := s.Kind
	switch s.Kind {
	case "Load":
		text += fmt.Sprintf(" = %d", int32(s.Read))
	case "Store":
		text += fmt.Sprintf(" %d", int32(s.Wrote))
	case "Add":
		text += fmt.Sprintf(" %d -> %d", int32(s.Read), int32(s.Wrote))
	case "CompareAndSwap":
		if s.Changed {
			text += fmt.Sprintf(" %d -> %d", int32(s.Read), int32(s.Wrote))
		} else {
			text += fmt.Sprintf(" that fails, being %d", int32(s.Read))
		}
	}
	return fmt.Sprintf("%s: %s of %s", at.label(), text, at.text)
}

func (at *danceSite) is(name string) bool { return slices.Contains(at.names, name) }
