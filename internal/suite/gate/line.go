package gate

import (
	"strconv"
	"strings"
	"unicode"
)

// maxRunes bounds what is said in one line.
const maxRunes = 600

// line makes one readable line of a text that may come from outside: no newlines,
// no control codes, no end.
func line(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > maxRunes {
			b.WriteString(" ...")
			break
		}
		switch {
		case r == '\n', r == '\t', r == '\r':
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}
