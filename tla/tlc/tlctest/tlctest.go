// Package tlctest finds TLC for tests, or skips them.
//
//interleave:off
package tlctest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/tla/tlc"
)

// Find returns TLC. Where it is not to be had the test is skipped, or fails if
// SPINDLE_REQUIRE asks for tlc.
func Find(t *testing.T) *tlc.Tool {
	t.Helper()
	tool, err := tlc.Find(t.Context(), func(text string) { t.Log(text) })
	switch {
	case err == nil:
		return tool
	case tlc.Missing(err) && !slices.Contains(strings.Split(os.Getenv("SPINDLE_REQUIRE"), ","), "tlc"):
		t.Skip(err)
	}
	t.Fatal(err)
	return nil
}
