package drive

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/internal/frames"
	"github.com/spindle-go/spindle/spec/record"
)

// Where a call is that does not return.

// goroutine returns the number of the goroutine that calls it.
func goroutine() int64 {
	buf := make([]byte, 64)
	fields := bytes.Fields(buf[:runtime.Stack(buf, false)])
	if len(fields) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return n
}

// where says at which places of the target's code the goroutines of the run are.
func (r *run) where() []string {
	ids := []int64{r.goroutine.Load()}
	for _, t := range r.threads {
		ids = append(ids, t.goroutine.Load())
	}
	buf := make([]byte, 1<<20)
	var at []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") { // Go 1.23 has no SplitSeq: see frames
		var id int64
		if _, err := fmt.Sscanf(g, "goroutine %d ", &id); err != nil || !slices.Contains(ids, id) {
			continue
		}
		if p := Where(g); p != "" && !slices.Contains(at, p) {
			at = append(at, p)
		}
	}
	return at
}

// Where says at which place of the target's code a goroutine is that makes a call, by its
// stack as package runtime prints it: "ring.(*Ring).Get (ring.go:57)". It is "" for a goroutine
// that makes none.
func Where(stack string) string {
	const calls, drains = "/conformance/queue/drive.(*Caller).", "/conformance/queue/drive.Drain"
	list := frames.Of(stack)
	call := slices.IndexFunc(list, func(f frames.Frame) bool { return strings.Contains(f.Func, calls) || strings.HasSuffix(f.Func, drains) })
	return frames.Innermost(list[:max(call, 0)])
}

// soFar returns the history of a run that does not come to its end. A call that has not returned
// is the last one of its thread: nobody else writes to what is read here.
func (r *run) soFar() (h *record.History, open []record.Op) {
	if raceDetector {
		return nil, nil // it cannot know that
	}
	h = r.history()
	for i := range h.Ops {
		if h.Ops[i].Return == 0 {
			open = append(open, h.Ops[i])
		}
	}
	return h, open
}
