// Package printable makes text from outside fit to be shown: a terminal, a log of
// CI and a file of lines take some characters as orders to them.
//
//interleave:off
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// shortest is the least length that a bounded text can have: what is left out is said.
const shortest = 40

// Line returns s as it may stand in one line of a log or a report: text from outside must not
// become a line of its own, move the cursor, or be read by a CI system as an order to
// it. What does not print (control characters, newlines, marks that turn the
// direction, broken UTF-8) is shown as Go escapes it. So are the second # of "##"
// and a colon that begins a word with "::": "##[error]" anywhere in a line, and
// "::error::" at the begin of one, are commands of CI systems, and a wrapped line may
// begin with any word.
//
// Of a text of more than max characters the rest is left out, and how much that is
// is said within max, which is 40 or more. A text that is clean stays as it is.
func Line(s string, max int) string {
	room := max - len(cut(len(s))) // for what is shown of a text that is too long
	var b strings.Builder
	n, fits, left := 0, 0, len(s)
	for i := 0; i < len(s); {
		shown, size := character(s, i)
		n += utf8.RuneCountInString(shown)
		if n > max {
			return b.String()[:fits] + cut(left)
		}
		b.WriteString(shown)
		if i += size; n <= room {
			fits, left = b.Len(), len(s)-i
		}
	}
	return b.String()
}

func cut(n int) string { return fmt.Sprintf("... (%d bytes more)", n) }

// character returns what is shown for the character at s[i], and its size in s.
func character(s string, i int) (shown string, size int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02x`, s[i]), 1
	case !strconv.IsPrint(r):
		quoted := strconv.QuoteRune(r)
		return quoted[1 : len(quoted)-1], size
	case r == '#' && i > 0 && s[i-1] == '#':
		return `\x23`, 1
	case r == ':' && (i == 0 || s[i-1] == ' ') && strings.HasPrefix(s[i:], "::"):
		return `\x3a`, 1
	}
	return s[i : i+size], size
}

// Lines returns s with its line breaks and tabs, and each of its lines as Line
// has it.
func Lines(s string, most int) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if b.Len() >= most {
			b.WriteString("...\n")
			break
		}
		tabs := len(line) - len(strings.TrimLeft(line, "\t"))
		b.WriteString(line[:tabs])
		b.WriteString(Line(strings.TrimSuffix(line[tabs:], "\r"), max(most-b.Len(), shortest)))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
