package show

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spindle-go/spindle/internal/printable"
)

// The bounds of a table of calls. Of more lines the middle is left out; with more
// threads there is no table.
const (
	maxLine    = 400     // characters that are shown of a line
	maxParsed  = 1 << 16 // bytes of a line that is taken apart
	maxThreads = 16
	firstLines = 60
	lastLines  = 60
)

// callLine is a call in its text form, "T1 steal P0->P1 = 7 [5..8]; P0.ring->P1.ring
// 3 4": the thread, what was called and returned, the stamps of call and return, and
// what the call did besides.
var callLine = regexp.MustCompile(`^T([0-9]{1,9}) (.*?)(?: \[([0-9]{1,18})\.\.([0-9]{1,18}|\?)\])?((?:; [^;]*)*)$`)

// A call is one line of evidence, taken apart. A line that is no call has thread -1.
type call struct {
	thread     int
	text       string
	begin, end int64 // stamps, if stamped
	stamped    bool
	pending    bool     // it has not returned
	besides    []string // each below its call
}

func parseCall(line string) call {
	var m []string
	if len(line) <= maxParsed {
		m = callLine.FindStringSubmatch(line)
	}
	if m == nil {
		return call{thread: -1, text: printable.Line(line, maxLine)}
	}
	c := call{text: cell(m[2]), stamped: m[3] != "", pending: m[4] == "?"}
	c.thread, _ = strconv.Atoi(m[1])
	c.begin, _ = strconv.ParseInt(m[3], 10, 64)
	c.end, _ = strconv.ParseInt(m[4], 10, 64)
	for part := range strings.SplitSeq(m[5], "; ") {
		if part != "" {
			c.besides = append(c.besides, "  "+cell(part))
		}
	}
	return c
}

// manyNumbers are more numbers in a row than a person reads.
var manyNumbers = regexp.MustCompile(`([0-9]+ [0-9]+ [0-9]+)((?: [0-9]+){9,}) ([0-9]+)`)

// cell returns text as a cell shows it: of many numbers the middle is left out.
func cell(text string) string {
	text = manyNumbers.ReplaceAllStringFunc(text, func(all string) string {
		m := manyNumbers.FindStringSubmatch(all)
		return fmt.Sprintf("%s ... %s, %d in all", m[1], m[3], 4+strings.Count(m[2], " "))
	})
	return printable.Line(text, maxLine)
}

// Calls shows calls with a column for each thread, a row for each call, in the order
// of the lines, and below it what the call did besides. The first column has the
// stamps, from the first call on. Lines that are no calls are shown as they are.
// A mark stands behind each call that one of the texts names. If they name none, it stands behind
// those whose numbers, from 0, are marks.
func Calls(lines []string, margin string, marks []int, texts ...string) string {
	if len(lines) == 0 {
		return ""
	}
	var calls []call
	for _, line := range shorten(lines) {
		calls = append(calls, parseCall(line))
	}
	width := make(map[int]int) // of a thread's column
	first, base := len(stampHead), int64(-1)
	for _, c := range calls {
		if c.thread < 0 {
			continue
		}
		for _, text := range append([]string{c.text, "T" + strconv.Itoa(c.thread)}, c.besides...) {
			width[c.thread] = max(width[c.thread], utf8.RuneCountInString(text))
		}
		if c.stamped && (base < 0 || c.begin < base) {
			base = c.begin
		}
	}
	if len(width) > maxThreads {
		return plain(lines, margin)
	}
	for _, c := range calls {
		first = max(first, len(c.stamps(base)))
	}
	threads := slices.Sorted(maps.Keys(width))
	var b strings.Builder
	row := func(when string, thread int, text string) {
		line := fmt.Sprintf("%s%*s", margin, first, when)
		for _, t := range threads {
			switch {
			case thread < 0:
				line += fmt.Sprintf("  %-*s", width[t], "T"+strconv.Itoa(t))
			case t == thread:
				line += "  " + text
			case t < thread:
				line += strings.Repeat(" ", 2+width[t])
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if len(threads) > 0 {
		row(stampHead, -1, "")
	}
	named := func(c *call) bool { return names(strings.Join(texts, "\n"), fmt.Sprintf("T%d %s", c.thread, c.text)) }
	if slices.ContainsFunc(calls, func(c call) bool { return named(&c) }) {
		marks = nil
	}
	for i, c := range calls {
		if at := i - firstLines - 1; at >= 0 && len(lines) > firstLines+lastLines {
			i = len(lines) - lastLines + at // behind what is left out
		}
		if c.thread < 0 {
			b.WriteString(margin + c.text + "\n")
			continue
		}
		cell := c.text
		if slices.Contains(marks, i) || named(&c) {
			cell += mark
		}
		row(c.stamps(base), c.thread, cell)
		for _, text := range c.besides {
			row("", c.thread, text)
		}
	}
	return b.String()
}

// mark stands behind a call.
const mark = "  <--"

// names reports whether the text has the words in it, and not as a part of longer ones.
func names(text, words string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], words)
		if i < 0 {
			return false
		}
		i, at = at+i, at+i+len(words)
		if (i == 0 || strings.ContainsRune(" \n", rune(text[i-1]))) && (at == len(text) || strings.ContainsRune(" ,;.)\n", rune(text[at]))) {
			return true
		}
	}
}

const stampHead = "call..return"

// stamps returns the call's stamps since base.
func (c *call) stamps(base int64) string {
	switch {
	case !c.stamped:
		return ""
	case c.pending:
		return fmt.Sprintf("%d..?", c.begin-base)
	}
	return fmt.Sprintf("%d..%d", c.begin-base, c.end-base)
}

// shorten leaves out the middle of many lines.
func shorten(lines []string) []string {
	leftOut := len(lines) - firstLines - lastLines
	if leftOut <= 0 {
		return lines
	}
	note := fmt.Sprintf("... %d lines", leftOut)
	return slices.Concat(lines[:firstLines], []string{note}, lines[len(lines)-lastLines:])
}

// plain shows lines one below the other.
func plain(lines []string, margin string) string {
	var b strings.Builder
	for _, line := range shorten(lines) {
		b.WriteString(margin + printable.Line(line, maxLine) + "\n")
	}
	return b.String()
}
