package harness

import (
	"context"

	"github.com/spindle-go/spindle/interleave/internal/rerun"
)

// Prepare builds ahead what the tests of packages need to explore, so that the go command
// has it in its cache: its standard library once more, what the packages import, and their
// tests. Dir is where the go command runs, and patterns are packages as it names them. Of
// the flags of a test those in GOFLAGS count. It calls begins before it builds the i-th of
// the tests, from 0, and returns how many it has built. Tests that do not explore are
// passed over. The error is that of each build that failed, with the command to see it.
func Prepare(ctx context.Context, dir string, patterns []string, begins func(path string, i, of int)) (n int, err error) {
	return rerun.Prepare(ctx, dir, patterns, begins)
}
