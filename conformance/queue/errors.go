package queue

import (
	"fmt"
	"time"

	"github.com/spindle-go/spindle/internal/panicplace"
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
	text := "crashed: " + e.Text + panicplace.At(e.Stack)
	if e.Op.Kind == 0 {
		return text
	}
	return fmt.Sprintf("%v: %s", e.Op, text)
}

// A HangError is a run whose threads did not come to an end in time.
type HangError struct {
	After time.Duration
	Ops   []record.Op // the calls that had not returned
}

func (e *HangError) Error() string {
	if len(e.Ops) == 0 {
		return fmt.Sprintf("no answer within %v", e.After)
	}
	return fmt.Sprintf("no answer within %v to: %v", e.After, e.Ops)
}
