package suite

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
)

// ErrSelect is wrapped by errors about Options.Select: an unknown id, a malformed
// expression.
var ErrSelect = errors.New("suite: selection")

// ErrNothing is the error of a selection that chooses no check.
var ErrNothing = errors.New("suite: nothing to run")

// idPrefix is how a list of requirements begins.
var idPrefix = regexp.MustCompile(`^[A-Z]{2}-`)

// And joins selections that must all choose a check.
const And = " & "

// Select returns those of checks that sel chooses, which may be none: requirement
// ids joined by commas, or a regular expression on names; or several of these, joined by
// And. Empty: all.
func Select(sel string, checks []Check) ([]Check, error) {
	if sel == "" {
		return checks, nil
	}
	if first, rest, several := strings.Cut(sel, And); several {
		some, err := Select(first, checks)
		if err != nil {
			return nil, err
		}
		return Select(rest, some)
	}
	var chosen func(c Check) bool
	if idPrefix.MatchString(sel) {
		ids := strings.Split(sel, ",")
		for _, id := range ids {
			if _, err := spec.Lookup(id); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrSelect, err)
			}
		}
		chosen = func(c Check) bool {
			return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(c.Requirements, id) })
		}
	} else {
		re, err := regexp.Compile(sel)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSelect, err)
		}
		chosen = func(c Check) bool { return re.MatchString(c.Name) }
	}
	var list []Check
	for _, c := range checks {
		if chosen(c) {
			list = append(list, c)
		}
	}
	return list, nil
}

// nothing is the error of a selection that chooses no check of any source.
func nothing(sel string, sources []Source) error {
	var names []string
	for _, s := range sources {
		for _, c := range s.Subject.Checks {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%w: expected targets with checks, saw none", ErrNothing)
	}
	return fmt.Errorf("%w: %q chooses no check; there are %d, such as %s", ErrNothing, sel, len(names), names[0])
}
