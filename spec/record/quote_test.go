package record

import "testing"

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"ref": "ref", "exec:./x": "exec:./x", "exec:a b": "'exec:a b'", "it's": `'it'\''s'`, "": "''", "$x": "'$x'", "^a$": "'^a$'",
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q): expected %s, saw %s", in, want, got)
		}
	}
}
