package machine

import "github.com/spindle-go/spindle/tla"

// QuickStates is how many states a model may have for its run to be a matter of a
// second or two.
const QuickStates = 600_000

// Quick reports whether t belongs to what is explored when nobody says what: the
// models that are not too large. Those that must fail do so soon.
func Quick(t *tla.Task) bool { return t.Distinct <= QuickStates }
