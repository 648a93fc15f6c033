// Package table writes an execution for people to read.
package table

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// Of a long execution the middle is left out.
const (
	shownFirst = 60
	shownLast  = 60
)

// Write writes e with a column for each thread: what was done, with the
// values that were read and written, where that is in the source, with the
// comment at the end of the line, and why threads were switched.
func Write(w io.Writer, e *record.Execution) error {
	var cols []int // of threads that did something
	used := make(map[int]bool)
	for _, s := range e.Steps {
		used[s.Thread] = true
	}
	width := make([]int, len(e.Threads))
	for i, name := range e.Threads {
		if used[i] {
			cols = append(cols, i)
			width[i] = len(name)
		}
	}
	for _, s := range e.Steps {
		width[s.Thread] = max(width[s.Thread], len([]rune(s.Text)))
	}
	var b strings.Builder
	b.WriteString("step")
	for _, c := range cols {
		fmt.Fprintf(&b, "  %-*s", width[c], e.Threads[c])
	}
	text := strings.TrimRight(b.String(), " ")
	b.Reset()
	b.WriteString(text + "\n")
	for i := range e.Steps {
		if left := len(e.Steps) - shownLast; i == shownFirst && left > i {
			fmt.Fprintf(&b, " ... %d steps\n", left-i)
		}
		if i >= shownFirst && i < len(e.Steps)-shownLast {
			continue
		}
		s := &e.Steps[i]
		if s.Switch != "" {
			fmt.Fprintf(&b, "      -- %s\n", s.Switch)
		}
		fmt.Fprintf(&b, "%4d", i)
		for _, c := range cols {
			cell := ""
			if c == s.Thread {
				cell = s.Text
			}
			fmt.Fprintf(&b, "  %s%s", cell, strings.Repeat(" ", width[c]-len([]rune(cell))))
		}
		if s.Line > 0 {
			fmt.Fprintf(&b, "  %s:%d", filepath.Base(s.File), s.Line)
		}
		if s.Action != "" {
			fmt.Fprintf(&b, "  %s", s.Action)
		}
		text = strings.TrimRight(b.String(), " ")
		b.Reset()
		b.WriteString(text + "\n")
		if i%64 == 63 {
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
