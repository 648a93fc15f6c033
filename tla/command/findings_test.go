package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/tla/findings"
)

func TestFindingsUsage(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-list", 0, "stw-syscall   a stop of the world waits until a syscall ends (reentersyscall,"},
		{"-list timer", 0, "timer "},
		{"wakeup", 2, `unknown finding: expected one of wakep, handoffp, batch,`},
		{"-d 0 wakep", 2, "expected a time above 0 for -d, saw 0s"},
		{"-go /nowhere/go wakep", 4, "no usable go command"},
	} {
		code, out, errs := runFindings(t.Context(), strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: expected %d and %q, saw %d\n%s%s", c.args, c.code, c.want, code, out, errs)
		}
	}
}

func runFindings(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	p := cli.Program{Name: "spindle", Commands: []*cli.Command{&Findings}}
	var out, err strings.Builder
	code = p.Run(ctx, append([]string{"findings"}, args...), strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// TestFindingsRefuses: a toolchain with another reentersyscall is refused by its name, for
// what rests on it, and nothing is run with it. An interrupted run is none that passed.
func TestFindingsRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the toolchain's go command is a shell script here")
	}
	toolchain, err := goruntime.Find("")
	if err != nil {
		t.Fatal(err)
	}
	rests, err := findings.Select([]string{"stw-syscall"})
	if err != nil {
		t.Fatal(err)
	}
	if err := rests[0].Refused(toolchain.GOROOT); err != nil {
		t.Skip(err)
	}
	root := otherRoot(t, toolchain, "reentersyscall")
	code, out, errs := runFindings(t.Context(), "-go", filepath.Join(root, "bin", "go"), "stw-syscall", "safepoint")
	if code != 3 || strings.Count(errs, "the functions that were modelled, saw others: reentersyscall\n") != 2 || !strings.Contains(out, "inconclusive: exit 3; 2 findings of 2") {
		t.Errorf("expected both refused, saw %d\n%s%s", code, out, errs)
	}
	// The script is no go command that could build: with wakep it comes to that, and to no verdict.
	code, out, errs = runFindings(t.Context(), "-go", filepath.Join(root, "bin", "go"), "wakep", "safepoint")
	if code != 4 || !strings.Contains(errs, "building a reproducer") || strings.Contains(out, "pass:") {
		t.Errorf("expected a build that fails, saw %d\n%s%s", code, out, errs)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	code, out, _ = runFindings(ended, "wakep", "batch")
	if code != 130 || !strings.Contains(out, "interrupted: exit 130; 1 finding of 2") {
		t.Errorf("expected an interrupted run, saw %d\n%s", code, out)
	}
}

// otherRoot makes a toolchain that is one only as far as it is read: its runtime is that
// of like, but that one function has a statement more, and its go command says where it is and fails otherwise.
func otherRoot(t *testing.T, like *goruntime.Toolchain, function string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "src", "runtime")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(like.GOROOT, "src", "runtime", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, filepath.Join(like.GOROOT, "VERSION")) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.Base(f))
		switch filepath.Base(f) {
		case "VERSION":
			to = filepath.Join(root, "VERSION")
		case "proc.go":
			before, after, ok := strings.Cut(string(text), "\nfunc "+function+"(")
			head, body, found := strings.Cut(after, "{\n")
			if !ok || !found {
				t.Fatalf("expected a function %s in proc.go", function)
			}
			text = []byte(before + "\nfunc " + function + "(" + head + "{\nprintln()\n" + body)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env, err := json.Marshal(map[string]string{"GOROOT": root, "GOVERSION": like.Version, "GOHOSTOS": runtime.GOOS, "GOHOSTARCH": runtime.GOARCH})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n[ \"$1\" = env ] || exit 1\necho '" + string(env) + "'\n"
	if err := os.WriteFile(filepath.Join(root, "bin", "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return root
}
