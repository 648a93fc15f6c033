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
	if sel == "" {
		return Checks, nil
	}
	var list []Check
	if strings.HasPrefix(sel, "RQ-") {
		for _, id := range strings.Split(sel, ",") {
			if _, err := spec.Lookup(id); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrSelect, err)
			}
		}
		for _, c := range Checks {
			if slices.ContainsFunc(strings.Split(sel, ","), func(id string) bool { return slices.Contains(c.Requirements, id) }) {
				list = append(list, c)
			}
		}
	} else {
		re, err := regexp.Compile(sel)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSelect, err)
		}
		for _, c := range Checks {
			if re.MatchString(c.Name) {
				list = append(list, c)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %q chooses no check; there are %d, such as %s", ErrNothing, sel, len(Checks), Checks[0].Name)
	}
	return list, nil
}
