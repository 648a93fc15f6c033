package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec/record"
)

// maxAnnotations is what GitHub shows of one step, of errors as of warnings.
const maxAnnotations = 10

// Annotations writes the result as commands of a GitHub workflow: one with the verdict
// if the exit code is not 0, then an error for each thing that the gate finds wrong and
// a warning for each that is unknown. A finding with steps points to the file and line
// of the last one: a step names the place where it was taken.
func Annotations(w io.Writer, r *gate.Result) error {
	var b strings.Builder
	errors, warnings := 0, 0
	if r.Exit != 0 {
		var reasons []string
		for _, reason := range foldReasons(r.Reasons) {
			reasons = append(reasons, printable.Line(reason, maxReason))
		}
		annotate(&b, "error", nil, fmt.Sprintf("spindle: %s, exit %d", ended(r), r.Exit), reasons[:min(len(reasons), maxLines)])
		errors++
	}
	for _, d := range objections(r) {
		level, n := "error", &errors
		if d.Ruling == gate.Unknown {
			level, n = "warning", &warnings
		}
		title := fmt.Sprintf("%s: %s: %s", printable.Line(d.Target, maxName), printable.Line(d.Row.ID, maxName), printable.Line(word(d), maxName))
		var at *record.Step
		lines := []string{printable.Line(fmt.Sprintf("%s: %s", d.Row.Level, d.Row.Sentence), maxReason)}
		for _, e := range d.Findings {
			if at = place(e.Finding); at != nil {
				break
			}
		}
		if len(d.Findings) > 0 {
			f := d.Findings[0].Finding
			lines = append(lines, "expected "+printable.Line(f.Expected, maxReason), "observed "+printable.Line(f.Observed, maxReason))
			for _, a := range f.Again {
				lines = append(lines, "see again: "+printable.Line(a.String(), maxReason))
			}
		} else {
			lines = append(lines, short(d))
		}
		if *n++; *n <= maxAnnotations {
			annotate(&b, level, at, title, lines[:min(len(lines), maxLines)])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// place is where a finding was seen: its last step that has a file.
func place(f *record.Finding) (last *record.Step) {
	if e := f.Execution(); e != nil {
		for i := range e.Steps {
			if s := &e.Steps[i]; s.File != "" && s.Line > 0 {
				last = s
			}
		}
	}
	return last
}

// The escapes of workflow commands: of their text, and of their properties.
var (
	inText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, level string, at *record.Step, title string, lines []string) {
	fmt.Fprintf(b, "::%s ", level)
	if at != nil {
		fmt.Fprintf(b, "file=%s,line=%d,", inProperty.Replace(printable.Line(at.File, maxReason)), at.Line)
	}
	fmt.Fprintf(b, "title=%s::%s\n", inProperty.Replace(title), inText.Replace(strings.Join(lines, "\n")))
}
