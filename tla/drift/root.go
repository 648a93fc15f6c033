package drift

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

// ErrNoGo is wrapped by errors that say why there is no toolchain to compare.
var ErrNoGo = errors.New("drift: no usable go command")

// rootLimit is how long the go command may take to say where it is: it may have to
// fetch a toolchain first.
const rootLimit = 5 * time.Minute

// Root is the GOROOT of a go command: name, or "go" if that is empty. For a name without
// a folder, found on PATH, go.mod and GOTOOLCHAIN have their say; a command that is given
// with its folder is taken as it is. A folder is a GOROOT itself. Errors wrap [ErrNoGo].
func Root(ctx context.Context, name string) (string, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return name, nil
	}
	if name == "" {
		name = "go"
	}
	ctx, cancel := context.WithTimeout(ctx, rootLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, "env", "GOROOT")
	if filepath.Base(name) != name {
		path, err := filepath.Abs(name)
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrNoGo, err)
		}
		cmd = exec.CommandContext(ctx, path, "env", "GOROOT")
		cmd.Dir = os.TempDir()
		cmd.Env = append(os.Environ(), "GOROOT=", "GOTOOLCHAIN=local", "GOWORK=off")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second // what it has started may hold what it printed to
	out, err := cmd.Output()
	root := strings.TrimSpace(string(out))
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%w: %s env: expected an answer, saw none: %w", ErrNoGo, name, ctx.Err())
	case err != nil:
		return "", fmt.Errorf("%w: %s env: %w: %s", ErrNoGo, name, err, bytes.TrimSpace(stderr.Bytes()))
	case !filepath.IsAbs(root):
		return "", fmt.Errorf("%w: %s env: expected a folder, saw %.80q", ErrNoGo, name, root)
	}
	return root, nil
}
