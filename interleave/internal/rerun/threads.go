package rerun

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
	"github.com/spindle-go/spindle/internal/overlay"
)

// threadsVar chooses what threads are in the second binary: goroutines of an edited runtime, or coroutines.
const threadsVar = "SPINDLE_THREADS"

// overlaid has the binary built with a runtime whose goroutines hand over, and returns what is to be replaced.
func (s *subject) overlaid(ctx context.Context) ([]*overlay.Set, error) {
	switch v := os.Getenv(threadsVar); v {
	case "", "coroutines":
		return nil, nil
	case "goroutines":
	default:
		return nil, fmt.Errorf("%s: expected goroutines or coroutines, saw %q", threadsVar, v)
	}
	cmd := exec.CommandContext(ctx, s.command, "env", "GOROOT")
	cmd.Dir, cmd.Env = s.dir, s.env
	root, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	o, err := goroot.Make(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, err
	}
	s.flags = withTag(s.flags, goroot.Tag)
	return []*overlay.Set{o.Set}, nil
}

// withTag adds a build tag to flags.
func withTag(flags []string, tag string) []string {
	flags = slices.Clone(flags)
	for i, f := range flags {
		if v, ok := strings.CutPrefix(f, "-tags="); ok {
			if !slices.Contains(strings.Split(v, ","), tag) {
				flags[i] = f + "," + tag
			}
			return flags
		}
	}
	return append(flags, "-tags="+tag)
}
