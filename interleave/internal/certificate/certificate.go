// Package certificate says what an exploration did, what it left out, and what it could not see.
package certificate

import (
	"fmt"
	"strings"
	"time"
)

// A Certificate says what an exploration did, and with it what its silence is
// worth. Nobody sets whether it is complete: Complete derives that from the rest.
//
// The certificate that users see is a type of package interleave with these very
// fields, which go doc shows there, and the compiler converts one to the other. That is
// why the types of fields are aliases of types without a name.
type Certificate struct {
	Strategy  string
	Exhausted Exhausted
	Ended     Ended
	Bounds    Bounds
	Cuts      Cuts
	Doubts    []Doubt  `json:",omitempty"` // each once, in the order in which they came up
	Rules     []string `json:",omitempty"` // by which what the documentation leaves open was chosen: see Exec.AnyChoice
	Strict    bool     `json:",omitempty"` // see Exec.Strict
	NoRaces   bool     // plain accesses were not looked at
	// Lines that were reached and that a directive takes out of the schedule.
	Invisible  []string `json:",omitempty"`
	Executions int      // all that were begun
	Classes    int      // of those, executions of classes of their own, under Exhaustive
	Blocked    int      // of those, executions that ended with a thread in a loop that waits: where it goes on is another
	Steps      int      // of all executions
	Longest    int      // steps of the longest
	Threads    int      // the most that one had
	Left       int      // the most threads that one had in the end, of those that were started in code that is not explored
	Elapsed    time.Duration
}

// Exhausted reports which search space was covered completely.
type Exhausted = struct {
	Classes     bool // of all executions: one of each class, or all
	Preemptions int  // of all executions with at most so many preemptions; -1 of none
}

// Ended says why a search stopped. The zero value is that it has not, or by an
// error.
type Ended = string

// The reasons to stop.
const (
	ByExhaustion  Ended = "exhausted" // nothing was left, within the bounds
	ByExecutions  Ended = "executions"
	ByTime        Ended = "time"
	ByFailure     Ended = "failure"
	ByCaller      Ended = "caller"
	ByOneSchedule Ended = "one schedule" // that was asked for
	ByChance      Ended = "by chance"    // a search by chance had the executions that it was given
)

// Bounds are the limits that an exploration had.
type Bounds = struct {
	Preemptions int           // -1 for none
	Steps       int           // of one execution; one that comes to it is a failure
	Executions  int           // 0 for none
	Time        time.Duration // 0 for none
}

// Cuts count what was begun and not followed to its end.
type Cuts = struct {
	Iterations int // a thread was held back at a repeated iteration
	Threads    int // could not be ended
	Failures   int // executions that failed in the middle, where the search went on after that
	Bound      int // executions that came to the bound of steps, where the search went on after that
}

// everything reports whether the search left nothing out of what it could see,
// up to repeated iterations.
func (c *Certificate) everything() bool {
	return c.Ended == ByExhaustion && c.Exhausted.Classes && !c.waits() && c.Cuts.Threads == 0 && c.Cuts.Failures == 0 && c.Cuts.Bound == 0
}

// waits reports whether no execution came to its end, for threads that went round
// loops in vain.
func (c *Certificate) waits() bool { return c.Blocked > 0 && c.Blocked >= c.Classes }

// Complete reports whether every class of executions was explored, up to
// repeated iterations: Cuts.Iterations says whether there were any. Nothing is
// complete where there is a doubt, nor where no thread made a step, for then
// what they did was not seen.
func (c *Certificate) Complete() bool {
	return c.everything() && c.Steps > 0 && len(c.Doubts) == 0
}

// String is the certificate in a line.
func (c Certificate) String() string {
	var b strings.Builder
	n := c.Executions
	if c.everything() && c.Classes > 0 {
		n = c.Classes - c.Blocked
	}
	switch {
	case c.Complete() && c.Cuts.Iterations == 0:
		fmt.Fprintf(&b, "complete: %d executions, no bound", n)
	case c.Complete():
		fmt.Fprintf(&b, "complete up to repeated iterations: %d executions, %d iterations cut", n, c.Cuts.Iterations)
	case c.everything():
		fmt.Fprintf(&b, "explored all orders of what was seen: %d executions", n)
	default:
		fmt.Fprintf(&b, "not complete (%s): %d executions", c.why(), n)
		if p := c.Exhausted.Preemptions; p >= 0 {
			fmt.Fprintf(&b, ", all with up to %d preemptions", p)
		}
	}
	if c.Cuts.Iterations > 0 && !c.Complete() {
		fmt.Fprintf(&b, ", %d iterations cut", c.Cuts.Iterations)
	}
	fmt.Fprintf(&b, ", %d steps, at most %d in one", c.Steps, c.Longest)
	if c.Blocked > 0 {
		fmt.Fprintf(&b, ", %d blocked in loops that wait", c.Blocked)
	}
	if more := c.Executions - n - c.Blocked; more > 0 && c.everything() {
		fmt.Fprintf(&b, ", %d more by chance or with bounds", more)
	}
	if c.Cuts.Threads > 0 {
		fmt.Fprintf(&b, ", %d threads could not be ended", c.Cuts.Threads)
	}
	if c.Left > 0 {
		fmt.Fprintf(&b, ", at most %d goroutines left in the end of one", c.Left)
	}
	if c.Cuts.Failures > 0 {
		fmt.Fprintf(&b, ", %d executions failed in the middle", c.Cuts.Failures)
	}
	if c.Cuts.Bound > 0 {
		fmt.Fprintf(&b, ", %d executions cut at %d steps", c.Cuts.Bound, c.Bounds.Steps)
	}
	if c.everything() && c.Steps == 0 {
		b.WriteString("; the threads made no operation that another could notice")
	}
	for _, rule := range c.Rules {
		fmt.Fprintf(&b, "; %s", rule)
	}
	if n := len(c.Invisible); n > 0 {
		shown := c.Invisible[:min(n, 4)]
		fmt.Fprintf(&b, "; out of the schedule by directive: %s", strings.Join(shown, ", "))
		if n > len(shown) {
			fmt.Fprintf(&b, " and %d more", n-len(shown))
		}
	}
	writeDoubts(&b, c.Doubts)
	if c.NoRaces {
		b.WriteString("; plain accesses were not looked at")
	}
	return b.String()
}

// why words what ended a search that is not complete.
func (c *Certificate) why() string {
	switch c.Ended {
	case "":
		return "it has not ended"
	case ByExhaustion:
		if c.waits() {
			return "all executions end in loops that wait"
		}
		if c.Exhausted.Classes {
			return "something was cut"
		}
		return "bounded"
	case ByExecutions:
		return fmt.Sprintf("%d executions", c.Bounds.Executions)
	case ByTime:
		return "after " + c.Bounds.Time.String()
	case ByFailure:
		return "failed"
	case ByCaller:
		return "ended by the caller"
	}
	return c.Ended
}
