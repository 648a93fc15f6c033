package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Progress is one line on standard error, written over and over while the run
// goes on, and only if it is a terminal.
type Progress struct {
	w     io.Writer // nil: not a terminal
	width func() int
	shown bool
}

// NewProgress returns the line of w.
func NewProgress(w io.Writer) *Progress {
	width := Width(w)
	if width == nil {
		return &Progress{}
	}
	return &Progress{w: w, width: width}
}

// Width returns what tells the columns of the terminal that w writes to; nil if it is
// none whose lines can be written over.
func Width(w io.Writer) func() int {
	f := terminal(w)
	if f == nil || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func() int {
		n, _, err := term.GetSize(int(f.Fd()))
		if err != nil || n <= 0 {
			return 80
		}
		return n
	}
}

// Shown reports whether anybody sees the line.
func (p *Progress) Shown() bool { return p.w != nil }

// Show makes the line text.
func (p *Progress) Show(text string) {
	if p.w == nil {
		return
	}
	// A longer line would wrap, and what has wrapped cannot be written over.
	line := []rune(text)
	line = line[:min(len(line), max(0, p.width()-1))]
	fmt.Fprintf(p.w, "\r\x1b[K%s", string(line))
	p.shown = true
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
