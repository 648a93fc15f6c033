// Package strategy has the ways to choose who goes on: all executions up to a bound
// of preemptions (DFS), by chance (Random, PCT, Walk, Turns), by bytes (Script). The
// reduction is a package of its own, dpor.
package strategy

import "github.com/spindle-go/spindle/interleave/internal/order"

// A Chooser decides what an execution does next. It owns nothing: it is shown the
// execution, and says what is next.
type Chooser interface {
	// Begin is called before each execution.
	Begin(x *order.Execution)
	// Choose returns one of what c offers, or -1 to break the execution off; an
	// error ends the exploration.
	Choose(x *order.Execution, c Choice) (int, error)
	// End is called after each execution and reports whether there is another.
	End(x *order.Execution) bool
}

// A Choice is what there is to choose from: threads, or what the operation that is
// under way does.
type Choice struct {
	Threads order.ThreadSet // those that can go on; the choice is the ID of one
	Now     int             // the thread that has the turn, -1 if it cannot go on

	// Of, if it is not 0, is how many things the operation that was chosen last may
	// do: a Pool may give what it has, or nothing. The choice is a number below it.
	Of int
}

// First chooses the thread that has the turn, or else the first that can go on, and
// ends after one execution.
type First struct{}

// Begin is of Chooser.
func (First) Begin(x *order.Execution) { x.Fresh, x.Pairs = 0, false }

// Choose is of Chooser.
func (First) Choose(_ *order.Execution, c Choice) (int, error) {
	if c.Of > 0 {
		return 0, nil
	}
	return c.Threads.Prefer(c.Now), nil
}

// End is of Chooser.
func (First) End(*order.Execution) bool { return false }

// CannotRepeat is the error of a chooser that repeats a schedule when a thread that
// could go on then cannot now, or its operation cannot do what it did.
type CannotRepeat struct {
	Step   int
	Thread int // its ID
}

func (e *CannotRepeat) Error() string {
	return "a thread that could go on in the execution before cannot now"
}

// Repeat returns t, which was chosen at this point in the execution before, or
// *CannotRepeat.
func Repeat(x *order.Execution, t int, c Choice) (int, error) {
	if c.Threads.Has(t) {
		return t, nil
	}
	return -1, &CannotRepeat{len(x.Events), t}
}

// RepeatPick is Repeat of what the operation of t did.
func RepeatPick(x *order.Execution, t, pick int, c Choice) (int, error) {
	if pick < c.Of {
		return pick, nil
	}
	return -1, &CannotRepeat{len(x.Events), t}
}
