//go:build unix

// Package awaketest stops a process while it is at work, for tests of what a pause
// counts for.
//
//interleave:off
package awaketest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Pause is how long a process is stopped.
const Pause = 1500 * time.Millisecond

// The variable of the process that is stopped, and the lines that it prints.
const variable, begun, ended = "SPINDLE_INTERNAL_STOPPED", "awaketest: begun", "awaketest: ended: "

// Stopped calls work in a process of its own, which runs the test t alone, and returns
// what work returned there. That process is stopped for Pause soon after work calls
// begin. In it Stopped does not return.
func Stopped(t *testing.T, work func(begin func()) string) string {
	t.Helper()
	if os.Getenv(variable) != "" {
		fmt.Println(ended + work(func() { fmt.Println(begun) }))
		t.SkipNow() // the rest is the parent's
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	stopped := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == begun {
			time.Sleep(50 * time.Millisecond)
			err := cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(Pause)
			if err = errors.Join(err, cmd.Process.Signal(syscall.SIGCONT)); err != nil {
				t.Fatal(err)
			}
			stopped = true
		}
		if text, is := strings.CutPrefix(lines.Text(), ended); is && stopped {
			return text
		}
	}
	t.Fatal("expected that it begins and then ends, saw otherwise")
	return ""
}
