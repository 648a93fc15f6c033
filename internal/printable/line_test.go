package printable

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spindle-go/spindle/internal/printable/printabletest"
)

func TestLine(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"a ring of 4: größer, 環", "a ring of 4: größer, 環"},
		{"two\nlines\r\nand a\ttab", `two\nlines\r\nand a\ttab`},
		{"\x1b[31mred\x1b[0m\a\x7f", `\x1b[31mred\x1b[0m\a\x7f`},
		{"c1 \u009b31m", `c1 \u009b31m`},
		{"turned \u202egnp.exe\u2066", `turned \u202egnp.exe\u2066`},
		{"line\u2028paragraph\u2029nbsp\u00a0zero\u200bwidth", `line\u2028paragraph\u2029nbsp\u00a0zero\u200bwidth`},
		{"broken \xff\xc3(", `broken \xff\xc3(`},
		{"surrogate \xed\xa0\x80", `surrogate \xed\xa0\x80`},
		{"replacement \ufffd", "replacement \ufffd"},
		{"back\\slash 'quote'", "back\\slash 'quote'"},
		{"::error::pwned", `\x3a:error::pwned`},
		{"a ::error::pwned", `a \x3a:error::pwned`},
		{"crossbeam::deque::Worker", "crossbeam::deque::Worker"},
		{"##[error]pwned", `#\x23[error]pwned`},
		{"x ###vso[y]", `x #\x23\x23vso[y]`},
		{"# one", "# one"},
		{"a\n::error::pwned\npass: exit 0", `a\n::error::pwned\npass: exit 0`},
	} {
		if got := Line(test.in, 1000); got != test.want {
			t.Errorf("Line(%q): expected %s, saw %s", test.in, test.want, got)
		}
	}
}

func TestLineIsBounded(t *testing.T) {
	for _, test := range []struct {
		in   string
		max  int
		want string
	}{
		{strings.Repeat("x", 50), 50, strings.Repeat("x", 50)},
		{strings.Repeat("x", 51), 50, strings.Repeat("x", 50-len("... (00 bytes more)")) + "... (20 bytes more)"},
		{strings.Repeat("ü", 51), 50, strings.Repeat("ü", 50-len("... (000 bytes more)")) + "... (42 bytes more)"},
		{strings.Repeat("\n", 40), 50, strings.Repeat(`\n`, 15) + "... (25 bytes more)"},
	} {
		if got := Line(test.in, test.max); got != test.want {
			t.Errorf("Clean of %d bytes: expected %q, saw %q", len(test.in), test.want, got)
		}
	}
	// A name of 5 MB is cut, and how much of it is shown and how much is not adds up.
	const size = 5 << 20
	got := Line(strings.Repeat("n", size), 120)
	shown, rest, _ := strings.Cut(got, "... (")
	more, err := strconv.Atoi(strings.TrimSuffix(rest, " bytes more)"))
	if err != nil || len(shown)+more != size || len(got) > 120 {
		t.Errorf("expected %d bytes in all and at most 120 shown, saw %q", size, got)
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "a", "a\n::error::pwned\npass: exit 0", "##[x]###", " ::x", "\x1b[2J\xff\u202e", strings.Repeat("#:", 99)} {
		f.Add(s, 100)
	}
	f.Fuzz(func(t *testing.T, s string, size int) {
		size = 40 + (size%1000+1000)%1000
		got := Line(s, size)
		if n := utf8.RuneCountInString(got); n > size {
			t.Errorf("expected at most %d characters, saw %d", size, n)
		}
		if err := printabletest.Harmless(got); err != nil {
			t.Error(err)
		}
		if again := Line(got, size); again != got {
			t.Errorf("expected %q to stay as it is, saw %q", got, again)
		}
		// A line that is broken at a blank begins with no order either.
		for word := range strings.FieldsSeq(got) {
			if err := printabletest.Harmless(word); err != nil {
				t.Error(err)
			}
		}
	})
}
