package instrument

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A NothingError is a package under test of which nothing is rewritten.
type NothingError struct {
	Package string
	Skipped []Skip
}

func (e *NothingError) Error() string {
	var why []string
	for _, s := range e.Skipped {
		why = append(why, s.Package+" ("+s.Why+")")
	}
	return fmt.Sprintf("expected a package to rewrite in the test of %s; observed only %s", e.Package, strings.Join(why, ", "))
}

// dropInType matches types of the drop-ins as the compiler prints them.
var dropInType = regexp.MustCompile(`"?github\.com/spindle-go/spindle/interleave/(atomic|sync)"?\.\w+`)

// Explain says, in a sentence or two, why the rewritten packages do not compile,
// by what the compiler said.
func (r *Result) Explain(output string) string {
	var b strings.Builder
	if types := dropInType.FindAllString(output, -1); len(types) > 0 {
		slices.Sort(types)
		fmt.Fprintf(&b, "In rewritten packages %s stands in for the original, and a value of it goes to or comes from a package that is not rewritten.", strings.Join(slices.Compact(types), ", "))
	} else {
		b.WriteString("The rewritten packages do not compile.")
	}
	fmt.Fprintf(&b, "\nRewritten: %s.", strings.Join(r.Packages, ", "))
	for _, s := range r.Skipped {
		if s.Why != partOf {
			fmt.Fprintf(&b, "\nNot rewritten: %s: %s.", s.Package, s.Why)
		}
	}
	b.WriteString("\nA package stays as it is with the line //interleave:off before its package clause.")
	return b.String()
}
