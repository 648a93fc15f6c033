package drive

import (
	"slices"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// waits is how far the threads of a run have come in which takes wait. It can be read while
// they are at work. Its methods do nothing on nil: a run without such takes pays nothing.
type waits struct {
	left    atomic.Int64 // Gs that were put and not taken
	takes   atomic.Int32 // threads that are in a take
	working atomic.Int32 // threads that have not ended
	closed  atomic.Bool
}

// waitsIn reports whether a script has a take that waits.
func waitsIn(script []record.Instr) bool {
	return slices.ContainsFunc(script, func(in record.Instr) bool { return in.Kind == record.Take })
}

func (w *waits) put(n int) {
	if w != nil {
		w.left.Add(int64(n))
	}
}

func (w *waits) taking(n int32) {
	if w != nil {
		w.takes.Add(n)
	}
}

func (w *waits) close() {
	if w != nil {
		w.closed.Store(true)
	}
}

// ended says that a thread makes no more calls.
func (w *waits) ended() {
	if w != nil {
		w.working.Add(-1)
	}
}

// inOrder says that one thread makes all the calls.
func (w *waits) inOrder() {
	if w != nil {
		w.working.Store(1)
	}
}

// look returns what the run has come to if takes wait, else nil.
func (w *waits) look() *queue.Waits {
	if w == nil {
		return nil
	}
	takes, working := w.takes.Load(), w.working.Load()
	if takes == 0 {
		return nil
	}
	return &queue.Waits{Takes: int(takes), Others: int(working - takes), Left: int(w.left.Load()), Closed: w.closed.Load()}
}
