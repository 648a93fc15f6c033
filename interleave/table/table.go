// Package table writes an execution for people to read.
package table

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spindle-go/spindle/spec/record"
)

// Of a long execution the middle is left out.
const (
	shownFirst = 60
	shownLast  = 60
)

// A row is a line of the table.
type row struct {
	step   int // -1: what a thread has come to, and no step
	thread int
	text   string
	place  string
	why    string // threads were switched
}

// rowsOf returns the rows of an execution: the steps, but for those of the suite, and between them what threads have come to.
func rowsOf(e *record.Execution) (rows []row) {
	last, why, hidden := -1, "", false // hidden: steps are left out behind the last row
	add := func(r row) {
		if r.thread != last || !hidden {
			r.why = why
		}
		last, why, hidden = r.thread, "", false
		rows = append(rows, r)
	}
	notes := e.Notes
	come := func(behind int) {
		for len(notes) > 0 && notes[0].Behind <= behind {
			add(row{step: -1, thread: notes[0].Thread, text: notes[0].Text})
			notes = notes[1:]
		}
	}
	come(-1)
	for i := range e.Steps {
		s := &e.Steps[i]
		if why == "" {
			why = s.Switch
		}
		if s.Suite {
			hidden = true
			come(i)
			continue
		}
		r := row{step: i, thread: s.Thread, text: s.Text}
		if s.Line > 0 {
			r.place = fmt.Sprintf("  %s:%d", filepath.Base(s.File), s.Line)
		}
		if s.Action != "" {
			r.place += "  " + s.Action
		}
		add(r)
		come(i)
	}
	return rows
}

// Of rows that come again and again, the first round is shown. A round has at most mostRound rows, and is left out if it comes three times more.
const (
	mostRound  = 16
	leastTimes = 3
)

// round returns how many rows the round has that begins at rows[i], and how often it comes again; 0, 0 if it is none. What is counted on the
// way may differ. The last row belongs to no round, since it shows what is wrong.
func round(rows []row, i int) (long, times int) {
	for long = 1; long <= mostRound && i+long*(1+leastTimes) < len(rows); long++ {
		n := 0
		for j := i + long; j < len(rows)-1 && rows[j].alike(&rows[j-long]); j++ {
			n++
		}
		if times = n / long; times >= leastTimes {
			return long, times
		}
	}
	return 0, 0
}

// alike reports whether two rows show the same, but for numbers in what was done.
func (r *row) alike(o *row) bool {
	if r.step < 0 || o.step < 0 {
		return r.step == o.step && r.thread == o.thread && r.text == o.text
	}
	return r.thread == o.thread && r.place == o.place && numbers.ReplaceAllString(r.text, "0") == numbers.ReplaceAllString(o.text, "0")
}

var numbers = regexp.MustCompile("[0-9]+")

// Write writes e with a column for each thread: what was done, with the
// values that were read and written, where that is in the source, with the
// comment at the end of the line, and why threads were switched.
func Write(w io.Writer, e *record.Execution) error {
	rows := rowsOf(e)
	var cols []int // of threads that did something
	width := make(map[int]int)
	for i := range rows {
		r := &rows[i]
		if _, used := width[r.thread]; !used {
			cols = append(cols, r.thread)
			width[r.thread] = utf8.RuneCountInString(e.Threads[r.thread])
		}
		width[r.thread] = max(width[r.thread], utf8.RuneCountInString(r.text))
	}
	slices.Sort(cols)
	text := "step"
	for _, c := range cols {
		text += fmt.Sprintf("  %-*s", width[c], e.Threads[c])
	}
	lines := []string{strings.TrimRight(text, " ") + "\n"}
	show := func(r *row) {
		var b strings.Builder
		if r.why != "" {
			fmt.Fprintf(&b, "      -- %s\n", r.why)
		}
		if r.step < 0 {
			b.WriteString("    ")
		} else {
			fmt.Fprintf(&b, "%4d", r.step)
		}
		for _, c := range cols {
			cell := ""
			if c == r.thread {
				cell = r.text
			}
			fmt.Fprintf(&b, "  %s%s", cell, strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell)))
		}
		lines = append(lines, strings.TrimRight(b.String()+r.place, " ")+"\n")
	}
	for i := 0; i < len(rows); {
		long, times := round(rows, i)
		for j := range max(1, long) {
			show(&rows[i+j])
		}
		i += max(1, long)
		if times > 0 {
			what := fmt.Sprintf("these %d rows come", long)
			if long == 1 {
				what = "this row comes"
			}
			lines = append(lines, fmt.Sprintf("      ... %s %d times more\n", what, times))
			i += long * times
		}
	}
	if left := len(lines) - 1 - shownFirst - shownLast; left > 0 {
		lines = slices.Concat(lines[:1+shownFirst], []string{fmt.Sprintf(" ... %d steps\n", left)}, lines[1+shownFirst+left:])
	}
	_, err := io.WriteString(w, strings.Join(lines, ""))
	return err
}
