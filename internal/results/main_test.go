package main

import (
	"os"
	"strings"
	"testing"
)

const empty = "# Results\n\n" + begin + "| result | figure | command | measured |\n|---|---|---|---|\n" + end + "tail\n"

// TestWrite: a row that is measured again has a new figure and a new stamp; others keep theirs.
func TestWrite(t *testing.T) {
	list, err := rows("# c\na | the | answer | n=(\\d+) | x\n")
	if err == nil {
		t.Errorf("four cells too many: expected an error, saw %v", list)
	}
	list, err = rows("# c\n\na | the answer | n=(\\d+) | echo n=42 | cat\nb | the other | m=(\\d+) | echo m=7\n")
	if err != nil || len(list) != 2 || list[0].command != "echo n=42 | cat" {
		t.Fatal(list, err)
	}
	text := []byte(empty)
	for i, s := range []stamp{{"c1", "2 of X", "go1", "2026-01-01"}, {"c2", "2 of X", "go1", "2026-01-02"}, {"c3", "2 of X", "go1", "2026-01-03"}} {
		r := list[i%2]
		figure, err := r.measure(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if text, err = write(text, r, figure, s); err != nil {
			t.Fatal(err)
		}
	}
	want := "| the answer | 42 | `echo n=42 \\| cat` | c3, 2 of X, go1, 2026-01-03 |\n| the other | 7 | `echo m=7` | c2, 2 of X, go1, 2026-01-02 |\n" + end + "tail\n"
	if !strings.HasSuffix(string(text), want) || strings.Count(string(text), "the answer") != 1 {
		t.Errorf("got\n%s\nwant its end to be\n%s", text, want)
	}
}

func TestErrors(t *testing.T) {
	list, err := rows("a | x | n=(\\d+) | echo n=a\nb | y | n=(\\d+) | echo n=4; exit 3\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"expected a figure by", "exit status 3"} {
		if _, err := list[i].measure(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected an error with %q, saw %v", want, err)
		}
	}
	if _, err := write([]byte("no table"), list[0], "1", stamp{}); err == nil {
		t.Error("a page without a table: expected an error, saw none")
	}
	for _, text := range []string{"a | b | c", "a | b | n= | c", "a | b | ( | c"} {
		if _, err := rows(text); err == nil {
			t.Errorf("%q: expected an error, saw none", text)
		}
	}
}

// TestPage: the rows are right, and the page has the table.
func TestPage(t *testing.T) {
	all, err := rows(list)
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write(text, all[0], "1", stamp{}); err != nil {
		t.Error(err)
	}
}
