package gate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRunes bounds what is said in one line.
const maxRunes = 600

// line makes one readable line of a text that may come from outside: no newlines,
// no control codes, no end.
func line(text string) string {
	var b strings.Builder
	for n := 0; text != ""; n++ {
		if n == maxRunes {
			b.WriteString(" ...")
			break
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '\n', r == '\t', r == '\r':
			b.WriteByte(' ')
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		text = text[size:]
	}
	return b.String()
}
