package rerun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
	"github.com/spindle-go/spindle/internal/cachedir"
	"github.com/spindle-go/spindle/internal/overlay"
)

// threadsVar chooses what threads are in the second binary: goroutines of an edited runtime, or coroutines.
const threadsVar = "SPINDLE_THREADS"

// overlaid has the binary built with a runtime whose goroutines hand over, and returns what is to be replaced.
func (s *subject) overlaid(ctx context.Context) ([]*overlay.Set, error) {
	switch v := os.Getenv(threadsVar); v {
	case "coroutines":
		return nil, nil
	case "", "goroutines":
	default:
		return nil, fmt.Errorf("%s: expected goroutines or coroutines, saw %q", threadsVar, v)
	}
	cmd := exec.CommandContext(ctx, s.command, "env", "GOROOT", "GOMODCACHE", "GOFLAGS")
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT GOMODCACHE GOFLAGS: %w", err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 3 {
		return nil, fmt.Errorf("go env GOROOT GOMODCACHE GOFLAGS: expected three lines, saw %q", out)
	}
	root, cache, flags := lines[0], lines[1], strings.Fields(lines[2])
	if rel, err := filepath.Rel(cache, root); err == nil && filepath.IsLocal(rel) {
		if root, err = outside(root); err != nil {
			return nil, err
		}
		s.command = filepath.Join(root, "bin", filepath.Base(s.command))
		s.env = append(s.env, "GOROOT="+root, "GOTOOLCHAIN=local")
	}
	o, err := goroot.Make(root)
	if err != nil {
		return nil, err
	}
	s.flags = withTag(s.flags, flags, goroot.Tag)
	return []*overlay.Set{o.Set}, nil
}

// outside returns a link to a toolchain in the module cache: the go command replaces no file that lies there, and
// goes by the name.
func outside(root string) (string, error) {
	dir, err := cachedir.Open("spindle-goroot")
	if err != nil {
		return "", err
	}
	link := filepath.Join(dir.Path, filepath.Base(root))
	if to, err := os.Readlink(link); err == nil && to == root {
		return link, nil
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if err := os.Symlink(root, link); err != nil {
		return "", err
	}
	return link, nil
}

// withTag adds a build tag to flags. Those of GOFLAGS count where flags have none: with the new one they would not any more.
func withTag(flags, goflags []string, tag string) []string {
	tags := tag
	for _, f := range slices.Concat(goflags, flags) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "tags="); ok && v != "" {
			tags = strings.Trim(v, "'\"") + "," + tag
		}
	}
	return append(slices.Clone(flags), "-tags="+tags)
}
