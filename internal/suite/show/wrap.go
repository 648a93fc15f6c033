package show

import (
	"strings"
	"unicode/utf8"
)

// lineWidth is where lines are wrapped, in columns.
const lineWidth = 110

// Wrap returns text as lines: the first begins with head, the others with
// margin, which should be as wide. A word that is too long stays whole.
func Wrap(text, head, margin string) string {
	var b strings.Builder
	b.WriteString(head)
	at := utf8.RuneCountInString(margin) // head may have colour in it
	if margin == "" || strings.TrimSpace(head) == "" {
		at = utf8.RuneCountInString(head)
	}
	begin := true
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case begin:
			begin = false
		case at+1+n > lineWidth:
			b.WriteString("\n" + margin)
			at = utf8.RuneCountInString(margin)
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteString("\n")
	return b.String()
}
