// Package frames reads the stacks of goroutines in the texts that Go writes of them.
//
//interleave:off
package frames

import (
	"path"
	"slices"
	"strings"
)

// A Frame is a call that a goroutine is in.
type Frame struct {
	Func  string // with the path of its package: "example.org/ring.(*Ring).Get"
	Place string // "ring.go:31"
}

// String returns the frame as it is shown: "ring.(*Ring).Get (ring.go:31)".
func (f Frame) String() string { return path.Base(f.Func) + " (" + f.Place + ")" }

const module = "github.com/spindle-go/spindle/"

// Library reports whether the frame is of the standard library, as far as goroutines wait or panic in it, or of the explorer's stand-ins for it.
func (f Frame) Library() bool {
	first, _, deep := strings.Cut(f.Func, "/")
	if !deep {
		first, _, _ = strings.Cut(f.Func, ".")
	}
	return slices.Contains([]string{"runtime", "panic", "sync", "internal", "time", "context", "os", "net", "syscall", "io"}, first) ||
		strings.HasPrefix(f.Func, module+"interleave/")
}

// Of returns the frames of one goroutine, the innermost first. It reads a stack as package runtime prints it, and a record of the
// text form of the profile of goroutines, and passes over what is no frame.
func Of(text string) (list []Frame) {
	call := ""
	// The driver of a Go runtime is built with this from Go 1.23 on: it has no strings.Lines.
	for _, line := range strings.SplitAfter(text, "\n") {
		line, indented := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "\t")
		place := line
		if frame, ok := strings.CutPrefix(line, "#\t"); ok { // the address, the call and the place stand in columns
			columns := strings.FieldsFunc(frame, func(r rune) bool { return r == '\t' })
			if len(columns) < 3 {
				continue
			}
			call, place = columns[1], columns[2]
		} else if !indented {
			call = line
			continue
		}
		place, _, _ = strings.Cut(path.Base(strings.ReplaceAll(place, `\`, "/")), " ")
		if open := max(strings.LastIndex(call, "("), strings.LastIndex(call, "+0x")); open > 0 && strings.Contains(place, ":") && !strings.HasPrefix(call, "created by ") {
			list = append(list, Frame{call[:open], place})
		}
	}
	return list
}

// Suite reports whether the frame is of the drivers of the suite.
func (f Frame) Suite() bool {
	return strings.HasPrefix(f.Func, module+"conformance/scheduler/drive.") || strings.HasPrefix(f.Func, module+"conformance/queue/drive.")
}

// Innermost returns the innermost frame that is of no library and not of the suite, or "".
func Innermost(list []Frame) string {
	for _, f := range list {
		if !f.Library() && !f.Suite() {
			return f.String()
		}
	}
	return ""
}

// AtPanic returns " at " and the place of a panic, by a stack as debug.Stack writes it while the panic goes on. It returns "" for another text, and for a panic of the suite.
func AtPanic(stack string) string {
	list := Of(stack)
	for i, f := range slices.Backward(list) {
		if f.Func != "panic" {
			continue
		}
		list = list[i:]
		if end := slices.IndexFunc(list, Frame.Suite); end >= 0 {
			list = list[:end]
		}
		if place := Innermost(list); place != "" {
			return " at " + place
		}
		break
	}
	return ""
}
