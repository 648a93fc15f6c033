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

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text, failed string
		err                error
	}{
		{name: "pass", text: passed},
		{name: "fail", text: failed, failed: "TestX of a"},
		{name: "a package alone", text: strings.Replace(passed, `"pass","Package":"a"}`, `"fail","Package":"a"}`, 1), failed: "package a"},
		{name: "does not build", text: `{"ImportPath":"b","Action":"build-fail"}` + "\n" + `{"Action":"start","Package":"b"}` + "\n" + `{"Action":"fail","Package":"b","FailedBuild":"b"}` + "\n", failed: "package b"},
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
			list = append(list, Failure{pkg, test})
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
