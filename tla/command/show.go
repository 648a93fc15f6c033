package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spindle-go/spindle/conformance/show"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// again is the command that shows a task's counterexample again.
func (o *options) again(t *tla.Task) string {
	text := "spindle " + o.command + " -v"
	if o.dir != "" {
		text += " -dir " + cli.Quote(o.dir)
	}
	if o.simulate > 0 {
		text += fmt.Sprintf(" -simulate %d -depth %d -seed %d", o.simulate, o.depth, o.seed)
	}
	name := t.Name
	if _, err := tla.Find(t.Name); err != nil && t.Mutant == nil {
		name = t.Module + ":" + t.Name
	}
	return text + " " + cli.Quote(name)
}

// showTrace writes a counterexample: which requirements turned red, and the steps
// with a column for each thread. Ids are those of the property. One that the table expects is said to be so.
func showTrace(w io.Writer, t *tla.Task, res *tlc.Result, ids []string, expected bool, again string) {
	if len(ids) == 0 {
		ids = []string{""}
	}
	for i, id := range ids {
		head := cmp.Or(id, "no requirement is named") + ", by " + cmp.Or(res.Property, string(res.Outcome))
		if expected {
			head = "as expected: " + head
		} else {
			head = "FAIL " + head
		}
		fmt.Fprintln(w, "  "+head)
		f := res.Finding(id, again)
		if i < len(ids)-1 { // the steps once, at the end
			text, _ := show.Finding(&f, false, "")
			before, _, _ := strings.Cut(text, "  expected")
			io.WriteString(w, indent(before))
			continue
		}
		f.Execution = res.Execution(tla.Family(t.Module), tla.Thread(t.Module))
		text, _ := show.Finding(&f, false, "")
		text = strings.Replace(text, "  steps\n", show.Wrap(initial(&res.Trace[0]), "  begins with  ", strings.Repeat(" ", 15))+"  steps\n", 1)
		io.WriteString(w, indent(text))
	}
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}

func initial(s *tlc.State) string {
	var list []string
	for _, v := range s.Vars {
		list = append(list, v.Name+" = "+v.Value)
	}
	return strings.Join(list, "; ")
}
