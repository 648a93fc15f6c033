package show

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for _, test := range []struct{ text, head, margin, want string }{
		{"a b", "", "", "a b\n"},
		{"", "  name  ", "        ", "  name  \n"},
		{"  a \n b ", "x ", "  ", "x a b\n"},
	} {
		if got := Wrap(test.text, test.head, test.margin); got != test.want {
			t.Errorf("Wrap(%q, %q): expected %q, saw %q", test.text, test.head, test.want, got)
		}
	}
	for line := range strings.Lines(Wrap(long, "    head  ", "          ")) {
		if len(strings.TrimRight(line, "\n")) > lineWidth || !strings.HasPrefix(line, "    ") {
			t.Errorf("expected at most %d columns and the margin, saw %q", lineWidth, line)
		}
	}
	huge := strings.Repeat("x", 2*lineWidth)
	if got := Wrap("a "+huge+" b", "", "  "); got != "a\n  "+huge+"\n  b\n" {
		t.Errorf("a word that is too long: saw %q", got)
	}
}
