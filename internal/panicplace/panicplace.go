// Package panicplace finds in the text of a stack where a panic came from.
//
//interleave:off
package panicplace

import (
	"path"
	"strings"
)

// Of returns the innermost frame of a stack, as debug.Stack writes it while a panic goes on, that is neither the runtime's nor of the explorer's stand-ins:
// "ring.(*Ring).Get (ring.go:31)". It returns "" for another text, and if that frame is one of the suite.
func Of(stack string) string {
	at := strings.LastIndex("\n"+stack, "\npanic(")
	if at < 0 {
		return ""
	}
	lines := strings.Split(stack[at:], "\n")
	for i := 2; i+1 < len(lines); i += 2 { // a line with the call, and one with its place
		fn, place := lines[i], strings.TrimSpace(lines[i+1])
		if open := strings.LastIndex(fn, "("); open > 0 {
			fn = fn[:open]
		}
		switch {
		case strings.HasPrefix(fn, "runtime."), strings.HasPrefix(fn, module+"interleave/sync."), strings.HasPrefix(fn, module+"interleave/atomic."),
			strings.HasPrefix(fn, module+"interleave/internal/engine."), strings.HasPrefix(fn, module+"interleave/hook."), fn == "panic":
			continue
		case strings.HasPrefix(fn, module+"conformance/scheduler/drive."), strings.HasPrefix(fn, module+"conformance/queue/drive."):
			return ""
		}
		place, _, _ = strings.Cut(place, " ")
		if !strings.Contains(place, ":") {
			return ""
		}
		return path.Base(fn) + " (" + path.Base(strings.ReplaceAll(place, `\`, "/")) + ")"
	}
	return ""
}

const module = "github.com/spindle-go/spindle/"

// At returns " at " and the place, or "".
func At(stack string) string {
	if place := Of(stack); place != "" {
		return " at " + place
	}
	return ""
}
