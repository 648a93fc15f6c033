package rerun

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

const failing = `package m

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	CALL
)

var n atomic.Int32

func TestPanics(t *testing.T) { call.Test(t, func() string { panic("the panic") }) }

func TestExits(t *testing.T) { call.Test(t, func() string { os.Exit(0); return "" }) }

func TestEndsWith3(t *testing.T) { call.Test(t, func() string { os.Exit(3); return "" }) }

func TestKilled(t *testing.T) {
	call.Test(t, func() string {
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		time.Sleep(time.Second)
		return ""
	})
}

func TestName(t *testing.T) {
	t.Run(fmt.Sprint("p", os.Getpid()), func(t *testing.T) { call.Test(t, func() string { return "" }) })
}

func TestFatal(t *testing.T) { call.Test(t, func() string { t.Fatal("the failure"); return "" }) }

func TestSkips(t *testing.T) {
	// Only in the child is standard input a pipe.
	if i, err := os.Stdin.Stat(); err == nil && i.Mode()&os.ModeNamedPipe != 0 {
		t.Skip("in the child")
	}
	call.Test(t, func() string { return "" })
}

func TestAfter(t *testing.T) {
	call.Test(t, func() string { return "" })
	if i, err := os.Stdin.Stat(); err == nil && i.Mode()&os.ModeNamedPipe != 0 {
		panic("nobody cares")
	}
}

func BenchmarkCall(b *testing.B) { call.Test(b, func() string { return "" }) }

func TestHangs(t *testing.T) {
	if os.Getenv("HANG") != "" {
		call.Test(t, func() string {
			os.WriteFile(os.Getenv("HANG"), fmt.Append(nil, os.Getpid()), 0o644)
			time.Sleep(time.Minute)
			return ""
		})
	}
}
`

// TestErrors makes children that end in every way but the right one.
func TestErrors(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, map[string]string{"m_test.go": failing})
	out := w.fails(nil, "test", "-count=1", "-bench=.", ".")
	for test, want := range map[string][]string{
		"TestPanics":    {string(Crashed), "exit status 2", "the panic", "'-run=^TestPanics$'"},
		"TestExits":     {string(Exited), "by os.Exit(0)"},
		"TestEndsWith3": {string(Exited), "exit status 3"},
		"TestKilled":    {string(Killed), "signal: killed"},
		"TestName":      {string(NotFound), "expected it to run TestName/p"},
		"TestFatal":     {string(NotReached), "call 1 of TestFatal", "the failure"},
		"TestSkips":     {string(NotReached), "in the child"},
	} {
		_, after, ok := strings.Cut(out, "--- FAIL: "+test+" ")
		if !ok {
			t.Errorf("%s did not fail", test)
			continue
		}
		after, _, _ = strings.Cut(after, "\n--- ")
		for _, s := range want {
			if !strings.Contains(after, s) {
				t.Errorf("%s: expected %q in\n%s", test, s, after)
			}
		}
	}
	if strings.Contains(out, "FAIL: TestAfter") {
		t.Error("what the child did after it sent its result mattered")
	}
	if t.Failed() {
		t.Log(out)
	}
	w.fails([]string{string(Benchmark)}, "test", "-run=^$", "-bench=.", ".")
	if left := w.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestEnds ends the parent in the middle of a call, and sees the child end and
// nothing left behind.
func TestEnds(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, map[string]string{"m_test.go": failing})
	w.passes(nil, "test", "-c", "-o", "m.test", ".")
	pid := filepath.Join(w.dir, "pid")
	for _, c := range []struct {
		name string
		end  func(p *os.Process) error
	}{
		{"killed", func(p *os.Process) error { return p.Kill() }},
		{"interrupted", func(p *os.Process) error { return p.Signal(os.Interrupt) }},
		{"timed out", nil},
	} {
		if c.end != nil && runtime.GOOS == "windows" {
			continue
		}
		os.Remove(pid)
		args := []string{"-test.run=TestHangs"}
		if c.end == nil {
			args = append(args, "-test.timeout=3s")
		}
		cmd := w.command(filepath.Join(w.dir, "m.test"), args...)
		cmd.Env = append([]string{"HANG=" + pid}, w.env...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		child := ""
		for range 2400 { // a minute: other tests may build beside this one
			if text, err := os.ReadFile(pid); err == nil && len(text) > 0 {
				child = string(text)
				break
			}
			time.Sleep(25 * time.Millisecond)
		}
		if child == "" {
			cmd.Process.Kill()
			t.Fatalf("no child; %s", &out)
		}
		if c.end != nil {
			if err := c.end(cmd.Process); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Error("it passed")
		}
		if c.end == nil && (!strings.Contains(out.String(), string(TimedOut)) || !strings.Contains(out.String(), "TestHangs.func1")) {
			t.Errorf("expected %q and where the child was in\n%s", TimedOut, &out)
		}
		if left := w.left(); len(left) > 0 {
			t.Errorf("%s: left behind: %v", c.name, left)
		}
		if runtime.GOOS == "linux" {
			gone := false
			for range 40 {
				if _, err := os.Stat("/proc/" + child); err != nil {
					gone = true
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			if !gone {
				t.Errorf("%s: the child lives on", c.name)
			}
		}
	}
}

const simple = `package m

import (
	"sync/atomic"
	"testing"

	CALL
)

var n atomic.Int32

func TestOne(t *testing.T) { t.Log("came:", call.Test(t, func() string { return "back" })) }
`

// TestWhere is about binaries that do not find their source or the go command.
func TestWhere(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, map[string]string{"m_test.go": simple, "p/m_test.go": simple})
	w.fails([]string{string(TrimPath), "-trimpath=false"}, "test", "-trimpath", ".") // it compiles the standard library
	w.fails([]string{string(FilesOnly), "Name the package instead", "'-run=^TestOne$' ."}, "test", "m_test.go")
	binary := filepath.Join(t.TempDir(), "elsewhere.test")
	w.passes(nil, "test", "-c", "-o", binary, ".")
	run := func(dir string, env ...string) string {
		cmd := exec.Command(binary, "-test.v")
		cmd.Dir, cmd.Env = dir, append(append([]string(nil), w.env...), env...)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if out := run(w.dir, "PATH="); !strings.Contains(out, string(NoGo)) || !strings.Contains(out, "Put the go command on PATH") || !strings.Contains(out, "cd "+w.dir+" && go test") {
		t.Errorf("without go: %s", out)
	}
	if out := run(t.TempDir()); !strings.Contains(out, "came: back") {
		t.Errorf("from another folder: %s", out)
	}
	if out := run(filepath.Join(w.dir, "p")); !strings.Contains(out, "came: back") {
		t.Errorf("from the folder of another package: %s", out)
	}
	if err := os.Rename(filepath.Join(w.dir, "m_test.go"), filepath.Join(w.dir, "n_test.go.txt")); err != nil {
		t.Fatal(err)
	}
	if out := run(t.TempDir()); !strings.Contains(out, string(Moved)) || !strings.Contains(out, "go test '-run=^TestOne$' example.com/m") {
		t.Errorf("moved: %s", out)
	}
}

// TestTrimPath: without -trimpath runtime.Caller gives a path of this machine.
func TestTrimPath(t *testing.T) {
	_, err := find("example.com/m/m_test.go", "-run=^TestTrimPath$")
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Problem != TrimPath || !strings.Contains(e.Error(), "go test '-run=^TestTrimPath$'") {
		t.Error(err)
	}
}

// TestBuildFails has a name of package scope that an edited file takes for an import.
func TestBuildFails(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, map[string]string{
		"m_test.go": simple,
		"own.go":    "package m\n\nvar zzhook int\n\nfunc f(m map[int]int) { for k := range m { zzhook += k } }\n",
	})
	w.fails([]string{string(BuildFailed), "zzhook already declared through", workVar + "=/tmp/work go test"}, "test", ".")
	work := t.TempDir()
	w.env = append([]string{workVar + "=" + work}, w.env...)
	w.fails([]string{string(BuildFailed)}, "test", ".")
	if kept, _ := filepath.Glob(filepath.Join(work, "*/after/*/own.go")); len(kept) != 1 {
		t.Errorf("kept %v, want the edited file", kept)
	}
	if left := w.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
