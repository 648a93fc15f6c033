// Package outside_test uses interleave as someone would who has nothing but
// interleave/README.md: from another module, with the code that stands there.
package outside_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/spindle-go/spindle/interleave" // what is run is it: go test must not take a result from its cache
)

// A module is a folder with a module of its own, which builds with what this
// module's own build has already: no network.
type module struct {
	t   *testing.T
	dir string
}

// newModule makes a module of files, by their names.
func newModule(t *testing.T, files map[string]string) *module {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and tests another module")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m := &module{t, t.TempDir()}
	m.write("go.mod", fmt.Sprintf("module example.com/outside\n\ngo 1.26.0\n\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => %q\n", root))
	m.write("go.sum", string(sums))
	for name, text := range files {
		m.write(name, text)
	}
	return m
}

func (m *module) write(name, text string) {
	m.t.Helper()
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// run runs a command line in a folder of the module and returns what it printed
// and its exit code.
func (m *module) run(dir, line string, env ...string) (out string, code int) {
	m.t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		m.t.Skip("no shell to run the command that a failure prints")
	}
	cmd := exec.CommandContext(m.t.Context(), sh, "-c", line)
	cmd.Dir = filepath.Join(m.dir, dir)
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "TMPDIR="+m.t.TempDir()), env...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%s: %v\n%s", line, err, b)
	}
	return string(b), cmd.ProcessState.ExitCode()
}
