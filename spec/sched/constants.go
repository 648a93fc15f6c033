package sched

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec/constants"
)

// FromConstants reads the constants of a configuration file of the module: each name
// with its value in TLA+ syntax. Ps and Ms may be numbers or model values; they are
// numbered in the order of their sets, and NoP and NoM are whatever is in no set.
func FromConstants(values map[string]string) (Config, error) {
	r := constants.New(values)
	r.What = "constant "
	ps, ms := r.Set("Ps"), r.Set("Ms")
	c := Config{
		Ps: len(ps), Ms: len(ms), Gs: r.Number("Gs"), RingCap: r.Number("RingCap"),
		FirstM: r.Places("FirstM", ms), FirstP: r.Places("FirstP", ps), FirstProcs: r.Places("FirstProcs", ps),
		Sysmon:   1 + slices.Index(ms, r.Take("Sysmon")),
		Features: r.Strings("Features"), Fixes: r.Strings("Fixes"), Bugs: r.Strings("Bugs"),
	}
	r.Take("NoP")
	r.Take("NoM")
	if err := r.Err(); err != nil {
		return c, fmt.Errorf("sched: %w", err)
	}
	return c, nil
}
