package printable

import (
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for s, want := range map[string]string{
		"a\n\tb\t\x1b\r\n::c\n": "a\n\tb\\t\\x1b\n\\x3a:c\n",
		"":                      "",
		"one":                   "one",
	} {
		if got := Lines(s, 100); got != want {
			t.Errorf("%q: expected %q, saw %q", s, want, got)
		}
	}
	if got := Lines(strings.Repeat("line\n", 1000), 50); len(got) > 70 {
		t.Errorf("%d bytes of at most 50 and a rest", len(got))
	}
}
