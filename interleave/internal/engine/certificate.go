package engine

import (
	"fmt"
	"strings"
	"time"
)

// A Certificate says what an exploration did, and with it what its silence is
// worth.
type Certificate struct {
	Strategy   Strategy
	Bound      int    // of preemptions that was exhausted, -1 if none
	Executions int    // all that were begun
	Classes    int    // of those, executions of classes of their own, under Exhaustive
	Redundant  int    // broken off: of a class that had been explored
	Steps      int    // of all executions
	Longest    int    // steps of the longest
	Threads    int    // the most that one had
	Cut        int    // how often a thread was held back at a repeated iteration
	Blocked    int    // executions that ended with a thread in a loop that waits: where it goes on is another
	Lost       int    // threads that could not be ended
	Complete   bool   // every class was explored, up to Cut
	Why        string // what ended it, if it is not complete
	Elapsed    time.Duration
}

// String is the certificate in a line.
func (c Certificate) String() string {
	var b strings.Builder
	n := c.Executions
	if c.Complete && c.Classes > 0 {
		n = c.Classes + c.Redundant - c.Blocked
	}
	switch {
	case c.Complete && c.Cut == 0:
		fmt.Fprintf(&b, "complete: %d executions, no bound", n)
	case c.Complete:
		fmt.Fprintf(&b, "complete up to repeated iterations: %d executions, %d iterations cut", n, c.Cut)
	default:
		fmt.Fprintf(&b, "not complete (%s): %d executions", c.Why, c.Executions)
		if c.Bound >= 0 {
			fmt.Fprintf(&b, ", all with up to %d preemptions", c.Bound)
		}
		if c.Cut > 0 {
			fmt.Fprintf(&b, ", %d iterations cut", c.Cut)
		}
	}
	fmt.Fprintf(&b, ", %d steps, at most %d in one", c.Steps, c.Longest)
	if c.Blocked > 0 {
		fmt.Fprintf(&b, ", %d blocked in loops that wait", c.Blocked)
	}
	if more := c.Executions - n - c.Blocked; more > 0 && c.Complete {
		fmt.Fprintf(&b, ", %d more by chance or with bounds", more)
	}
	if c.Redundant > 0 {
		fmt.Fprintf(&b, ", %d of a known class", c.Redundant)
	}
	if c.Lost > 0 {
		fmt.Fprintf(&b, ", %d threads could not be ended", c.Lost)
	}
	return b.String()
}
