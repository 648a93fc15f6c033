package queue

import (
	"fmt"
	"time"

	"github.com/spindle-go/spindle/spec/record"
)

// A CrashError is a call that panicked, or a run that the runtime ended with a
// throw.
type CrashError struct {
	Op    record.Op // the call, as far as it is known
	Text  string    // the panic's value, or the throw's text
	Stack string
}

func (e *CrashError) Error() string {
	if e.Op.Kind == 0 {
		return "crashed: " + e.Text
	}
	return fmt.Sprintf("%v: crashed: %s", e.Op, e.Text)
}

// A HangError is a run whose threads did not come to an end in time.
type HangError struct {
	After time.Duration
	Ops   []record.Op // the calls that had not returned
	Waits *Waits      // if takes waited
}

// Waits is what a run has come to in which takes wait (Taker).
type Waits struct {
	Takes  int  // how many wait
	Others int  // threads that have not ended, and are in no take
	Left   int  // ids that were put and not taken
	Closed bool // a Close has returned
}

func (e *HangError) Error() string {
	if len(e.Ops) == 0 {
		return fmt.Sprintf("no answer within %v", e.After)
	}
	return fmt.Sprintf("no answer within %v to: %v", e.After, e.Ops)
}
