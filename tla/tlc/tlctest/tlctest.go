// Package tlctest finds TLC for tests, or skips them, and compares what it found.
//
//interleave:off
package tlctest

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc"
)

// Find returns TLC. Where it is not to be had the test is skipped, or fails if
// SPINDLE_REQUIRE asks for tlc.
func Find(t *testing.T) *tlc.Tool {
	t.Helper()
	tier.NotShort(t)
	tool, err := tlc.Find(t.Context(), func(text string) { t.Log(text) })
	if err == nil {
		t.Cleanup(func() { tool.Close() })
	}
	need(t, err)
	return tool
}

// FindServer is Find for tests that need the server or a worker, too.
func FindServer(t *testing.T) *tlc.Tool {
	t.Helper()
	tool := Find(t)
	need(t, tool.LacksCompiler(t.Context()))
	return tool
}

// need ends a test that lacks what err is about.
func need(t *testing.T, err error) {
	t.Helper()
	switch {
	case err == nil:
	case tlc.Missing(err) && !tier.Required("tlc"):
		t.Skip(err)
	default:
		t.Fatal(err)
	}
}

// Differ fails the test with the least that the machine in Go has and TLC lacks,
// and the other way round.
func Differ(t *testing.T, what string, ours, theirs map[string]bool) {
	t.Helper()
	for _, of := range []struct {
		who  string
		a, b map[string]bool
	}{{"the machine", ours, theirs}, {"TLC", theirs, ours}} {
		if list := lacked(of.a, of.b); len(list) > 0 {
			t.Errorf("%s has %d of %d %ss that the other lacks, such as\n%s", of.who, len(list), len(of.a), what, slices.Min(list))
		}
	}
}
