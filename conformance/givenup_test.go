package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGivenUp has queues whose interleavings cannot be explored, or not all that
// they do can be seen. That is loud: no requirement that the explorer is a witness
// of reads as kept.
func TestGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests another module")
	}
	for name, q := range map[string]struct{ queue, says string }{
		"channel": {`package queue

type Queue struct{ ids chan uint64 }

func New() *Queue { return &Queue{make(chan uint64, 1024)} }

func (q *Queue) Put(id uint64) bool {
	select {
	case q.ids <- id:
		return true
	default:
		return false
	}
}

func (q *Queue) Get() (uint64, bool) {
	select {
	case id := <-q.ids:
		return id, true
	default:
		return 0, false
	}
}

func (q *Queue) Steal() (uint64, bool) { return q.Get() }

func (q *Queue) Empty() bool { return len(q.ids) == 0 }
`, "given up: cannot be controlled: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := othermodule(t, "right")
			if err := os.WriteFile(filepath.Join(dir, "queue.go"), []byte(q.queue), 0o644); err != nil {
				t.Fatal(err)
			}
			out, code := shell(t, dir, "SPINDLE_RUN='^(interleave/|sequence/random)' go test -v -count=1 .")
			if code != 1 || !strings.Contains(out, q.says) {
				t.Errorf("exit %d, want 1 and %q in\n%s", code, q.says, out)
			}
			if kept := regexp.MustCompile(`--- PASS: TestQueue/RQ-[A-Z-]+`).FindAllString(out, -1); kept != nil {
				t.Errorf("read as kept: %v in\n%s", kept, out)
			}
		})
	}
}
