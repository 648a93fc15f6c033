package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/tla/drift"
)

// changedRoot makes a GOROOT with what is read of the runtime at hand, one text of it
// changed and another version.
func changedRoot(t *testing.T, old, text, version string) string {
	t.Helper()
	from, err := drift.Root(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := drift.Compare(from); err != nil || len(r.Differ)+len(r.Alike) > 0 {
		t.Skipf("the toolchain at hand is not the modelled one: %v, %v", r, err)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "src", "runtime")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, name := range []string{"proc.go", "runtime2.go", "mgcpacer.go", "mgc.go", "mgcmark_greenteagc.go", "mgcmark_nogreenteagc.go", "netpoll.go", "netpoll_stub.go", "sema.go", "time.go"} {
		data, err := os.ReadFile(filepath.Join(from, "src", "runtime", name))
		if err != nil {
			t.Fatal(err)
		}
		n += strings.Count(string(data), old)
		write(filepath.Join(dir, name), []byte(strings.Replace(string(data), old, text, 1)))
	}
	if n != 1 {
		t.Fatalf("expected %q once in what is read, saw it %d times", old, n)
	}
	write(filepath.Join(root, "VERSION"), []byte(version+"\n"))
	return root
}

func TestSource(t *testing.T) {
	const get, comment = "pp, _ = pidlegetSpinning(0)", "// Be conservative about spinning threads"
	v := drift.Modelled()
	for _, c := range []struct {
		name, old, text, version string
		code                     int
		want, not                string
	}{
		{"a comment", comment, "// Hello", v, 0, "pass: exit 0; " + v + " is as it was modelled", "DIFF"},
		{"a later patch without a change", comment, comment, "go1.26.99", 0, "pass: exit 0; go1.26.99 is as it was modelled, as " + v, "DIFF"},
		{"a statement of wakep", get, "pp, _ = pidleget(0)", v, 1, "DIFF  wakep, src/runtime/proc.go:", "startm"},
		{"and its action", get, "pp, _ = pidleget(0)", v, 1, "changed: an idle P is taken, or needspinning is set [Sched!WakepGet]", ""},
		{"a constant, and why it counts", "const forcePreemptNS = 10", "const forcePreemptNS = 20", v, 1, "changed; in no version that was read; the model needs", "actions whose"},
		{"and its name and sum", "const forcePreemptNS = 10", "const forcePreemptNS = 20", v, 1, ", in 0 of ", "as it was modelled"},
		{"a twin", "func mspinning() {", "func wakep() {}\nfunc mspinning() {", v, 1, "declared again, here", "as it was modelled"},
		{"and the sum", get, "pp, _ = pidleget(0)", v, 1, "fail: exit 1; " + v + " differs from " + v + ", which was modelled, in 1 of ", ""},
		{"a version that nobody has read", comment, comment, "go1.99", 3, "not compared with this version: go1.99 was not read", "DIFF"},
		{"and differs", get, "pp, _ = pidleget(0)", "go1.99.1", 3, "inconclusive: exit 3; not compared with this version: ", "pass"},
		{"from a repository", comment, comment, "devel", 3, "devel was not read", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := run(t.Context(), "model", "-source", "-go", changedRoot(t, c.old, c.text, c.version))
			if code != c.code || !strings.Contains(out, c.want) || errs != "" || c.not != "" && strings.Contains(out, c.not) {
				t.Errorf("expected %d and %q without %q, saw %d\n%s%s", c.code, c.want, c.not, code, out, errs)
			}
		})
	}
}

func TestSourceWithoutAToolchain(t *testing.T) {
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "expected no models", []string{"sched-mended"}},
		{2, "expected no flags that choose or write models", []string{"-features"}},
		{2, "expected no flags that choose or write models", []string{"-update"}},
		{2, "without -source", nil},
		{4, "no usable go command", []string{"-go", filepath.Join(t.TempDir(), "go")}},
		{4, "no source of the runtime", []string{"-go", t.TempDir()}},
	} {
		args := append([]string{"model", "-source"}, c.args...)
		if c.args == nil {
			args = []string{"model", "-go", "go", "sched-mended"}
		}
		if code, _, errs := run(t.Context(), args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%q: expected %d, %q, saw %d, %s", args, c.code, c.says, code, errs)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, errs := run(ctx, "model", "-source"); code != 130 {
		t.Errorf("interrupted: saw %d, %s", code, errs)
	}
}

// A run of the models says what they are of, whatever the toolchain.
func TestModelNamesTheSource(t *testing.T) {
	dir := only(t, "", "") // no models
	if _, out, _ := run(t.Context(), "model", "-dir", dir); !strings.Contains(out, "\nthe source: ") || strings.Contains(out, "not compared") {
		t.Errorf("saw %s", out)
	}
	t.Setenv("PATH", t.TempDir())
	if _, out, _ := run(t.Context(), "model", "-dir", dir); !strings.Contains(out, "\nthe source: not compared: ") {
		t.Errorf("saw %s", out)
	}
}
