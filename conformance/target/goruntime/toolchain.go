package goruntime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

// Errors that say why there is no runtime to test. They are wrapped by errors
// with the particulars.
var (
	ErrNoGo    = errors.New("no usable go command")
	ErrSource  = errors.New("the toolchain has no runtime source")
	ErrVersion = errors.New("the toolchain is too old")
)

// Oldest is the oldest version of Go whose run queue can be driven.
const Oldest = "go1.23"

// A Toolchain is an installed Go toolchain and the shape of its run queue.
type Toolchain struct {
	Go      string // its own go command
	GOROOT  string
	Version string // "go1.26.8"
	Shape   Shape

	env     goEnv
	replace map[string][]byte // instead of files of src/runtime, by base name
}

// goEnv is what is asked of "go env".
type goEnv struct {
	GOROOT, GOVERSION, GOHOSTOS, GOHOSTARCH, GOCACHE, GOEXPERIMENT string
}

// exe is the suffix of programs of the machine itself.
func (e goEnv) exe() string {
	if e.GOHOSTOS == "windows" {
		return ".exe"
	}
	return ""
}

// Find asks a go command which toolchain it selects here: goCommand, or "go"
// if that is empty. For a name without a folder, found on PATH, go.mod and
// GOTOOLCHAIN have their say, as in any other use of it; a command given with
// its folder is taken as it is. A folder is a GOROOT, whose own command is asked.
//
// Errors wrap ErrNoGo, ErrVersion, ErrSource or ErrShape.
func Find(goCommand string) (*Toolchain, error) { return find(context.Background(), goCommand, nil) }

// find is Find with other texts for some files of src/runtime, by base name.
func find(ctx context.Context, goCommand string, replace map[string][]byte) (*Toolchain, error) {
	if goCommand == "" {
		goCommand = "go"
	}
	root := ""
	if info, err := os.Stat(goCommand); err == nil && info.IsDir() {
		root, goCommand = goCommand, filepath.Join(goCommand, "bin", "go"+goEnv{GOHOSTOS: runtime.GOOS}.exe())
	}
	path, err := exec.LookPath(goCommand)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; install Go %s or later, or name its go command", ErrNoGo, err, Oldest[2:])
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoGo, err)
	}
	env, err := askEnv(ctx, path, filepath.Base(goCommand) != goCommand)
	if err != nil {
		return nil, err
	}
	if root != "" && !oneFolder(root, env.GOROOT) {
		return nil, fmt.Errorf("%w: expected that %s is of GOROOT %s, saw that it is of %s, which would be tested in its place", ErrNoGo, path, root, env.GOROOT)
	}
	return open(env, replace)
}

// oneFolder reports whether two paths are of one folder.
func oneFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// envLimit is how long the go command may take to say what it is: it may have to
// fetch the toolchain that was selected first.
const envLimit = 5 * time.Minute

// buildGrace is how long a go command that was ended may hold what it printed to:
// what it has started does, until it ends by itself.
const buildGrace = time.Second

func askEnv(ctx context.Context, path string, literal bool) (env goEnv, err error) {
	ctx, cancel := context.WithTimeout(ctx, envLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "env", "-json",
		"GOROOT", "GOVERSION", "GOHOSTOS", "GOHOSTARCH", "GOCACHE", "GOEXPERIMENT")
	if literal {
		// Away from the folder's go.mod, and from a GOROOT that belongs to
		// another toolchain.
		cmd.Dir = os.TempDir()
		cmd.Env = append(without(os.Environ(), map[string]string{"GOROOT": ""}), "GOTOOLCHAIN=local", "GOWORK=off")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = buildGrace
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return env, fmt.Errorf("%w: %s env: expected an answer, saw none: %w", ErrNoGo, path, ctx.Err())
	}
	if err != nil {
		return env, fmt.Errorf("%w: %s env: %w: %s", ErrNoGo, path, err, bytes.TrimSpace(stderr.Bytes()))
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fmt.Errorf("%w: %s env -json: expected JSON, saw %.80q", ErrNoGo, path, out)
	}
	return env, nil
}

// open reads the toolchain that env describes.
func open(env goEnv, replace map[string][]byte) (*Toolchain, error) {
	t := &Toolchain{
		Go:     filepath.Join(env.GOROOT, "bin", "go"+env.exe()),
		GOROOT: env.GOROOT, Version: release(env.GOVERSION),
		env: env, replace: replace,
	}
	if t.Version == "" {
		return nil, fmt.Errorf("%w: expected a version such as go1.26.8, saw %q", ErrVersion, env.GOVERSION)
	}
	if version.Compare(t.Version, Oldest) < 0 {
		return nil, fmt.Errorf("%w: expected %s or later, saw %s in %s; select a newer one, for example with GOTOOLCHAIN",
			ErrVersion, Oldest, t.Version, env.GOROOT)
	}
	if info, err := os.Stat(t.runtimeDir()); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: expected the folder %s, saw none; some packagers ship the sources apart, install them or a toolchain from go.dev",
			ErrSource, t.runtimeDir())
	}
	if _, err := os.Stat(t.Go); err != nil {
		return nil, fmt.Errorf("%w: expected %s in the same tree as the sources: %w", ErrNoGo, t.Go, err)
	}
	shape, err := readShape(t.runtimeDir(), replace)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", t.Version, t.GOROOT, err)
	}
	t.Shape = shape
	return t, nil
}

func (t *Toolchain) runtimeDir() string { return filepath.Join(t.GOROOT, "src", "runtime") }

var releasePattern = regexp.MustCompile(`\bgo1\.\d+(\.\d+|(rc|beta)\d+)?`)

// release finds the version in what GOVERSION may be: "go1.26.8",
// "go1.26.8 X:jsonv2", "devel go1.27-1234567 Mon ...".
func release(goversion string) string { return releasePattern.FindString(goversion) }
