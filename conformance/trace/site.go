package trace

import (
	"fmt"
	"path"
	"strings"

	"github.com/spindle-go/spindle/interleave/harness"
)

// module is what the names of actions begin with.
const module = "RunQueue!"

// Actions that are compared in a way of their own.
const (
	grabLoadHead = "GrabLoadHead"
	grabCopySlot = "GrabCopySlot"
	grabCASHead  = "GrabCASHead"
	grabCASNext  = "GrabCASNext"
)

// A site is a place in the code that makes operations.
type site struct {
	action string // without the module's name; "" is none
	with   bool   // its operations are no steps of their own
	text   string // "p.head (runq.go:12)"
}

// sites are the places that were seen.
type sites map[harness.Site]site

func (m sites) of(id harness.Site) site {
	at, ok := m[id]
	if !ok {
		at = parse(id.Place())
		m[id] = at
	}
	return at
}

// parse reads the comment at the end of a line.
func parse(p harness.Place) site {
	at := site{text: "an operation of unknown place"}
	if p.Line > 0 {
		at.text = fmt.Sprintf("%s (%s:%d)", p.Expr, path.Base(p.File), p.Line)
	}
	text, with := strings.CutPrefix(p.Action, "with ")
	if name, ok := strings.CutPrefix(text, module); ok {
		at.action, _, _ = strings.Cut(name, ":")
		at.with = with
	}
	return at
}

// shown words an operation, with the values of the code.
func (at *site) shown(s *harness.Step) string {
	text := s.Kind
	switch {
	case text == "Load":
		text += fmt.Sprintf(" = %d", s.Read)
	case text == "Store":
		text += fmt.Sprintf(" %d", s.Wrote)
	case text == "CompareAndSwap" && s.Changed:
		text += fmt.Sprintf(" %d -> %d", s.Read, s.Wrote)
	case text == "CompareAndSwap":
		text += fmt.Sprintf(" failed, was %d", s.Read)
	}
	name := at.action
	if name == "" {
		name = "no action"
	}
	if at.with {
		name = "with " + name
	}
	return fmt.Sprintf("%s: %s of %s", name, text, at.text)
}
