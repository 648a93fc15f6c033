package tlc

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

// Parse has TLA+'s parser read modules, with their meaning, in one process. The
// error is a *Failure that wraps ErrParse if one of them is wrong.
func (t *Tool) Parse(ctx context.Context, files fs.FS, modules ...string) error {
	dir, err := workDir(Job{Files: files, Module: "Parse"})
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	args := []string{"tla2sany.SANY"}
	for _, m := range modules {
		args = append(args, m+".tla")
	}
	var out bytes.Buffer
	stderr, err := t.exec(ctx, dir, args, 256, soon, &out)
	text := out.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	// Its exit code is 0 whatever it finds.
	if err == nil && !strings.Contains(text, "*** Errors:") && !strings.Contains(text, "Abort messages:") && !strings.Contains(text, "Parse Error") &&
		strings.Count(text, "Semantic processing of module ") >= len(modules) {
		return nil
	}
	c := &collector{outside: strings.Split(text, "\n")}
	code := 0
	if exit != nil {
		code = exit.ExitCode()
	}
	return &Failure{Class: ErrParse, Module: strings.Join(modules, ", "), Code: code, Lines: c.essence(ErrParse, stderr)}
}
