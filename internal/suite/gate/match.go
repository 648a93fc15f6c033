package gate

import (
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// Match returns the known failure of the list that a finding on d is, or nil.
func Match(list []suite.Known, d *suite.Description, f *record.Finding) *suite.Known {
	i := slices.IndexFunc(list, func(k suite.Known) bool { return applies(k, d) && f.Covers(k.Fingerprint) })
	if i < 0 {
		return nil
	}
	return &list[i]
}
