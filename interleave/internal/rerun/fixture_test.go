package rerun

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// callPackage is a package that modules of these tests import, in the place of
// interleave. Its module's path allows it to import what is internal here.
const callPackage = `package call

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/rerun"
)

// Unsure is what the certificate would have in doubt of this binary.
func Unsure() string { return fmt.Sprintf("%q", engine.Unsure) }

// Test returns what f returned in the child.
func Test(t testing.TB, f func() string) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(1)
	return At(t, file, f)
}

func At(t testing.TB, file string, f func() string) string {
	t.Helper()
	if rerun.Instrumented() {
		c, err := rerun.Child(t)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Asked() {
			return "not asked"
		}
		out := f()
		if c.Whole {
			fmt.Println("whole:", out)
			return out
		}
		if err := c.Send([]byte(out + " " + string(c.Args))); err != nil {
			t.Fatal(err)
		}
		return out
	}
	out, err := rerun.Run(t, rerun.Request{File: file, Args: []byte(fmt.Sprint("args from ", os.Getpid()))})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
`

const subModule = "github.com/spindle-go/spindle/interleave/zzcall"

// A workplace is a module of a test, and how to run go there.
type workplace struct {
	t   *testing.T
	dir string
	env []string
}

// module makes a module example.com/m, whose packages import example.com/call...
func module(t *testing.T, files map[string]string) *workplace {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"go.mod":         gomod("example.com/m", subModule, "./zzcall", root),
		"go.sum":         string(sums),
		"other.sum":      string(sums), // with -modfile=other.mod
		"zzcall/go.mod":  "module " + subModule + "\n\ngo 1.26\n\nrequire github.com/spindle-go/spindle v0.0.0\n",
		"zzcall/call.go": callPackage,
	}
	maps.Copy(all, files)
	for name, text := range all {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		text = strings.NewReplacer("ROOT", filepath.ToSlash(root), "CALL", `call "`+subModule+`"`).Replace(text)
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	flags := "GOFLAGS=-mod=mod"
	for _, f := range strings.Fields(os.Getenv("GOFLAGS")) {
		if strings.HasPrefix(f, "-overlay=") { // as a mutant's, of what the module imports
			flags += " " + f
		}
	}
	return &workplace{t, dir, append(os.Environ(), flags, "GOPROXY=off", "GOWORK=off", "TMPDIR="+t.TempDir())}
}

func gomod(path, sub, at, root string) string {
	return fmt.Sprintf("module %s\n\ngo 1.26\n\nrequire (\n\tgithub.com/spindle-go/spindle v0.0.0\n\t%s v0.0.0\n)\n\nreplace github.com/spindle-go/spindle => %s\n\nreplace %s => %s\n",
		path, sub, filepath.ToSlash(root), sub, at)
}

func (w *workplace) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// run runs go and returns what it said.
func (w *workplace) run(args ...string) (string, error) {
	w.t.Helper()
	begin := time.Now()
	out, err := w.command("go", args...).CombinedOutput()
	w.t.Logf("go %s: %.1f s, %v", strings.Join(args, " "), time.Since(begin).Seconds(), err)
	return string(out), err
}

// passes runs go, which must do well and say all of want.
func (w *workplace) passes(want []string, args ...string) string {
	w.t.Helper()
	out, err := w.run(args...)
	if err != nil {
		w.t.Errorf("%v\n%s", err, out)
	}
	for _, s := range want {
		if !strings.Contains(out, s) {
			w.t.Errorf("expected %q in\n%s", s, out)
		}
	}
	return out
}

// fails runs go, which must fail and say all of want.
func (w *workplace) fails(want []string, args ...string) string {
	w.t.Helper()
	out, err := w.run(args...)
	if err == nil {
		w.t.Error("no failure")
	}
	for _, s := range want {
		if !strings.Contains(out, s) {
			w.t.Errorf("expected %q in\n%s", s, out)
		}
	}
	return out
}

// left returns what is left in the folder for temporary files, after a while.
func (w *workplace) left() []string {
	tmp := strings.TrimPrefix(w.env[len(w.env)-1], "TMPDIR=")
	var names []string
	for range 40 {
		names, _ = filepath.Glob(filepath.Join(tmp, "spindle-interleave-*"))
		if len(names) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return names
}

// long skips what is too slow for every run.
func long(t *testing.T) {
	t.Helper()
	tier.OnlyFull(t)
}

// writes writes a file of the module.
func (w *workplace) writes(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}
