package tlc

import (
	"errors"
	"strings"
	"testing"
)

func TestParseValue(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-12": "-12", "TRUE": "TRUE", "m1": "m1",
		`"a\\b \"c\""`:            `"a\\b \"c\""`,
		"{}":                      "{}",
		"{10, 2, -1}":             "{-1, 2, 10}",
		"{m2, m1}":                "{m1, m2}",
		"1..3":                    "{1, 2, 3}",
		"3..1":                    "{}",
		"<<>>":                    "<<>>",
		"<<1, <<2>>, {}>>":        "<<1, <<2>>, {}>>",
		"[b |-> 1, a |-> {2, 1}]": "[a |-> {1, 2}, b |-> 1]",
		`(m2 :> "x" @@
  m1 :> <<>>)`: `(m1 :> <<>> @@ m2 :> "x")`,
		"(2 :> 4 @@ 1 :> 3)":            "<<3, 4>>",
		"(0 :> 4 @@ 1 :> 3)":            "(0 :> 4 @@ 1 :> 3)",
		"{{2}, {1, 3}, {1}}":            "{{1, 3}, {1}, {2}}",
		"[on |-> {<<1, TRUE>>}, n|->0]": "[n |-> 0, on |-> {<<1, TRUE>>}]",
	} {
		v, err := ParseValue(in)
		if err != nil || v.String() != want {
			t.Errorf("%s: expected %s, saw %s, %v", in, want, v, err)
			continue
		}
		again, err := ParseValue(v.String())
		if err != nil || again.String() != want {
			t.Errorf("%s: expected itself, saw %s, %v", want, again, err)
		}
	}
	for _, bad := range []string{"", "{", "{1", "{1,", "<<1>", "[a 1]", "(1 :> )", `"a`, `"a\`, "1 2", "-", "-x", "[a |-> 1", "(1)", "&"} {
		if v, err := ParseValue(bad); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: expected an error that wraps ErrFormat, saw %v, %v", bad, v, err)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	f.Add(`(m1 :> [a |-> <<{1..2}>>] @@ m2 :> "x\"")`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseValue(text)
		if err != nil {
			return
		}
		again, err := ParseValue(v.String())
		if err != nil || again.String() != v.String() {
			t.Errorf("%q: expected %s again, saw %s, %v", text, v, again, err)
		}
	})
}

func TestGetAndDomain(t *testing.T) {
	for _, c := range []struct{ value, domain, key, want string }{
		{"<<7, 8>>", "1 2", "2", "8"},
		{"(m2 :> 1 @@ m1 :> 2)", "m1 m2", "m1", "2"},
		{"[b |-> 1, a |-> 2]", "a b", "b", "1"},
		{"<<7>>", "1", "2", ""},
		{"{1}", "", "1", ""},
	} {
		v, err := ParseValue(c.value)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := v.Get(c.key)
		if strings.Join(v.Domain(), " ") != c.domain || ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%s: domain %v, [%s] = %v, %v", c.value, v.Domain(), c.key, got, ok)
		}
	}
}
