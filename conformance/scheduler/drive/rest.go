package drive

import (
	"bytes"
	"runtime"
	"strings"
)

// atRest looks at all goroutines of the process and reports whether each waits for another, or for a clock: then nobody can
// go on, however long the machine takes. who says what keeps the process from being at rest. The world is stopped meanwhile, so that a
// goroutine that has no processor is seen as one that runs.
func atRest() (rest bool, who string) {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		if len(buf) >= 1<<24 {
			return false, "more goroutines than can be looked at"
		}
		buf = make([]byte, 2*len(buf))
	}
	return restIn(buf)
}

// AtRest reports whether all goroutines of the process wait, but for the one that asks.
func AtRest() bool {
	rest, _ := atRest()
	return rest
}

// restIn is atRest for the text of runtime.Stack, whose first goroutine is the one that looks.
func restIn(stacks []byte) (rest bool, who string) {
	for i, g := range bytes.Split(stacks, []byte("\n\n")) {
		head, _, _ := bytes.Cut(g, []byte("\n"))
		_, state, ok := strings.Cut(string(head), " [")
		if i == 0 || len(head) == 0 {
			continue
		}
		if !ok || moves(state) && !apart(g) {
			return false, string(head)
		}
	}
	return true, ""
}

// apart reports whether a goroutine has nothing to do with what runs: it waits for signals, or counts the time that a check has.
func apart(stack []byte) bool {
	return bytes.Contains(stack, []byte("os/signal.signal_recv")) || bytes.Contains(stack, []byte("internal/awake.(*timer).ticked"))
}

// moves reports whether a goroutine in that state, "chan receive, 2 minutes]:", may go on by itself.
func moves(state string) bool {
	state = strings.TrimRight(state, "]:")
	state, _, _ = strings.Cut(state, ",")
	state, _, _ = strings.Cut(state, " (")
	for _, s := range []string{"running", "runnable", "syscall", "preempted", "copystack", "waiting", "stopping the world", "flushing proc caches", "wait for GC cycle", "garbage collection"} {
		if state == s {
			return true
		}
	}
	// The collector does its work in their name, or beside them.
	return state == "" || strings.HasPrefix(state, "GC ")
}
