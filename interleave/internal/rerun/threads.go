package rerun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
	"github.com/spindle-go/spindle/internal/cachedir"
	"github.com/spindle-go/spindle/internal/overlay"
)

// A goEnv is what the go command says of where it runs.
type goEnv struct {
	root, cache, version string   // GOROOT, GOMODCACHE, GOVERSION
	flags                []string // GOFLAGS
}

// flag returns the value of a flag of GOFLAGS, and whether there is one.
func (g goEnv) flag(name string) (value string, ok bool) {
	for _, f := range g.flags {
		if n, v, _ := strings.Cut(strings.TrimLeft(strings.Trim(f, "'\""), "-"), "="); n == name {
			value, ok = v, true
		}
	}
	return value, ok
}

func (s *subject) goEnv(ctx context.Context) (goEnv, error) {
	cmd := exec.CommandContext(ctx, s.command, "env", "GOROOT", "GOMODCACHE", "GOVERSION", "GOFLAGS")
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.Output()
	if err != nil {
		return goEnv{}, fmt.Errorf("go env GOROOT GOMODCACHE GOVERSION GOFLAGS: %w", err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 4 {
		return goEnv{}, fmt.Errorf("go env GOROOT GOMODCACHE GOVERSION GOFLAGS: expected four lines, saw %q", out)
	}
	return goEnv{lines[0], lines[1], lines[2], strings.Fields(lines[3])}, nil
}

// overlaid has the binary built with a runtime whose goroutines hand over, and returns what is to be replaced.
func (s *subject) overlaid(ctx context.Context, here goEnv) ([]*overlay.Set, error) {
	if err := goroot.Supported(runtime.GOOS, runtime.GOARCH); err != nil {
		return nil, err
	}
	root := here.root
	if rel, err := filepath.Rel(here.cache, root); err == nil && filepath.IsLocal(rel) {
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
	if goroot.Pinned[o.Digest] == "" {
		if err := o.Try(ctx, s.command, s.env); err != nil {
			return nil, err
		}
	}
	s.flags = unstripped(withTag(s.flags, goroot.Tags))
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

// unstripped has a binary have its symbols, by which state is put back.
func unstripped(flags []string) []string {
	flags = slices.Clone(flags)
	for i, f := range flags {
		if strings.HasPrefix(f, "-ldflags=") {
			flags[i] += " -s=false"
		}
	}
	return flags
}

// withTag adds a build tag to flags, of which one is -tags.
func withTag(flags []string, tag string) []string {
	flags = slices.Clone(flags)
	for i, f := range flags {
		if v, ok := strings.CutPrefix(f, "-tags="); ok {
			flags[i] = "-tags=" + strings.TrimPrefix(v+","+tag, ",")
		}
	}
	return flags
}
