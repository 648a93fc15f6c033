//go:build unix

package checks

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestStopped stops the suite, in the middle of a call, for longer than a scenario
// may take. The queue does not hang: the suite itself did not run.
func TestStopped(t *testing.T) {
	if os.Getenv("SPINDLE_TEST_STOPPED") != "" {
		shortly(t, time.Second)
		var once sync.Once
		out, broken := carried(t, hanging, spec.FIFO, func() queue.Queue {
			return &simple{get: func(q *simple) (record.ID, bool) {
				once.Do(func() { fmt.Println("in a call"); time.Sleep(300 * time.Millisecond) })
				return q.first()
			}}
		})
		fmt.Println("ended", out.Ended == suite.Completed, broken, out.Reason)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestStopped$")
	cmd.Env = append(os.Environ(), "SPINDLE_TEST_STOPPED=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch text := lines.Text(); {
		case text == "in a call":
			time.Sleep(50 * time.Millisecond)
			_ = cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(1500 * time.Millisecond)
			_ = cmd.Process.Signal(syscall.SIGCONT)
		case strings.HasPrefix(text, "ended "):
			if text != "ended true [] " {
				t.Errorf("expected a check that is completed without findings, saw %s", text)
			}
			return
		}
	}
	t.Fatal("expected a line that says how the check ended, saw none")
}
