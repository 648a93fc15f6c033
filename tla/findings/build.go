package findings

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/procgroup"
)

// ErrBuild is wrapped by errors of building a reproducer.
var ErrBuild = errors.New("building a reproducer")

//go:embed reproducer/*.go
var reproducer embed.FS

//go:embed runtime.go.txt
var hooks []byte

// Names of files, from GOROOT, and the tag of code that needs the overlay.
const (
	procFile = "src/runtime/proc.go"
	hookFile = "src/runtime/zz_spindle_findings.go"
	tag      = "spindle_overlay"
)

// A Bench builds and runs reproducers with one toolchain. Its folder is removed by
// Close.
type Bench struct {
	Toolchain *goruntime.Toolchain
	dir       string
	built     map[string]string // the programs, by finding and build
}

// NewBench returns a bench for the toolchain.
func NewBench(t *goruntime.Toolchain) (*Bench, error) {
	dir, err := os.MkdirTemp("", "spindle-findings-")
	if err != nil {
		return nil, err
	}
	b := &Bench{Toolchain: t, dir: dir, built: make(map[string]string)}
	if err := b.writeModule(); err != nil {
		b.Close()
		return nil, fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return b, nil
}

// Close removes what the bench has made.
func (b *Bench) Close() error { return os.RemoveAll(b.dir) }

func (b *Bench) writeModule() error {
	dir := filepath.Join(b.dir, "module")
	if err := os.CopyFS(dir, reproducer); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module reproducer\n\ngo "+goruntime.Oldest[2:]+"\n"), 0o666)
}

// overlay returns the files that stand in for those of GOROOT; nil for none.
func (b *Bench) overlay(f *Finding, how build) (*overlay.Set, error) {
	if how == asIs {
		return nil, nil
	}
	set, err := overlay.New(b.Toolchain.GOROOT)
	if err != nil {
		return nil, err
	}
	if err := set.Put(hookFile, hooks); err != nil || how == added {
		return set, err
	}
	text, err := set.Text(procFile)
	if err != nil {
		return nil, err
	}
	if text, err = overlay.Insert("proc.go", text, f.edits...); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", b.Toolchain.Version, f.Name, err)
	}
	return set, set.Put(procFile, text)
}

// buildGrace is how long what a go command has started may hold its output once it
// was ended.
const buildGrace = time.Second

// program builds the reproducer, or returns the one that was built.
func (b *Bench) program(ctx context.Context, f *Finding, how build) (string, error) {
	key := fmt.Sprint("program-", how)
	if how == gated {
		key += "-" + f.Name
	}
	if path, ok := b.built[key]; ok {
		return path, nil
	}
	set, err := b.overlay(f, how)
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, key)
	args := []string{"build", "-o", path}
	if set != nil {
		file, err := set.Write(filepath.Join(b.dir, key+"-overlay"))
		if err != nil {
			return "", err
		}
		args = append(args, "-tags", tag, "-overlay", file)
	}
	cmd := exec.CommandContext(ctx, b.Toolchain.Go, append(args, "./reproducer")...)
	cmd.Dir = filepath.Join(b.dir, "module")
	cmd.Env = append(b.Toolchain.Env(filepath.Join(b.dir, "modcache"), false), "PWD="+cmd.Dir)
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd) }
	cmd.WaitDelay = buildGrace
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %s %s: %w:\n%s", ErrBuild, b.Toolchain.Go, strings.Join(args, " "), err, ends(out.String()))
	}
	b.built[key] = path
	return path, nil
}

// ends returns the first and the last lines of what a program has printed.
func ends(s string) string {
	const n = 10
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if len(lines) > 2*n {
		lines = slices.Concat(lines[:n], []string{"..."}, lines[len(lines)-n:])
	}
	return strings.Join(lines, "\n")
}
