package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/spindle-go/spindle/internal/suite"
)

// progress is one line on standard error, written over and over while the run
// goes on, and only if it is a terminal.
type progress struct {
	w     io.Writer // nil: not a terminal
	width func() int
	shown bool
}

func newProgress(w io.Writer) *progress {
	f := terminal(w)
	if f == nil || os.Getenv("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{w: w, width: func() int {
		n, _, err := term.GetSize(int(f.Fd()))
		if err != nil || n <= 0 {
			return 80
		}
		return n
	}}
}

// event shows the progress that e tells of, or makes room for the report.
func (p *progress) event(e suite.Event) {
	if e.Event != suite.ProgressEvent {
		p.clear()
		return
	}
	if p.w == nil {
		return
	}
	text := e.Target + ": " + e.Text
	if e.Check != "" {
		text = e.Target + ": " + e.Check + ", " + e.Text
	}
	// A longer line would wrap, and what has wrapped cannot be written over.
	line := []rune(text)
	line = line[:min(len(line), max(0, p.width()-1))]
	fmt.Fprintf(p.w, "\r\x1b[K%s", string(line))
	p.shown = true
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
