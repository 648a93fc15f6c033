package queue

import (
	"fmt"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/frames"
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
	text := "crashed: " + e.Text + frames.AtPanic(e.Stack)
	if e.Op.Kind == 0 {
		return text
	}
	return fmt.Sprintf("%v: %s", e.Op, text)
}

// A HangError is a run whose threads did not come to an end in time.
type HangError struct {
	After time.Duration
	Ops   []record.Op // the calls that had not returned
	At    []string    // the places in the target's code where they are, as far as they are known
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
	text := fmt.Sprintf("no answer within %v", e.After)
	for i := range e.Ops {
		sep := ", and to "
		if i == 0 {
			sep = " to "
		}
		text += sep + e.Ops[i].Text()
	}
	if len(e.At) > 0 {
		text += ", at " + strings.Join(e.At, ", and ")
	}
	return text
}
