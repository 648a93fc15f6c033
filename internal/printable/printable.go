// Package printable makes text from outside fit to be shown: a terminal, a log of
// CI and a file of lines take some characters as orders to them.
//
//interleave:off
package printable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s on one line: whatever cannot be seen, line breaks among it, is
// escaped as in Go's strings, and what is beyond most bytes is left out. So are
// the marks by which CI services know commands in a log: "::" at the beginning
// and "##" anywhere.
func Line(s string, most int) string {
	var b strings.Builder
	for i, r := range s {
		if b.Len() >= most {
			b.WriteString("...")
			break
		}
		next := s[i:]
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(next, "\ufffd"):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case r == ':' && strings.HasPrefix(next, "::") && strings.TrimSpace(s[:i]) == "":
			b.WriteString(`\x3a`)
		case r == '#' && strings.HasPrefix(next, "##"):
			b.WriteString(`\x23`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
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
		b.WriteString(Line(strings.TrimSuffix(line[tabs:], "\r"), most-b.Len()))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
