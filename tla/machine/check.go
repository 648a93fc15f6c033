package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// fair is the SPECIFICATION with fairness, which is part of a property here: without it
// TLC would answer another question.
const fair = "LiveSpec"

// own are the modules that have a SPECIFICATION of their own, and no other: it moves the
// variables that they add.
var own = map[string]string{"MCRunQueueCalls": "CallSpec", "MCSchedCount": "CountSpec", "MCTwoLevelCount": "CountSpec", "MCSchedTicks": "TicksSpec"}

// specification says what is wrong with the SPECIFICATION of cfg.
func specification(module string, cfg *tlc.Config) error {
	known := []string{"Spec", fair}
	if of := own[module]; of != "" {
		known = []string{of}
	}
	if slices.Contains(known, cfg.Specification) {
		return nil
	}
	return fmt.Errorf("SPECIFICATION of %s: expected %s, saw %q", module, strings.Join(known, " or "), cfg.Specification)
}

// symmetry says what is wrong with the SYMMETRY of cfg: the machines have the one that the
// modules for TLC define.
func symmetry(module string, cfg *tlc.Config) error {
	seen := cfg.Other["SYMMETRY"]
	want := "Symmetry"
	if tla.Family(module) == "RunQueue" {
		want = "Names"
	}
	switch {
	case seen == nil:
		return nil
	case module == tla.Family(module):
		return fmt.Errorf("SYMMETRY: expected none of module %s, which defines none, saw %v", module, seen)
	case !slices.Equal(seen, []string{want}):
		return fmt.Errorf("SYMMETRY: expected %s, saw %v", want, seen)
	}
	return nil
}
