package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/schedule"
)

// Taken returns the operations that the threads have carried out, in order. For
// a function given to Finally.
func (x *Exec) Taken() []Step { return (&View{x.s}).Steps() }

// Schedule returns the schedule that replays the execution as far as it has come.
func (x *Exec) Schedule() string { return schedule.Of(&x.s.Execution) }

// Object returns the number of the object at addr in this execution, as steps have it, or -1
// if no thread has come to it.
func (x *Exec) Object(addr unsafe.Pointer) int { return x.s.Number(addr) }
