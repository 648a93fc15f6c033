//go:build unix

package procgroup

import (
	"errors"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// What a child has started ends with it: a grandchild that would go on holds the pipe open.
func TestEndsWhatItStarted(t *testing.T) {
	for name, end := range map[string]func(*exec.Cmd) error{"interrupt": Interrupt, "terminate": Terminate, "kill": Kill} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", "sleep 60 & echo started; wait")
			Own(cmd)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer Kill(cmd)
			if n, err := out.Read(make([]byte, 8)); n != 8 {
				t.Fatalf("expected that it starts, saw %d bytes, %v", n, err)
			}
			ended := make(chan error, 1)
			if name == "interrupt" {
				// A shell makes what it starts in the background ignore it, so the group is killed then.
				if err := end(cmd); err != nil {
					t.Fatal(err)
				}
				end = Kill
			}
			if err := end(cmd); err != nil && !errors.Is(err, syscall.ESRCH) {
				t.Fatal(err)
			}
			go func() {
				_, err := out.Read(make([]byte, 1)) // the end, when nobody holds the pipe any more
				ended <- err
			}()
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Error("expected that what it started ends, saw that it goes on after 10 s")
			}
			_ = cmd.Wait()
		})
	}
	if err := Kill(exec.Command("true")); err != nil {
		t.Errorf("a command that was not started: %v", err)
	}
}
