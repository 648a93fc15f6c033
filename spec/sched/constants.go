package sched

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/constants"
)

// FromConstants reads the constants of a configuration file of the module: each name
// with its value in TLA+ syntax. Ps and Ms may be numbers or model values; they are
// numbered in the order of their sets, and NoP and NoM are whatever is in no set.
func FromConstants(values map[string]string) (Config, error) {
	r := constants.New(values)
	r.What = "constant "
	ps, ms := r.Set("Ps"), r.Set("Ms")
	r.Other("NoP", "Ps", ps)
	none, sysmon := r.Other("NoM", "Ms", ms), r.Take("Sysmon")
	if sysmon != none && !slices.Contains(ms, sysmon) {
		r.Fail("Sysmon", fmt.Sprintf("one of Ms (%s), or NoM (%s)", strings.Join(ms, ", "), none), sysmon)
	}
	c := Config{
		Ps: len(ps), Ms: len(ms), Gs: r.Number("Gs"), RingCap: r.Number("RingCap"),
		FirstM: r.Places("FirstM", ms), FirstP: r.Places("FirstP", ps), FirstProcs: r.Places("FirstProcs", ps),
		Sysmon:   1 + slices.Index(ms, sysmon),
		Features: r.Strings("Features"), Fixes: r.Strings("Fixes"), Bugs: r.Strings("Bugs"),
	}
	if err := r.Err(); err != nil {
		return c, fmt.Errorf("sched: %w", err)
	}
	return c, nil
}
