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
		t := find(e.Package + "." + e.Test)
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

// fallen returns the requirements that tests name that failed or did not end, and their text: those in the text, or, if there are none,
// those that the test says it checks. Of a test with subtests that failed these speak, and what it checks itself says nothing of
// them: a search that found nothing, and did not come to its end in time, names no requirement.
func fallen(tests []*testRun) (named []string, text string) {
	failed := slices.DeleteFunc(slices.Clone(tests), func(t *testRun) bool { return t.passed })
	for _, t := range failed {
		if slices.ContainsFunc(failed, func(sub *testRun) bool { return strings.HasPrefix(sub.name, t.name+"/") }) {
			continue
		}
		ids := requirementID.FindAllString(t.text.String(), -1)
		if len(ids) == 0 {
			ids = t.checks
		}
		named = append(named, ids...)
		text += t.text.String()
	}
	slices.Sort(named)
	return slices.Compact(named), text
}
