package gotest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
)

const passed = `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Test":"TestX","Output":"--- FAIL: TestX\n"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a"}
`

var failed = strings.ReplaceAll(passed, `"pass"`, `"fail"`)

// compiler is what go test -json says of the lines of a build.
func compiler(build string, lines ...string) (text string) {
	for _, line := range lines {
		text += fmt.Sprintf(`{"ImportPath":%q,"Action":"build-output","Output":%q}`+"\n", build, line+"\n")
	}
	return text
}

// unbuilt is a package that has failed with a build.
func unbuilt(pkg, build string) string {
	return fmt.Sprintf(`{"Action":"start","Package":%q}`+"\n"+`{"Action":"fail","Package":%q,"FailedBuild":%q}`+"\n", pkg, pkg, build)
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text, failed string
		err                error
	}{
		{name: "pass", text: passed},
		{name: "fail", text: failed, failed: "TestX of a"},
		{name: "a package alone", text: strings.Replace(passed, `"pass","Package":"a"}`, `"fail","Package":"a"}`, 1), failed: "package a"},
		{name: "does not build, without a word", text: `{"ImportPath":"b","Action":"build-fail"}` + "\n" + unbuilt("b", "b"), failed: "package b"},
		{name: "does not build", text: compiler("b", "# b", "b/x.go:3:15: undefined: f", "b/x.go:4:1: too many arguments", "\thave (int)", "\twant ()") + unbuilt("b", "b"),
			failed: "package b: b/x.go:3:15: undefined: f; b/x.go:4:1: too many arguments; have (int); want ()"},
		{name: "what it imports does not build", text: compiler("c", "c/c.go:1:1: no", "c/c.go:2:1: no") + compiler("d", "d/d.go:1:1: no") + unbuilt("a", "d") + unbuilt("b", "c"),
			failed: "package a: d/d.go:1:1: no package b: c/c.go:1:1: no; c/c.go:2:1: no"},
		{name: "much does not build", text: compiler("b", strings.Split("1 2 3 4 5 6 7 8", " ")...) + unbuilt("b", "b"), failed: "package b: 1; 2; 3; 4; 5; and 3 lines more"},
		{name: "a long line", text: compiler("b", strings.Repeat("x", 600)) + unbuilt("b", "b"), failed: "package b: " + strings.Repeat("x", 500) + "..."},
		{name: "vet", text: compiler("b", "# b", "# [b]", "b/x.go:5:40: wrong type") + unbuilt("b", "b"), failed: "package b: b/x.go:5:40: wrong type"},
		{name: "two packages", text: failed + strings.ReplaceAll(failed, `"a"`, `"b"`), failed: "TestX of a TestX of b"},
		{name: "no tests", text: `{"Action":"start","Package":"a"}` + "\n" + `{"Action":"skip","Package":"a"}` + "\n"},
		{name: "nothing", err: suite.ErrTruncated},
		{name: "an object", text: "{}\n", err: suite.ErrTruncated},
		{name: "text", text: "FAIL\n", err: suite.ErrDamaged},
		{name: "a long line", text: strings.Repeat("x", maxLine+1), err: suite.ErrDamaged},
	} {
		list, err := Read(strings.NewReader(c.text))
		var saw []string
		for _, f := range list {
			saw = append(saw, f.String())
		}
		if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || strings.Join(saw, " ") != c.failed {
			t.Errorf("%s: expected %q, %v, saw %q, %v", c.name, c.failed, c.err, saw, err)
		}
	}
	// Wherever it is cut off, that is seen.
	for i := range passed[:len(passed)-1] {
		if list, err := Read(strings.NewReader(passed[:i])); err == nil {
			t.Errorf("cut off at %d: %v", i, list)
		}
	}
}

func TestUnexplained(t *testing.T) {
	for _, c := range []struct {
		failed, broken []string // failed: package.Test
		want           string
	}{
		{failed: []string{"a.TestQueue", "a.TestQueue/RQ-TWICE"}, broken: []string{"TestQueue"}},
		{failed: []string{"a.TestAll", "a.TestAll/ring", "a.TestAll/ring/RQ-LEN"}, broken: []string{"TestAll/ring"}},
		{failed: []string{"a.TestAll", "a.TestAll/ring", "a.TestAll/other"}, broken: []string{"TestAll/ring"}, want: "[TestAll/other of a]"},
		{failed: []string{"a.TestQueue"}, want: "[TestQueue of a]"},
		{failed: []string{"a.TestQueueToo"}, broken: []string{"TestQueue"}, want: "[TestQueueToo of a]"},
		{failed: []string{"a.TestQueue", "b.TestQueue"}, broken: []string{"TestQueue"}, want: "[TestQueue of b]"},
		{failed: []string{"a."}, broken: []string{"TestQueue"}, want: "[package a]"},
		{failed: []string{"a.TestQueue", "a.TestOther"}, broken: []string{"TestQueue"}, want: "[TestOther of a]"},
	} {
		var list []Failure
		for _, f := range c.failed {
			pkg, test, _ := strings.Cut(f, ".")
			list = append(list, Failure{Package: pkg, Test: test})
		}
		saw := Unexplained(list, slices.Clone(c.broken))
		if c.want == "" {
			c.want = "[]"
		}
		if fmt.Sprint(saw) != c.want {
			t.Errorf("%v by %v: expected %s, saw %v", c.failed, c.broken, c.want, saw)
		}
	}
}
