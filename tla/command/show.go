package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// again is the command that shows a task's counterexample again.
func (o *options) again(t *tla.Task) string {
	text := "spindle " + o.command + " -v"
	if o.dir != "" {
		text += " -dir " + record.Quote(o.dir)
	}
	if o.simulate > 0 {
		text += fmt.Sprintf(" -simulate %d -depth %d -seed %d", o.simulate, o.depth, o.seed)
	}
	name := t.Name
	if t.Absent || t.MachineAlone && o.command == "tlc" {
		name = t.Module + ":" + t.Name
	}
	return text + " " + record.Quote(name)
}

// showTrace writes a counterexample: which requirements turned red, and the steps
// with a column for each thread. Ids are those of the property. One that is expected is said to be so.
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
		var steps *record.Execution
		if i == len(ids)-1 { // the steps once, at the end
			steps = res.Execution(tla.Family(t.Module), tla.Thread(t.Module))
		}
		f := res.Finding(id, again, steps)
		if steps == nil {
			text, _ := show.Finding(&f, false, "")
			before, _, _ := strings.Cut(text, "  expected")
			io.WriteString(w, indent(before))
			continue
		}
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
