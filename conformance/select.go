package conformance

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
)

// ErrSelect is wrapped by errors about Options.Select: an unknown id, a
// malformed expression.
var ErrSelect = errors.New("selection")

// ErrNothing is the error of a selection that matches no check.
var ErrNothing = errors.New("conformance: nothing to run")

// Select returns the checks that sel chooses.
func Select(sel string) ([]Check, error) {
	list, err := choose(sel, Checks)
	if err == nil && len(list) == 0 {
		err = nothing(sel)
	}
	return list, err
}

// Select returns the checks of s that sel chooses, which may be none.
func (s Source) Select(sel string) ([]Check, error) {
	if s.Checks != nil {
		return choose(sel, s.Checks)
	}
	return choose(sel, Checks)
}

func nothing(sel string) error {
	return fmt.Errorf("%w: %q chooses no check; there are %d, such as %s", ErrNothing, sel, len(Checks), Checks[0].Name)
}

// idPrefix is how a list of requirements begins.
var idPrefix = regexp.MustCompile(`^[A-Z]{2}-`)

// choose returns those of from that sel chooses.
func choose(sel string, from []Check) ([]Check, error) {
	if sel == "" {
		return from, nil
	}
	var list []Check
	if idPrefix.MatchString(sel) {
		for _, id := range strings.Split(sel, ",") {
			if _, err := spec.Lookup(id); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrSelect, err)
			}
		}
		for _, c := range from {
			if slices.ContainsFunc(strings.Split(sel, ","), func(id string) bool { return slices.Contains(c.Requirements, id) }) {
				list = append(list, c)
			}
		}
	} else {
		re, err := regexp.Compile(sel)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSelect, err)
		}
		for _, c := range from {
			if re.MatchString(c.Name) {
				list = append(list, c)
			}
		}
	}
	return list, nil
}
