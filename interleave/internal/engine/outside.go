package engine

// The body and the functions given to Finally run outside of any thread: the drop-ins
// behave as the originals. Nobody else runs then, so that an operation that would wait
// waits for ever. That is found at once, and not by the clock. (A loop that goes round for
// ever is found by the clock: to count the operations here would cost those that must be
// inlined too much.)

var (
	watched   bool   // the body runs, or a function given to Finally
	outsideOf string // where
)

// WaitsOutside is called where an operation outside of a thread would wait for somebody:
// if an exploration is under way, it ends here.
func WaitsOutside(what string) {
	if !watched {
		return
	}
	watched = false
	current.fail(&Failure{Kind: Deadlock, Thread: outsideOf, Message: "nobody can go on: " + outsideOf + " waits for " + what + ", with no thread at work"})
	panic(giveUp{})
}

// Outside reports whether the body runs, or a function given to Finally.
func Outside() bool { return watched }
