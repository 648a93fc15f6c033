package goroot

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/cachedir"
)

//go:embed selftest.go.txt
var selfTest []byte

// ErrSelfTest is a toolchain of which the self-test has failed.
var ErrSelfTest = errors.New("the self-test of a toolchain that is not pinned has failed")

// Try builds the self-test with the overlay, by the go command and in the environment
// of a binary that explores, and runs it, unless it has passed before in this user's
// cache folder. What it saw is in the error, which wraps ErrSelfTest.
func (o *Overlay) Try(ctx context.Context, command string, env []string) error {
	dir, err := cachedir.Open("spindle-goroot")
	if err != nil {
		return err
	}
	defer dir.Close()
	name, err := o.selfTestName()
	if err != nil || dir.Has(name) {
		return err
	}
	if err := o.selfTest(ctx, command, env); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir.Path, name), []byte("passed\n"), 0o600)
}

// selfTestName names what the self-test is of: the edited runtime, and the test.
func (o *Overlay) selfTestName() (string, error) {
	of := sha256.New()
	fmt.Fprintf(of, "%s %s\n%s", o.Digest, runtime.GOARCH, selfTest)
	for _, name := range o.Set.Files() {
		text, err := o.Set.Text(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(of, "%s %d\n%s", name, len(text), text)
	}
	return "selftest-" + hex.EncodeToString(of.Sum(nil)), nil
}

func (o *Overlay) selfTest(ctx context.Context, command string, env []string) error {
	temp, err := os.MkdirTemp("", "spindle-selftest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	file, err := o.Set.Write(filepath.Join(temp, "overlay"))
	if err != nil {
		return err
	}
	source, binary := filepath.Join(temp, "main.go"), filepath.Join(temp, "selftest.exe")
	if err := os.WriteFile(source, selfTest, 0o600); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, command, slices.Concat([]string{"build", "-overlay=" + file, "-o", binary}, Flags(), []string{source})...)
	build.Dir, build.Env = temp, append(slices.Clone(env), "GOFLAGS=", "GOWORK=off")
	bounded, cancel := context.WithTimeout(ctx, 20*time.Second) // it takes a second: a runtime with a fault may wait for ever
	defer cancel()
	test := exec.CommandContext(bounded, binary)
	for _, cmd := range []*exec.Cmd{build, test} {
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || cmd == test && !strings.HasSuffix(string(out), "self-test: passed\n") {
			return fmt.Errorf("%w: digest %s: %s: %v\n%.2000s", ErrSelfTest, o.Digest, filepath.Base(cmd.Path), err, out)
		}
	}
	return nil
}
