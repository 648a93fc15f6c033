package rerun

import (
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

const counter = `package m

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Add() int64 { return c.n.Add(1) }
`

// TestCalls makes several calls in tests, subtests and parallel tests, of an
// internal and an external test package, and sees each made once, in a child,
// with its own arguments.
func TestCalls(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, map[string]string{
		"m.go": counter,
		"m_test.go": `package m

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	CALL
)

func check(t *testing.T, what string, f func() string) {
	t.Helper()
	out := call.Test(t, f)
	if !strings.Contains(out, " args from ") { // in the child
		return
	}
	if want := fmt.Sprint(what, " args from ", os.Getpid()); out != want {
		t.Errorf("%q, want %q", out, want)
	}
}

func TestOne(t *testing.T) {
	t.Parallel()
	check(t, "one", func() string { return "one" })
	t.Run("a b/[c", func(t *testing.T) {
		check(t, "sub", func() string { return "sub" })
	})
	t.Run("a b/[c", func(t *testing.T) {
		check(t, "sub two", func() string { return "sub two" })
		check(t, "sub three", func() string { return "sub three" })
	})
}

func TestType(t *testing.T) {
	t.Parallel()
	check(t, "sync/atomic", func() string {
		var c Counter
		if c.Add() != 1 {
			return "wrong"
		}
		return reflect.TypeOf(c.n).PkgPath()
	})
}

func TestTwo(t *testing.T) {
	t.Parallel()
	for _, s := range strings.Fields("a b c") {
		check(t, s, func() string { return s })
	}
}
`,
		"x_test.go": `package m_test

import (
	"testing"
	"reflect"

	"example.com/m"
	CALL
)

func TestExternal(t *testing.T) {
	out := call.Test(t, func() string {
		c := new(m.Counter)
		c.Add()
		return reflect.ValueOf(c).Elem().Field(0).Type().PkgPath()
	})
	t.Log("external", out)
}
`,
	})
	w.passes([]string{"external sync/atomic args", "--- PASS: TestTwo", "--- PASS: TestOne/a_b/[c#01"}, "test", "-v", "-count=2", ".")
	if left := w.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
