package printable

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		"":                        "",
		"Größe 3 → 4, \"x\"":      `Größe 3 → 4, "x"`,
		"a\nb\r\tc":               `a\nb\r\tc`,
		"\x1b[31mred\x9b":         `\x1b[31mred\x9b`,
		"\u202eltr\u200b":         `\u202eltr\u200b`,
		"\xff\ufffd":              `\xff` + "\ufffd",
		"::error::x":              `\x3a:error::x`,
		" \t::error::x":           ` \t\x3a:error::x`,
		"a::b":                    "a::b",
		"##[error]x ##vso[x] # y": `\x23#[error]x \x23#vso[x] # y`,
		"###":                     `\x23\x23#`,
		"\a\x00\x7f":              `\a\x00\x7f`,
		"x\n::error::y":           `x\n::error::y`,
		strings.Repeat("x", 40):   strings.Repeat("x", 30) + "...",
	} {
		if got := Line(s, 30); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for s, want := range map[string]string{
		"a\n\tb\t\x1b\r\n::c\n": "a\n\tb\\t\\x1b\n\\x3a:c\n",
		"":                      "",
		"one":                   "one",
	} {
		if got := Lines(s, 100); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
	if got := Lines(strings.Repeat("line\n", 1000), 50); len(got) > 70 {
		t.Errorf("%d bytes of at most 50 and a rest", len(got))
	}
}

// FuzzLine: whatever comes in, what goes out can be seen.
func FuzzLine(f *testing.F) {
	f.Add("a\nb\x1b[0m ::x ##[y]")
	f.Fuzz(func(t *testing.T, s string) {
		got := Line(s, 200)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.Contains(got, "##[") || strings.HasPrefix(strings.TrimSpace(got), "::") || len(got) > 220 {
			t.Errorf("%q became %q", s, got)
		}
	})
}
