package conformance_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// A user's queue lives in a module of its own. These tests make such modules of
// testdata/othermodule and run go test there, with nothing but what this
// module's own build has already: no network.

// othermodule writes the module of that name and returns its folder.
func othermodule(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and tests another module")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "othermodule", name))); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module example.com/queue\n\ngo 1.26.0\n\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => %q\n", root)
	for file, text := range map[string]string{"go.mod": mod, "go.sum": string(sums)} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shell runs a command line in dir and returns its output and exit code.
func shell(t *testing.T, dir, line string) (out string, code int) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to run the command that a failure prints")
	}
	cmd := exec.CommandContext(t.Context(), sh, "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "TMPDIR="+t.TempDir())
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v\n%s", line, err, b)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// TestWrittenTest: the test that is written on request compiles, and shows the
// same finding.
func TestWrittenTest(t *testing.T) {
	tier.OnlyFull(t)
	dir := othermodule(t, "wrong")
	out, code := shell(t, dir, "SPINDLE_RUN='^interleave/steal$' SPINDLE_TEST_FILE=found_test.go go test -count=1 .")
	if code != 1 || !strings.Contains(out, "RQ-TWICE, seen by interleave/steal") {
		t.Fatalf("exit %d\n%s", code, out)
	}
	schedule := regexp.MustCompile(`schedule +(\S+)`).FindStringSubmatch(out)
	out, code = shell(t, dir, "go test -count=1 -run TestScheduleTWICE .")
	if code != 1 || schedule == nil || !strings.Contains(out, "RQ-TWICE") || !strings.Contains(out, "SPINDLE_SCHEDULE="+schedule[1]+" ") {
		t.Fatalf("exit %d, want RQ-TWICE by the schedule %v\n%s", code, schedule, out)
	}
}

// TestReadmeShowsWhatIsSeen holds the failure in the README against what go test prints. Three dots there stand for lines that are
// left out; a line may be cut at its end.
func TestReadmeShowsWhatIsSeen(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "```text\nqueue_test.go:9: ")
	shown, _, ok := strings.Cut("queue_test.go:9: "+after, "\n```")
	if !ok || strings.Count(shown, "\n") < 10 {
		t.Fatalf("expected a failure of at least ten lines in README.md, saw %q", shown)
	}
	out, _ := shell(t, othermodule(t, "wrong"), "SPINDLE_SEED=1 SPINDLE_RUN='^interleave/steal$' go test -count=1")
	if line := notShown(shown, out); line != "" {
		t.Errorf("README.md shows a line that go test does not print there: %q; it prints\n%s", line, out)
	}
	for _, wrong := range []string{strings.Replace(shown, "steal P0 = 1", "steal P0 = 2", 1), strings.Replace(shown, "...\n", "", 1)} {
		if notShown(wrong, out) == "" {
			t.Errorf("expected that this is seen to be wrong: %s", wrong)
		}
	}
}

// notShown returns the first line of shown that out does not have in its place, "" if it has all.
func notShown(shown, out string) string {
	lines := strings.Split(out, "\n")
	at, gap := 0, true
	for _, want := range strings.Split(shown, "\n") {
		if want == "..." {
			gap = true
			continue
		}
		found := false
		for ; at < len(lines) && !found; at++ {
			found = strings.HasPrefix(strings.TrimSpace(lines[at]), strings.TrimSpace(want))
			if !found && !gap {
				return want
			}
		}
		if !found {
			return want
		}
		gap = false
	}
	return ""
}

func TestRightQueueOfAnotherModule(t *testing.T) {
	tier.OnlyFull(t)
	dir := othermodule(t, "right")
	run := "SPINDLE_RUN='^(sequence/|stress/steal$|interleave/steal$)' "
	if tier.Full(t) {
		run = ""
	}
	if out, code := shell(t, dir, run+"go test ."); code != 0 {
		t.Errorf("exit %d, want a pass:\n%s", code, out)
	}
}

var (
	broken   = regexp.MustCompile(`--- FAIL: TestQueue/RQ-[A-Z-]+`)
	seeAgain = regexp.MustCompile(`(?m)^ *see again +(SPINDLE_SEED=.* go test .*)$`)
)

// TestWrongQueueOfAnotherModule holds that a get that forgets the swap is found,
// and found again by the command that the failure prints. The command gives the
// same scenarios, not the same schedule: on a machine that is busy with other
// things the threads may meet too seldom, so each has three tries.
func TestWrongQueueOfAnotherModule(t *testing.T) {
	tier.OnlyFull(t)
	dir := othermodule(t, "wrong")
	line := "go test -count=1 ."
	for _, what := range []string{"the first run", "the command that it prints"} {
		out, code := "", 0
		for range 3 {
			if out, code = shell(t, dir, line); code != 0 {
				break
			}
		}
		if code != 1 || !strings.Contains(out, "RQ-TWICE") && !strings.Contains(out, "RQ-LOST") {
			t.Fatalf("%s: %s: exit %d, want RQ-TWICE or RQ-LOST broken:\n%s", what, line, code, out)
		}
		again := seeAgain.FindStringSubmatch(out)
		if again == nil {
			t.Fatalf("%s: %s: no command to see it again:\n%s", what, line, out)
		}
		t.Logf("%s: %s\n%s", what, line, strings.Join(broken.FindAllString(out, -1), "\n"))
		line = again[1]
	}
}
