package goruntime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrBuild is wrapped by errors of building the driver; the text has what the
// go command said.
var ErrBuild = errors.New("building the driver of the runtime")

// ErrRace is wrapped when a race build was asked for and cannot be had.
var ErrRace = errors.New("no race detector here")

// build makes the driver's binary at path.
func (t *Toolchain) build(ctx context.Context, path string, o Options) error {
	work, err := os.MkdirTemp("", "spindle-go-")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	if o.KeepWork {
		o.logf("the generated module stays in %s", work)
	} else {
		defer os.RemoveAll(work)
	}
	overlay, err := t.WriteOverlay(filepath.Join(work, "overlay"))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	files, err := moduleFiles()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	module := filepath.Join(work, "module")
	if err := writeModule(module, files); err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	args := []string{"build", "-overlay", overlay, "-tags", driverTag, "-o", path}
	if o.Race {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(ctx, t.Go, append(args, "./driver")...)
	cmd.Dir = module
	cmd.Env = t.Env(filepath.Join(work, "modcache"), o.Race)
	cmd.Env = append(cmd.Env, "PWD="+module)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = buildGrace
	begin := time.Now()
	o.logf("building the driver for %s%s; the first build for a toolchain compiles its standard library, up to half a minute",
		t.Version, map[bool]string{true: " with the race detector"}[o.Race])
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if o.Race && raceMissing(out.String()) {
			return fmt.Errorf("%w: expected a platform and a C compiler with which %s build -race works, saw: %s", ErrRace, t.Go, firstLines(out.String(), 3))
		}
		return fmt.Errorf("%w: %s %s: %w:\n%s", ErrBuild, t.Go, strings.Join(args, " "), err, firstLines(out.String(), 20))
	}
	o.logf("built in %v", time.Since(begin).Round(100*time.Millisecond))
	return nil
}

// raceMissing recognizes what the go command says when -race cannot work.
func raceMissing(output string) bool {
	for _, s := range []string{"-race requires cgo", "-race is not supported", "-race is only supported", "C compiler", "runtime/cgo", "cgo:"} {
		if strings.Contains(output, s) {
			return true
		}
	}
	return false
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	if len(lines) > n {
		lines[n] = "..."
	}
	return strings.Join(lines, "\n")
}
