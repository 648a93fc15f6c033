package rerun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/instrument"
)

// Prepare builds what an exploration will need, for those of the packages whose tests
// can explore, so that it lies in the go command's cache. GOFLAGS counts as in a test.
// It calls begins before the build of each package, and returns how many it has built.
// A package of which nothing is explored is passed over. Errors of builds are *Error.
func Prepare(ctx context.Context, dir string, patterns []string, begins func(path string, i, of int)) (n int, err error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return 0, &Error{Problem: NoGo, Err: err, Do: "Put the go command on PATH."}
	}
	base := subject{dir: dir, command: command, env: os.Environ()}
	all, err := base.tests(ctx, patterns)
	if err != nil {
		return 0, err
	}
	var errs []error
	for i, s := range all {
		if ctx.Err() != nil {
			break
		}
		begins(s.path, i, len(all))
		err := s.prepare(ctx)
		if _, ok := errors.AsType[*instrument.NothingError](err); ok {
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.path, err))
			continue
		}
		n++
	}
	return n, errors.Join(append(errs, ctx.Err())...)
}

// prepare builds the instrumented binary, and removes it.
func (s *subject) prepare(ctx context.Context) error {
	temp, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return &Error{Problem: Other, Err: err}
	}
	defer os.RemoveAll(temp)
	here, err := s.goEnv(ctx)
	if err != nil {
		return &Error{Problem: BuildFailed, Err: err}
	}
	tags, _ := here.flag("tags")
	s.flags = append([]string{"-tags=" + tags}, always...)
	_, err = s.compile(ctx, here, temp)
	return err
}

// tests returns the packages whose tests import this one.
func (s *subject) tests(ctx context.Context, patterns []string) (all []*subject, err error) {
	args := []string{"list", "-test", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{join .Deps \" \"}}", "--"}
	cmd := exec.CommandContext(ctx, s.command, append(args, patterns...)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, &Error{Problem: BuildFailed, Detail: "go list", Err: err, Do: "This must work:", Command: "cd " + shell(s.dir) + " && " + shell(append([]string{"go", "vet"}, patterns...)...), Output: said.String()}
	}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		path, ok := strings.CutSuffix(part[0], ".test")
		if !ok || len(part) < 3 || !strings.Contains(" "+part[2]+" ", " "+interleavePath+"/internal/rerun ") {
			continue
		}
		all = append(all, &subject{path: path, dir: part[1], command: s.command, env: s.env, again: []string{"go", "test", path}})
	}
	return all, nil
}
