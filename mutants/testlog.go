package mutants

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A testRun is what go test -json says of one test.
type testRun struct {
	name   string
	text   strings.Builder
	checks []string // requirements: t.Attr("req", ...)
	passed bool
}

// testLog reads what go test -json has printed: the text that it prints otherwise, with -v, and the tests.
func testLog(log string) (text string, tests []*testRun) {
	var b strings.Builder
	find := func(name string) *testRun {
		if i := slices.IndexFunc(tests, func(t *testRun) bool { return t.name == name }); i >= 0 {
			return tests[i]
		}
		tests = append(tests, &testRun{name: name})
		return tests[len(tests)-1]
	}
	for line := range strings.Lines(log) {
		var e struct{ Action, Package, Test, Output, Key, Value string }
		if json.Unmarshal([]byte(line), &e) != nil {
			b.WriteString(line) // the go command's own
			continue
		}
		b.WriteString(e.Output)
		if e.Test == "" {
			continue
		}
		t := find(e.Test)
		switch e.Action {
		case "output":
			if !strings.HasPrefix(e.Output, "=== ") {
				t.text.WriteString(e.Output)
			}
		case "attr":
			if e.Key == "req" {
				t.checks = append(t.checks, e.Value)
			}
		case "pass", "skip":
			t.passed = true
		}
	}
	return b.String(), tests
}

var requirementID = regexp.MustCompile(`\b(?:RQ|DN|SC|SY|TM|FA)(?:-[A-Z]+)+\b`)

// fallen returns the requirements that tests name that failed or did not end, and their text: those in the text; or, of a test whose
// text has none, those that it says it checks, or that a test around it does. A data race is SC-RACE. What came to no end in its
// time names none: it has seen nothing, and a busy machine does the same.
func fallen(tests []*testRun) (named []string, text string) {
	failed := slices.DeleteFunc(slices.Clone(tests), func(t *testRun) bool { return t.passed })
	for _, t := range failed {
		if slices.ContainsFunc(failed, func(sub *testRun) bool { return strings.HasPrefix(sub.name, t.name+"/") }) {
			continue
		}
		said := t.text.String()
		text += said
		ids := requirementID.FindAllString(said, -1)
		switch {
		case strings.Contains(said, "interleave: not complete"), strings.Contains(said, "panic: test timed out"):
			continue
		case len(ids) == 0 && strings.Contains(said, "data race"):
			ids = []string{"SC-RACE"}
		case len(ids) == 0:
			ids = checkedBy(t.name, tests)
		}
		named = append(named, ids...)
	}
	slices.Sort(named)
	return slices.Compact(named), text
}

// checkedBy returns what a test says it checks, or else what the nearest one around it does.
func checkedBy(name string, tests []*testRun) []string {
	for {
		for _, t := range tests {
			if t.name == name && len(t.checks) > 0 {
				return t.checks
			}
		}
		at := strings.LastIndexByte(name, '/')
		if at < 0 {
			return nil
		}
		name = name[:at]
	}
}
