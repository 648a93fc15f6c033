package record

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestTaskFaces: graphs in which tasks fork, join, lock and exit, and threads wait and close, are read, and mistaken ones are refused.
func TestTaskFaces(t *testing.T) {
	for text, want := range map[string]string{
		"s0/e":                 "",
		"s0 v|v c|c v/":        "",
		"s0/f1 f2 n2 n1//":     "",
		"s0/i0 i1 o0 i0 o0 o1": "",
		"s0 e/":                "the last step",
		"s0/e a0":              "the last step",
		"s0/v":                 "waits for all tasks",
		"s0/c":                 "a thread outside that closes",
		"f0/":                  "tasks alone",
		"s0/f1/":               "",
		"s0/n1 f1/":            "has forked",
		"s0/f1/n1":             "has forked",
		"s0/f1 n1 n1/":         "joins once",
		"s0 s1/n1/":            "has forked",
		"s0/i0":                "and then unlocks",
		"s0/o0":                "and then unlocks",
		"s0/i0 i0 o0 o0":       "and then unlocks",
		"i0 o0 s0/":            "and then unlocks",
		"s0/f1 f1/":            "submitted once",
	} {
		outside, tasks, _ := strings.Cut(text, "/")
		g := TaskGraph{Name: "x", Workers: 1, Outside: strings.Split(outside, "|"), Tasks: strings.Split(tasks, "/")}
		p, err := g.Program()
		switch {
		case want == "" && err != nil, want != "" && (!errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: expected an error with %q, saw %v", text, want, err)
		case err == nil && p.Locks != strings.Count(text, "i1")+min(1, strings.Count(text, "i0")):
			t.Errorf("%s: %d locks", text, p.Locks)
		}
	}
}

// The text form of a graph is read as it was written; what is cut off, or is none, is an error.
func TestTaskLines(t *testing.T) {
	g := TaskGraph{Name: "s0|s1 c/|m0 on 2", Workers: 2, Outside: []string{"s0", "s1 c"}, Tasks: []string{"", "m0"}}
	back, err := ParseTaskLines(g.Lines())
	if err != nil || !reflect.DeepEqual(back, g) {
		t.Errorf("expected %+v, saw %+v, %v", g, back, err)
	}
	many := TaskGraph{Name: "many", Workers: 1, Outside: []string{""}}
	for k := range mostLines + 1 {
		many.Outside[0] += fmt.Sprintf("s%d ", k)
		many.Tasks = append(many.Tasks, "")
	}
	for _, lines := range [][]string{many.Lines(), {"workers: x"}, {"graph"}, {"task 1: s0"}, {"workers: 1", "thread 0: s5"}} {
		if _, err := ParseTaskLines(lines); !errors.Is(err, ErrFormat) {
			t.Errorf("%.60q: expected an error that wraps ErrFormat, saw %v", lines, err)
		}
	}
}
