//go:build unix

package awake

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopped stops a process for longer than its limit: its time is not over
// when it goes on, but later.
func TestStopped(t *testing.T) {
	const limit = time.Second
	if os.Getenv("SPINDLE_TEST_AWAKE") != "" {
		ctx, cancel := WithTimeout(t.Context(), limit)
		defer cancel()
		begin := time.Now()
		fmt.Println("begun")
		<-ctx.Done()
		fmt.Println("over after", time.Since(begin).Milliseconds())
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestStopped$")
	cmd.Env = append(os.Environ(), "SPINDLE_TEST_AWAKE=1")
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
	lines := bufio.NewScanner(out)
	const pause = 1500 * time.Millisecond
	for lines.Scan() {
		switch {
		case lines.Text() == "begun":
			_ = cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(pause)
			_ = cmd.Process.Signal(syscall.SIGCONT)
		case strings.HasPrefix(lines.Text(), "over after "):
			var ms int
			if _, err := fmt.Sscanf(lines.Text(), "over after %d", &ms); err != nil {
				t.Fatal(err)
			}
			// A tick of 15 ms may have come before the stop, and one counts for two.
			if least := int((pause + limit - 100*time.Millisecond).Milliseconds()); ms < least {
				t.Errorf("over after %d ms, want at least %d: the pause counted", ms, least)
			}
			return
		}
	}
	t.Fatal("expected a line that says when its time was over, saw none")
}
