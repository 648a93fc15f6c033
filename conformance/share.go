package conformance

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

// share says how many of the requirements were judged, and what was not explored: a target of which little can be judged passes as well.
func share(r *gate.Result) string {
	judged, unexplored := 0, ""
	for i := range r.Decisions {
		row := r.Decisions[i].Row
		switch row.Standing {
		case suite.Kept, suite.Broken:
			judged++
		}
		for _, why := range []string{"the interleavings were not explored: ", "its interleavings cannot be explored: "} {
			if _, reason, ok := strings.Cut(row.Reason, why); ok && unexplored == "" {
				unexplored = reason
			}
		}
	}
	text := fmt.Sprintf("judged %d of %d requirements", judged, len(r.Decisions))
	if unexplored != "" {
		text += "; interleavings were not explored: " + unexplored
	}
	return text
}
