package interleave

import (
	"time"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// A Certificate says what an exploration did, and with it what its silence is worth. Its
// String is what a test logs; README.md says what each form of it means.
type Certificate struct {
	// Strategy is "" for the default, or "exhaustive", "dfs" (by Preemptions), "random", "pct",
	// "walk", "replay" (of a Schedule) or "script" (Bytes).
	Strategy string

	// Exhausted reports which search space was covered completely.
	Exhausted struct {
		Classes     bool // of all executions: one of each class was run, or all
		Preemptions int  // of all executions with at most so many preemptions; -1 of none
	}

	// Ended says why the exploration stopped: "exhausted" (nothing was left, within the
	// bounds), "executions", "time", "failure", "caller", "one schedule" (that was asked
	// for) or "by chance" (a search by chance had the executions that it was given). It is
	// empty if it ended by an error.
	Ended string

	// Bounds are the limits that the exploration had.
	Bounds struct {
		Preemptions int           // -1 for none
		Steps       int           // of one thread in an execution
		Executions  int           // 0 for none
		Time        time.Duration // 0 for none
	}

	// Cuts count what was begun and not followed to its end.
	Cuts struct {
		Iterations int // a thread was held back at a repeated iteration of a loop
		Threads    int // could not be ended
		Failures   int // executions that failed, where the search went on after that
		Bound      int // executions at the bound of steps, where the search went on
	}

	// Doubts are what the exploration could not see and what may matter, each once, in the
	// order in which they came up.
	Doubts []struct {
		Kind  string // "not seen", "chance" or "not compared"
		What  string // "package expvar"
		Where string // a place or two where it was met, "x.go:12"; may be empty
		Count int    // how often
	} `json:",omitempty"`

	// Rules say how was chosen what the documentation leaves open, where that decided something:
	// "time goes by when no thread can go on". See Exec.LateClock and Exec.AnyChoice.
	Rules   []string `json:",omitempty"`
	Strict  bool     `json:",omitempty"` // see Exec.Strict
	NoRaces bool     // plain accesses were not looked at

	// Invisible are the lines that were reached and that a directive takes out of the
	// schedule, with its reason: "x.go:12 (a number for the log)".
	Invisible []string `json:",omitempty"`

	Executions int // all that were begun
	Classes    int // of those, executions of classes of their own, by the exhaustive search
	Blocked    int // of those, executions that ended with a thread in a loop that waits
	Steps      int // operations in all executions
	Longest    int // operations of the longest execution
	Threads    int // the most that one execution had
	Left       int // the most that one had in the end, of those that a dependency has started: see Exec.NoLeaks
	Elapsed    time.Duration
}

// Complete reports whether every class of executions was explored, up to repeated
// iterations: Cuts.Iterations says whether there were any. Nothing is complete where there
// is a doubt, nor where no thread made a step, for then what they did was not seen.
func (c *Certificate) Complete() bool { return (*certificate.Certificate)(c).Complete() }

// String is the certificate in a line: "complete: 4 executions, no bound, 30 steps, at most
// 9 in one".
func (c Certificate) String() string { return certificate.Certificate(c).String() }

// Advice says what can be done about the doubts, "" if there are none.
func (c *Certificate) Advice() string { return (*certificate.Certificate)(c).Advice() }

// Add makes c the certificate of two explorations, its own and d's: what both exhausted,
// and what either left out. The zero value is that of none.
func (c *Certificate) Add(d Certificate) {
	(*certificate.Certificate)(c).Add(certificate.Certificate(d))
}
