package instrument

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
)

// module makes a module in a temporary folder that uses this checkout.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if files["go.mod"] == "" {
		files["go.mod"] = gomod("example.com/m")
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	files["go.sum"] = string(sums)
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text, "ROOT", filepath.ToSlash(root))
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func gomod(path string) string {
	return fmt.Sprintf("module %s\n\ngo 1.26\n\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => ROOT\n", path)
}

// uses makes a package's test import what a binary that explores does.
func uses(pkg string) string {
	return "package " + pkg + `

import (
	_ "github.com/spindle-go/spindle/interleave/atomic"
	_ "github.com/spindle-go/spindle/interleave/hook"
	_ "github.com/spindle-go/spindle/interleave/sync"
)
`
}

// environment is what the go command is given. An overlay of these tests, as a mutant's,
// is one of the module's, too.
func environment() []string {
	flags := "GOFLAGS=-mod=mod"
	for _, f := range strings.Fields(os.Getenv("GOFLAGS")) {
		if strings.HasPrefix(f, "-overlay=") {
			flags += " " + f
		}
	}
	return append(os.Environ(), flags, "GOPROXY=off", "GOWORK=off")
}

// run makes the overlay for a package of a module.
func run(t *testing.T, dir, pkg string, base ...*overlay.Set) (*Result, error) {
	t.Helper()
	return Run(context.Background(), Request{Dir: dir, Env: environment(), Package: pkg, Temp: t.TempDir(), Base: base})
}

// after returns the text of a file in an overlay.
func after(t *testing.T, r *Result, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(r.Overlay), "0", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// gotest runs the tests of a package with an overlay.
func gotest(t *testing.T, dir, pkg string, r *Result) string {
	t.Helper()
	args := []string{"test", "-count=1", "-vet=off", "-overlay=" + r.Overlay, pkg}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("go test: %v\n%s", err, out)
	}
	return string(out)
}
