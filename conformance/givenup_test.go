package conformance_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// some chooses checks of two witnesses, one of them the explorer.
const some = "SPINDLE_RUN='^(interleave/(empty|steal)|sequence/order)$' "

// built writes the queue into a module of its own and builds its test binary, q.test.
func built(t *testing.T, queue string) (dir string) {
	t.Helper()
	dir = othermodule(t, "right")
	if err := os.WriteFile(filepath.Join(dir, "queue.go"), []byte(queue), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := shell(t, dir, "go test -c -o q.test ."); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	return dir
}

// locked is a queue behind a lock. head are lines above it, empty is how Empty begins.
func locked(t *testing.T, head, empty string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/othermodule/right/queue.go")
	if err != nil {
		t.Fatal(err)
	}
	text := head + strings.Replace(string(data), "Empty() bool { q.Lock(); defer q.Unlock();", "Empty() bool { "+empty, 1)
	if !strings.Contains(text, empty) {
		t.Fatalf("the queue has no Empty of that kind:\n%s", data)
	}
	return text
}

// TestByItsNature has queues that cannot be explored wherever they are run. What only
// the explorer sees is skipped, with the reason. Who wants all asks for strictness.
func TestByItsNature(t *testing.T) {
	t.Attr("req", "RQ-RACE")
	lock := "q.Lock(); defer q.Unlock();"
	queues := map[string]struct{ queue, says string }{
		"off": {locked(t, "//interleave:off\n", lock), "nothing of the package can be explored"},
		"cgo": {strings.Replace(locked(t, "", lock), `import "sync"`, "import \"C\"\nimport \"sync\"", 1), "it imports C"},
	}
	for _, name := range tier.Some(t, slices.Sorted(maps.Keys(queues)), 1) {
		c := queues[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath("gcc"); err != nil && name == "cgo" {
				t.Skip(err)
			}
			dir := built(t, c.queue)
			out, code := shell(t, dir, some+"./q.test -test.v")
			if code != 0 || !strings.Contains(out, "--- SKIP: TestQueue/RQ-RACE") || !strings.Contains(out, c.says) {
				t.Errorf("expected exit 0, and RQ-RACE skipped since %q, saw exit %d\n%s", c.says, code, out)
			}
			if out, code := shell(t, dir, some+"SPINDLE_STRICT=1 ./q.test"); code != 1 || !strings.Contains(out, "partial: ") || !strings.Contains(out, c.says) {
				t.Errorf("strict: expected exit 1 and %q, saw exit %d\n%s", c.says, code, out)
			}
			// Alone it is nothing, and nothing is no pass.
			if out, code := shell(t, dir, "SPINDLE_RUN='^interleave/empty$' ./q.test"); code != 1 || !strings.Contains(out, "nothing ran") {
				t.Errorf("alone: expected exit 1, saw exit %d\n%s", code, out)
			}
		})
	}
}

// TestByTheEnvironment has a queue with a data race, which the explorer alone sees, in
// environments that keep the explorer from running. Nobody knows then what it would
// have found: the test is red, unless it is told that this may be.
func TestByTheEnvironment(t *testing.T) {
	t.Attr("req", "RQ-RACE")
	t.Parallel()
	dir := built(t, locked(t, "", ""))
	if out, code := shell(t, dir, some+"./q.test -test.v"); code != 1 || !strings.Contains(out, "RQ-RACE, seen by interleave/") {
		t.Fatalf("expected exit 1 and RQ-RACE, saw exit %d\n%s", code, out)
	}
	environments := map[string]string{
		"no go command":       "PATH=/nonexistent GOROOT=/nonexistent ",
		"no module":           "GOFLAGS=-mod=vendor ",
		"no cache":            "GOCACHE=off ",
		"no temporary folder": "TMPDIR=/nonexistent ",
		"a broken build":      "GOFLAGS=-gcflags=-nosuchflag ",
	}
	for _, name := range tier.Some(t, slices.Sorted(maps.Keys(environments)), 2) {
		env := environments[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, code := shell(t, dir, some+env+"./q.test")
			if code != 1 || !strings.Contains(out, "the interleavings were not explored: ") || !strings.Contains(out, "SPINDLE_UNEXPLORED=allow") {
				t.Errorf("expected exit 1 and the reason, saw exit %d\n%s", code, out)
			}
			out, code = shell(t, dir, some+env+"SPINDLE_UNEXPLORED=allow ./q.test -test.v")
			if code != 0 || !strings.Contains(out, "--- SKIP: TestQueue/RQ-RACE") || !strings.Contains(out, "the interleavings were not explored: ") {
				t.Errorf("allowed: expected exit 0, and RQ-RACE skipped, saw exit %d\n%s", code, out)
			}
		})
	}
}

// TestKeptInterleavings: a scenario of the explorer is kept, explored first in the next
// run, and passes when the queue is right.
func TestKeptInterleavings(t *testing.T) {
	t.Attr("req", "RQ-TWICE")
	tier.OnlyFull(t)
	dir := othermodule(t, "wrong")
	if out, code := shell(t, dir, "SPINDLE_RUN='^interleave/steal$' go test -count=1 ."); code != 1 || !strings.Contains(out, "the scenario is saved in testdata/spindle/TestQueue/RQ-") {
		t.Fatalf("expected exit 1 and a scenario that is kept, saw exit %d\n%s", code, out)
	}
	if out, code := shell(t, dir, "SPINDLE_RUN='^interleave/kept$' go test -count=1 ."); code != 1 || !strings.Contains(out, "interleave/kept: failed again: testdata/spindle/TestQueue/RQ-") || !strings.Contains(out, "seen by interleave/kept") {
		t.Errorf("expected exit 1 by interleave/kept, saw exit %d\n%s", code, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "queue.go"), []byte(locked(t, "", "q.Lock(); defer q.Unlock();")), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := shell(t, dir, "SPINDLE_RUN='^interleave/(kept|empty)$' go test -count=1 -v ."); code != 0 || !strings.Contains(out, "interleave/kept: passes now, and stays: testdata/spindle/TestQueue/RQ-") {
		t.Errorf("mended: expected exit 0, saw exit %d\n%s", code, out)
	}
	// Where it cannot be explored it is not skipped without a word.
	out, code := shell(t, dir, "go test -c -o q.test . && SPINDLE_RUN='^(interleave/kept|sequence/order)$' TMPDIR=/nonexistent ./q.test")
	if code != 1 || !strings.Contains(out, "interleave/kept: the interleavings were not explored: ") {
		t.Errorf("not explored: expected exit 1 and the reason, saw exit %d\n%s", code, out)
	}
}
