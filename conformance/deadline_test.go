package conformance

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// slow is a right queue whose put takes so long that no check of it comes to its end.
type slow struct{ designs.Locked }

func (q *slow) Put(id record.ID) bool { time.Sleep(50 * time.Millisecond); return q.Locked.Put(id) }

func TestDeadlineThere(t *testing.T) {
	if os.Getenv(there) == "" {
		t.Skip("run by TestDeadline, in a process of its own: its time is over before it ends")
	}
	TestQueue(t, func() *slow { return new(slow) }, order, Budget(time.Hour))
}

// TestDeadline: a test that has not ended when the time of go test is nearly over is
// inconclusive, and says so. Package testing would end the binary by a panic, and nobody
// would see what the test knew.
func TestDeadline(t *testing.T) {
	tier.OnlyFull(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDeadlineThere$", "-test.timeout=4s", "-test.count=1")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), there+"=1", "SPINDLE_EVENTS=", "SPINDLE_RUN=", "SPINDLE_STRICT=", "SPINDLE_SEED=1")
	out, err := cmd.CombinedOutput()
	text := string(out)
	if !errors.As(err, new(*exec.ExitError)) || strings.Contains(text, "panic") || !strings.Contains(text, "when the deadline of the test, go test -timeout, was near") || !strings.Contains(text, "--- FAIL: TestDeadlineThere/RQ-FIFO") {
		t.Errorf("expected the requirements of the check unknown, and why, saw %v\n%s", err, text)
	}
}
