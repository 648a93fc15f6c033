package features

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla/variant"
)

// A Part of the table of properties by features is the protocol with some fixes.
type Part struct {
	Name, Title string
	Fixes       []string
	Mended      bool // all that is promised is expected to hold
}

// Parts are the shipped code, with the first mend, so that what else falls can be seen,
// and with all of them.
func Parts() []Part {
	return []Part{
		{Name: "shipped", Title: "Properties by features: the shipped code"},
		{Name: "undo_first", Title: "Properties by features: the shipped code with undo_first alone", Fixes: []string{"undo_first"}},
		{Name: "mended", Title: "Properties by features: with all mends", Fixes: variant.Mended(), Mended: true},
	}
}

// The titles of the other tables.
const (
	NeedTitle        = "What falls with all mends but one"
	PairTitle        = "Pairs of features: with all mends"
	PairShippedTitle = "Pairs of features: the shipped code"
)

// Broken reports whether something promised falls.
func (r *Row) Broken() bool { return r.falls(func(string) bool { return true }) }

// Unexplained reports whether something falls, with all mends, but for the one that the
// row is without, or in the shipped code, for which there is no reason.
func (r *Row) Unexplained(mended bool) bool {
	return r.falls(func(property string) bool { return !Explained(property, r.Of, mended, r.Without) })
}

func (r *Row) falls(which func(property string) bool) bool {
	return r.Answer != nil && slices.ContainsFunc(r.Fell(), func(j Judged) bool {
		return !slices.Contains(Unpromised, j.Property) && which(j.Property)
	})
}

// NeedHeader is the head of the table of NeedRow.
func NeedHeader() string {
	return header(slices.Concat([]string{"feature", "configuration"}, variant.Mended()))
}

// NeedRow is a line about a feature: what falls without each of the mends.
func NeedRow(of []string, rows []*Row) string {
	cells := []string{Name(of), rows[0].where()}
	for _, r := range rows {
		cell := r.Verdict(true)
		if r.Without == "poll_need" { // which mends what is not promised
			cell += "; PollPrompt: " + r.Judged[slices.Index(Properties(), "PollPrompt")].String()
		}
		cells = append(cells, cell)
	}
	return line(cells)
}

// String says on a line what the searches found: what falls, and what is known of the rest.
func (r *Row) String() string {
	var parts []string
	held, open := 0, 0
	for _, j := range r.Judged {
		switch {
		case j.Falls > 0:
			parts = append(parts, j.Property+" "+j.String())
		case j.Ended:
			held++
		default:
			open++
		}
	}
	if held > 0 {
		parts = append(parts, fmt.Sprintf("%d hold", held))
	}
	if open > 0 {
		parts = append(parts, fmt.Sprintf("%d not ended", open))
	}
	text := fmt.Sprintf("%-42s %-28s %s", r.where(), r.extent(), strings.Join(parts, "; "))
	if r.Lacks > 0 {
		text += fmt.Sprintf("; an M is lacking, %d", r.Lacks)
	}
	if r.both != nil {
		text += "; both act: " + r.together()
	}
	return text
}
