package report

import (
	"strings"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/show"
)

// finding shows what broke. A requirement's second finding on the same target
// is mostly the same fault seen from elsewhere, and is shown in short.
func (t *Text) finding(e conformance.Event) {
	f := e.Finding
	brief := !t.verbose && t.shown[f.Requirement]
	if t.shown == nil {
		t.shown = make(map[string]bool)
	}
	t.shown[f.Requirement] = true
	again := ""
	if brief {
		again = " again"
	}
	text, table := show.Finding(f, brief, t.table)
	t.table = table
	t.printf("  %s %s%s, seen by %s\n", t.paint(conformance.Fail, 0), f.Requirement, again, e.Check)
	for line := range strings.Lines(text) {
		t.printf("  %s", line)
	}
}
