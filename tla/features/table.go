package features

import (
	"fmt"
	"slices"
	"strings"
)

// Name is how a table calls features: "none", "stw", "stw and timer".
func Name(of []string) string {
	if len(of) == 0 {
		return "none"
	}
	return strings.Join(of, " and ")
}

// extent says how much of a configuration was explored.
func (a *Answer) extent() string {
	if a.Ended {
		return fmt.Sprintf("%d states", a.Distinct)
	}
	text := fmt.Sprintf("not ended, %d states", a.Distinct)
	if !strings.HasSuffix(a.Stopped, " states") { // it was not that limit
		text += " (" + a.Stopped + ")"
	}
	return text
}

// AloneHeader is the head of the table of properties by features, AloneRow a line of it: a
// cell for each property.
func AloneHeader() string {
	return header(append([]string{"feature", "configuration", "explored"}, Properties()...))
}

// AloneRow is a line of the table of AloneHeader.
func AloneRow(r *Row) string {
	cells := []string{Name(r.Of), r.where(), r.extent()}
	for _, j := range r.Judged {
		cells = append(cells, j.String())
	}
	return line(cells)
}

// PairHeader is the head of the table of pairs, PairRow a line of it.
func PairHeader() string {
	return header([]string{"pair", "configuration", "explored", "verdict", "not promised", "both act"})
}

// PairRow is a line of the table of PairHeader.
func PairRow(r *Row) string {
	return line([]string{Name(r.Of), r.where(), r.extent(), r.Verdict(true), r.Verdict(false), r.together()})
}

// together says whether both features of a pair act.
func (r *Row) together() string {
	switch {
	case !r.Took():
		return "not both"
	case !r.Ended:
		return "not counted"
	case r.Together > 0:
		return fmt.Sprintf("in %d states", r.Together)
	}
	return "not in one state"
}

// Verdict says what is known of what is promised, or of what is not, in one cell.
func (a *Answer) Verdict(promised bool) string {
	var fell []string
	for _, j := range a.Fell() {
		if slices.Contains(Unpromised, j.Property) != promised {
			fell = append(fell, j.Property+" "+j.String())
		}
	}
	switch {
	case len(fell) > 0:
		return strings.Join(fell, "; ")
	case a.Ended:
		return held(a.Lacks > 0)
	}
	return fmt.Sprintf("not ended, %d", a.Distinct)
}

func header(names []string) string {
	return line(names) + "\n|" + strings.Repeat("---|", len(names))
}

func line(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }
