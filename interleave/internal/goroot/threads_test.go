package goroot

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestTalks runs the tests of testdata/threads/talks, on channels, locks of a dependency, time, and what TestLitmus has shown,
// and what is seen of a dependency and the standard library: see says.
func TestTalks(t *testing.T) {
	says(t, talks...)
}

var talks = []string{"talks/channels_test.go", "talks/clock_test.go", "talks/litmus_test.go", "talks/poll_test.go", "talks/open_test.go", "talks/seen_test.go"}

// TestPoisoned: what is left over in the stacks of threads can be overwritten, and no program notices.
func TestPoisoned(t *testing.T) {
	tier.OnlyFull(t)
	t.Setenv("SPINDLE_INTERNAL_POISON", "1")
	says(t, talks...)
}

// TestThreads runs the other tests of testdata/threads, with threads that a dependency starts: see says.
func TestThreads(t *testing.T) {
	tier.OnlyFull(t)
	files := []string{"threads_test.go", "beside/beside_test.go", "timer/timer_test.go", "value/value_test.go", "cgo/cgo_test.go"}
	if out, err := exec.CommandContext(t.Context(), "go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		if tier.Required("toolchains") {
			t.Error("SPINDLE_REQUIRE asks for toolchains, and there is none for C")
		}
		t.Log("skipped: cgo, since there is no toolchain for C")
		files = files[:len(files)-1]
	}
	says(t, files...)
}

// moduleOf returns a folder with a copy of a module, which uses this one.
func moduleOf(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil {
		var sums []byte
		if sums, err = os.ReadFile(filepath.Join(root, "go.sum")); err == nil {
			err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.mod"), fmt.Appendf(mod, "\nreplace github.com/spindle-go/spindle => %s\n", root), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// says runs the packages of files of testdata/threads, beside a dependency that is not explored, with threads that are goroutines. Behind
// "want" stands what each test says.
func says(t *testing.T, files ...string) {
	t.Helper()
	dir := moduleOf(t, "testdata/threads")
	var text []byte
	args := []string{"test", "-mod=mod", "-v"}
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join("testdata/threads", name))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, b...)
		if dir := "./" + filepath.ToSlash(filepath.Dir(name)); !slices.Contains(args, dir) {
			args = append(args, dir)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=")
	b, _ := cmd.CombinedOutput() // some fail
	out := string(b)
	wants := regexp.MustCompile(`(?m)^// want (PASS|FAIL): (.*)\nfunc (Test\w+)`).FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "\nfunc Test"); len(wants) != n {
		t.Fatalf("expected %d tests with what they say, saw %d", n, len(wants))
	}
	for _, w := range wants {
		_, rest, ok := strings.Cut(out, "=== RUN   "+w[3]+"\n")
		said, _, ended := strings.Cut(rest, "--- "+w[1]+": "+w[3]+" ")
		if !ok || !ended || strings.Contains(said, "=== RUN") || !strings.Contains(said, w[2]) {
			t.Errorf("%s: expected it to %s, with %q", w[3], w[1], w[2])
		}
	}
	if strings.Contains(out, "worker exits from panic") {
		t.Error("expected no panic of the engine's to reach a function of the program's, saw one")
	}
	if t.Failed() {
		t.Log(out)
	}
}
